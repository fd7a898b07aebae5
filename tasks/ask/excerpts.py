"""Excerpts: the part of each passage that answers; passages are found whole, and read by their best sentences.

A passage is long enough to be found and too long to be read: most of it says something else. Its excerpt is a stretch
of whole sentences, list lines and tables, exact to the character. Each is judged by its similarity to the question in
meaning and in words, by its neighbours, which carry what it leaves unsaid ("It rose by 3 %."), by the time that it
tells of, and by the rank of its passage.
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

NEIGHBOUR = 0.4  # What a neighbouring sentence counts beside the sentence itself.
RANK = 0.5  # What the rank of the passage counts, as its score's share of the best passage's.
SCORE_TOLERANCE = 0.31
"""How far below the best sentence of all passages a sentence may score and still count for its stretch."""
MAX_WHOLE_LENGTH = 240  # Characters of a passage that is shown whole.
TIME = 0.3  # What the time of a sentence counts, where the question names one.
SHARPNESS = 10  # A sentence that scores .1 less than another is then taken to answer a factor of e less likely.
MAX_SHARE = 1 / 3  # The share of all passages' characters that their excerpts then have at most.
TABLE = 300  # Characters that a table counts of them at most; of a long one few rows are read.
MIN_CHANCE = 5e-5  # The chance a character, relative to that of the best sentence, from which on a sentence is shown.
_STEPS = 20  # Halvings of the range in which the price of a character is looked for.


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
    def chances(self) -> np.ndarray:
        """How likely each answers, relative to the likeliest of all passages."""
        chances: np.ndarray = np.exp(SHARPNESS * self.scores)
        return chances


Gains = Callable[[_Units], np.ndarray]  # What each unit of a passage adds to a stretch, of the shape (units,).


def with_excerpts(question: Question, hits: Sequence[Hit], embedder: Embedder) -> list[Hit]:
    """The same hits, each with the excerpt that answers best; none where nothing in a passage comes near.

    Of the stretches of a passage, the one whose sentences lie furthest above the bar together is taken, each counted
    by its length (the maximum-sum subarray). What an earlier hit's excerpt shows is not shown again. Where the question
    names a time, which tells the lines of a chronology apart, the excerpts have a third of the passages together, and
    of the rows of a log those of that time are shown.
    """
    if not hits:
        return []
    passages = list(_iter_units(question, hits, embedder))
    stretches = (
        _find_affordable(passages) if asks_for_time(question) else _find_stretches(passages, _compute_gains_above_bar)
    )
    found = []
    for number, (hit, units, stretch) in enumerate(zip(hits, passages, stretches, strict=True)):
        if not stretch:
            found.append(replace(hit, excerpt=None))
            continue
        is_whole = len(hit.text) <= MAX_WHOLE_LENGTH and not _mask_shown_elsewhere(passages, stretches, number).any()
        first, stop = (0, len(units.spans)) if is_whole else stretch
        found.append(_cut_to_rows_of_time(hit.with_excerpt(units.spans[first][0], units.spans[stop - 1][1]), question))
    return found


def _cut_to_rows_of_time(hit: Hit, question: Question) -> Hit:
    """The hit whose excerpt, where that has rows of a time that the question names, is from the first to the last."""
    start, end = hit.excerpt or (hit.start, hit.end)
    rows = [row for row in hit.select_rows(question.named_times) if start <= row.start and row.end <= end]
    return hit.with_excerpt(rows[0].start, rows[-1].end) if rows else hit


def _iter_units(question: Question, hits: Sequence[Hit], embedder: Embedder) -> Iterator[_Units]:
    """The units of each passage, with their scores."""
    spans = [split_units(hit.text) for hit in hits]
    scores = _score_units(question, hits, spans, embedder)
    best = max(float(each.max()) for each in scores)
    for hit, parts, scored in zip(hits, spans, scores, strict=True):
        texts = [hit.text[start:end] for start, end in parts]
        names = np.array([" ".join(text.split()) in (hit.citation.title, *hit.citation.section) for text in texts])
        headings = np.array([is_heading(text, hit.citation) for text in texts])
        # Where all looks like headings, short lines are what the passage says.
        relative = np.where(names if headings.all() else headings, -np.inf, scored - best)
        lengths = np.array([min(len(text), TABLE) if opens_table(text) else len(text) for text in texts])
        places = [(hit.start + start, hit.start + end) for start, end in parts]
        yield _Units(hit.document_id, places, relative, lengths)


def _score_units(
    question: Question, hits: Sequence[Hit], spans: Sequence[Sequence[Span]], embedder: Embedder
) -> list[np.ndarray]:
    """One score a unit, hit by hit."""
    texts = [[hit.text[start:end] for start, end in parts] for hit, parts in zip(hits, spans, strict=True)]
    alpha = get_piece_weight(question)
    near = iter(_compute_cosines(question, hits, texts, embedder))
    unit_words = [[frozenset(split_words(text)) for text in each] for each in texts]
    for hit, each in zip(hits, unit_words, strict=True):
        each[:1] = [own.union(split_words(hit.table_head)) for own in each[:1]]
    all_words = [own for each in unit_words for own in each]
    question_words = get_content_words(question.text)
    best = max(hit.score for hit in hits) or 1.0
    scores = []
    for hit, parts, words_of_hit in zip(hits, spans, unit_words, strict=True):
        # The part of the question's words that each text holds, the rare ones weighing more; all of a passage is about
        # what its title names.
        weights = weigh_by_rarity(
            question_words - frozenset(split_words(hit.citation.title)) or question_words, all_words
        )
        same = np.array([compute_covered_share(weights, own, ()) for own in words_of_hit])
        own = alpha * np.fromiter((next(near) for _ in words_of_hit), float, len(words_of_hit)) + (1 - alpha) * same
        scores.append(_with_neighbours(own) + TIME * score_unit_times(question, hit, parts) + RANK * hit.score / best)
    return scores


def _compute_cosines(
    question: Question, hits: Sequence[Hit], texts: Sequence[Sequence[str]], embedder: Embedder
) -> np.ndarray:
    """A text longer than the model's window is as near as its nearest window, and a table as near as its passage.

    The windows of tables were more than half of the work on reports, and 87 % of the excerpts are the same without.
    A passage in a script that the model does not read is compared by its words alone.
    """
    windows = [
        () if not is_read or (hit.dense is not None and opens_table(text)) else embedder.cut_windows("", text)
        for hit, each, is_read in zip(hits, texts, (embedder.can_read(hit.text) for hit in hits), strict=True)
        for text in each
    ]
    flat = list(dict.fromkeys(window for each in windows for window in each))
    near = dict(zip(flat, embed_with_cache(embedder, flat) @ question.vector, strict=True))
    whole = [hit.dense or 0.0 for hit, each in zip(hits, texts, strict=True) for _ in each]
    return np.array(
        [max((near[each] for each in own), default=dense) for own, dense in zip(windows, whole, strict=True)]
    )


def _with_neighbours(scores: np.ndarray) -> np.ndarray:
    """The weighted mean of each score and those beside it."""
    kernel = np.array([NEIGHBOUR, 1.0, NEIGHBOUR])
    summed = np.convolve(np.pad(scores, 1), kernel, mode="valid")
    smoothed: np.ndarray = summed / np.convolve(np.pad(np.ones(len(scores)), 1), kernel, mode="valid")
    return smoothed


def _compute_gains_above_bar(units: _Units) -> np.ndarray:
    """What each unit scores above the bar for each of its characters; a heading adds nothing."""
    lengths = np.array([end - start for start, end in units.spans])
    return np.where(np.isneginf(units.scores), 0.0, (units.scores + SCORE_TOLERANCE) * lengths)


def _find_stretches(passages: Sequence[_Units], gains: Gains) -> list[Span | None]:
    """The stretch of units that gains most in each passage, None where none gains."""
    stretches: list[Span | None] = []
    for number, units in enumerate(passages):
        stretches.append(
            _find_best_stretch(np.where(_mask_shown_elsewhere(passages, stretches, number), -np.inf, gains(units)))
        )
    return stretches


def _find_affordable(passages: Sequence[_Units]) -> list[Span | None]:
    """The stretches whose chances exceed the price of their characters most, at a price at which few enough are left.

    What then is left of the characters goes to the likeliest units beside the stretches and of the other passages.
    """
    max_length = MAX_SHARE * sum(float(units.lengths.sum()) for units in passages)
    low, high = 0.0, 1.0
    stretches = _find_stretches(passages, _make_gains(MIN_CHANCE))
    for _ in range(_STEPS if _measure_length(passages, stretches) > max_length else 0):
        middle = (low + high) / 2
        dearer = _find_stretches(passages, _make_gains(MIN_CHANCE ** (1 - middle)))
        if _measure_length(passages, dearer) > max_length:
            low = middle
        else:
            high, stretches = middle, dearer
    if _measure_length(passages, stretches) > max_length or not any(stretches):
        stretches = [None] * len(passages)
        best = max(range(len(passages)), key=lambda each: float(passages[each].scores.max()))
        place = int(passages[best].scores.argmax())
        stretches[best] = (place, place + 1) if np.isfinite(passages[best].scores[place]) else None
    return _widen(passages, stretches, max_length)


def _make_gains(price: float) -> Gains:
    return lambda units: units.chances - price * units.lengths


def _widen(passages: Sequence[_Units], stretches: list[Span | None], max_length: float) -> list[Span | None]:
    left = max_length - _measure_length(passages, stretches)
    while True:
        ways = [
            (units.chances[place] / units.lengths[place], number, place)
            for number, units in enumerate(passages)
            for place in _find_places_beside(passages, stretches, number)
            if units.lengths[place] <= left and units.chances[place] > MIN_CHANCE * units.lengths[place]
        ]
        if not ways:
            return stretches
        _, number, place = max(ways)
        first, stop = stretches[number] or (place, place + 1)
        stretches[number] = min(first, place), max(stop, place + 1)
        left -= passages[number].lengths[place]


def _find_places_beside(passages: Sequence[_Units], stretches: Sequence[Span | None], number: int) -> list[int]:
    """The units beside the stretch of a passage, of one without a stretch the likeliest; none shown elsewhere."""
    units, stretch = passages[number], stretches[number]
    taken = _mask_shown_elsewhere(passages, stretches, number)
    places = [stretch[0] - 1, stretch[1]] if stretch else [int(np.where(taken, -np.inf, units.scores).argmax())]
    return [place for place in places if 0 <= place < len(taken) and not taken[place]]


def _mask_shown_elsewhere(passages: Sequence[_Units], stretches: Sequence[Span | None], number: int) -> np.ndarray:
    """Whether each unit of a passage is, in part, in the stretch of another of the same document."""
    passage = passages[number]
    others = [
        (each.spans[stretch[0]][0], each.spans[stretch[1] - 1][1])
        for place, (each, stretch) in enumerate(zip(passages, stretches, strict=False))
        if stretch and place != number and each.document_id == passage.document_id
    ]
    return np.array([any(left < end and start < right for left, right in others) for start, end in passage.spans])


def _measure_length(passages: Sequence[_Units], stretches: Sequence[Span | None]) -> float:
    return sum(
        float(units.lengths[slice(*stretch)].sum())
        for units, stretch in zip(passages, stretches, strict=True)
        if stretch
    )


def _find_best_stretch(gains: np.ndarray) -> Span | None:
    """The half-open range with the greatest sum, None where none is above 0 (Kadane's algorithm)."""
    best, found = 0.0, None
    start, total = 0, 0.0
    for place, gain in enumerate(gains.tolist()):
        if total <= 0:
            start, total = place, 0.0
        total += gain
        if total > best:
            best, found = total, (start, place + 1)
    return found
