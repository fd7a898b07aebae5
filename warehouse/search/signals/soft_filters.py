"""Soft filters: section, journal, tags, topic and type of paper that a question mentions and does not demand."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from warehouse.records import Filters
from warehouse.search.filters import mask_allowed
from warehouse.search.scoring import CandidatePool, ScorePart, SearchSignal
from warehouse.search.signals.subject import mask_best_fitting

SHARE = 0.15  # The share of what is said of passages in their score: half of that of the document they are asked of.
FIELDS = ("kinds", "topics", "journals", "paper_types", "tags")
LONGER = 30
"""By how many characters a heading may be longer than what is said of it: "Materials and methods", "Item 1A. Risk"."""

_HEADING = """
    len(list_filter(section, lambda heading: length(heading) <= $longest
        AND len(list_filter($words, lambda word: NOT contains(lower(heading), word))) = 0)) > 0
"""


class SoftFilters(SearchSignal):
    """How much candidates have of what the question says of passages, which it does not demand."""

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best passages that have all that is said, in the subjects' documents if there are any."""
        if not self._is_said():
            return pool
        inside = np.all(self._masks, axis=0)
        if self.question.subjects:
            inside &= mask_best_fitting(self.snapshot, replace(self.question, lesson=None))
        return self.with_best(pool, inside)

    def score(self, pool: CandidatePool) -> ScorePart | None:
        """How much of it each has, of that which any passage has."""
        if not self._is_said():
            return None
        had = [mask[pool.rows] for mask in self._masks if mask.any()]
        return ScorePart("said", SHARE if had else 0.0, np.mean(had, axis=0) if had else np.zeros(len(pool)))

    def _is_said(self) -> bool:
        """Whether the question says anything that tells its passages apart, and that is to count."""
        return self.question.ranking.names and bool(self.question.soft_filters) and bool(self._masks)

    @cached_property
    def _masks(self) -> list[np.ndarray]:
        """For each field that is said the passages that have one of its values, as a boolean mask.

        None that all passages of the subjects have: the annual report, where it is all that there is of a company.
        """
        soft_filters, snapshot = self.question.soft_filters, self.snapshot
        conditions = [Filters(**{field: values}) for field in FIELDS if (values := getattr(soft_filters, field))]
        found = [mask for each in conditions if (mask := mask_allowed(snapshot, each)) is not None]
        headed = []
        for section in soft_filters.sections:
            words = [word.removesuffix("s") for word in section.lower().split()]
            headed.append(snapshot.in_sections(_HEADING, {"words": words, "longest": len(section) + LONGER}))
        found += [np.any(headed, axis=0)] if headed else []
        of_subjects = self._mask_subjects()
        return [mask for mask in found if not mask[of_subjects].all()]

    def _mask_subjects(self) -> np.ndarray:
        """The passages of the documents that the question names, as a boolean mask; all, where it names none."""
        passages = self.snapshot.passages
        named = {each for subject in self.question.subjects for each in subject.documents}
        ordinals = [passages.ordinal_of[each] for each in named if each in passages.ordinal_of]
        return np.isin(passages.document, ordinals) if ordinals else np.ones(len(passages), np.bool_)
