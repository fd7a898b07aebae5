"""Proof of an answer's claims: its numbers, times and quotations, looked up in the passages that it cites and in tools.

A claim is looked up in the passages that its own line cites; where the line cites none, in those of its paragraph, else
in all of the answer. Numbers are compared by value (`figure_values`), times as intervals, quotations by their letters.
A claim in no cited passage is looked up in the results of tools beside passages (counts, sums, lists, cells, times); it
then names the tool. A number found nowhere counts as proven where it is the difference, sum, mean, ratio, part or
growth of two proven ones of its paragraph, or the sum or mean of all of them: the arithmetic is checked, not whether it
answers the question.
"""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property

from dashboards.assistant.answer_types import AnswerClaim, AnswerSource, ToolCall
from dashboards.assistant.figure_values import TextFigure, find_figures, have_same_value, is_computed, scales_in
from tasks.ask.units import Span
from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType

OPERANDS = 12
"""So many proven figures around a number it may be computed from."""


REPEATING_TOOLS = frozenset({"verify_quote"})
"""Tools that repeat what they are asked about."""


def check_claims(text: str, sources: Sequence[AnswerSource], calls: Sequence[ToolCall] = ()) -> tuple[AnswerClaim, ...]:
    """Each number, time and quotation of an answer, in order, and whether the sources it cites or tools have it."""
    scopes = ClaimScopes(text, sources)
    tools = [ToolOutput(call) for call in calls if call.result and not call.failed and call.name not in REPEATING_TOOLS]
    plain = MARK.sub(lambda mark: " " * len(mark[0]), text)
    quoted = find_quotations(plain)
    times = [each for each in find_times(plain) if not _within(each.start, quoted)]
    taken = sorted([*quoted, *((each.start, each.end) for each in times)])
    found = []
    for start, end in quoted:
        words = plain[start:end]
        proven = any(contains_quotation(each.solid, words) for each in scopes.at(start))
        found.append(_claim(start, end, proven, (tool.name for tool in tools if tool.has_words(words))))
    for each in times:
        if each.start_date and each.end_date:
            proven = any(is_time_given(each, cited.moments) for cited in scopes.at(each.start))
            found.append(_claim(each.start, each.end, proven, (tool.name for tool in tools if tool.has_time(each))))
    for lines in scopes.paragraphs:
        numbers = [each for each in _figures(plain, lines) if not _within(each.start, taken)]
        found += _of_numbers(numbers, scopes, tools)
    return tuple(sorted(found, key=lambda claim: (claim.start, claim.end)))


def _figures(text: str, lines: Sequence[Span]) -> Iterator[TextFigure]:
    """The figures of a paragraph, their places those in the whole text."""
    scales = scales_in(text[lines[0][0] : lines[-1][1]])
    for start, end in lines:
        found = find_figures(text[start:end], scales)
        # "from 92.1 to 108.3 million": the last names the scale of the first.
        named = {each.number.power for each in found if each.number.scaled}
        for each in found:
            yield replace(each, start=each.start + start, end=each.end + start, scales=each.scales | named)


def _claim(start: int, end: int, proven: bool, tools: Iterator[str]) -> AnswerClaim:  # noqa: FBT001
    """A claim that passages prove, else the first of the tools that give it."""
    tool = "" if proven else next(tools, "")
    return AnswerClaim(start, end, proven or bool(tool), tool)


def _of_numbers(
    numbers: Sequence[TextFigure], scopes: ClaimScopes, tools: Sequence[ToolOutput]
) -> Iterator[AnswerClaim]:
    found = []
    for each in numbers:
        proven = any(have_same_value(each, given) for cited in scopes.at(each.start) for given in cited.figures)
        found.append(_claim(each.start, each.end, proven, (tool.name for tool in tools if tool.has_figure(each))))
    operands = [each for each, claim in zip(numbers, found, strict=True) if claim.proven]
    starts = [each.start for each in operands]
    for each, claim in zip(numbers, found, strict=True):
        place = bisect_right(starts, each.start)
        near = operands[max(place - OPERANDS, 0) : place + OPERANDS]
        yield claim if claim.proven else replace(claim, proven=is_computed(each, near))


