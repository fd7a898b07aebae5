"""What a question demands and nothing here is of: a period that no report touches, and the nearest that there is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import numpy as np

from warehouse.records import Question, Window
from warehouse.search.intervals import SLACK, overlap
from warehouse.search.readings import Reading, readings
from warehouse.store.clocks import UNKNOWN
from warehouse.store.snapshot import Snapshot

COVERED = 0.75
"""From which fit on a time is covered: more than a balance at its end, or the year to it."""
_NAMES = "SELECT document_id, reported_name FROM documents WHERE document_id IN (SELECT unnest($ids))"


def absences(snapshot: Snapshot, question: Question) -> tuple[str, ...]:
    """A sentence for each period that the question demands and no report that it is about touches or mentions.

    Its reports are those of the documents of its subjects, of all without a subject. Where none of them says which
    period it reports, nobody can tell what is missing, and nothing is said. Nor is it where a report is of a part of
    the period, or of more, in any calendar that it may be meant in: what is shown then would give it the lie.
    """
    windows = [each for each in question.windows if each.demanded and not each.excluded and each.start and each.end]
    reports = _reports(snapshot, question)
    if not question.ranking.times or not windows or not len(reports):
        return ()
    return tuple(_sentences(snapshot, question, windows, reports))


def _reports(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The ordinals of the documents that report a period, of the question's subjects if it has some."""
    ordinals = snapshot.passages.ordinal_of
    named = [ordinals[each] for subject in question.subjects for each in subject.documents if each in ordinals]
    chosen = np.array(sorted(set(named)), np.int64) if question.subjects else np.arange(len(ordinals))
    return np.asarray(chosen[snapshot.clocks.reported_start[chosen] != UNKNOWN])


def _sentences(snapshot: Snapshot, question: Question, windows: list[Window], reports: np.ndarray) -> Iterator[str]:
    whose = f" for {question.subjects[0].name}" if len(question.subjects) == 1 else ""
    for window in windows:
        asked = readings(window, snapshot.clocks, reports)
        if not any(_is_covered(snapshot, each, reports) for each in asked):
            yield f"no report covers {_said(window)}{whose}; nearest is {_nearest(snapshot, asked, reports)}"


def _said(window: Window) -> str:
    """The time as it was asked for, with its days where the words alone do not say which: "the quarter"."""
    if window.start is None or window.end is None or any(map(str.isdigit, window.text)):
        return window.text
    return f"{window.text} ({window.start} to {window.end - timedelta(days=1)})"


def _is_covered(snapshot: Snapshot, asked: Reading, reports: np.ndarray) -> bool:
    """Whether a report is of the time or of some of it, or a moment of the time that one mentions."""
    clocks, mentions = snapshot.clocks, snapshot.mentions
    start, end = clocks.reported_start[reports].astype(np.int64), clocks.reported_end[reports].astype(np.int64)
    common = np.minimum(end, asked.end) - np.maximum(start, asked.start)
    if ((asked.weight > 0) & (common > np.minimum(SLACK, (asked.end - asked.start) // 2))).any():
        return True
    place = np.full(len(clocks.published), -1)
    place[reports] = np.arange(len(reports))
    own = place[mentions.document]
    found, own = np.flatnonzero(own >= 0), own[own >= 0]
    fits = overlap(mentions.start_date[found], mentions.end_date[found], asked.start[own], asked.end[own])
    return bool(((asked.weight[own] > 0) & (fits >= COVERED)).any())


def _nearest(snapshot: Snapshot, asked: list[Reading], reports: np.ndarray) -> str:
    """What the period nearest to the time is called; the earlier of two as near."""
    clocks = snapshot.clocks
    middle = clocks.reported_start[reports].astype(np.int64) + clocks.reported_end[reports]
    apart = np.min(
        [np.where(each.weight > 0, np.abs(middle - each.start - each.end), np.inf) for each in asked], axis=0
    )
    best = reports[np.flatnonzero(apart == apart.min())]
    first = best[np.argmin(clocks.reported_end[best])]
    ids = [snapshot.passages.documents[first]]
    ((_, name),) = snapshot.rows(_NAMES, {"ids": ids})
    return str(name)
