"""Whether the numbers, times and quotations of an answer stand in the passages that it cites.

A claim is looked up in the passages that its own line cites; where the line cites none, in those of its paragraph, else
in all of the answer. Numbers are compared by value (`figures`), times as intervals (`moments`), quotations by their
letters (`quotations`). A number that stands in no passage counts as proven where it is the difference, sum, mean,
ratio, part or growth of two proven ones of its paragraph, or the sum or mean of all of them: the arithmetic is checked,
not whether it answers the question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dashboards.chat.cited import MARK, Scopes
from dashboards.chat.figures import Figure, computed, figures, same, scales_of
from dashboards.chat.moments import moments, told
from dashboards.chat.quotations import quotations, says
from dashboards.chat.records import Claim, Source
from tasks.ask.units import Span

OPERANDS = 12
"""So many proven figures around a number it may be computed from."""


def claims(text: str, sources: Sequence[Source]) -> tuple[Claim, ...]:
    """Each number, time and quotation of an answer, in order, and whether the sources it cites have it."""
    scopes = Scopes(text, sources)
    plain = MARK.sub(lambda mark: " " * len(mark[0]), text)
    quoted = quotations(plain)
    times = [each for each in moments(plain) if not _within(each.start, quoted)]
    taken = sorted([*quoted, *((each.start, each.end) for each in times)])
    found = [
        Claim(start, end, any(says(each.solid, plain[start:end]) for each in scopes.at(start))) for start, end in quoted
    ]
    found += [
        Claim(each.start, each.end, any(told(each, cited.moments) for cited in scopes.at(each.start)))
        for each in times
        if each.start_date and each.end_date
    ]
    for lines in scopes.paragraphs:
        found += _of_numbers([each for each in _figures(plain, lines) if not _within(each.start, taken)], scopes)
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


def _of_numbers(numbers: Sequence[Figure], scopes: Scopes) -> Iterator[Claim]:
    proven = [any(same(each, given) for cited in scopes.at(each.start) for given in cited.figures) for each in numbers]
    operands = [each for each, is_proven in zip(numbers, proven, strict=True) if is_proven]
    starts = [each.start for each in operands]
    for each, is_proven in zip(numbers, proven, strict=True):
        place = bisect_right(starts, each.start)
        near = operands[max(place - OPERANDS, 0) : place + OPERANDS]
        yield Claim(each.start, each.end, is_proven or computed(each, near))


def _within(place: int, spans: Sequence[Span]) -> bool:
    """Whether a place lies in one of the spans, which are in order and apart."""
    before = bisect_right(spans, place, key=lambda span: span[0]) - 1
    return before >= 0 and place < spans[before][1]
