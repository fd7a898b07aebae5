"""From a question to hits: filter, find by vector and by word, weigh the evidence, arrange, cite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from warehouse.records import Hit, Question
from warehouse.search.evidence import Evidence, weighed
from warehouse.search.filter_masks import allowed_rows
from warehouse.search.fusion import fuse
from warehouse.search.grouping import Candidates, arranged
from warehouse.search.hits import RankedPool, hits_of
from warehouse.search.pool import CandidatePool, gather
from warehouse.search.query_expansion import relatedness, with_related
from warehouse.search.reference_lists import without_references
from warehouse.search.relevance_feedback import bridge, bridging, with_bridge
from warehouse.search.soft_filters import leaning, leans, with_leaning
from warehouse.search.subject_fit import names_something, naming, with_subjects
from warehouse.search.temporal_score import timeliness
from warehouse.store.snapshot import Snapshot

WIDER = 4
"""How many times as many candidates are looked for where too few of them make a hit of their own."""


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best passages in falling order of score; fewer only where no more satisfy what is asked."""
    allowed = allowed_rows(snapshot, question.filters)
    looked_for, seen = question.k, -1
    while True:
        standing = _standing(snapshot, replace(question, k=looked_for), allowed)
        ids = snapshot.passages.ids[standing.pool.rows[standing.order]].tolist()
        candidates = Candidates(snapshot, ids, question.k)
        groups = arranged(candidates, question.ranking, question.k)
        if len(groups) == question.k or len(ids) == seen:
            return hits_of(snapshot, standing, candidates, groups)
        looked_for, seen = WIDER * looked_for, len(ids)


def _standing(snapshot: Snapshot, question: Question, allowed: np.ndarray | None) -> RankedPool:
    pool = with_subjects(snapshot, question, allowed, gather(snapshot, question, allowed))
    pool = with_leaning(snapshot, question, allowed, pool)
    pool = with_related(snapshot, question, allowed, pool)
    led = bridge(snapshot, question, allowed, pool)
    pool = with_bridge(snapshot, question, pool, led)
    halves = fuse(question, pool)
    evidence = [*_evidence(snapshot, question, pool), *([bridging(snapshot, pool, led, halves)] if led else [])]
    parts = {"meaning": halves.meaning, "words": halves.words}
    if question.related:
        parts = weighed(parts, [relatedness(snapshot, question, question.related, pool)]).parts
    scored = without_references(snapshot, question, pool.rows, weighed(parts, evidence))
    # Rows rise in the pool, so of equal scores the earlier passage is first.
    return RankedPool(pool, scored, np.argsort(-scored.total, kind="stable"), question.ranking.mode)


def _evidence(snapshot: Snapshot, question: Question, pool: CandidatePool) -> Iterator[Evidence]:
    if question.ranking.times and question.windows:
        yield timeliness(snapshot, question, pool)
    if names_something(question):
        yield naming(snapshot, question, pool)
    if leans(question):
        yield leaning(snapshot, question, pool)
