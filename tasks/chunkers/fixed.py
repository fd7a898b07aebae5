"""Windows of one length, regardless of sentences and paragraphs: the baseline that every other chunker should beat.

By default a window has as many of the default embedder's tokens as the model reads at once. Windows end at the end of a
word if there is one in their later half. Only the guarantees of all chunkers hold: tables whole and alone, long
lists of records cut between rows, furniture left out, lessons separate.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from tasks.chunkers.chunker import OverlappingChunker, Ruler, Span
from tasks.chunkers.parts.packing import iter_runs
from warehouse.records import Document

_WHITE_SPACE = re.compile(r"\s")
_LAST_WHITE_SPACE = re.compile(r"\s\S*\Z")


@dataclass(frozen=True, slots=True)
class FixedChunker(OverlappingChunker):
    """Windows of `size` tokens, each beginning `overlap` tokens before the end of the one before."""

    name: ClassVar[str] = "fixed"

    size: int = 254
    tokens_of: str = "minilm"
    overlap: int = 32

    def spans(self, document: Document) -> tuple[Span, ...]:
        """See `Chunker`."""
        ruler = self.make_ruler(document)
        spans = []
        for run in iter_runs(document, ruler, self.size):
            for is_table, atoms in groupby(run, key=lambda atom: atom.table):
                group = list(atoms)
                if is_table:
                    spans += [(atom.start, atom.end) for atom in group]
                else:
                    spans += self._iter_windows(document.text, group[0].start, group[-1].end, ruler)
        return tuple(spans)

    def _iter_windows(self, text: str, start: int, end: int, ruler: Ruler) -> Iterator[Span]:
        """The windows of `text[start:end]`, which begins and ends with a letter, each ending later than the last."""
        stop = start
        while True:
            min_stop = max(stop, (start + ruler.find_limit(start, self.size)) // 2)
            stop = _find_word_end(text, min_stop, min(end, ruler.find_limit(start, self.size)), end)
            yield start, start + len(text[start:stop].rstrip())
            if stop == end:
                return
            # The next window begins at a word within the overlap, if there is one.
            starts = range(start + 1, stop)
            start += 1 + bisect_left(starts, -self.overlap, key=lambda begin: -ruler.measure(begin, stop))
            if start < stop and not text[start - 1].isspace():
                white = _WHITE_SPACE.search(text, start, stop)
                start = white.start() if white else start
            while text[start].isspace():
                start += 1


def _find_word_end(text: str, min_stop: int, stop: int, end: int) -> int:
    """`stop`, or, if that is within a word, the last white space between `min_stop` and `stop`."""
    if stop == end or text[stop].isspace() or text[stop - 1].isspace():
        return stop
    white = _LAST_WHITE_SPACE.search(text[min_stop:stop])
    return min_stop + white.start() if white and white.start() else stop


member = FixedChunker()
