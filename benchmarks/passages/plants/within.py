"""Words put into half of the chunks, or taken from all, that leave their answers where they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random

from benchmarks.passages.pieces import Note, Piece, changed
from benchmarks.passages.plants.beside import NOTICES, figures
from benchmarks.passages.plants.contract import Plant, chosen

_NAME = re.compile(r"\b[A-Z][a-z]+(?: (?:of |and )?[A-Z][a-z]+){2,3}\b")
_FEWEST_USES = 2


def appended(made: Callable[[Piece, Random], str]) -> Callable[[Note], tuple[Note, ...]]:
    """Puts the text made at the end of each chosen chunk."""

    def plant(note: Note) -> tuple[Note, ...]:
        random = Random(note.name)
        pieces = (
            Piece(f"{piece.text.rstrip()} {made(piece, random)}\n\n", piece.shows) if is_chosen else piece
            for piece, is_chosen in chosen(note)
        )
        return (changed(note, pieces),)

    return plant


def as_long(made: Callable[[Piece, Random], str]) -> Callable[[Piece, Random], str]:
    """As much of the text made as the chunk is long, and a little more."""

    def plant(piece: Piece, random: Random) -> str:
        parts = [""]
        while sum(map(len, parts)) < 1.1 * len(piece.text):
            parts.append(made(piece, random))
        return " ".join(parts)

    return plant


def abbreviated(note: Note) -> tuple[Note, ...]:
    """Puts the initials for each name of three words or four that is used twice or more."""
    names = Counter(found[0] for piece in note.pieces for found in _NAME.finditer(piece.text))

    def initials(found: re.Match[str]) -> str:
        letters = "".join(word[0] for word in found[0].split() if word[0].isupper())
        return letters if names[found[0]] >= _FEWEST_USES else found[0]

    return (changed(note, (Piece(_NAME.sub(initials, piece.text), piece.shows) for piece in note.pieces)),)


PLANTS = (
    Plant(("CHK005",), "as many loose figures within", "prose", appended(as_long(figures))),
    Plant(("CHK008",), "as many notices within", "prose", appended(as_long(lambda _, random: random.choice(NOTICES)))),
    Plant(
        ("CHK011",),
        "a sentence that points to a table below",
        "prose",
        appended(lambda piece, random: "The results are shown in the table below."),
    ),
    Plant(("CHK012",), "initials for names", "prose", abbreviated),
)
