"""Excerpts: the part of each passage that answers.

Most of a passage is about something else. Its excerpt is a stretch of sentences, list lines and tables, exact to the
character. Each of these is scored by its similarity to the question in meaning and in words, by its neighbours, which
may say what it does not repeat ("It rose by 3 %."), by its time, and by the rank of its passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tasks.ask.passage_units import Span, is_heading, split_units
from tasks.ask.unit_times import asks_for_time, score_unit_times
from tasks.embedders.embedder import Embedder, embed_with_cache
from tasks.query.question_parser import compute_covered_share, get_content_words, weigh_by_rarity
from warehouse.records import Hit, Question
from warehouse.search.scoring import get_piece_weight
from warehouse.store.words import split_words
from warehouse.table_notation import opens_table

ADJACENT_WEIGHT = 0.4  # The weight of an adjacent sentence, relative to the sentence itself.
RANK_WEIGHT = 0.5  # The weight of the passage's rank, which is its score's share of the best passage's.
SCORE_TOLERANCE = 0.31
"""The maximum difference to the best sentence of all passages for a sentence to add to its stretch."""
MAX_FULL_LENGTH = 240  # Characters of a passage that is shown in full.
TIME_WEIGHT = 0.3  # The weight of a sentence's time, if the question names one.
SHARPNESS = 7  # If so, a sentence that scores .14 less is less likely the answer by a factor of e.
MAX_SHARE = 0.5
"""If so, the maximum share of all passages' characters in their excerpts; without a time they have as much.

