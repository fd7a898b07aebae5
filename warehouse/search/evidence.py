"""What speaks for a passage beside its meaning and its words: the times it is of, the names it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warehouse.records import Part


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How well each candidate fits in one way: `fits` in [0, 1], shape (candidates,), and its share of the score."""

    name: str
    share: float
    fits: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The score of every candidate and the parts that it is the sum of, each of shape (candidates,)."""

    parts: dict[str, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """The scores."""
        total: np.ndarray = np.sum(list(self.parts.values()), axis=0)
        return total

    def parts_of(self, place: int) -> tuple[Part, ...]:
        """The parts of one candidate's score."""
        return tuple(Part(name, float(values[place])) for name, values in self.parts.items())


def weighed(parts: dict[str, np.ndarray], evidence: Sequence[Evidence]) -> Scored:
    """The scores with evidence: each takes its share from all that the parts had."""
    left = 1.0 - sum(each.share for each in evidence)
    kept = {name: left * values for name, values in parts.items()}
    return Scored({**kept, **{each.name: each.share * each.fits for each in evidence}})
