"""An honest answer without a language model: the sentences and table rows that say most about the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tasks.chunkers.sentences import sentence_spans
from tasks.embedders.contract import Embedder
from warehouse.records import Hit, Question
from warehouse.store.words import words

SHORTEST = 3
"""A sentence of fewer words says nothing by itself."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation: `text` stands word for word in the passage of hit number `hit` (from 0)."""

    text: str
    hit: int
    score: float


def extracts(question: Question, hits: Sequence[Hit], embedder: Embedder, count: int = 3) -> list[Extract]:
    """The `count` best sentences and table rows of the hits, best first.

    Ranked by the mean of cosine and the share of the question's words that the sentence holds.
    """
    pieces = [(piece, number) for number, hit in enumerate(hits) for piece in _pieces(hit.text)]
    if not pieces:
        return []
    vectors = embedder.embed([window for piece, _ in pieces for window in embedder.windows("", piece)[:1]])
    asked = set(words(question.text))
    shares = np.array([len(asked & set(words(piece))) / max(1, len(asked)) for piece, _ in pieces])
    scores = (vectors @ question.vector + shares) / 2
    order = np.argsort(-scores, kind="stable")
    best: dict[str, Extract] = {}
    for index in order:
        piece, number = pieces[index]
        best.setdefault(piece, Extract(piece, number, float(scores[index])))
        if len(best) == count:
            break
    return list(best.values())


def _pieces(text: str) -> list[str]:
    found = []
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.append(line if any(set(cell) - set("-: ") for cell in cells) else "")
        elif not line.startswith(("[TABLE ", "[END TABLE]", "#")):
            found.extend(line[start:end] for start, end in sentence_spans(line))
    return [piece.strip() for piece in found if len(piece.split()) >= SHORTEST or not piece.isascii()]
