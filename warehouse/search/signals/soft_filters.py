"""How far passages have what a question says of them: their section, the journal, tags, topic and type of paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from warehouse.records import Filters, Question
from warehouse.search.filters import allowed_rows
from warehouse.search.scoring import CandidatePool, Evidence, gather
from warehouse.search.signals.subject import best_fitting
from warehouse.store.snapshot import Snapshot

SHARE = 0.15
"""The share of what is said of passages in their score: half of that of the document they are asked of."""
FIELDS = ("kinds", "topics", "journals", "paper_types", "tags")
LONGER = 30
"""By how many characters a heading may be longer than what is said of it: "Materials and methods", "Item 1A. Risk"."""

_HEADING = """
    SELECT rowid FROM passages WHERE len(list_filter(section, lambda heading: length(heading) <= $longest
        AND len(list_filter($words, lambda word: NOT contains(lower(heading), word))) = 0)) > 0
"""


def leans(question: Question) -> bool:
    """Whether a question says anything of its passages, and that is to count."""
    return question.ranking.names and bool(question.leaning)


def with_leaning(
    snapshot: Snapshot, question: Question, allowed: np.ndarray | None, pool: CandidatePool
) -> CandidatePool:
    """A pool with the best of the passages that have all that is said, inside the subjects' documents if there are."""
    if not leans(question):
        return pool
    inside = np.all([_having(snapshot, each) for each in _each(question.leaning)], axis=0)
    if question.subjects:
        inside &= best_fitting(snapshot, replace(question, lesson=None))
    if allowed is not None:
        inside &= allowed
    return pool.joined(gather(snapshot, question, inside)) if inside.any() else pool


def leaning(snapshot: Snapshot, question: Question, pool: CandidatePool) -> Evidence:
    """How much of what is said each candidate has, of that which any passage has."""
    had = [mask[pool.rows] for each in _each(question.leaning) if (mask := _having(snapshot, each)).any()]
    return Evidence("said", SHARE if had else 0.0, np.mean(had, axis=0) if had else np.zeros(len(pool)))


def _each(said: Filters) -> Iterator[Filters]:
    yield from (Filters(**{field: values}) for field in FIELDS if (values := getattr(said, field)))
    if said.sections:
        yield Filters(sections=said.sections)


def _having(snapshot: Snapshot, said: Filters) -> np.ndarray:
    """The passages that have one of the values of a field, as a boolean mask."""
    if not said.sections:
        found = allowed_rows(snapshot, said)
        return np.ones(len(snapshot.passages), np.bool_) if found is None else found
    mask = np.zeros(len(snapshot.passages), dtype=np.bool_)
    for section in said.sections:
        words = [word.removesuffix("s") for word in section.lower().split()]
        mask[snapshot.numbers(_HEADING, {"words": words, "longest": len(section) + LONGER})] = True
    return mask
