"""Whether a difference between two rankings is more than the luck of the questions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tasks.evaluate.outcomes import Change

DRAWS = 2000
BATCH = 25
"""Draws at once; bounds the memory."""


def changes(values: Mapping[str, Mapping[str, float]], others: Mapping[str, Mapping[str, float]]) -> dict[str, Change]:
    """From `others` to `values`, by measure: the mean difference and its paired bootstrap interval (percentile, 95 %).

    Both hold the measures of the same questions. The draws are the same each time. One question has no interval but
    its own difference.
    """
    labels = list(next(iter(values.values())))
    differences = np.array([[values[name][label] - others[name][label] for label in labels] for name in values])
    means = differences.mean(axis=0)
    lows, highs = _interval(differences) if len(differences) > 1 else (means, means)
    rows = zip(labels, means.tolist(), lows.tolist(), highs.tolist(), strict=True)
    return {label: Change(mean, low, high) for label, mean, low, high in rows}


def _interval(differences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the interval of each column's mean."""
    from scipy.stats import bootstrap

    draws = {"n_resamples": DRAWS, "batch": BATCH, "rng": np.random.default_rng(0)}
    found = bootstrap((differences,), np.mean, axis=0, method="percentile", **draws).confidence_interval
    return found.low, found.high
