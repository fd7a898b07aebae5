"""Metadata of documents in a question: the subjects that it names, and other metadata that it mentions.

`SubjectFit` is about the company, paper, course or note whose documents a question names, those of the right period
first. `SoftFilters` is about section, journal, tags, topic and type of paper, which it mentions and does not require.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from warehouse.records import Filters, Question, Subject, Window
from warehouse.search.filters import mask_allowed
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal
from warehouse.search.signals.temporal import SLACK_DAYS, list_readings, overlap
from warehouse.store.columns.passage_columns import NO_DAY, DocumentTimes
from warehouse.store.snapshot import Snapshot

SUBJECT_SHARE = 0.3
"""The share of the names in the score of a passage, if a question names something of the catalogue.

On 63 questions to seven filings among 278 other financial pieces (TAT-QA) .15 to .3 differ by one question.
"""
NAMED_INSIDE_WEIGHT = 0.25
"""The weight of a subject with few passages: they contain its name, which meaning and words count already.

Beside the rest of the score that is a share of .1, the best of .1, .2 and .3 on 100 two-hop questions (HotpotQA:
recall@5 .815, without names .805), and the one of them that harms none of 154 Chinese ones (DRCD).
"""
MIN_PERIOD_FIT = 0.5  # The least fit of a subject's document, whatever its period, if the question names a time.
EARLIER_FACTOR = 0.7
"""The weight of the earlier ones of times that a question compares: the latest report also shows the others."""
PUBLISHED_FIT = 0.6  # The fit of a document without a reported period that was published within the time or soon after.
NEXT_YEAR_FIT = 0.2  # The fit of a document that reports the following year: it also shows the requested one.
OTHER_LESSON_FACTOR = 0.6  # The factor for the other lessons of a course, if the question names one.
LESSON_FIT = 0.5  # The fit of a lesson with the number, if the question names no course.
PUBLICATION_DAYS = 60  # Days within which the events of a time are published.
DAYS_OF_YEAR = 366

SOFT_FILTERS_SHARE = 0.15  # The share of soft filters in the score of a passage: half of that of the named documents.
SOFT_FIELDS = ("kinds", "topics", "journals", "paper_types", "tags")
HEADING_EXCESS = 30
"""How many characters a heading may have more than the question's words: "Materials and methods", "Item 1A. Risk"."""

_HEADING_SQL = """
    len(list_filter(section, lambda heading: length(heading) <= $longest
        AND len(list_filter($words, lambda word: NOT contains(lower(heading), word))) = 0)) > 0
"""


def has_reports_of_times(windows: Sequence[Window], subjects: Sequence[Subject]) -> bool:
    """Whether each subject with many passages has a document that reports up to the end of one of the times.

    The words of the time then no longer distinguish passages: the statements of an annual report are of its year, even
    if they print only the day on which it ended.
    """
    end_pairs = [(window.end, window.other_end) for window in windows if _is_named(window)]
    asked_ends = [end for ends in end_pairs for end in ends if end]
    ends_by_subject = [{end for _, end in subject.periods} for subject in subjects if subject.has_many_passages]
    return bool(ends_by_subject) and all(
        any(abs((end - reported_end).days) <= SLACK_DAYS for end in asked_ends for reported_end in ends)
        for ends in ends_by_subject
    )


def _is_named(window: Window) -> bool:
    return not (window.excluded or window.recent)


class SubjectFit(SearchSignal):
    """How well candidates fit a subject of the question, and the lesson that it names."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best passages of the documents that fit the names best."""
        return self.join_best(pool, mask_best_fitting(self.snapshot, self.question)) if self._is_named() else pool

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """Their fit to the best of the names."""
        if not self._is_named():
            return None
        return ScorePart(
            "name", SUBJECT_SHARE, np.max(_score_passages(self.snapshot, self.question), axis=0)[pool.rows]
        )

    def _is_named(self) -> bool:
        """Whether the question names a document or company of the catalogue, or a lesson, and names are to count."""
        question = self.question
        return question.ranking.names and bool(question.subjects or question.lesson is not None)


