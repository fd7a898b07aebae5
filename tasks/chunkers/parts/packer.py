"""Packing of atoms into chunks: as many as fit, cut at the strongest seam of the second half, overlapped with care."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.chunkers.chunker import Ruler
from tasks.chunkers.parts.atoms import OVERSIZED, Atom, Seam

_SECTION_SHARE = 4
"""A heading ends a chunk that already holds this part (one in …) of the size; smaller sections are joined."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Limits as the ruler counts: `table_overlap` holds where a table is near, and none where one touches the cut.

    An atom that is longer than the size but not than `bound` stays with the headings above it, where they fit in it.
    """

    ruler: Ruler
    size: int
    overlap: int = 0
    table_overlap: int = 0
    bound: int = 0

    def spans(self, atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
        """The spans of the chunks of one run, in order; each adds at least one atom to those before."""
        return ((atoms[start].start, atoms[stop - 1].end) for start, stop in self.ranges(atoms))

    def ranges(self, atoms: Sequence[Atom]) -> Iterator[tuple[int, int]]:
        """The same as half-open ranges of atoms."""
        previous = first = 0
        while first < len(atoms):
            start = self._lead(atoms, previous, first)
            stop = self._stop(atoms, start, first)
            yield start, stop
            previous, first = start, stop

    def _lead(self, atoms: Sequence[Atom], previous: int, first: int) -> int:
        """Where the chunk whose first new atom is `first` begins: at a sentence start within the allowed overlap."""
        if first == 0 or atoms[first].table or atoms[first].seam in (Seam.HEADING, Seam.GLUE):
            return first
        limit = self.table_overlap if self._near_table(atoms, previous, first) else self.overlap
        best = place = first
        while place - 1 > previous and not atoms[place - 1].table:
            place -= 1
            too_far = self.ruler.length(atoms[place].start, atoms[first].start) > limit
            if too_far or self.ruler.length(atoms[place].start, atoms[first].end) > self.size:
                break
            if atoms[place].seam <= Seam.SENTENCE or atoms[place].seam is Seam.GLUE:
                best = place
            if atoms[place].seam in (Seam.HEADING, Seam.GLUE):
                break
        return best

    def _near_table(self, atoms: Sequence[Atom], previous: int, first: int) -> bool:
        if any(atom.table for atom in atoms[previous:first]):
            return True
        reach = self.ruler.limit(atoms[first].start, self.size)
        for place in range(first, len(atoms)):
            if atoms[place].start > reach:
                return False
            if atoms[place].table:
                return True
        return False

    def _stop(self, atoms: Sequence[Atom], start: int, first: int) -> int:
        """The index after the chunk's last atom."""
        stop = first + 1
        if self._alone(atoms[first]):
            return stop
        while stop < len(atoms) and self._fits(atoms, start, stop):
            length = self.ruler.length(atoms[first].start, atoms[stop].start)
            long_enough = length * _SECTION_SHARE >= self.size
            if atoms[stop].seam is Seam.HEADING and long_enough:
                return stop
            stop += 1
        if stop == len(atoms):
            return stop
        return self._cut(atoms, start, first, stop)

    def _fits(self, atoms: Sequence[Atom], start: int, stop: int) -> bool:
        length = self.ruler.length(atoms[start].start, atoms[stop].end)
        return not self._alone(atoms[stop]) and length <= self.size

    def _alone(self, atom: Atom) -> bool:
        return atom.table and self.ruler.length(atom.start, atom.end) > OVERSIZED * self.size

    def _cut(self, atoms: Sequence[Atom], start: int, first: int, stop: int) -> int:
        """The best place to cut before `stop`, which no longer fits: strongest in the later half, then latest."""
        places = range(first + 1, stop + 1)
        half, quarter = (self.ruler.limit(atoms[start].start, self.size // part) for part in (2, 4))
        for least, weakest in ((half, Seam.SENTENCE), (quarter, Seam.SENTENCE), (half, Seam.WORD), (0, Seam.WORD)):
            fit = [place for place in places if atoms[place - 1].end >= least and atoms[place].seam <= weakest]
            if fit:
                return min(fit, key=lambda place: (atoms[place].seam, -place))
        # Only headings came before: a table that is too long for them and itself still keeps them.
        keeps = atoms[stop].table and not self._alone(atoms[stop])
        return stop + 1 if keeps or self.ruler.length(atoms[start].start, atoms[stop].end) <= self.bound else stop


Range = tuple[int, int]  # A half-open range of the atoms of a run.


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
