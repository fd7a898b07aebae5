"""Search: from a question to hits.

Filters decide which passages are allowed, signals find and score candidates, days decide their order where a question
asks for that (`OrderOfDays`), grouping and citation make hits.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property

import numpy as np

from warehouse.records import Chunk, DateOrigin, DayOrder, Hit, Question
from warehouse.search.filters import mask_allowed, mask_entry_passages
from warehouse.search.grouping import RankedPassages, group_passages
from warehouse.search.hits import assign_days, build_hits, parse_rows
from warehouse.search.scoring import CandidatePool, RankedPool, SearchSignal, add_parts, gather_candidates, score_rows
from warehouse.search.signals.metadata import SoftFilters, SubjectFit
from warehouse.search.signals.query_expansion import QueryExpansion, RelevanceFeedback, TableRows
from warehouse.search.signals.temporal import Temporal
from warehouse.search.topic import Topic, compile_hours, parse_topic
from warehouse.store.columns.passage_columns import NO_DAY
from warehouse.store.snapshot import Snapshot
from warehouse.table_notation import extract_header

SIGNALS: tuple[type[SearchSignal], ...] = (
    Temporal,
    SubjectFit,
    SoftFilters,
    QueryExpansion,
    TableRows,
    RelevanceFeedback,
)
"""The signals, in the order in which they add candidates and appear in an explanation."""
WIDENING_FACTOR = 4  # The factor by which the number of candidates rises if too few of them become separate hits.
REFERENCES_FACTOR = 0.5
"""The factor on the score of a reference list: its titles may contain all words of the question without an answer."""
_REQUEST_FOR_REFERENCES = re.compile(
    r"\breferences?\b|\bbibliograph|\bworks? cited\b|\bcit(?:e|es|ed|ing|ations?)\b|\bliterature\b|\bet al\b"
    r"|\b(?-i:[A-Z])[\w’'-]{1,30}(?: (?:and|&) (?-i:[A-Z])[\w’'-]{1,30})?,? \((?:1[89]|20)\d\d[a-f]?\)"
    r"|参考文献|參考文獻|引用|文献",
    re.IGNORECASE,
)
READ_BLOCK = 200  # Passages that are read at once, the newest (or oldest) first, to find relevant ones.
MAX_READ = 2_000
WORDS_PER_MISSING_WORD = (
    4  # With more words, a line counts as relevant that lacks one in so many words of the best line.
)
MIN_SHARE_OF_BEST = 0.8
"""The share of the best score that a passage outside a diary needs, in addition to the words; by judgement."""


def search(snapshot: Snapshot, question: Question) -> list[Hit]:
    """The `question.k` best passages in falling order of score; fewer only if no more satisfy the filters."""
    mask = mask_allowed(snapshot, question.filters) if question.filters else None
    hit_count, row_count = question.k, -1
    while True:
        ranked_pool = rank(snapshot, replace(question, k=hit_count), mask)
        rows = ranked_pool.pool.rows[ranked_pool.order]
        passages = RankedPassages(snapshot, rows, question.k)
        groups = group_passages(passages, question.ranking, question.k)
        if len(groups) == question.k or len(rows) == row_count:
            return build_hits(snapshot, ranked_pool, passages, groups)
        hit_count, row_count = WIDENING_FACTOR * hit_count, len(rows)


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
    pool = gather_candidates(snapshot, question, mask)
    for signal in signals:
        pool = signal.add_candidates(pool)
    pool = days.add_candidates(pool)
    parts = add_parts(pool.fused_scores, [part for signal in signals if (part := signal.score(pool))])
    if not wants_references(question):
        factor = np.where(snapshot.passages.is_references[pool.rows], REFERENCES_FACTOR, 1.0)
        parts = {name: factor * values for name, values in parts.items()}
    return days.apply(RankedPool(pool, parts))


def wants_references(question: Question) -> bool:
    """Whether a question asks for what documents cite: by such a word, by author and year, or by the section."""
    texts = (question.text, *question.filters.sections, *question.soft_filters.sections)
    return any(_REQUEST_FOR_REFERENCES.search(text) for text in texts)


class OrderOfDays:
    """The order of days: entries of the requested time come first, or the newest ones if the question asks for them.

    A score can express that a passage fits better, but not that it must come first. So relevance decides which passages
    are included, and their days decide the order: the relevant ones are permuted, and the scores stay with the ranks.
    The difference that this makes to a passage's score is a part of the score.

    A passage is relevant to "When did I last meet Tom?" if a line of it contains as many words of the question as any
    line does. A row of a table counts together with its header, and in a passage dated by its rows only the rows
    of the requested time count. Among equally relevant passages, those that name the requested hour come first. Each
    search has its own.
    """

    def __init__(self, snapshot: Snapshot, question: Question, mask: np.ndarray | None = None) -> None:
        """`mask` is a boolean mask of the passages that satisfy the filters; None allows all."""
        self._snapshot = snapshot
        self._question = question
        self._mask = mask
        is_timed = question.ranking.times
        self._order = question.order if is_timed else None
        self._windows = question.named_times if is_timed else ()
        self._words_by_row: dict[int, frozenset[int]] = {}
        self._names_hour: dict[int, bool] = {}

    @cached_property
    def _topic(self) -> Topic:
        return parse_topic(self._question.rest)

    @cached_property
    def _hours(self) -> re.Pattern[str] | None:
        return compile_hours(self._question.text) if self._windows else None

    @cached_property
    def _entries_of_times(self) -> np.ndarray | None:
        """Entries of the requested times; None if the question names no time or no entry is of one."""
        if not self._windows or not self._snapshot.passages.is_entry.any():
            return None
        mask = mask_entry_passages(self._snapshot, self._windows)
        mask = mask if self._mask is None else mask & self._mask
        return mask if mask.any() else None

    def add_candidates(self, pool: CandidatePool) -> CandidatePool:
        """The pool with the best entries of the times, and the newest or oldest passages that contain the words."""
        if self._entries_of_times is not None:
            pool = pool.join(gather_candidates(self._snapshot, self._question, self._entries_of_times))
        if self._order and len(pool):
            pool = pool.join(score_rows(self._snapshot, self._question, sorted(self._find_in_order(pool))))
        return pool

    def _find_in_order(self, pool: CandidatePool) -> list[int]:
        """The newest or oldest rows of the collection that are as relevant as the best of the pool."""
        best_words: frozenset[int] = max(self._match_topic(pool.rows), key=len)
        required_words = self._topic.join_required_words(best_words)
        keywords, passages = self._snapshot.keywords, self._snapshot.passages
        mask = keywords.match_all_words(required_words) if required_words else passages.is_entry.copy()
        for allowed in (self._mask, self._entries_of_times):
            mask &= True if allowed is None else allowed
        rows = np.flatnonzero(mask & (passages.day != NO_DAY))
        days = self._get_days(rows)
        rows = rows[np.argsort(-days if self._order is DayOrder.NEWEST else days, kind="stable")]
        relevant_rows: list[int] = []
        for start in range(0, min(len(rows), MAX_READ), READ_BLOCK):
            block = rows[start : start + READ_BLOCK]
            relevant_rows += (
                int(row) for row, words in zip(block, self._match_topic(block), strict=True) if best_words <= words
            )
            if len(relevant_rows) >= self._question.k:
                break
        return relevant_rows

    def _get_days(self, rows: np.ndarray) -> np.ndarray:
        """The days by which some passages are ordered."""
        passages = self._snapshot.passages
        return np.asarray((passages.newest_day if self._order is DayOrder.NEWEST else passages.day)[rows])

    def _match_topic(self, rows: np.ndarray) -> list[frozenset[int]]:
        """The words of the topic that each of some passages has in one line, as positions."""
        unread_rows = [row for row in rows.tolist() if row not in self._words_by_row]
        for row, chunk in zip(
            unread_rows, self._snapshot.keywords.read_chunks(np.array(unread_rows, np.int64)), strict=True
        ):
            header, lines = self._select_lines(chunk)
            words_by_line = (self._topic.match_words(line) for line in lines)
            self._words_by_row[row] = self._topic.match_words(header) | max(words_by_line, key=len, default=frozenset())
            self._names_hour[row] = self._hours is not None and any(map(self._hours.search, lines))
        return [self._words_by_row[row] for row in rows.tolist()]

    def _select_lines(self, chunk: Chunk) -> tuple[str, list[str]]:
        """The lines of a passage; if it is dated by its rows, their header, and the rows that may be of the times."""
        rows = parse_rows(chunk) if chunk.passage_date_origin is DateOrigin.ROWS else ()
        if self._windows:
            rows = assign_days(rows, self._snapshot, chunk)
        if not rows:
            return "", [chunk.text]
        header = extract_header(chunk.table_head or chunk.text[: rows[0].start - chunk.start])
        rows_of_times = (
            row
            for row in rows
            if not self._windows or row.days is None or any(window.overlaps(*row.days) for window in self._windows)
        )
        return header, [chunk.text[row.start - chunk.start : row.end - chunk.start] for row in rows_of_times]

    def apply(self, ranked_pool: RankedPool) -> RankedPool:
        """The ranking in the order that the question asks for."""
        if not len(ranked_pool.pool) or not (self._order or self._entries_of_times is not None):
            return ranked_pool
        rows = ranked_pool.pool.rows
        passages = self._snapshot.passages
        # A passage outside the requested time keeps its rank, whatever its words.
        is_read = np.ones(len(rows), np.bool_) if self._entries_of_times is None else self._entries_of_times[rows]
        word_counts = np.zeros(len(rows), np.int64)
        word_counts[is_read] = [len(words) for words in self._match_topic(rows[is_read])]
        days = self._get_days(rows)
        if self._entries_of_times is not None:
            is_of_times = self._entries_of_times[rows]
            max_word_count = int(word_counts[is_of_times].max(initial=0))
            if self._topic.words and not max_word_count and self._is_answered_elsewhere(rows):
                return ranked_pool
            # With words, the entries with most of them come first; without, all entries of the time in order of days.
            priority = np.where(is_of_times & (word_counts > 0 if max_word_count else True), 1 + word_counts, 0)
            is_oldest_first = self._order is DayOrder.OLDEST or (self._order is None and not max_word_count)
            day_keys = 0 * days if self._order is None and max_word_count else days if is_oldest_first else -days
            # A time without other words is a question to diaries; the passages of other documents keep their ranks.
            is_movable = np.ones(len(rows), np.bool_) if not self._topic.words else self._is_note(rows)
        else:
            max_word_count = int(word_counts.max())
            min_word_count = max_word_count - (max_word_count // (WORDS_PER_MISSING_WORD + 1))
            is_near_best = ranked_pool.total >= MIN_SHARE_OF_BEST * ranked_pool.total.max()
            is_diary = passages.is_entry[rows] & ~passages.is_dated_by_rows[rows]
            is_relevant = is_diary | (
                is_near_best if self._order is DayOrder.NEWEST else is_near_best & passages.is_entry[rows]
            )
            priority = np.where(is_relevant & (word_counts >= min_word_count) & (days != NO_DAY), 1, 0)
            day_keys = days if self._order is DayOrder.OLDEST else -days
            is_movable = np.ones(len(rows), np.bool_)
        order_before = ranked_pool.order[is_movable[ranked_pool.order]]
        is_without_hour = np.array([not self._names_hour.get(row) for row in rows.tolist()])
        keys = np.stack([-priority, is_without_hour * (priority > 0), day_keys * (priority > 0)], axis=1).tolist()
        ordered_positions = sorted(order_before.tolist(), key=lambda position: keys[position])
        order_after = np.array(ordered_positions, np.int64)
        totals = ranked_pool.total.copy()
        totals[order_after] = ranked_pool.total[order_before]
        if np.array_equal(order_before, order_after):
            return ranked_pool
        # The sums of the parts must fall in exactly this order; ranks decide between equal sums.
        tie_ranks = np.empty(len(rows), np.int64)
        tie_ranks[ranked_pool.order] = np.arange(len(rows))
        tie_ranks[order_after] = tie_ranks[order_before]
        return RankedPool(ranked_pool.pool, {**ranked_pool.parts, "day": totals - ranked_pool.total}, tie_ranks)

    def _is_answered_elsewhere(self, rows: np.ndarray) -> bool:
        """Whether a passage outside a diary contains a word of the question, while no entry of the time does."""
        rows_outside_diaries = rows[~self._snapshot.passages.is_entry[rows]]
        return any(self._match_topic(rows_outside_diaries))

    def _is_note(self, rows: np.ndarray) -> np.ndarray:
        passages = self._snapshot.passages
        return np.asarray(passages.is_entry[rows] | self._snapshot.document_times.is_note[passages.document[rows]])