On the half of TimeQA that is for choosing, .908 of the answers are in excerpts of a third with a sharpness of 10, .937
in those of a half, .954 with a sharpness of 7; of 78 questions to filings .774 and .901 of the gold characters.
"""
MAX_TABLE_LENGTH = 300  # The maximum that a table counts in that share, as few rows of a long one are read.
MIN_ODDS = 5e-5  # The minimum per character of a shown sentence, relative to the best sentence's.
_PRICE_STEPS = 20  # Halvings of the range of the price of a character.


@dataclass(frozen=True, slots=True)
class _Units:
    """The units of a passage: their spans in the document, and arrays of the shape (units,).

    `scores` are relative to the best of all passages, so at most 0, and minus infinity for headings; `lengths` are in
    characters.
    """

    document_id: str
    spans: list[Span]
    scores: np.ndarray
    lengths: np.ndarray

    @property
    def odds(self) -> np.ndarray:
        """The likelihood that each answers, relative to the best of all passages."""
        odds: np.ndarray = np.exp(SHARPNESS * self.scores)
        return odds


Gains = Callable[[_Units], np.ndarray]  # The gain of each unit of a passage to a stretch, shape (units,).


def with_excerpts(question: Question, hits: Sequence[Hit], embedder: Embedder) -> list[Hit]:
    """The hits, each with the excerpt that answers best, or with none if nothing in the passage scores high enough.

    Of the stretches of a passage, the one with the greatest sum of its sentences' scores above the bar, weighted by
    length, is used (the maximum-sum subarray). What an earlier hit's excerpt shows is not shown again. If the question
    names a time, which distinguishes the lines of a chronology, the excerpts have at most half of the passages, and
    of the rows of a log only those of that time are shown.
    """
    if not hits:
        return []
    passages = list(_iter_units(question, hits, embedder))
    stretches = (
        _find_bounded_stretches(passages)
        if asks_for_time(question)
        else _find_stretches(passages, _compute_gains_above_bar)
    )
    excerpts = []
    for index, (hit, units, stretch) in enumerate(zip(hits, passages, stretches, strict=True)):
        if not stretch:
            excerpts.append(replace(hit, excerpt=None))
            continue
        is_full = len(hit.text) <= MAX_FULL_LENGTH and not _mask_shown_elsewhere(passages, stretches, index).any()
        first, stop = (0, len(units.spans)) if is_full else stretch
        excerpts.append(
            _cut_to_rows_of_time(hit.with_excerpt(units.spans[first][0], units.spans[stop - 1][1]), question)
        )
    return excerpts


def _cut_to_rows_of_time(hit: Hit, question: Question) -> Hit:
    """The hit with an excerpt cut to its rows of the times that the question names, if it has any."""
    start, end = hit.excerpt or (hit.start, hit.end)
    rows = [row for row in hit.select_rows(question.named_times) if start <= row.start and row.end <= end]
    return hit.with_excerpt(rows[0].start, rows[-1].end) if rows else hit


def _iter_units(question: Question, hits: Sequence[Hit], embedder: Embedder) -> Iterator[_Units]:
    """The units of each passage, with their scores."""
    spans = [split_units(hit.text) for hit in hits]
    scores = _score_units(question, hits, spans, embedder)
    best_score = max(float(score.max()) for score in scores)
    for hit, unit_spans, unit_scores in zip(hits, spans, scores, strict=True):
        texts = [hit.text[start:end] for start, end in unit_spans]
        is_title = np.array([" ".join(text.split()) in (hit.citation.title, *hit.citation.section) for text in texts])
        is_heading_like = np.array([is_heading(text, hit.citation) for text in texts])
        # If all units look like headings, they are the text of the passage.
        relative_scores = np.where(
            is_title if is_heading_like.all() else is_heading_like, -np.inf, unit_scores - best_score
        )
        lengths = np.array([min(len(text), MAX_TABLE_LENGTH) if opens_table(text) else len(text) for text in texts])
        spans_in_text = [(hit.start + start, hit.start + end) for start, end in unit_spans]
        yield _Units(hit.document_id, spans_in_text, relative_scores, lengths)


def _score_units(
    question: Question, hits: Sequence[Hit], spans: Sequence[Sequence[Span]], embedder: Embedder
) -> list[np.ndarray]:
    """One score per unit, hit by hit."""
    texts = [[hit.text[start:end] for start, end in unit_spans] for hit, unit_spans in zip(hits, spans, strict=True)]
    piece_weight = get_piece_weight(question)
    cosines = iter(_compute_cosines(question, hits, texts, embedder))
    words = [[frozenset(split_words(text)) for text in unit_texts] for unit_texts in texts]
    for hit, unit_words in zip(hits, words, strict=True):
        unit_words[:1] = [word_set.union(split_words(hit.table_head)) for word_set in unit_words[:1]]
    all_words = [word_set for unit_words in words for word_set in unit_words]
    question_words = get_content_words(question.text)
    best_score = max(hit.score for hit in hits) or 1.0
    scores = []
    for hit, unit_spans, hit_words in zip(hits, spans, words, strict=True):
        # The share of the question's words that each text has, weighted by rarity. Words of the title are left out, as
        # all of a passage is about them.
        weights = weigh_by_rarity(
            question_words - frozenset(split_words(hit.citation.title)) or question_words, all_words
        )
        coverage = np.array([compute_covered_share(weights, word_set, ()) for word_set in hit_words])
        unit_scores = (
            piece_weight * np.fromiter((next(cosines) for _ in hit_words), float, len(hit_words))
            + (1 - piece_weight) * coverage
        )
        scores.append(
            _average_adjacent_scores(unit_scores)
            + TIME_WEIGHT * score_unit_times(question, hit, unit_spans)
            + RANK_WEIGHT * hit.score / best_score
        )
    return scores


def _compute_cosines(
    question: Question, hits: Sequence[Hit], texts: Sequence[Sequence[str]], embedder: Embedder
) -> np.ndarray:
    """The cosine of each text: of its nearest window if it is longer than the model's, of its passage if a table.

    The windows of tables were more than half of the work on reports, and 87 % of the excerpts are the same without.
    A passage in a script that is unknown to the model is compared by its words only.
    """
    windows = [
        () if not is_readable or (hit.dense is not None and opens_table(text)) else embedder.cut_windows("", text)
        for hit, unit_texts, is_readable in zip(hits, texts, (embedder.can_read(hit.text) for hit in hits), strict=True)
        for text in unit_texts
    ]
    unique_windows = list(dict.fromkeys(window for passage_windows in windows for window in passage_windows))
    cosines = dict(zip(unique_windows, embed_with_cache(embedder, unique_windows) @ question.vector, strict=True))
    passage_cosines = [hit.dense or 0.0 for hit, unit_texts in zip(hits, texts, strict=True) for _ in unit_texts]
    return np.array(
        [
            max((cosines[piece] for piece in passage_windows), default=dense)
            for passage_windows, dense in zip(windows, passage_cosines, strict=True)
        ]
    )


def _average_adjacent_scores(scores: np.ndarray) -> np.ndarray:
    """The weighted mean of each score and the adjacent ones."""
    kernel = np.array([ADJACENT_WEIGHT, 1.0, ADJACENT_WEIGHT])
    sums = np.convolve(np.pad(scores, 1), kernel, mode="valid")
    means: np.ndarray = sums / np.convolve(np.pad(np.ones(len(scores)), 1), kernel, mode="valid")
    return means


def _compute_gains_above_bar(units: _Units) -> np.ndarray:
    """The score of each unit above the bar, times its length in characters; 0 for a heading."""
    lengths = np.array([end - start for start, end in units.spans])
    return np.where(np.isneginf(units.scores), 0.0, (units.scores + SCORE_TOLERANCE) * lengths)


def _find_stretches(passages: Sequence[_Units], gains: Gains) -> list[Span | None]:
    """The stretch of units with the greatest gain in each passage, None if no gain is above 0."""
    stretches: list[Span | None] = []
    for index, units in enumerate(passages):
        stretches.append(
            _find_best_stretch(np.where(_mask_shown_elsewhere(passages, stretches, index), -np.inf, gains(units)))
        )
    return stretches


def _find_bounded_stretches(passages: Sequence[_Units]) -> list[Span | None]:
    """The stretches with the greatest odds minus a price per character that makes them short enough.

    The most likely units next to the stretches and in other passages are added while they fit.
    """
    max_length = MAX_SHARE * sum(float(units.lengths.sum()) for units in passages)
    low_price, high_price = 0.0, 1.0
    stretches = _find_stretches(passages, _make_gains(MIN_ODDS))
    for _ in range(_PRICE_STEPS if _measure_length(passages, stretches) > max_length else 0):
        price = (low_price + high_price) / 2
        shorter_stretches = _find_stretches(passages, _make_gains(MIN_ODDS ** (1 - price)))
        if _measure_length(passages, shorter_stretches) > max_length:
            low_price = price
        else:
            high_price, stretches = price, shorter_stretches
    if _measure_length(passages, stretches) > max_length or not any(stretches):
        stretches = [None] * len(passages)
        best_index = max(range(len(passages)), key=lambda index: float(passages[index].scores.max()))
        unit = int(passages[best_index].scores.argmax())
        stretches[best_index] = (unit, unit + 1) if np.isfinite(passages[best_index].scores[unit]) else None
    return _extend_stretches(passages, stretches, max_length)


def _make_gains(price: float) -> Gains:
    return lambda units: units.odds - price * units.lengths


def _extend_stretches(passages: Sequence[_Units], stretches: list[Span | None], max_length: float) -> list[Span | None]:
    budget = max_length - _measure_length(passages, stretches)
    while True:
        candidates = [
            (units.odds[unit] / units.lengths[unit], index, unit)
            for index, units in enumerate(passages)
            for unit in _find_adjacent_units(passages, stretches, index)
            if units.lengths[unit] <= budget and units.odds[unit] > MIN_ODDS * units.lengths[unit]
        ]
        if not candidates:
            return stretches
        _, index, unit = max(candidates)
        first, stop = stretches[index] or (unit, unit + 1)
        stretches[index] = min(first, unit), max(stop, unit + 1)
        budget -= passages[index].lengths[unit]


def _find_adjacent_units(passages: Sequence[_Units], stretches: Sequence[Span | None], index: int) -> list[int]:
    """The units next to a passage's stretch, or its likeliest unit if it has none; without units shown elsewhere."""
    passage, stretch = passages[index], stretches[index]
    is_shown = _mask_shown_elsewhere(passages, stretches, index)
    units = [stretch[0] - 1, stretch[1]] if stretch else [int(np.where(is_shown, -np.inf, passage.scores).argmax())]
    return [unit for unit in units if 0 <= unit < len(is_shown) and not is_shown[unit]]


