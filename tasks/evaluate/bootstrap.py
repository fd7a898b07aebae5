"""Intervals of means and the test of a difference, over clusters of questions that share a document.

Questions about one document are not independent: if one of them is easy, the others tend to be. So an interval draws
clusters with all of their questions (Davison & Hinkley 1997, section 3.8) and takes the percentiles of the
bootstrap (Efron 1979), 95 %. The test is the paired randomization test (Fisher 1935; recommended for retrieval by
Smucker, Allan & Carterette 2007): if both rankings were equal, the differences of a cluster could as well have the
other sign. The draws are the same each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

DRAWS = 2000
BATCH = 25  # Draws at once; bounds the memory.
MIN_CLUSTERS = 30  # Below that many clusters, intervals of the percentile bootstrap are too narrow (Hesterberg 2015).

Clusters = Mapping[str, str]  # The cluster of each question, by the question's name.
INDEPENDENT: Clusters = MappingProxyType({})


def find_clusters(documents: Mapping[str, Collection[str]]) -> dict[str, str]:
    """The cluster of each question; `documents` are those that answer it, by its name, the most important first.

    Questions with a document in common are in one cluster, also if connected through other questions. If that puts more
    than half of the questions into one cluster, as with judgements of many documents per question, only the first
    document of each question counts. A question without a document is a cluster of its own.
    """
    leaders: dict[str, str] = {}

    def find_leader(name: str) -> str:
        while (leader := leaders.setdefault(name, name)) != name:
            leaders[name] = leaders[leader]
            name = leader
        return name

    for names in documents.values():
        for document in names:
            leaders[find_leader(document)] = find_leader(next(iter(names)))
    first_documents = {question: next(iter(names), f"question {question}") for question, names in documents.items()}
    cluster_leaders = {question: find_leader(first) for question, first in first_documents.items()}
    largest = max(Counter(cluster_leaders.values()).values(), default=0)
    return first_documents if 2 * largest > len(documents) else cluster_leaders


def describe_clusters(clusters: Clusters) -> str:
    """The units that the intervals draw, as a sentence without a full stop; empty without questions."""
    questions, count = len(clusters), len(set(clusters.values()))
    if count == questions:
        warning = f"; fewer than {MIN_CLUSTERS}, so they are too narrow" if 0 < count < MIN_CLUSTERS else ""
        return f"no two of {questions} questions share a document: intervals draw questions{warning}" if count else ""
    if count == 1:
        return f"{questions} questions about 1 document: intervals draw questions and tell nothing of other documents"
    warning = f"; fewer than {MIN_CLUSTERS}, so they are too narrow" if count < MIN_CLUSTERS else ""
    return f"{questions} questions about {count} documents: intervals draw documents{warning}"


def compute_mean_interval(
    rows: np.ndarray, groups: Sequence[Hashable], draws: int = DRAWS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The mean of each column, and the ends of its interval.

    `rows` has shape (questions, columns), `groups` the cluster of each question. One question has no interval.
    """
    means = rows.mean(axis=0)
    low, high = np.percentile(draw_means(rows, groups, draws), [2.5, 97.5], axis=0)
    return means, low, high


def draw_means(rows: np.ndarray, groups: Sequence[Hashable], draws: int = DRAWS, seed: int = 0) -> np.ndarray:
    """The means of each column over clusters drawn with replacement, shape (draws, columns)."""
    sums, counts = _sum_clusters(rows, groups)
    rng, size, means = np.random.default_rng(seed), len(sums), []
    for start in range(0, draws, BATCH):
        # The number of times that each cluster is drawn, shape (draws, clusters).
        draw_counts = rng.multinomial(size, np.full(size, 1 / size), min(BATCH, draws - start)).astype(float)
        means.append(draw_counts @ sums / (draw_counts @ counts)[:, None])
    return np.concatenate(means)


def compute_p_values(differences: np.ndarray, groups: Sequence[Hashable]) -> np.ndarray:
    """How often random signs give a mean at least as far from 0, for each column; 1 for one question."""
    from scipy.stats import permutation_test

    sums, _ = _sum_clusters(differences, groups)
    if len(sums) == 1:
        return np.ones(differences.shape[1])
    draws = {"n_resamples": DRAWS, "batch": BATCH, "rng": np.random.default_rng(0)}
    test = permutation_test((sums,), np.mean, permutation_type="samples", axis=0, **draws)
    return np.asarray(test.pvalue)


def _sum_clusters(rows: np.ndarray, groups: Sequence[Hashable]) -> tuple[np.ndarray, np.ndarray]:
    """The sum and the number of the rows of each cluster; the rows themselves if all are of one cluster."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    if len(numbers) == 1:
        return rows, np.ones(len(rows))
    cluster_numbers = np.array([numbers[group] for group in groups])
    sums = np.zeros((len(numbers), rows.shape[1]))
    np.add.at(sums, cluster_numbers, rows)
    return sums, np.bincount(cluster_numbers).astype(float)
