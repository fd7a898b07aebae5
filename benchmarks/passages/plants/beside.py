"""Chunks that answer nothing, put beside half of the chunks: they can only take the places of others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.passages.pieces import Note, Piece, changed
from benchmarks.passages.plants.contract import Plant, chosen

NOTICES = (
    "© 2025 Northlight Ltd. All rights reserved. No part of this publication may be reproduced in any form.",
    "This document is for informational purposes only and does not constitute investment advice or an offer.",
    "Actual results may differ materially from forward-looking statements, and we undertake no duty to update them.",
    "We use cookies. Accept all cookies or change your cookie settings. Privacy policy. Terms of use. Sign in.",
    "If you have received this in error, please delete it. It is intended solely for the addressee.",
)
_WORD = re.compile(r"[A-Za-z]{5,18}")


def beside(made: Callable[[Piece, Random], str]) -> Callable[[Note], tuple[Note, ...]]:
    """Puts a chunk of the text made behind each chosen one."""

    def plant(note: Note) -> tuple[Note, ...]:
        random = Random(note.name)
        return (changed(note, _with(note, lambda piece: Piece(f"\n\n{made(piece, random)}\n\n"))),)

    return plant


def twins(note: Note) -> tuple[Note, ...]:
    """Puts a copy with another first word behind each chosen chunk; the copy answers what the chunk answers."""

    def twin(piece: Piece) -> Piece:
        rest = piece.text.strip().partition(" ")[2]
        return Piece(f"\n\nIndeed {rest}\n\n", piece.shows)

    return (changed(note, _with(note, twin)),)


def _with(note: Note, made: Callable[[Piece], Piece]) -> Iterator[Piece]:
    for piece, is_chosen in chosen(note):
        yield piece
        if is_chosen:
            yield made(piece)


def tiny(piece: Piece, random: Random) -> str:
    """A pointer that names the longest word of the chunk before."""
    words = _WORD.findall(piece.text) or ["there"]
    return f"See {max(words, key=len)}."


def figures(piece: Piece, random: Random) -> str:
    """Loose numbers, as of a table read as text."""
    return " ".join(f"{random.randrange(10, 9_999):,} {random.random():.1%}" for _ in range(25))


def notice(piece: Piece, random: Random) -> str:
    """A notice or two."""
    return " ".join(random.sample(NOTICES, 2))


PLANTS = (
    Plant(("CHK001",), "a row of bullets beside", "prose", beside(lambda piece, random: "• • •")),
    Plant(("CHK004",), "a pointer to its longest word beside", "prose", beside(tiny)),
    Plant(("CHK005",), "loose figures beside", "prose", beside(figures)),
    Plant(("CHK008",), "two notices beside", "prose", beside(notice)),
    Plant(("CHK009",), "a copy beside", "prose", twins),
)