def _mask_shown_elsewhere(passages: Sequence[_Units], stretches: Sequence[Span | None], index: int) -> np.ndarray:
    """Whether each unit of a passage overlaps the stretch of another passage of the same document."""
    passage = passages[index]
    other_spans = [
        (other_passage.spans[stretch[0]][0], other_passage.spans[stretch[1] - 1][1])
        for other_index, (other_passage, stretch) in enumerate(zip(passages, stretches, strict=False))
        if stretch and other_index != index and other_passage.document_id == passage.document_id
    ]
    return np.array(
        [
            any(other_start < end and start < other_end for other_start, other_end in other_spans)
            for start, end in passage.spans
        ]
    )


def _measure_length(passages: Sequence[_Units], stretches: Sequence[Span | None]) -> float:
    return sum(
        float(units.lengths[slice(*stretch)].sum())
        for units, stretch in zip(passages, stretches, strict=True)
        if stretch
    )


def _find_best_stretch(gains: np.ndarray) -> Span | None:
    """The half-open range with the greatest sum, None if none is above 0 (Kadane's algorithm)."""
    best_sum, stretch = 0.0, None
    start, total = 0, 0.0
    for index, gain in enumerate(gains.tolist()):
        if total <= 0:
            start, total = index, 0.0
        total += gain
        if total > best_sum:
            best_sum, stretch = total, (start, index + 1)
    return stretch