def _within(place: int, spans: Sequence[Span]) -> bool:
    """Whether a place lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]


_QUOTED = re.compile(
    r"“([^“”\n]{1,1000})”|\"([^\"\n]{1,1000})\"|「([^「」\n]{1,1000})」|«([^«»\n]{1,1000})»|„([^„“\n]{1,1000})“"
)
_LEFT_OUT = re.compile(r"\s*(?:\[?(?:…|\.{3,})\]?)\s*")
_SHORTEST = 2
"""Words, and of scripts without spaces letters twice: a word in quotation marks quotes nobody."""


def find_quotations(text: str) -> list[tuple[int, int]]:
    """The spans of the words quoted, marks aside, in order."""
    found = []
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        words = match[group]
        if len(words.split()) >= _SHORTEST or (not words.isascii() and len(words) > 2 * _SHORTEST):
            found.append(match.span(group))
    return found


def contains_quotation(passage: str, quotation: str) -> bool:
    """Whether a passage, as `letters_only` made it, says a quotation; of one with "…", each part, in order."""
    place = 0
    for part in filter(None, map(letters_only, _LEFT_OUT.split(quotation))):
        place = passage.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def letters_only(text: str) -> str:
    """Letters and digits alone, in one case and form: quotations differ in spaces, line ends, dashes and marks."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())


_DAY = timedelta(days=1)
_FINE = {Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.DAY}


def find_times(text: str, written: date | None = None) -> list[Mention]:
    """The dates that a text names, in order; relative ones count from the day on which it was `written`, if any."""
    return [each for each in tag(text, written, "und") if each.type in {TimexType.DATE, TimexType.TIME}]


def is_time_given(claimed: Mention, given: Sequence[Mention]) -> bool:
    """Whether a time is among those given: a day must be the same, or end a period; a longer time must touch one.

    Fiscal calendars make longer times differ by months where both say the same quarter.
    """
    start, end = claimed.start_date, claimed.end_date
    if start is None or end is None:
        return True
    if claimed.grain in _FINE:
        return any(start == each.start_date or end == each.end_date for each in given)
    return any(_touches(start, end, each) for each in given)


def _touches(start: date, end: date, other: Mention) -> bool:
    first, last = other.start_date or date.min, other.end_date or date.max
    return first < end and start < last


def spans(mentions: Iterable[Mention]) -> list[tuple[int, int]]:
    """Where they stand."""
    return [(each.start, each.end) for each in mentions]


MARK = re.compile(r"\[(\d{1,3})\]")
_GAP = re.compile(r"\n[ \t]*\n")


class CitedText:
    """A text that proves, and what stands in it, read when it is first asked for."""

    def __init__(self, text: str, day: date | None = None) -> None:
        """Relative times are read from the `day`."""
        self._text, self._day = text, day

    @classmethod
    def of(cls, source: AnswerSource) -> CitedText:
        """A source with its title and section."""
        citation = source.hit.citation
        return cls("\n".join((citation.title, *citation.section, source.hit.text)), citation.date)

    @cached_property
    def figures(self) -> list[TextFigure]:
        """Its figures."""
        return find_figures(self._text)

    @cached_property
    def solid(self) -> str:
        """Its letters."""
        return letters_only(self._text)

    @cached_property
    def moments(self) -> list[Mention]:
        """Its times."""
        return find_times(f"{self._day or ''}\n{self._text}", self._day)


class ToolOutput:
    """What a tool said. What it was given proves nothing of it: a tool that repeats a figure has not found it."""

    def __init__(self, call: ToolCall) -> None:
        """Nothing is read yet."""
        self.name = call.name
        self._said, self._given = (
            CitedText(call.result),
            CitedText(json.dumps(dict(call.arguments), ensure_ascii=False, default=str)),
        )

    def has_figure(self, claimed: TextFigure) -> bool:
        """Whether it gives a figure."""
        return _has(self._said, claimed) and not _has(self._given, claimed)

    def has_time(self, claimed: Mention) -> bool:
        """Whether it gives a time."""
        return is_time_given(claimed, self._said.moments)

    def has_words(self, words: str) -> bool:
        """Whether it gives words."""
        return contains_quotation(self._said.solid, words) and not contains_quotation(self._given.solid, words)


def _has(cited: CitedText, claimed: TextFigure) -> bool:
    return any(have_same_value(claimed, given) for given in cited.figures)


class ClaimScopes:
    """Where an answer's claims are looked up: in what their line cites, else their paragraph, else the whole answer."""

    def __init__(self, text: str, sources: Sequence[AnswerSource]) -> None:
        """`sources` are those that the marks of the text name."""
        known = {source.number: CitedText.of(source) for source in sources}
        self.paragraphs = [list(_lines(text, span)) for span in _paragraphs(text)]
        self._starts: list[int] = []
        self._scopes: list[Sequence[CitedText]] = []
        for lines in self.paragraphs:
            own = [_named(text, line, known) for line in lines]
            paragraph = list({id(each): each for cited in own for each in cited}.values())
            for (start, _), cited in zip(lines, own, strict=True):
                self._starts.append(start)
                self._scopes.append(cited or paragraph or list(known.values()))

    def at(self, place: int) -> Sequence[CitedText]:
        """What a claim that begins at a place is looked up in."""
        return self._scopes[max(bisect_right(self._starts, place) - 1, 0)]


def _named(text: str, line: Span, known: Mapping[int, CitedText]) -> list[CitedText]:
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
