"""The words of a question that say what is asked, and how much each of them tells pieces of text apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from math import log

from warehouse.store.words import words

CONTEXT = 0.5
"""What a word counts that stands only in a piece's title or section."""

_STOP = (
    "a an the this that these those it its there here of in on at to for from by with about into as and or but not"
    " is are was were be been being am do does did has have had having will would can could should may might must"
    " who whom whose what which when where why how many much i me my you your we our us he she his her they their"
    " them if so than then some any all each other tell say says said give show please according documents"
    " 的 了 是 在 和 与 有 什么 多少 哪 哪个 哪些 哪里 谁 吗 呢 何 如何 为什么 怎么 甚麼 什麼 哪個 誰 嗎 為什麼 怎麼"
)


@cache
def _stop_words() -> frozenset[str]:
    """Made when first needed, since the words of Chinese load a dictionary."""
    return frozenset(words(_STOP))


def content_words(question: str) -> frozenset[str]:
    """The words of a question without stop words; all of them where nothing else is left."""
    every = frozenset(words(question))
    return every - _stop_words() or every


def rarity(asked: Collection[str], pieces: Sequence[Collection[str]]) -> dict[str, float]:
    """The weight of each word by how few of the pieces hold it (IDF); a word in none of them weighs most."""
    return {word: log(1 + (len(pieces) + 1) / (1 + sum(word in piece for piece in pieces))) for word in asked}


def share(weights: Mapping[str, float], piece: Collection[str], context: Collection[str]) -> float:
    """The part of the weight that a piece holds, in [0, 1]; what only its context holds counts half."""
    held = sum(
        weight * (1.0 if word in piece else CONTEXT) for word, weight in weights.items() if word in {*piece, *context}
    )
    return held / sum(weights.values()) if weights else 0.0
