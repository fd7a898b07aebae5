"""Excerpts: the part of each passage that answers; passages are found whole, and read by their best sentences.

A passage is long enough to be found and too long to be read: most of it says something else. Its excerpt is a stretch
of whole sentences, exact to the character. Each sentence is judged by its likeness to the question in meaning and in
words, by its neighbours, which carry what it leaves unsaid ("It rose by 3 %."), and by the rank of its passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tasks.ask.passage_units import Span, split_units
from tasks.embedders.embedder import Embedder, vectors_of
from tasks.query.question_parser import content_words, covered_share, weigh_by_rarity
from warehouse.records import Hit, Question
from warehouse.search.scoring import piece_weight
from warehouse.store.words import words
from warehouse.table_notation import opens_table

REACH = 0.31  # How far below the best sentence of all passages a sentence may score and still count for its stretch.
NEIGHBOUR = 0.4  # What a neighbouring sentence counts beside the sentence itself.
RANK = 0.5  # What the rank of the passage counts, as its score's share of the best passage's.


def with_excerpts(question: Question, hits: Sequence[Hit], embedder: Embedder) -> list[Hit]:
    """The same hits, each with the excerpt that answers best; none where nothing in a passage comes near.

    Of the stretches of a passage, the one whose sentences lie furthest above the bar together is taken, each counted
    by its length (the maximum-sum subarray). What an earlier hit's excerpt shows is not shown again.
    """
    if not hits:
        return []
    spans = [split_units(hit.text) for hit in hits]
    scores = _scores(question, hits, spans, embedder)
    bar = max(float(each.max()) for each in scores) - REACH
    shown: list[tuple[str, int, int]] = []
    found = []
    for hit, parts, scored in zip(hits, spans, scores, strict=True):
        others = [(left, right) for document, left, right in shown if document == hit.document_id]
        places = [(hit.start + start, hit.start + end) for start, end in parts]
        gains = [
            -np.inf
            if any(left < end and start < right for left, right in others)
            else float(score - bar) * (end - start)
            for (start, end), score in zip(places, scored, strict=True)
        ]
        if stretch := _best_stretch(gains):
            excerpt = places[stretch[0]][0], places[stretch[1] - 1][1]
            shown.append((hit.document_id, *excerpt))
            found.append(hit.quoted(*excerpt))
        else:
            found.append(replace(hit, excerpt=None))
    return found


def _scores(
    question: Question, hits: Sequence[Hit], spans: Sequence[Sequence[Span]], embedder: Embedder
) -> list[np.ndarray]:
    """One score a unit, hit by hit."""
    texts = [[hit.text[start:end] for start, end in parts] for hit, parts in zip(hits, spans, strict=True)]
    alpha = piece_weight(question)
    near = _cosines(question, hits, texts, embedder)
    # The part of the question's words that each text holds, the rare ones weighing more.
    text_words = [frozenset(words(text)) for each in texts for text in each]
    weights = weigh_by_rarity(content_words(question.text), text_words)
    same = np.array([covered_share(weights, each, ()) for each in text_words])
    own = iter(alpha * near + (1 - alpha) * same)
    best = max(hit.score for hit in hits) or 1.0
    return [
        _with_neighbours(np.fromiter((next(own) for _ in each), float, len(each))) + RANK * hit.score / best
        for each, hit in zip(texts, hits, strict=True)
    ]


def _cosines(question: Question, hits: Sequence[Hit], texts: Sequence[Sequence[str]], embedder: Embedder) -> np.ndarray:
    """A text longer than the model's window is as near as its nearest window, and a table as near as its passage.

    The windows of tables were more than half of the work on reports, and 87 % of the excerpts are the same without.
    """
    windows = [
        () if hit.dense is not None and opens_table(text) else embedder.windows("", text)
        for hit, each in zip(hits, texts, strict=True)
        for text in each
    ]
    flat = list(dict.fromkeys(window for each in windows for window in each))
    near = dict(zip(flat, vectors_of(embedder, flat) @ question.vector, strict=True))
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


def _best_stretch(gains: Sequence[float]) -> Span | None:
    """The half-open range with the greatest sum, None where none is above 0 (Kadane's algorithm)."""
    best, found = 0.0, None
    start, total = 0, 0.0
    for place, gain in enumerate(gains):
        if total <= 0:
            start, total = place, 0.0
        total += gain
        if total > best:
            best, found = total, (start, place + 1)
    return found
