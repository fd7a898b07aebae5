"""Which questions two rankings answer differently: what was won and what was lost, question by question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.evaluate.outcomes import Trial


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


def flips(after: Trial, before: Trial, label: str = "") -> Flips:
    """From one trial to another of the same exam, by a measure, the first one where none is named."""
    measure = label or next(iter(after.means))
    found = sorted(_flips(after, before, measure), key=lambda flip: (-abs(flip.after - flip.before), flip.question))
    return Flips(measure, tuple(flip for flip in found if flip.won), tuple(flip for flip in found if not flip.won))


def _flips(after: Trial, before: Trial, label: str) -> Iterator[Flip]:
    for name, values in after.values.items():
        was, now = before.values[name].get(label), values.get(label)
        if was is not None and now is not None and was != now:
            yield Flip(name, was, now, before.ranks.get(name), after.ranks.get(name))
