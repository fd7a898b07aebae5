"""How sure the mean of paired differences is: the interval of `tasks.evaluate.bootstrap`, of more draws."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from tasks.evaluate.bootstrap import compute_mean_interval

DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def difference(paired: np.ndarray, groups: Sequence[Hashable]) -> Difference:
    """The mean of paired differences; what belongs to one group is drawn together. The draws are the same each time."""
    mean, low, high = (float(column[0]) for column in compute_mean_interval(paired[:, None], groups, DRAWS))
    return Difference(mean, low, high)
