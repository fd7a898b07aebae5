"""Whether a figure, or a difference between two rankings, is more than the luck of the questions.

Intervals are the percentile bootstrap's (Efron 1979), 95 %. The test of a difference is the paired randomization test
(Fisher 1935; Smucker, Allan & Carterette 2007 found it the one to use for retrieval): if the rankings were equal, each
question's difference might as well have had the other sign. All draws are the same each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from tasks.evaluate.outcomes import Change, Estimate, labels_of

DRAWS = 2000
BATCH = 25
"""Draws at once; bounds the memory."""
Values = Mapping[str, Mapping[str, float]]
"""Of each question by its name, the measures by label."""


def estimates(values: Values) -> dict[str, Estimate]:
    """The mean of each measure and its interval, over the questions that it judges; one question has no interval."""
    found: dict[str, Estimate] = {}
    for labels, rows in _tables(values.values()):
        means, lows, highs = _interval(rows)
        for label, mean, low, high in zip(labels, means.tolist(), lows.tolist(), highs.tolist(), strict=True):
            found[label] = Estimate(mean, low, high, len(rows))
    return {label: found[label] for label in labels_of(values.values()) if label in found}


def changes(values: Values, others: Values) -> dict[str, Change]:
    """From `others` to `values`, by measure: the mean difference, its paired interval, and the test's p.

    Both hold the measures of the same questions. One question has no interval but its own difference.
    """
    differences = {
        name: {label: value - others[name][label] for label, value in held.items() if label in others[name]}
        for name, held in values.items()
    }
    found: dict[str, Change] = {}
    for labels, rows in _tables(differences.values()):
        columns = (*_interval(rows), _chance(rows))
        for label, *row in zip(labels, *(column.tolist() for column in columns), strict=True):
            found[label] = Change(*row)
    return {label: found[label] for label in labels_of(values.values()) if label in found}


def _tables(rows: Iterable[Mapping[str, float]]) -> list[tuple[tuple[str, ...], np.ndarray]]:
    """The labels that judge the same questions together, and their values, shape (questions, labels)."""
    columns: dict[str, dict[int, float]] = {}
    for number, row in enumerate(rows):
        for label, value in row.items():
            columns.setdefault(label, {})[number] = value
    groups: dict[tuple[int, ...], list[str]] = {}
    for label, column in columns.items():
        groups.setdefault(tuple(column), []).append(label)
    return [
        (tuple(labels), np.array([list(columns[label].values()) for label in labels]).T) for labels in groups.values()
    ]


def _interval(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The mean of each column, and the ends of its interval."""
    from scipy.stats import bootstrap

    means = rows.mean(axis=0)
    if len(rows) == 1:
        return means, means, means
    draws = {"n_resamples": DRAWS, "batch": BATCH, "rng": np.random.default_rng(0)}
    found = bootstrap((rows,), np.mean, axis=0, method="percentile", **draws).confidence_interval
    return means, found.low, found.high


def _chance(differences: np.ndarray) -> np.ndarray:
    """How often a mean at least so far from 0 comes about by turning signs, for each column; 1 for one question."""
    from scipy.stats import permutation_test

    if len(differences) == 1:
        return np.ones(differences.shape[1])
    draws = {"n_resamples": DRAWS, "batch": BATCH, "rng": np.random.default_rng(0)}
    found: np.ndarray = permutation_test((differences,), np.mean, permutation_type="samples", axis=0, **draws).pvalue
    return found