def mask_best_fitting(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The passages that fit the names of a question best, those of each subject, as a boolean mask."""
    fits = _score_passages(snapshot, question)
    return np.asarray(np.any([(fit > 0) & (fit >= fit.max(initial=0.0)) for fit in fits], axis=0))


def measure_nearness(snapshot: Snapshot, question: Question) -> np.ndarray:
    """The fit of each passage's document divided by the best fit of its subject: in [0, 1], shape (passages,).

    1 for the best of each subject, and for all passages if the question names none; 0 for a document that does not fit
    the time, if another does. The best alone would not suffice: a notice published in a quarter fits the quarter as
    well as the report on it. Of 348 rewordings of 87 questions to filings .908 have the page in five hits, .894 with
    only the best.
    """
    if not question.subjects:
        return np.ones(len(snapshot.passages))
    fits = _score_passages(snapshot, question)
    nearness = np.max([fit / (fit.max(initial=0.0) or 1.0) for fit in fits], axis=0)
    return np.where((nearness > MIN_PERIOD_FIT) | (nearness == 1.0), nearness, 0.0)


def _score_passages(snapshot: Snapshot, question: Question) -> list[np.ndarray]:
    """How well each passage fits each subject of a question, or else its lesson: in [0, 1], shape (passages,)."""
    documents = snapshot.passages.document
    fits = [_score_documents(snapshot, question, subject)[documents] for subject in question.subjects]
    if question.lesson is None and fits:
        return fits
    in_lesson = snapshot.passages.lesson == question.lesson
    return [np.where(in_lesson, fit, OTHER_LESSON_FACTOR * fit) for fit in fits] or [
        np.where(in_lesson, LESSON_FIT, 0.0)
    ]


def _score_documents(snapshot: Snapshot, question: Question, subject: Subject) -> np.ndarray:
    """How well each document fits one subject and the question's times, in [0, 1], shape (documents,)."""
    passages = snapshot.passages
    documents = np.array(passages.list_ordinals(subject.documents), np.int64)
    fits = np.zeros(len(passages.documents))
    times = [window for window in question.windows if (window.required or question.as_of) and _is_named(window)]
    if len(documents) > 1 and times and question.ranking.times:
        # Of the times that are compared the latest counts most.
        latest = max((window.end for window in times if window.end), default=None)
        weights = [1.0 if window.end in (None, latest) else EARLIER_FACTOR for window in times]
        fits_by_time = [
            weight * _score_periods(snapshot.document_times, time, documents)
            for weight, time in zip(weights, times, strict=True)
        ]
        fits[documents] = MIN_PERIOD_FIT + (1 - MIN_PERIOD_FIT) * np.max(fits_by_time, axis=0)
    else:
        fits[documents] = 1.0
    is_fully_weighed = subject.has_many_passages or subject.described or subject.company
    return subject.confidence * (1.0 if is_fully_weighed else NAMED_INSIDE_WEIGHT) * fits


def _score_periods(times: DocumentTimes, window: Window, documents: np.ndarray) -> np.ndarray:
    """How well each document's period fits a time."""
    start, end = (days[documents].astype(np.int64) for days in (times.reported_start, times.reported_end))
    published_days = times.published[documents].astype(np.int64)
    reports = start != NO_DAY
    best_fits = np.zeros(len(documents))
    for reading in list_readings(window, times, documents):
        next_year_fit = NEXT_YEAR_FIT * ((end > reading.end) & (end <= reading.end + DAYS_OF_YEAR))
        period_fit = np.maximum(overlap(start, end, reading.start, reading.end), next_year_fit)
        published_fit = PUBLISHED_FIT * (
            (published_days >= reading.start) & (published_days < reading.end + PUBLICATION_DAYS)
        )
        best_fits = np.maximum(best_fits, reading.weight * np.where(reports, period_fit, published_fit))
    return best_fits


class SoftFilters(SearchSignal):
    """How many of the question's soft filters candidates satisfy."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best passages that satisfy all soft filters, in the subjects' documents if it has any."""
        if not self._has_effective_filters():
            return pool
        is_matching = np.all(self._masks, axis=0)
        if self.question.subjects:
            is_matching &= mask_best_fitting(self.snapshot, replace(self.question, lesson=None))
        return self.join_best(pool, is_matching)

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """The share of the soft filters that each satisfies, of those that any passage satisfies."""
        if not self._has_effective_filters():
            return None
        values = [mask[pool.rows] for mask in self._masks if mask.any()]
        return ScorePart(
            "said", SOFT_FILTERS_SHARE if values else 0.0, np.mean(values, axis=0) if values else np.zeros(len(pool))
        )

    def _has_effective_filters(self) -> bool:
        """Whether the question has soft filters that distinguish passages, and they are to count."""
        return self.question.ranking.names and bool(self.question.soft_filters) and bool(self._masks)

    @cached_property
    def _masks(self) -> list[np.ndarray]:
        """For each field with values, the passages that have one of them, as a boolean mask.

        Masks that include all passages of the subjects are left out, as "annual report" if a company has nothing else.
        """
        soft_filters, snapshot = self.question.soft_filters, self.snapshot
        conditions = [Filters(**{field: values}) for field in SOFT_FIELDS if (values := getattr(soft_filters, field))]
        masks = [mask for filters in conditions if (mask := mask_allowed(snapshot, filters)) is not None]
        section_masks = []
        for section in soft_filters.sections:
            words = [word.removesuffix("s") for word in section.lower().split()]
            section_masks.append(
                snapshot.mask_sections(_HEADING_SQL, {"words": words, "longest": len(section) + HEADING_EXCESS})
            )
        masks += [np.any(section_masks, axis=0)] if section_masks else []
        passages = self.snapshot.passages
        ordinals = passages.list_ordinals(name for subject in self.question.subjects for name in subject.documents)
        # The passages of the documents that the question names, as a boolean mask; all if it names none.
        is_of_subjects = np.isin(passages.document, ordinals) if ordinals else np.ones(len(passages), np.bool_)
        return [mask for mask in masks if not mask[is_of_subjects].all()]
