"""Recall, precision and intersection over union of what is shown, by character.

As in `chunking_evaluation` (Smith & Troynikov 2024), with characters for tokens: what two passages both show counts
twice in what is shown and once in what is found. A score is the mean over questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.passages.questions import Span


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over questions; `shown` is in characters."""

    recall: float
    precision: float
    iou: float
    shown: float


def scores(answers: Sequence[Sequence[Span]], shown: Sequence[Sequence[Span]]) -> Scores:
    """`answers` and `shown` hold the spans of each question."""
    rows = [_row(gold, found) for gold, found in zip(answers, shown, strict=True)]
    recall, precision, iou, length = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    return Scores(recall, precision, iou, length)


def _row(gold: Sequence[Span], found: Sequence[Span]) -> tuple[float, float, float, float]:
    wanted = _places(gold)
    hit = len(wanted & _places(found))
    length = sum(end - start for start, end in found)
    return hit / len(wanted), hit / length if length else 0.0, hit / (length + len(wanted) - hit), float(length)


def _places(spans: Sequence[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}
