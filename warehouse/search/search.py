"""Search: from a question to hits.

Filters decide which passages are allowed, signals find and score candidates, grouping and citation make hits.
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
"""The signals, in the order in which they add candidates and appear in an explanation."""
WIDER = 4  # The factor by which the number of candidates rises if too few of them become separate hits.
REFERENCES = 0.5
"""The factor on the score of a reference list: its titles contain all words of the question and answer nothing."""
_REFERENCES_WANTED = re.compile(
    r"\breferences?\b|\bbibliograph|\bworks? cited\b|\bcit(?:e|es|ed|ing|ations?)\b|\bliterature\b|\bet al\b"
    r"|\b(?-i:[A-Z])[\w’'-]{1,30}(?: (?:and|&) (?-i:[A-Z])[\w’'-]{1,30})?,? \((?:1[89]|20)\d\d[a-f]?\)"
    r"|参考文献|參考文獻|引用|文献",
    re.IGNORECASE,
)


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best passages in falling order of score; fewer only if no more satisfy the filters."""
    mask = mask_allowed(snapshot, question.filters)
    hit_count, row_count = question.k, -1
    while True:
        ranked_pool = rank(snapshot, replace(question, k=hit_count), mask)
        rows = ranked_pool.pool.rows[ranked_pool.order]
        passages = RankedPassages(snapshot, rows, question.k)
        groups = group_passages(passages, question.ranking, question.k)
        if len(groups) == question.k or len(rows) == row_count:
            return build_hits(snapshot, ranked_pool, passages, groups)
        hit_count, row_count = WIDER * hit_count, len(rows)


def rank(snapshot: Snapshot, question: Question, mask: np.ndarray | None) -> RankedPool:
    """The candidates and their scores: every signal may widen the pool and adds a part.

        match = meaning + words
        match = (1 - shares) * match + share * related + share * bridge
        score = (1 - shares) * match + share * time + share * name + share * said + share * rows

    The score of a reference list is lowered unless the question asks for references. Finally, entries of the requested
    time, or the newest ones, are moved to the front.
    """
    signals = [signal(snapshot, question, mask) for signal in SIGNALS]
    days = OrderOfDays(snapshot, question, mask)
    pool = gather(snapshot, question, mask)
    for signal in signals:
        pool = signal.add_candidates(pool)
    pool = days.add_candidates(pool)
    parts = add_parts(pool.fused_scores, [part for signal in signals if (part := signal.score(pool))])
    if not wants_references(question):
        factor = np.where(snapshot.passages.is_references[pool.rows], REFERENCES, 1.0)
        parts = {name: factor * values for name, values in parts.items()}
    return days.apply(RankedPool(pool, parts))


def wants_references(question: Question) -> bool:
    """Whether a question asks for what documents cite: by such a word, by author and year, or by the section."""
    texts = (question.text, *question.filters.sections, *question.soft_filters.sections)
    return any(_REFERENCES_WANTED.search(text) for text in texts)
