"""An honest answer without a language model: the sentences and table rows that say most about the question.

Extractive: nothing is written, everything stands word for word in the passages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tasks.chunkers.sentences import starts
from tasks.embedders.contract import Embedder
from warehouse.records import Hit, Question
from warehouse.store.words import words

_PARAGRAPH = re.compile(r"\n\s*\n")
SHORTEST = 3
"""A sentence of fewer words says nothing by itself."""


@dataclass(frozen=True, slots=True)
class Extract:
    """A quotation from the passage of hit number `hit` (from 0): a sentence, or a table's head and one of its rows."""

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
    """The sentences of a passage's paragraphs, and the rows of its tables, each row below its table's head."""
    found: list[str] = []
    for paragraph in _PARAGRAPH.split(text):
        if paragraph.startswith("[TABLE "):
            found.extend(_rows(paragraph))
        else:
            bounds = [0, *starts(paragraph, 0, len(paragraph)), len(paragraph)]
            found.extend(paragraph[start:end].strip() for start, end in pairwise(bounds))
    return [piece for piece in found if len(piece.split()) >= SHORTEST or not piece.isascii()]


def _rows(table: str) -> list[str]:
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rule = next((number for number, line in enumerate(lines) if not set(line) - set("|-: ")), 0)
    head = "\n".join(lines[:rule])
    return [f"{head}\n{line}" if head else line for line in lines[rule + 1 :]]
