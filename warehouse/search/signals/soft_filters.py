"""Soft filters: section, journal, tags, topic and type of paper that a question mentions and does not demand."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from warehouse.records import Filters
from warehouse.search.filters import mask_allowed
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal
from warehouse.search.signals.subject import mask_best_fitting

SHARE = 0.15  # The share of soft filters in the score of a passage: half of that of the named documents.
FIELDS = ("kinds", "topics", "journals", "paper_types", "tags")
LONGER = 30
"""How many characters a heading may have more than the question's words: "Materials and methods", "Item 1A. Risk"."""

_HEADING = """
    len(list_filter(section, lambda heading: length(heading) <= $longest
        AND len(list_filter($words, lambda word: NOT contains(lower(heading), word))) = 0)) > 0
"""


class SoftFilters(SearchSignal):
    """How many of the question's soft filters candidates satisfy."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best passages that satisfy all soft filters, in the subjects' documents if it has any."""
        if not self._is_said():
            return pool
        inside = np.all(self._masks, axis=0)
        if self.question.subjects:
            inside &= mask_best_fitting(self.snapshot, replace(self.question, lesson=None))
        return self.with_best(pool, inside)

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """The share of the soft filters that each satisfies, of those that any passage satisfies."""
        if not self._is_said():
            return None
        values = [mask[pool.rows] for mask in self._masks if mask.any()]
        return ScorePart("said", SHARE if values else 0.0, np.mean(values, axis=0) if values else np.zeros(len(pool)))

    def _is_said(self) -> bool:
        """Whether the question has soft filters that distinguish passages, and they are to count."""
        return self.question.ranking.names and bool(self.question.soft_filters) and bool(self._masks)

    @cached_property
    def _masks(self) -> list[np.ndarray]:
        """For each field with values, the passages that have one of them, as a boolean mask.

        Masks that include all passages of the subjects are left out, as "annual report" if a company has nothing else.
        """
        soft_filters, snapshot = self.question.soft_filters, self.snapshot
        conditions = [Filters(**{field: values}) for field in FIELDS if (values := getattr(soft_filters, field))]
        masks = [mask for filters in conditions if (mask := mask_allowed(snapshot, filters)) is not None]
        section_masks = []
        for section in soft_filters.sections:
            words = [word.removesuffix("s") for word in section.lower().split()]
            section_masks.append(snapshot.in_sections(_HEADING, {"words": words, "longest": len(section) + LONGER}))
        masks += [np.any(section_masks, axis=0)] if section_masks else []
        passages = self.snapshot.passages
        document_ids = {document_id for subject in self.question.subjects for document_id in subject.documents}
        ordinals = [
            passages.ordinal_of[document_id] for document_id in document_ids if document_id in passages.ordinal_of
        ]
        # The passages of the documents that the question names, as a boolean mask; all if it names none.
        of_subjects = np.isin(passages.document, ordinals) if ordinals else np.ones(len(passages), np.bool_)
        return [mask for mask in masks if not mask[of_subjects].all()]
