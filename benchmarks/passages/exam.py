"""Passages, questions whose answers are known, and how well the passages found show them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from benchmarks.passages.questions import Span
from benchmarks.passages.remembering import remembering

SHOWN = 5
BUDGET = 3000
_FAR = 50
_TIMES = 0.1
Period = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Passage:
    """What is embedded of a chunk, and the span of its clean note that it `shows`; `size` is in characters."""

    note: str
    pool: str
    windows: tuple[str, ...]
    shows: Span | None
    size: int
    periods: tuple[Period, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question asked of a pool; the spans of `gold` in the clean `note` answer it. `periods` are what it asks of."""

    text: str
    pool: str
    note: str
    gold: tuple[Span, ...]
    periods: tuple[Period, ...] = ()


Measure = Callable[[Question, Sequence[Passage]], float]


def marks(passages: Sequence[Passage], questions: Sequence[Question], measure: Measure) -> np.ndarray:
    """What each question scores by dense search of the default model; a chunk is as near as its nearest window."""
    embedder = remembering("minilm")
    asked = embedder.embed([each.text for each in questions])
    pools: defaultdict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        pools[passage.pool].append(passage)
    owners = {
        pool: np.repeat(np.arange(len(held)), [len(each.windows) for each in held]) for pool, held in pools.items()
    }
    vectors = {pool: embedder.embed([text for each in held for text in each.windows]) for pool, held in pools.items()}
    found = []
    for question, vector in zip(questions, asked, strict=True):
        held = pools[question.pool]
        near = np.full(len(held), -1.0)
        np.maximum.at(near, owners[question.pool], vectors[question.pool] @ vector)
        if question.periods:
            near = (1 - _TIMES) * near + _TIMES * np.array([_timeliness(each, question) for each in held])
        found.append(measure(question, [held[place] for place in np.argsort(-near, kind="stable")[:_FAR]]))
    return np.array(found)


def recall(question: Question, ranked: Sequence[Passage]) -> float:
    """The share of the answer's characters that the first five passages show."""
    return _share(question, [_shown(each) for each in ranked[:SHOWN] if each.note == question.note])


def recall_of_budget(question: Question, ranked: Sequence[Passage]) -> float:
    """The share that the first 3,000 characters show, however many passages they are."""
    left, spans = BUDGET, []
    for passage in ranked:
        start, end = _shown(passage)
        if passage.note == question.note:
            spans.append((start, min(end, start + max(0, left))))
        left -= passage.size
    return _share(question, spans)


def reciprocal_rank(question: Question, ranked: Sequence[Passage]) -> float:
    """One by the rank of the first passage that shows any of the answer; 0 beyond fifty."""
    for rank, passage in enumerate(ranked, 1):
        if passage.note == question.note and _share(question, [_shown(passage)]):
            return 1 / rank
    return 0.0


def _shown(passage: Passage) -> Span:
    return passage.shows or (0, 0)


def _share(question: Question, spans: Sequence[Span]) -> float:
    wanted = {place for start, end in question.gold for place in range(start, end)}
    seen = {place for start, end in spans for place in range(start, end)}
    return len(wanted & seen) / len(wanted)


def _timeliness(passage: Passage, question: Question) -> float:
    """How well the best of a passage's times fits one that is asked about: their IoU in days, as the search has it."""
    return max((_fit(one, other) for one in passage.periods for other in question.periods), default=0.0)


def _fit(one: Period, other: Period) -> float:
    common = (min(one[1], other[1]) - max(one[0], other[0])).days
    return max(0, common) / max(1, (max(one[1], other[1]) - min(one[0], other[0])).days)
