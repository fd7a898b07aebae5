"""An honest answer without a language model: the sentences and table rows that say most about the question.

Extractive: nothing is written, everything stands word for word in the passages, and nothing is said where nothing fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tasks.ask.asking import content_words, rarity, share
from tasks.ask.pieces import Piece, pieces
from tasks.embedders.contract import Embedder
from tasks.embedders.recent import vectors_of
from warehouse.records import Citation, Hit, Question
from warehouse.search.reference_lists import wants_references
from warehouse.search.trust import alpha_for
from warehouse.store.words import words

FLOOR = 0.47
"""The least that cosine and share of words must reach together.

Chosen on 43 questions to two warehouses: 19 of 20 on their subjects reach it, and 1 of 23 on others; of 30 further
questions 15 of 15, and 1 of 15. It tells subjects apart, not whether a sentence on the subject holds the answer.
"""
ROW = 0.2
"""What is added to a table row with figures whose header consists of the question's words."""
TOGETHER = 16
"""Pieces that are embedded at once, the most promising first."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation from the passage of hit number `hit` (from 0): a sentence, or a table's head and one of its rows."""

    text: str
    hit: int
    score: float


def extracts(question: Question, hits: Sequence[Hit], embedder: Embedder, count: int = 3) -> list[Extract]:
    """At most `count` sentences and table rows of the hits, best first; none where nothing fits the question.

    Ranked by cosine and the share of the question's content words, the rare ones weighing more, half each; the cosine
    weighs less where the model does not know the script. Of rows with one header and head, the best alone is given.
    Whatever could not win with a cosine of 1 is not embedded. Reference lists are quoted only where they are asked for.
    """
    listed = wants_references(question)
    found = [
        piece for number, hit in enumerate(hits) if listed or not hit.is_references for piece in pieces(hit, number)
    ]
    near = min(0.5, alpha_for(question))
    shares, given = _worth(question, found)
    most = near + (1 - near) * shares + given
    order = np.argsort(-most, kind="stable")
    best: list[Extract] = []
    scored: dict[int, tuple[float, float]] = {}
    for batch in np.split(order, range(TOGETHER, len(order), TOGETHER)):
        if not len(batch) or (len(best) == count and most[batch[0]] < best[-1].score):
            break
        fits = near * _cosines(question, [found[index] for index in batch], embedder) + (1 - near) * shares[batch]
        scored.update(zip(batch.tolist(), zip(fits, fits + given[batch], strict=True), strict=True))
        best = _best(found, scored, count)
    return best


def quoted_spans(hit: Hit, text: str) -> list[tuple[int, int]]:
    """Where a quotation stands in its document's text: a sentence whole, of a table the row before its head."""
    lines = [text] if text in hit.text else [line for line in reversed(text.split("\n")) if line in hit.text]
    starts = [hit.start + hit.text.index(line) for line in lines]
    return [(start, start + len(line)) for start, line in zip(starts, lines, strict=True)]


def citation_of(hit: Hit, text: str) -> Citation:
    """The citation of a quotation: it names the page of the sentence or row."""
    return next((hit.citation_at(start) for start, _ in quoted_spans(hit, text)), hit.citation)


def _best(found: Sequence[Piece], scored: Mapping[int, tuple[float, float]], count: int) -> list[Extract]:
    """The best of what fits, by how well each fits and its score; of equal ones the earlier piece."""
    best: dict[tuple[str, str], Extract] = {}
    for index, (fit, score) in sorted(scored.items(), key=lambda each: (-each[1][1], each[0])):
        piece = found[index]
        if fit >= FLOOR and len(best) < count:
            best.setdefault(piece.key, Extract(piece.text, piece.hit, float(score)))
    return list(best.values())


def _worth(question: Question, found: Sequence[Piece]) -> tuple[np.ndarray, np.ndarray]:
    """The share of the question's words that each piece has, and what rows are given beside."""
    asked = content_words(question.text)
    held = [frozenset(words(piece.text)) for piece in found]
    weights = rarity(asked, held)
    shares = [share(weights, own, frozenset(words(piece.context))) for piece, own in zip(found, held, strict=True)]
    return np.array(shares), ROW * np.array([_is_asked_row(piece, asked) for piece in found], float)


def _cosines(question: Question, found: Sequence[Piece], embedder: Embedder) -> np.ndarray:
    """Of sentences as they are, of rows below their title and section, without which they say little."""
    shown = [f"{piece.context}\n{piece.text}" if piece.header else piece.text for piece in found]
    first = [next(iter(embedder.windows("", text)), text) for text in shown]
    cosines: np.ndarray = vectors_of(embedder, first) @ question.vector
    return cosines


def _is_asked_row(piece: Piece, asked: frozenset[str]) -> bool:
    header = frozenset(words(piece.header))
    row = piece.text.rpartition("\n")[2]
    return bool(header) and header <= asked and any(char.isdigit() for char in row)
