"""What a planted defect is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.passages.exam import Measure, recall
from benchmarks.passages.pieces import Note, Piece

Change = Callable[[Note], tuple[Note, ...]]


@dataclass(frozen=True, slots=True)
class Plant:
    """A defect of an exam that the rules `codes` should blame; `way` says how it is made.

    `clean` is what it is compared with, where that is not the exam as it stands.
    """

    codes: tuple[str, ...]
    way: str
    exam: str
    plant: Change
    measure: Measure = recall
    clean: Change | None = None


def chosen(note: Note, fits: Callable[[Piece], bool] = lambda piece: True) -> Iterator[tuple[Piece, bool]]:
    """The pieces, and whether each is among the half of those that fit which gets the defect, the same each time."""
    random = Random(note.name)
    for piece in note.pieces:
        yield piece, random.random() < 0.5 and fits(piece)
