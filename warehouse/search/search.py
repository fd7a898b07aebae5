"""Search: from a question to hits.

Filter, gather candidates by vector and by word, score them by each signal, group, cite.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from warehouse.records import Hit, Question
from warehouse.search.filters import allowed_rows
from warehouse.search.grouping import Candidates, arranged
from warehouse.search.hits import RankedPool, hits_of
from warehouse.search.scoring import CandidatePool, Evidence, Scored, fuse, gather, weighed
from warehouse.search.signals.query_expansion import relatedness, with_related
from warehouse.search.signals.relevance_feedback import bridge, bridging, with_bridge
from warehouse.search.signals.soft_filters import leaning, leans, with_leaning
from warehouse.search.signals.subject import names_something, naming, with_subjects
from warehouse.search.signals.temporal import timeliness
from warehouse.store.snapshot import Snapshot

SHARE = 0.5
"""What is left of the score of a reference list. Its titles hold all words of the question and answer nothing."""
_ASKED = re.compile(
    r"\breferences?\b|\bbibliograph|\bworks? cited\b|\bcit(?:e|es|ed|ing|ations?)\b|\bliterature\b|\bet al\b"
    r"|\b(?-i:[A-Z])[\w’'-]{1,30}(?: (?:and|&) (?-i:[A-Z])[\w’'-]{1,30})?,? \((?:1[89]|20)\d\d[a-f]?\)"
    r"|参考文献|參考文獻|引用|文献",
    re.IGNORECASE,
)


def wants_references(question: Question) -> bool:
    """Whether a question is for what documents cite: by the word, by author and year, or by the section."""
    sections = (*question.filters.sections, *question.leaning.sections)
    return _ASKED.search(question.text) is not None or any(_ASKED.search(each) for each in sections)


def without_references(snapshot: Snapshot, question: Question, rows: np.ndarray, scored: Scored) -> Scored:
    """The scores of some passages, those of reference lists lowered in each of their parts."""
    if wants_references(question):
        return scored
    share = np.where(snapshot.passages.is_references[rows], SHARE, 1.0)
    return Scored({name: share * values for name, values in scored.parts.items()})


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
