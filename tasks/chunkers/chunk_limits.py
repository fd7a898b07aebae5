"""Which neighbouring atoms may be one chunk, and how far a chunk may reach back into the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.chunkers.atoms import Atom, Seam
from tasks.chunkers.packer import OVERSIZED
from tasks.chunkers.rulers import Ruler

Range = tuple[int, int]
"""A half-open range of the atoms of a run."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Chunks of at most `size`; a table may exceed it, alone or with the headings straight above it."""

    ruler: Ruler
    size: int

    def fits(self, atoms: Sequence[Atom], first: int, stop: int) -> bool:
        """Whether `atoms[first:stop]` may be one chunk."""
        length = self.ruler.length(atoms[first].start, atoms[stop - 1].end)
        if length <= self.size or stop - first == 1:
            return True
        headed = atoms[stop - 1].table and all(atom.seam is Seam.GLUE for atom in atoms[first + 1 : stop])
        return headed and not any(atom.table for atom in atoms[first : stop - 1]) and length <= OVERSIZED * self.size

    def lead(self, atoms: Sequence[Atom], previous: int, chunk: Range, overlap: int) -> int:
        """Where a chunk begins that repeats up to `overlap` of the one before, which began at `previous`."""
        first, stop = chunk
        place = first
        while place - 1 > previous and not atoms[place].table and not atoms[place - 1].table:
            start = atoms[place - 1].start
            if self.ruler.length(start, atoms[first].start) > overlap:
                break
            if self.ruler.length(start, atoms[stop - 1].end) > self.size:
                break
            place -= 1
        return place


def heading_cuts(atoms: Sequence[Atom]) -> list[int]:
    """Where the sections of a run begin, its first atom aside."""
    return [place for place in range(1, len(atoms)) if atoms[place].seam is Seam.HEADING]
