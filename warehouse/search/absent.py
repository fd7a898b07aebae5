"""What a question demands and nothing here is of: a name, or a period, and the nearest that there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

import numpy as np

from warehouse.records import Hit, Question, Window
from warehouse.search.intervals import ENDLESS, SLACK, overlap
from warehouse.search.period_words import both_readings, days_words, hits_touch, reported_words
from warehouse.search.readings import WindowReading, readings
from warehouse.store.clocks import UNKNOWN, Clocks
from warehouse.store.snapshot import Snapshot
from warehouse.store.words import telling_words

_PERSON = re.compile(r"(?:President|Prime Minister|Chancellor|Minister|King|Queen|Sir|Dr|Mr|Mrs|Ms|Prof|Professor)\b")
"""Whom texts speak of without the name: "I", "the President"."""
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)(?:time)?\b|[春夏秋冬]", re.IGNORECASE)
"""No report is of a season: "for the winter" asks what is done then, not what was reported of the coming one."""
COVERED = 0.75
"""From which fit on a time is covered: more than a balance at its end, or the year to it."""
_NAMES = """
    SELECT reported_name, reported_start, reported_end, fiscal_year_start FROM documents
    WHERE document_id IN (SELECT unnest($ids))
"""


def absences(snapshot: Snapshot, question: Question, hits: Sequence[Hit] = ()) -> tuple[str, ...]:
    """A sentence for each period that the question demands and no report that it is about touches or mentions.

    Its reports are those of the documents of its subjects, of all without a subject. Where none of them says which
    period it reports, nobody can tell what is missing, and nothing is said. Nor is it where a report is of a part of
    the period, or of more, in any calendar that it may be meant in, or where one of the `hits` names it: what is shown
    then would give it the lie.
    """
    windows = [each for each in question.windows if each.demanded and not each.excluded and each.start and each.end]
    windows = [each for each in windows if not _SEASON.search(each.text)]
    reports = _reports(snapshot, question)
    if not question.ranking.times or not windows or not len(reports):
        return ()
    return tuple(_sentences(snapshot, question, windows, reports, hits))


def absence(snapshot: Snapshot, question: Question) -> str:
    """Why no document can answer: a sentence where none names what is asked about, or is of its time; else nothing.

    It needs every name and every time of the question to be absent: each word of a name, and for a time each report
    and each time that the documents mention, of those that the question is about.
    """
    unknown = unknown_names(snapshot, question)
    known = question.subjects or question.filters.documents or set(question.names) - set(unknown)
    if unknown and not known and not any(_PERSON.match(name) for name in unknown):
        return f"No document of {' or '.join(unknown)} is here."
    named = [each for each in question.windows if each.demanded and not each.excluded and each.start and each.end]
    # "The fourth quarter" is of a year that the words leave open: the document's, not the reader's.
    windows = [each for each in named if any(map(str.isdigit, each.text))]
    documents = _asked_of(snapshot, question)
    mentions = _mentioned(snapshot, documents)
    if not question.ranking.times or not windows or len(windows) < len(named) or not len(mentions):
        return ""
    asked = [reading for window in windows for reading in readings(window, snapshot.clocks, documents)]
    either = [*asked, *(each for window in windows for each in _named_by_start(window, snapshot.clocks, documents))]
    if any(_is_touched(snapshot, each, documents, mentions) for each in either):
        return ""
    whose = f" for {question.subjects[0].text}" if len(question.subjects) == 1 else ""
    said = " or ".join(_said(window) for window in windows)
    return f"No document covers {said}{whose}; the nearest is {_nearest_time(snapshot, asked, documents, mentions)}."


def _named_by_start(window: Window, clocks: Clocks, documents: np.ndarray) -> Iterator[WindowReading]:
    """A fiscal time where years are named after the one in which they begin, as many retailers name them.

    A year that ended in January 2026 is the fiscal 2025 of some and the fiscal 2026 of others; where the documents do
    not say which, neither is denied.
    """
    if not window.fiscal or window.period is None:
        return
    year, month, count = window.period
    later = readings(replace(window, period=(year + 1, month, count)), clocks, documents)[-1]
    is_open = (clocks.first_month[documents] > 1) & ~clocks.early[documents]
    yield WindowReading(later.start, later.end, later.weight * is_open)


def unknown_names(snapshot: Snapshot, question: Question) -> tuple[str, ...]:
    """The names in a question with a word that no passage has; abbreviations are none, for documents write them out."""
    if question.foreign:
        return ()
    return tuple(name for name in question.names if not name.isupper() and not _is_named(snapshot, name))


def _is_named(snapshot: Snapshot, name: str) -> bool:
    """Whether each word of a name is in some passage; a word of one or two letters tells nothing."""
    return all(snapshot.keywords.held(word) for word in telling_words(name) if len(word) > 2)


def _asked_of(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The ordinals of the documents that a question is about: its subjects', or those it is limited to, or all."""
    ordinals = snapshot.passages.ordinal_of
    about = {each for subject in question.subjects for each in subject.documents}
    demanded = set(question.filters.documents)
    named = (about & demanded) or about or demanded
    chosen = sorted(ordinals[each] for each in named if each in ordinals)
    return np.array(chosen, np.int64) if named else np.arange(len(ordinals))


