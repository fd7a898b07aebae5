"""Search: from a question to hits.

Filters say which passages are allowed, signals find candidates and score them, grouping and citation make hits.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from warehouse.records import Hit, Question
from warehouse.search.day_order import OrderOfDays
from warehouse.search.filters import mask_allowed
from warehouse.search.grouping import RankedPassages, group_passages
from warehouse.search.hits import build_hits
from warehouse.search.scoring import RankedPool, SearchSignal, add_parts, gather
from warehouse.search.signals.query_expansion import QueryExpansion
from warehouse.search.signals.relevance_feedback import RelevanceFeedback
from warehouse.search.signals.soft_filters import SoftFilters
from warehouse.search.signals.subject import SubjectFit
from warehouse.search.signals.table_rows import TableRows
from warehouse.search.signals.temporal import Temporal
from warehouse.store.snapshot import Snapshot

SIGNALS: tuple[type[SearchSignal], ...] = (
    Temporal,
    SubjectFit,
    SoftFilters,
    QueryExpansion,
    TableRows,
    RelevanceFeedback,
)
"""In the order in which they widen the candidates and stand in an explanation."""
WIDER = 4  # How many times as many candidates are looked for where too few of them make a hit of their own.
REFERENCES = 0.5
"""What is left of the score of a reference list. Its titles hold all words of the question and answer nothing."""
_REFERENCES_WANTED = re.compile(
    r"\breferences?\b|\bbibliograph|\bworks? cited\b|\bcit(?:e|es|ed|ing|ations?)\b|\bliterature\b|\bet al\b"
    r"|\b(?-i:[A-Z])[\w’'-]{1,30}(?: (?:and|&) (?-i:[A-Z])[\w’'-]{1,30})?,? \((?:1[89]|20)\d\d[a-f]?\)"
    r"|参考文献|參考文獻|引用|文献",
    re.IGNORECASE,
)


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best passages in falling order of score; fewer only where no more satisfy what is asked."""
    allowed = mask_allowed(snapshot, question.filters)
    looked_for, seen = question.k, -1
    while True:
        ranked = rank(snapshot, replace(question, k=looked_for), allowed)
        rows = ranked.pool.rows[ranked.order]
        passages = RankedPassages(snapshot, rows, question.k)
        groups = group_passages(passages, question.ranking, question.k)
        if len(groups) == question.k or len(rows) == seen:
            return build_hits(snapshot, ranked, passages, groups)
        looked_for, seen = WIDER * looked_for, len(rows)


def rank(snapshot: Snapshot, question: Question, allowed: np.ndarray | None) -> RankedPool:
    """The candidates and their scores: every signal may widen the pool and adds a part.

        match = meaning + words
        match = (1 - shares) * match + share * related + share * bridge
        score = (1 - shares) * match + share * time + share * name + share * said + share * rows

    The score of a reference list is lowered unless the question asks for a reference. Last, entries of the time that is
    asked for, or the newest, come first.
    """
    signals = [signal(snapshot, question, allowed) for signal in SIGNALS]
    days = OrderOfDays(snapshot, question, allowed)
    pool = gather(snapshot, question, allowed)
    for signal in signals:
        pool = signal.add_candidates(pool)
    pool = days.add_candidates(pool)
    parts = add_parts(pool.fused, [part for signal in signals if (part := signal.score(pool))])
    if not wants_references(question):
        kept = np.where(snapshot.passages.is_references[pool.rows], REFERENCES, 1.0)
        parts = {name: kept * values for name, values in parts.items()}
    return days.apply(RankedPool(pool, parts))


def wants_references(question: Question) -> bool:
    """Whether a question is for what documents cite: by the word, by author and year, or by the section."""
    texts = (question.text, *question.filters.sections, *question.soft_filters.sections)
    return any(_REFERENCES_WANTED.search(text) for text in texts)
