"""The words of a question that say what is asked, and how much each of them tells pieces of text apart."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import log

from warehouse.store.words import telling_words, words

CONTEXT = 0.5
"""What a word counts that stands only in a piece's title or section."""

_SOURCE = r"(?:report|filing|release|statement|document|table|note|text|paper|annual report|10-[kq]|8-k)"
_THERE = r"(?:according to|as (?:shown|stated|reported|given|listed|described) (?:in|by)|based on|(?:as )?per)"
_FRAMES = re.compile(
    rf"\b{_THERE}(?: the| its| their)?(?: \w+){{0,2}}? {_SOURCE}s?(?: of)?\b"
    rf"|\b(?:in|from|by) the (?:\w+ )?{_SOURCE}s?(?: of)?\b|\baccording to\b|\bas reported\b"
    r"|\b(?:please )?(?:can|could|would) you (?:please )?(?:tell|give|show|find)(?: me)?\b"
    r"|\b(?:please )?(?:tell|give|show|find|list)(?: me)?(?: about)?(?= )|\bplease\b"
    r"|\b(?:do you|i(?:'d| would)) (?:want|like) to know\b|\bi (?:want|need) to know\b|\bdo you know\b"
    r"|请问|請問|告诉我|告訴我|根据|根據",
    re.IGNORECASE,
)
_FRAME_WORDS = frozenset(
    words(
        "tell give show find know please much many amount number figure value report reported reporting record recorded"
        " according say says said state stated mention mentioned given answer question"
    )
)
_CHANGES = re.compile(
    r"\b(?:grow|grew|grown|growth|rise|rose|risen|increas\w+|climb\w*|gain\w*|improv\w+|fall|fell|fallen|drop\w*"
    r"|declin\w+|decreas\w+|shr[aiu]nk|down|up|chang\w+|higher|lower|reduc\w+|expand\w*|by how much"
    r"|percentage change|compared (?:to|with)|differen\w+)\b|增长|增長|下降|减少|減少|上升|变化|變化",
    re.IGNORECASE,
)


def without_frame(question: str) -> str:
    """A question without the words that only introduce it: "According to the annual report, what was …", "please"."""
    bare = " ".join(_FRAMES.sub(" ", question).split()).strip(" ,:;")
    return bare if any(map(str.isalnum, bare)) else question


def asks_for_change(question: str) -> bool:
    """Whether a question asks how something rose or fell, so that a percentage or two figures answer it."""
    return bool(_CHANGES.search(question))


def content_words(question: str) -> frozenset[str]:
    """The words of a question without function words; all of them where nothing else is left."""
    return frozenset(telling_words(question))


def answer_words(question: str) -> frozenset[str]:
    """The words of a question that its answer should have: its content words without what only frames it.

    Words of change ("fall", "grow") are left out: documents say "down 20 percent" or print two columns.
    """
    bare = _CHANGES.sub(" ", without_frame(question))
    found = frozenset(telling_words(bare)) if any(map(str.isalnum, bare)) else frozenset()
    return (found - _FRAME_WORDS) or found or content_words(question)


def rarity(asked: Collection[str], pieces: Sequence[Collection[str]]) -> dict[str, float]:
    """The weight of each word by how few of the pieces hold it (IDF); a word in none of them weighs most."""
    return {word: log(1 + (len(pieces) + 1) / (1 + sum(word in piece for piece in pieces))) for word in asked}


def share(weights: Mapping[str, float], piece: Collection[str], context: Collection[str]) -> float:
    """The part of the weight that a piece holds, in [0, 1]; what only its context holds counts half."""
    held = sum(
        weight * (1.0 if word in piece else CONTEXT) for word, weight in weights.items() if word in {*piece, *context}
    )
    return held / sum(weights.values()) if weights else 0.0
