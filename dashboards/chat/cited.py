"""What each line of an answer cites, and what stands in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from dashboards.chat.figures import Figure, figures
from dashboards.chat.moments import moments
from dashboards.chat.quotations import solid
from dashboards.chat.records import Source
from tasks.ask.units import Span
from warehouse.records import Mention

MARK = re.compile(r"\[(\d{1,3})\]")
_GAP = re.compile(r"\n[ \t]*\n")


class Cited:
    """A source, and what stands in it, read when it is first asked for."""

    def __init__(self, source: Source) -> None:
        """Nothing is read yet."""
        self._hit = source.hit

    @property
    def _text(self) -> str:
        citation = self._hit.citation
        return "\n".join((citation.title, *citation.section, self._hit.text))

    @cached_property
    def figures(self) -> list[Figure]:
        """Its figures."""
        return figures(self._text)

    @cached_property
    def solid(self) -> str:
        """Its letters."""
        return solid(self._text)

    @cached_property
    def moments(self) -> list[Mention]:
        """Its times, relative ones read from the day of its document."""
        day = self._hit.citation.date
        return moments(f"{day or ''}\n{self._text}", day)


class Scopes:
    """Where an answer's claims are looked up: in what their line cites, else their paragraph, else the whole answer."""

    def __init__(self, text: str, sources: Sequence[Source]) -> None:
        """`sources` are those that the marks of the text name."""
        known = {source.number: Cited(source) for source in sources}
        self.paragraphs = [list(_lines(text, span)) for span in _paragraphs(text)]
        self._starts: list[int] = []
        self._scopes: list[Sequence[Cited]] = []
        for lines in self.paragraphs:
            own = [_named(text, line, known) for line in lines]
            paragraph = list({id(each): each for cited in own for each in cited}.values())
            for (start, _), cited in zip(lines, own, strict=True):
                self._starts.append(start)
                self._scopes.append(cited or paragraph or list(known.values()))

    def at(self, place: int) -> Sequence[Cited]:
        """What a claim that begins at a place is looked up in."""
        return self._scopes[max(bisect_right(self._starts, place) - 1, 0)]


def _named(text: str, line: Span, known: Mapping[int, Cited]) -> list[Cited]:
    numbers = {int(mark) for mark in MARK.findall(text, *line)}
    return [known[number] for number in sorted(numbers & known.keys())]


def _paragraphs(text: str) -> Iterator[Span]:
    start = 0
    for gap in _GAP.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _lines(text: str, paragraph: Span) -> Iterator[Span]:
    start, last = paragraph
    while start <= last:
        end = text.find("\n", start, last)
        yield start, end if end >= 0 else last
        start = end + 1 if end >= 0 else last + 1
