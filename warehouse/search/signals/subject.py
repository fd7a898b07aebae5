"""Subjects: passages of the documents that a question names, those of the right period first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from warehouse.records import Question, Subject, Window
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal
from warehouse.search.signals.temporal import SLACK, list_readings, overlap
from warehouse.store.columns.passage_columns import UNKNOWN, Clocks
from warehouse.store.snapshot import Snapshot

SHARE = 0.3
"""The share of the names in the score of a passage, where a question names something of the catalogue.

On 63 questions to seven filings among 278 other financial pieces (TAT-QA) .15 to .3 differ by one question.
"""
NAMED_INSIDE = 0.25
"""What a subject counts whose passages are few: they name it themselves, which both halves know already.

Beside the rest of the score that is a share of .1, the best of .1, .2 and .3 on 100 two-hop questions (HotpotQA:
recall@5 .815, without names .805), and the one of them that harms none of 154 Chinese ones (DRCD).
"""
WHENEVER = 0.5  # What a document of a subject counts whatever it reports on, where the question names a time.
EARLIER = 0.7
"""What the earlier of the times that a question compares count: the latest report shows the others beside it."""
PUBLISHED = 0.6  # What a document counts that reports no period and was published within the time or soon after.
BESIDE = 0.2  # What a document counts that reports the year after: it shows the one asked for beside its own.
OTHER_LESSON = 0.6  # What the other lessons of a course count, where the question names one.
LESSON_ALONE = 0.5  # What a lesson of the number counts, where the question names no course.
SOON = 60  # Days within which what happened in a time is published.
YEAR = 366


def has_reports_of_times(windows: Sequence[Window], subjects: Sequence[Subject]) -> bool:
    """Whether each spacious subject has a document that reports up to the end of one of the times.

    The words of the time tell its passages apart no more: the statements of an annual report are of its year, though
    all that they print of it is the day on which it ended.
    """
    sides = [(window.end, window.other_end) for window in windows if _is_named(window)]
    asked_ends = [end for ends in sides for end in ends if end]
    spacious = [{end for _, end in each.periods} for each in subjects if each.spacious]
    return bool(spacious) and all(
        any(abs((end - reported).days) <= SLACK for end in asked_ends for reported in ends) for ends in spacious
    )


def _is_named(window: Window) -> bool:
    return not (window.excluded or window.recent)


class SubjectFit(SearchSignal):
    """How far candidates are of a subject of the question, and of the lesson that it names."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best passages of what fits the names best."""
        return self.with_best(pool, mask_best_fitting(self.snapshot, self.question)) if self._is_named() else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit to the best of the names."""
        if not self._is_named():
            return None
        return ScorePart("name", SHARE, np.max(_score_passages(self.snapshot, self.question), axis=0)[pool.rows])

    def _is_named(self) -> bool:
        """Whether the question names what the catalogue knows, or a lesson, and names are to count."""
        question = self.question
        return question.ranking.names and bool(question.subjects or question.lesson is not None)


def mask_best_fitting(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The passages that fit the names of a question best, of each subject its own, as a boolean mask."""
    each = _score_passages(snapshot, question)
    return np.asarray(np.any([(fit > 0) & (fit >= fit.max(initial=0.0)) for fit in each], axis=0))


def measure_nearness(snapshot: Snapshot, question: Question) -> np.ndarray:
    """How near the document of each passage comes to the best of those that a question names: [0, 1], (passages,).

    1 for the best of each subject, and for all passages where the question names none; 0 for a document that has
    nothing of the time, where another has. The best alone will not do: a notice published in a quarter fits the quarter
    as well as the report on it. Of 348 rewordings of 87 questions to filings .908 have the page in five hits, .894 with
    the best alone.
    """
    if not question.subjects:
        return np.ones(len(snapshot.passages))
    each = _score_passages(snapshot, question)
    nearness = np.max([fit / (fit.max(initial=0.0) or 1.0) for fit in each], axis=0)
    return np.where((nearness > WHENEVER) | (nearness == 1.0), nearness, 0.0)


def _score_passages(snapshot: Snapshot, question: Question) -> list[np.ndarray]:
    """How far each passage is of each subject of a question, or else of its lesson: in [0, 1], shape (passages,)."""
    documents = snapshot.passages.document
    fits = [_score_documents(snapshot, question, subject)[documents] for subject in question.subjects]
    if question.lesson is None and fits:
        return fits
    in_lesson = snapshot.passages.lesson == question.lesson
    return [np.where(in_lesson, fit, OTHER_LESSON * fit) for fit in fits] or [np.where(in_lesson, LESSON_ALONE, 0.0)]


def _score_documents(snapshot: Snapshot, question: Question, subject: Subject) -> np.ndarray:
    """How well each document fits one subject and the question's times, in [0, 1], shape (documents,)."""
    ordinals = snapshot.passages.ordinal_of
    documents = np.array([ordinals[each] for each in subject.documents if each in ordinals], np.int64)
    fits = np.zeros(len(ordinals))
    times = [window for window in question.windows if (window.required or question.as_of) and _is_named(window)]
    if len(documents) > 1 and times and question.ranking.times:
        # Of the times that are compared the latest counts most.
        latest = max((window.end for window in times if window.end), default=None)
        weights = [1.0 if window.end in (None, latest) else EARLIER for window in times]
        each = [
            weight * _score_periods(snapshot.clocks, time, documents)
            for weight, time in zip(weights, times, strict=True)
        ]
        fits[documents] = WHENEVER + (1 - WHENEVER) * np.max(each, axis=0)
    else:
        fits[documents] = 1.0
    silent = subject.spacious or subject.described or subject.company
    return subject.confidence * (1.0 if silent else NAMED_INSIDE) * fits


def _score_periods(clocks: Clocks, window: Window, documents: np.ndarray) -> np.ndarray:
    """How well each document's period fits a time."""
    start, end = (side[documents].astype(np.int64) for side in (clocks.reported_start, clocks.reported_end))
    published = clocks.published[documents].astype(np.int64)
    reports = start != UNKNOWN
    best = np.zeros(len(documents))
    for asked in list_readings(window, clocks, documents):
        beside = BESIDE * ((end > asked.end) & (end <= asked.end + YEAR))
        reported = np.maximum(overlap(start, end, asked.start, asked.end), beside)
        within = PUBLISHED * ((published >= asked.start) & (published < asked.end + SOON))
        best = np.maximum(best, asked.weight * np.where(reports, reported, within))
    return best
