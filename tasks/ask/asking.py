"""The words of a question that say what is asked, and how much each of them tells pieces of text apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import log

from warehouse.store.words import telling_words

CONTEXT = 0.5
"""What a word counts that stands only in a piece's title or section."""


def content_words(question: str) -> frozenset[str]:
    """The words of a question without function words; all of them where nothing else is left."""
    return frozenset(telling_words(question))


def rarity(asked: Collection[str], pieces: Sequence[Collection[str]]) -> dict[str, float]:
    """The weight of each word by how few of the pieces hold it (IDF); a word in none of them weighs most."""
    return {word: log(1 + (len(pieces) + 1) / (1 + sum(word in piece for piece in pieces))) for word in asked}


def share(weights: Mapping[str, float], piece: Collection[str], context: Collection[str]) -> float:
    """The part of the weight that a piece holds, in [0, 1]; what only its context holds counts half."""
    held = sum(
        weight * (1.0 if word in piece else CONTEXT) for word, weight in weights.items() if word in {*piece, *context}
    )
    return held / sum(weights.values()) if weights else 0.0
