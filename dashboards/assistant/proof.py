"""Whether the numbers, times and quotations of an answer stand in the passages that it cites, or tools gave them.

A claim is looked up in the passages that its own line cites; where the line cites none, in those of its paragraph, else
in all of the answer. Numbers are compared by value (`figures`), times as intervals (`moments`), quotations by their
letters (`quotations`). What no passage has is looked up in what tools said beside passages (counts, sums, lists, cells,
times); the claim then names the tool. A number that stands nowhere counts as proven where it is the difference, sum,
mean, ratio, part or growth of two proven ones of its paragraph, or the sum or mean of all of them: the arithmetic is
checked, not whether it answers the question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dashboards.assistant.cited import MARK, Scopes, ToolResult
from dashboards.assistant.figures import Figure, computed, figures, same, scales_of
from dashboards.assistant.moments import moments, told
from dashboards.assistant.quotations import quotations, says
from dashboards.assistant.records import Call, Claim, Source
from tasks.ask.units import Span

OPERANDS = 12
"""So many proven figures around a number it may be computed from."""


UNHEARD = frozenset({"verify_quote"})
"""Tools that repeat what they are asked about."""


def claims(text: str, sources: Sequence[Source], calls: Sequence[Call] = ()) -> tuple[Claim, ...]:
    """Each number, time and quotation of an answer, in order, and whether the sources it cites or tools have it."""
    scopes = Scopes(text, sources)
    tools = [ToolResult(call) for call in calls if call.result and not call.failed and call.name not in UNHEARD]
    plain = MARK.sub(lambda mark: " " * len(mark[0]), text)
    quoted = quotations(plain)
    times = [each for each in moments(plain) if not _within(each.start, quoted)]
    taken = sorted([*quoted, *((each.start, each.end) for each in times)])
    found = []
    for start, end in quoted:
        words = plain[start:end]
        proven = any(says(each.solid, words) for each in scopes.at(start))
        found.append(_claim(start, end, proven, (tool.name for tool in tools if tool.has_words(words))))
    for each in times:
        if each.start_date and each.end_date:
            proven = any(told(each, cited.moments) for cited in scopes.at(each.start))
            found.append(_claim(each.start, each.end, proven, (tool.name for tool in tools if tool.has_time(each))))
    for lines in scopes.paragraphs:
        numbers = [each for each in _figures(plain, lines) if not _within(each.start, taken)]
        found += _of_numbers(numbers, scopes, tools)
    return tuple(sorted(found, key=lambda claim: (claim.start, claim.end)))


def _figures(text: str, lines: Sequence[Span]) -> Iterator[Figure]:
    """The figures of a paragraph, their places those in the whole text."""
    scales = scales_of(text[lines[0][0] : lines[-1][1]])
    for start, end in lines:
        found = figures(text[start:end], scales)
        # "from 92.1 to 108.3 million": the last names the scale of the first.
        named = {each.number.power for each in found if each.number.scaled}
        for each in found:
            yield replace(each, start=each.start + start, end=each.end + start, scales=each.scales | named)


def _claim(start: int, end: int, proven: bool, tools: Iterator[str]) -> Claim:  # noqa: FBT001
    """A claim that passages prove, else the first of the tools that give it."""
    tool = "" if proven else next(tools, "")
    return Claim(start, end, proven or bool(tool), tool)


def _of_numbers(numbers: Sequence[Figure], scopes: Scopes, tools: Sequence[ToolResult]) -> Iterator[Claim]:
    found = []
    for each in numbers:
        proven = any(same(each, given) for cited in scopes.at(each.start) for given in cited.figures)
        found.append(_claim(each.start, each.end, proven, (tool.name for tool in tools if tool.has_figure(each))))
    operands = [each for each, claim in zip(numbers, found, strict=True) if claim.proven]
    starts = [each.start for each in operands]
    for each, claim in zip(numbers, found, strict=True):
        place = bisect_right(starts, each.start)
        near = operands[max(place - OPERANDS, 0) : place + OPERANDS]
        yield claim if claim.proven else replace(claim, proven=computed(each, near))


def _within(place: int, spans: Sequence[Span]) -> bool:
    """Whether a place lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]
