"""How sure a mean difference is (Efron 1979)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def difference(paired: np.ndarray, groups: Sequence[Hashable]) -> Difference:
    """The mean of paired differences; what belongs to one group is drawn together. The draws are the same each time."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    places = [numbers[group] for group in groups]
    sums = np.bincount(places, paired)
    counts = np.bincount(places)
    drawn = np.random.default_rng(0).integers(0, len(sums), (DRAWS, len(sums)))
    low, high = np.percentile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), [2.5, 97.5])
    return Difference(float(paired.mean()), float(low), float(high))
