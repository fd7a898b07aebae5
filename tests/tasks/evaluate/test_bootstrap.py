"""Clusters of questions, and intervals that draw them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.evaluate.bootstrap import compute_mean_interval, compute_p_values, describe_clusters, find_clusters

NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=3)


def test_questions_that_share_a_document_or_are_connected_are_one_cluster() -> None:
    found = find_clusters({"1": ["a"], "2": ["a", "b"], "3": ["b"], "4": ["c"], "5": [], "6": ["d"], "7": ["e"]})
    assert found["1"] == found["2"] == found["3"]
    assert len({found[name] for name in "14567"}) == 5


def test_where_judgements_connect_most_questions_the_first_document_decides() -> None:
    found = find_clusters({"1": ["a", "z"], "2": ["b", "z"], "3": ["a"], "4": ["c", "z"]})
    assert found == {"1": "a", "2": "b", "3": "a", "4": "c"}


@given(st.dictionaries(st.integers(0, 30).map(str), NAMES, max_size=20))
def test_questions_with_the_same_first_document_are_never_parted(documents: dict[str, list[str]]) -> None:
    found, firsts = find_clusters(documents), defaultdict(set)
    assert found.keys() == documents.keys()
    for name, held in documents.items():
        if held:
            firsts[held[0]].add(found[name])
    assert all(len(clusters) == 1 for clusters in firsts.values())


def test_ten_copies_of_each_question_say_no_more_than_one() -> None:
    rows = np.random.default_rng(1).random((40, 1))
    groups = list(range(40))
    once, often = (
        compute_mean_interval(rows, groups),
        compute_mean_interval(np.repeat(rows, 10, axis=0), np.repeat(groups, 10).tolist()),
    )
    assert [float(each[0]) for each in once] == pytest.approx([float(each[0]) for each in often])
    assert compute_p_values(rows - 0.4, groups) == pytest.approx(
        compute_p_values(np.repeat(rows - 0.4, 10, axis=0), np.repeat(groups, 10))
    )


def test_questions_that_agree_within_their_documents_have_a_wider_interval() -> None:
    rows = np.repeat(np.arange(20) % 2, 10).astype(float)[:, None]
    _, low, high = compute_mean_interval(rows, np.repeat(np.arange(20), 10).tolist())
    _, lone_low, lone_high = compute_mean_interval(rows, list(range(200)))
    # The standard error of a share is the greater by the root of the size of a cluster.
    assert float(high[0] - low[0]) == pytest.approx(10**0.5 * float(lone_high[0] - lone_low[0]), rel=0.15)


def test_clusters_of_several_sizes_count_by_their_questions() -> None:
    mean, low, high = compute_mean_interval(np.array([[1.0]] * 9 + [[0.0]]), ["a"] * 9 + ["b"])
    assert (mean[0], low[0], high[0]) == (pytest.approx(0.9), 0.0, 1.0)


def test_one_document_leaves_its_questions_to_draw() -> None:
    rows = (np.arange(50) % 2).astype(float)[:, None]
    assert compute_mean_interval(rows, ["a"] * 50) == compute_mean_interval(rows, list(range(50)))
    assert "1 document: intervals draw questions" in describe_clusters({str(number): "a" for number in range(50)})


@pytest.mark.parametrize(
    ("clusters", "note"),
    [
        ({}, ""),
        ({str(number): str(number) for number in range(50)}, "no two of 50 questions share a document: intervals draw"),
        ({str(number): str(number % 12) for number in range(100)}, "100 questions about 12 documents: intervals draw"),
    ],
)
def test_the_note_says_what_is_drawn(clusters: dict[str, str], note: str) -> None:
    assert describe_clusters(clusters).startswith(note)
    assert ("too narrow" in describe_clusters(clusters)) == (0 < len(set(clusters.values())) < 30)