def _mentioned(snapshot: Snapshot, documents: np.ndarray) -> np.ndarray:
    """The rows of the times that some documents mention."""
    return np.flatnonzero(np.isin(snapshot.mentions.document, documents))


def _is_touched(snapshot: Snapshot, asked: WindowReading, documents: np.ndarray, mentions: np.ndarray) -> bool:
    """Whether a report or a mention shares a day with the time asked about."""
    clocks, every = snapshot.clocks, snapshot.mentions
    start, end = clocks.reported_start[documents], clocks.reported_end[documents]
    if ((start != UNKNOWN) & (start < asked.end) & (end > asked.start) & (asked.weight > 0)).any():
        return True
    place = np.searchsorted(documents, every.document[mentions])
    begin, until = (side[mentions].astype(np.int64) for side in (every.start_date, every.end_date))
    # Of a time with an open side the other must lie in the time asked about: "since 1990" says little of 2009.
    touches = (begin < asked.end[place]) & (until > asked.start[place])
    inside = (begin >= asked.start[place]) | (until <= asked.end[place])
    touches &= (until - begin < ENDLESS) | inside
    return bool((touches & (asked.weight[place] > 0)).any())


def _nearest_time(snapshot: Snapshot, asked: list[WindowReading], documents: np.ndarray, mentions: np.ndarray) -> str:
    """The period of the nearest report, or the year of the nearest mention where no document is a report."""
    reports = documents[snapshot.clocks.reported_start[documents] != UNKNOWN]
    if len(reports):
        own = np.searchsorted(documents, reports)
        return _nearest(snapshot, [WindowReading(r.start[own], r.end[own], r.weight[own]) for r in asked], reports)
    every = snapshot.mentions
    begin, until = (side[mentions].astype(np.int64) for side in (every.start_date, every.end_date))
    known = until - begin < ENDLESS
    middle = ((begin + until) // 2)[known] if known.any() else begin
    aim = int(asked[0].start[0] + asked[0].end[0]) // 2
    return str((date(1970, 1, 1) + timedelta(days=int(middle[np.argmin(np.abs(middle - aim))]))).year)


def _reports(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The ordinals of the documents that report a period, of the question's subjects if it has some."""
    ordinals = snapshot.passages.ordinal_of
    named = [ordinals[each] for subject in question.subjects for each in subject.documents if each in ordinals]
    chosen = np.array(sorted(set(named)), np.int64) if question.subjects else np.arange(len(ordinals))
    return np.asarray(chosen[snapshot.clocks.reported_start[chosen] != UNKNOWN])


def _sentences(
    snapshot: Snapshot, question: Question, windows: list[Window], reports: np.ndarray, hits: Sequence[Hit]
) -> Iterator[str]:
    whose = f" for {question.subjects[0].name}" if len(question.subjects) == 1 else ""
    for window in windows:
        asked = readings(window, snapshot.clocks, reports)
        is_covered = any(_is_covered(snapshot, each, reports) for each in asked)
        if not is_covered and not hits_touch(snapshot, window, hits):
            yield f"no report covers {_said(window)}{whose}; nearest is {_nearest(snapshot, asked, reports)}"


def _said(window: Window) -> str:
    """The time as it was asked for, with its days where the words alone do not say which: "the quarter".

    Both readings of a period that may be the calendar's or the company's own.
    """
    both = both_readings(window)
    if both:
        return f"{window.text}, neither {both.taken} nor {both.other},"
    if window.start is None or window.end is None or any(map(str.isdigit, window.text)):
        return window.text
    return f"{window.text} ({days_words(window.start, window.end)})"


def _is_covered(snapshot: Snapshot, asked: WindowReading, reports: np.ndarray) -> bool:
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


def _nearest(snapshot: Snapshot, asked: list[WindowReading], reports: np.ndarray) -> str:
    """What the period nearest to the time is called; the earlier of two as near."""
    clocks = snapshot.clocks
    middle = clocks.reported_start[reports].astype(np.int64) + clocks.reported_end[reports]
    apart = np.min(
        [np.where(each.weight > 0, np.abs(middle - each.start - each.end), np.inf) for each in asked], axis=0
    )
    best = reports[np.flatnonzero(apart == apart.min())]
    first = best[np.argmin(clocks.reported_end[best])]
    ids = [snapshot.passages.documents[first]]
    ((name, start, end, first_month),) = snapshot.rows(_NAMES, {"ids": ids})
    return reported_words(str(name), start, end, first_month)
