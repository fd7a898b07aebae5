"""Recall, precision and intersection over union of what is shown: means over questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.passages.questions import Span
from tasks.evaluate.answers import AnswerSpan, measure_overlap


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over questions; `shown` is in characters."""

    recall: float
    precision: float
    iou: float
    shown: float


def scores(answers: Sequence[Sequence[Span]], shown: Sequence[Sequence[Span]]) -> Scores:
    """`answers` and `shown` hold the spans of each question, which is asked of one text."""
    rows = [measure_overlap(_places(gold), _places(found)) for gold, found in zip(answers, shown, strict=True)]
    return Scores(
        fmean(row.recall for row in rows),
        fmean(row.precision for row in rows),
        fmean(row.iou for row in rows),
        fmean(sum(end - start for start, end in found) for found in shown),
    )


def _places(spans: Sequence[Span]) -> list[AnswerSpan]:
    return [AnswerSpan("", *span) for span in spans]
