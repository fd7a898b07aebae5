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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from dashboards.assistant.answer_types import AnswerClaim, AnswerSource, ToolCall
from dashboards.assistant.figure_values import TextFigure, find_figures, have_same_value, is_computed, scales_in
from tasks.ask.passage_units import Span
from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType

OPERANDS = 12  # Proven figures before and after a number from which it may be computed.


REPEATING_TOOLS = frozenset({"verify_quote"})  # Tools whose results repeat their arguments, so that they prove nothing.


def check_claims(text: str, sources: Sequence[AnswerSource], calls: Sequence[ToolCall] = ()) -> tuple[AnswerClaim, ...]:
    """Each number, time and quotation of an answer, in order, and whether the sources it cites or tools have it."""
    scopes = ClaimScopes(text, sources)
    tools = [ToolOutput(call) for call in calls if call.result and not call.failed and call.name not in REPEATING_TOOLS]
    plain = MARK.sub(lambda mark: " " * len(mark[0]), text)
    quotations = find_quotations(plain)
    times = [each for each in find_times(plain) if not _within(each.start, quotations)]
    other_spans = sorted([*quotations, *((each.start, each.end) for each in times)])
    claims = [_claim(start, end, plain[start:end], scopes, tools) for start, end in quotations]
    claims += [_claim(each.start, each.end, each, scopes, tools) for each in times if each.start_date and each.end_date]
    for lines in scopes.paragraphs:
        numbers = [each for each in _figures(plain, lines) if not _within(each.start, other_spans)]
        claims += _number_claims(numbers, scopes, tools)
    return tuple(sorted(claims, key=lambda claim: (claim.start, claim.end)))


def _figures(text: str, lines: Sequence[Span]) -> Iterator[TextFigure]:
    """The figures of a paragraph, their places those in the whole text."""
    scales = scales_in(text[lines[0][0] : lines[-1][1]])
    for start, end in lines:
        figures = find_figures(text[start:end], scales)
        # "from 92.1 to 108.3 million": the last names the scale of the first.
        powers = {each.number.power for each in figures if each.number.scaled}
        for each in figures:
            yield replace(each, start=each.start + start, end=each.end + start, scales=each.scales | powers)


def _claim(
    start: int, end: int, claimed: TextFigure | Mention | str, scopes: ClaimScopes, tools: Sequence[ToolOutput]
) -> AnswerClaim:
    """A claim that the passages of its place prove, else the first tool whose result has it."""
    proven = any(each.has(claimed) for each in scopes.at(start))
    tool = "" if proven else next((tool.name for tool in tools if tool.has(claimed)), "")
    return AnswerClaim(start, end, proven or bool(tool), tool)


def _number_claims(
    numbers: Sequence[TextFigure], scopes: ClaimScopes, tools: Sequence[ToolOutput]
) -> Iterator[AnswerClaim]:
    claims = [_claim(each.start, each.end, each, scopes, tools) for each in numbers]
    operands = [each for each, claim in zip(numbers, claims, strict=True) if claim.proven]
    starts = [each.start for each in operands]
    for each, claim in zip(numbers, claims, strict=True):
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
_SHORTEST = 2  # Words that a quotation has at least; in scripts without spaces twice as many letters.


def find_quotations(text: str) -> list[tuple[int, int]]:
    """The spans of the words quoted, marks aside, in order."""
    spans = []
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 1
        words = match[group]
        if len(words.split()) >= _SHORTEST or (not words.isascii() and len(words) > 2 * _SHORTEST):
            spans.append(match.span(group))
    return spans


def contains_quotation(passage: str, quotation: str) -> bool:
    """Whether a passage, as `letters_only` gives it, has a quotation; one with "…" part by part, in order."""
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


_FINE = {Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.DAY}


def find_times(text: str, written: date | None = None) -> list[Mention]:
    """The dates that a text names, in order; relative ones count from the day on which it was `written`, if any."""
    return [each for each in tag(text, written, "und") if each.type in {TimexType.DATE, TimexType.TIME}]


def is_time_among(claimed: Mention, evidence: Sequence[Mention]) -> bool:
    """Whether a time is among others: a day must be the same, or end a period; a longer time must overlap one.

    Fiscal calendars make longer times differ by months where both say the same quarter.
    """
    start, end = claimed.start_date, claimed.end_date
    if start is None or end is None:
        return True
    if claimed.grain in _FINE:
        return any(start == each.start_date or end == each.end_date for each in evidence)
    return any((each.start_date or date.min) < end and start < (each.end_date or date.max) for each in evidence)


MARK = re.compile(r"\[(\d{1,3})\]")
_GAP = re.compile(r"\n[ \t]*\n")
_LINE_END = re.compile(r"\n")


class CitedText:
    """A text that may prove claims, with its figures, letters and times, each computed on first use."""

    def __init__(self, text: str, day: date | None = None) -> None:
        """Relative times are resolved from the `day`."""
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
    def letters(self) -> str:
        """Its letters."""
        return letters_only(self._text)

    @cached_property
    def times(self) -> list[Mention]:
        """Its times."""
        return find_times(f"{self._day or ''}\n{self._text}", self._day)

    def has(self, claimed: TextFigure | Mention | str) -> bool:
        """Whether it has a figure by its value, a time, or the words of a quotation."""
        if isinstance(claimed, str):
            return contains_quotation(self.letters, claimed)
        if isinstance(claimed, Mention):
            return is_time_among(claimed, self.times)
        return any(have_same_value(claimed, evidence) for evidence in self.figures)


class ToolOutput:
    """A tool's result as evidence. What is in its arguments proves nothing: the tool may only have repeated it."""

    def __init__(self, call: ToolCall) -> None:
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
        self.name, self._result, self._arguments = call.name, CitedText(call.result), CitedText(arguments)

    def has(self, claimed: TextFigure | Mention | str) -> bool:
        """Whether the result has a time, or a figure or words that the arguments lack."""
        return self._result.has(claimed) and (isinstance(claimed, Mention) or not self._arguments.has(claimed))


class ClaimScopes:
    """The texts for each claim: those cited by its line, else by its paragraph, else by the whole answer."""

    def __init__(self, text: str, sources: Sequence[AnswerSource]) -> None:
        """`sources` are those that the marks of the text name."""
        texts_by_number = {source.number: CitedText.of(source) for source in sources}
        self.paragraphs = [
            list(_spans_between(_LINE_END, text, *paragraph)) for paragraph in _spans_between(_GAP, text, 0, len(text))
        ]
        self._starts: list[int] = []
        self._scopes: list[Sequence[CitedText]] = []
        for lines in self.paragraphs:
            marks = [{int(mark) for mark in MARK.findall(text, *line)} for line in lines]
            texts_by_line = [[texts_by_number[n] for n in sorted(each & texts_by_number.keys())] for each in marks]
            paragraph_texts = list({id(each): each for texts in texts_by_line for each in texts}.values())
            for (start, _), texts in zip(lines, texts_by_line, strict=True):
                self._starts.append(start)
                self._scopes.append(texts or paragraph_texts or list(texts_by_number.values()))

    def at(self, place: int) -> Sequence[CitedText]:
        """The texts for a claim that begins at a place."""
        return self._scopes[max(bisect_right(self._starts, place) - 1, 0)]


def _spans_between(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Span]:
    for match in separator.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end
