"""How much of what answers is shown, and how much else: recall, precision and intersection over union, by character.

As in `chunking_evaluation` (Smith & Troynikov 2024), with characters for tokens, so that no model's tokens decide: what
two passages both show counts twice in what is shown and once in what is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.evaluate.answers import AnswerSpan


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shares in [0, 1]; `shown` is in characters."""

    recall: float
    precision: float
    iou: float
    shown: int


def overlap(gold: Iterable[AnswerSpan], shown: Sequence[AnswerSpan]) -> Overlap:
    """Of the places that answer, at least one of which is not empty, and of those that are shown."""
    wanted, seen = _merged(gold), _merged(shown)
    hit = sum(_common(wanted[document], seen.get(document, ())) for document in wanted)
    length = sum(place.length for place in shown)
    whole = sum(end - start for spans in wanted.values() for start, end in spans)
    return Overlap(hit / whole, hit / length if length else 0.0, hit / (length + whole - hit), length)


def common(one: AnswerSpan, other: AnswerSpan) -> int:
    """How many characters two places share."""
    if one.document != other.document:
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _merged(places: Iterable[AnswerSpan]) -> dict[str, list[tuple[int, int]]]:
    """The spans of each document in order, those that touch being one."""
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for place in sorted(places, key=lambda place: (place.document, place.start)):
        spans = found[place.document]
        if spans and place.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], place.end))
        else:
            spans.append((place.start, place.end))
    return found


def _common(spans: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> int:
    return sum(max(0, min(end, stop) - max(start, begin)) for start, end in spans for begin, stop in others)
