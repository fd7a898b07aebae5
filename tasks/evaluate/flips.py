"""Which questions two rankings answer differently: what was won and what was lost, question by question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol


class AnsweredQuestions(Protocol):
    """What answered an exam: its marks by question and measure, and the rank of the first hit that answers each."""

    @property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """By the question's name and the measure's label."""

    @property
    def ranks(self) -> Mapping[str, int | None]:
        """From 1; None where no hit answers."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A question whose value changed: before and after, each with the rank of the first hit that answers, if any."""

    question: str
    before: float
    after: float
    rank_before: int | None
    rank_after: int | None

    @property
    def won(self) -> bool:
        """Whether it is answered better than before."""
        return self.after > self.before


@dataclass(frozen=True, slots=True)
class Flips:
    """The questions that one trial answers better or worse than another by the measure `label`, furthest first."""

    label: str
    won: tuple[Flip, ...]
    lost: tuple[Flip, ...]


def flips(after: AnsweredQuestions, before: AnsweredQuestions, label: str) -> Flips:
    """From one trial to another of the same exam, by a measure."""
    found = sorted(_flips(after, before, label), key=lambda flip: (-abs(flip.after - flip.before), flip.question))
    return Flips(label, tuple(flip for flip in found if flip.won), tuple(flip for flip in found if not flip.won))


def _flips(after: AnsweredQuestions, before: AnsweredQuestions, label: str) -> Iterator[Flip]:
    for name, values in after.values.items():
        was, now = before.values.get(name, {}).get(label), values.get(label)
        if was is not None and now is not None and was != now:
            yield Flip(name, was, now, before.ranks.get(name), after.ranks.get(name))
