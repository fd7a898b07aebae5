"""What each line of an answer cites, and what stands in it."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

from dashboards.assistant.figures import Figure, figures, same
from dashboards.assistant.moments import moments, told
from dashboards.assistant.quotations import says, solid
from dashboards.assistant.records import Call, Source
from tasks.ask.units import Span
from warehouse.records import Mention

MARK = re.compile(r"\[(\d{1,3})\]")
_GAP = re.compile(r"\n[ \t]*\n")


class Cited:
    """A text that proves, and what stands in it, read when it is first asked for."""

    def __init__(self, text: str, day: date | None = None) -> None:
        """Relative times are read from the `day`."""
        self._text, self._day = text, day

    @classmethod
    def of(cls, source: Source) -> Cited:
        """A source with its title and section."""
        citation = source.hit.citation
        return cls("\n".join((citation.title, *citation.section, source.hit.text)), citation.date)

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
        """Its times."""
        return moments(f"{self._day or ''}\n{self._text}", self._day)


class ToolResult:
    """What a tool said. What it was given proves nothing of it: a tool that repeats a figure has not found it."""

    def __init__(self, call: Call) -> None:
        """Nothing is read yet."""
        self.name = call.name
        self._said, self._given = (
            Cited(call.result),
            Cited(json.dumps(dict(call.given), ensure_ascii=False, default=str)),
        )

    def has_figure(self, claimed: Figure) -> bool:
        """Whether it gives a figure."""
        return _has(self._said, claimed) and not _has(self._given, claimed)

    def has_time(self, claimed: Mention) -> bool:
        """Whether it gives a time."""
        return told(claimed, self._said.moments)

    def has_words(self, words: str) -> bool:
        """Whether it gives words."""
        return says(self._said.solid, words) and not says(self._given.solid, words)


def _has(cited: Cited, claimed: Figure) -> bool:
    return any(same(claimed, given) for given in cited.figures)


class Scopes:
    """Where an answer's claims are looked up: in what their line cites, else their paragraph, else the whole answer."""

    def __init__(self, text: str, sources: Sequence[Source]) -> None:
        """`sources` are those that the marks of the text name."""
        known = {source.number: Cited.of(source) for source in sources}
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
