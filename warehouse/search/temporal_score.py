"""How well passages fit the times a question asks about, by three clocks.

A passage is of the moments that it mentions, of the period that its document reports, and of the day that was
published on. A question that names no time asks none of them.
"""

from __future__ import annotations

from datetime import date

import numpy as np

from warehouse.records import Question, Window
from warehouse.search.evidence import Evidence
from warehouse.search.intervals import SLACK, overlap
from warehouse.search.pool import CandidatePool
from warehouse.search.readings import WindowReading, readings
from warehouse.store.clocks import UNKNOWN, Clocks
from warehouse.store.snapshot import Snapshot
from warehouse.store.spans import day

SHARE = 0.15
"""The most that the times may have of the score of a passage, where a question names any.

What they have falls with the square of how well the candidates fit on the whole: a time that all of them fit says
nothing, and so does leaving out one that all fit. The rule was chosen among five, and .15 among .05 to .3, on 236
questions of TimeQA and 269 of TAT-QA, after a look at both halves of them, so that those are no test of it. On a third
of 1,090 questions to tables of seven filings .12 to .2 differ by .005 in MRR. On the other two thirds: found in five
.852 without times, .879 with; MRR .675 and .690; the hit that shows the figure is of the right period .686 and .789.
"""
LEANING = 0.5
"""What a time that the question only leans towards counts, of one that it names.

By judgement: .25 to 1 make no difference to the questions to filings.
"""
MENTIONED = 0.7
"""What the moments of a passage count beside the period of its document, where it has one.

Chosen among .4 to .7 on a third of the questions to filings (MRR .741 at .4, .757 at .7).
"""
PUBLISHED = 0.6
"""What a document counts that reports no period and was published within the time; by judgement."""
EACH = 0.5
"""What it counts that a passage fits all times of a question, beside that it fits one; by judgement."""
HALF_LIFE = 365
"""Days after which a document counts half as much as the newest, where the newest is asked for; by judgement."""


def timeliness(snapshot: Snapshot, question: Question, pool: CandidatePool) -> Evidence:
    """How well each candidate fits the question's windows."""
    fits = np.stack([_fits(snapshot, question, window, pool) for window in question.windows])
    fit = EACH * fits.mean(axis=0) + (1 - EACH) * fits.max(axis=0)
    of_it = 1 - fit if all(window.excluded for window in question.windows) else fit
    return Evidence("time", SHARE * float(1 - of_it.mean()) ** 2 if len(fit) else 0.0, fit)


def _fits(snapshot: Snapshot, question: Question, window: Window, pool: CandidatePool) -> np.ndarray:
    """How well each candidate fits one window."""
    documents = snapshot.passages.document[pool.rows]
    asked = readings(window, snapshot.clocks, documents)
    moments, dated = _moments(snapshot, asked, pool)
    period, reports = _period(snapshot.clocks, asked, documents)
    fits = np.where(reports, MENTIONED * moments + (1 - MENTIONED) * period, np.maximum(moments, PUBLISHED * period))
    if window.excluded:
        fits = np.where(dated | reports, 1 - fits, 0.0)
    if window.recent:
        return np.asarray(np.maximum(LEANING * fits, _freshness(snapshot.clocks, documents, None)))
    if question.as_of and not window.demanded:
        fits = np.maximum(fits, _freshness(snapshot.clocks, documents, question.as_of))
        fits[_is_later(snapshot.clocks, asked, documents)] = 0.0
    return np.asarray(fits if window.demanded else LEANING * fits)


def _moments(snapshot: Snapshot, asked: list[WindowReading], pool: CandidatePool) -> tuple[np.ndarray, np.ndarray]:
    """How well the best moment that each candidate mentions fits, and whether it mentions any."""
    passages, mentions, rows = snapshot.passages, snapshot.mentions, pool.rows
    places, found = mentions.inside(passages.document[rows], passages.start[rows], passages.end[rows])
    best, dated = np.zeros(len(rows)), np.zeros(len(rows), np.bool_)
    dated[places] = True
    for each in asked:
        fit = overlap(mentions.start_date[found], mentions.end_date[found], each.start[places], each.end[places])
        np.maximum.at(best, places, each.weight[places] * fit)
    return best, dated


def _period(clocks: Clocks, asked: list[WindowReading], documents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How well each document's period fits, of one that reports none the day it was published; whether it has one."""
    reports = clocks.reported_start[documents] != UNKNOWN
    published = clocks.published[documents]
    start = np.where(reports, clocks.reported_start[documents], published).astype(np.int64)
    end = np.where(reports, clocks.reported_end[documents], published + (published != UNKNOWN)).astype(np.int64)
    best = np.zeros(len(documents))
    for each in asked:
        inside = (start >= each.start) & (end <= each.end)
        fit = np.where(reports, overlap(start, end, each.start, each.end), inside)
        best = np.maximum(best, each.weight * fit)
    return np.where(start == UNKNOWN, 0.0, best), reports


def _is_later(clocks: Clocks, asked: list[WindowReading], documents: np.ndarray) -> np.ndarray:
    """Whether each document reports a period that goes on after the time, in every reading."""
    end = clocks.reported_end[documents]
    late = [(end > each.end + SLACK) | (each.weight < 1) for each in asked]
    return np.asarray(np.all(late, axis=0) & (end != UNKNOWN))


def _freshness(clocks: Clocks, documents: np.ndarray, until: date | None) -> np.ndarray:
    """How new each document is among those that were published up to a day: halving every half-life from the newest.

    Less what the oldest of them is, so that it tells them apart; 0 for documents without a date.
    """
    published = clocks.published[documents].astype(np.int64)
    known = published != UNKNOWN
    if until is not None:
        known &= published <= day(until)
    if not known.any():
        return np.zeros(len(documents))
    newest = published[known].max()
    fresh = 0.5 ** ((newest - np.where(known, published, newest)) / HALF_LIFE)
    return np.where(known, fresh - fresh.min(), 0.0)
