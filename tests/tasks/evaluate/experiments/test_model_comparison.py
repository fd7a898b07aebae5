"""Models to compare: which are refused, how their configurations are named, and what is compared with what."""

from __future__ import annotations

import pytest

from tasks.evaluate.configurations import choose_rankings
from tasks.evaluate.experiments.grid_outcome import GridOutcome
from tasks.evaluate.experiments.model_comparison import (
    build_model_configurations,
    choose_parts,
    compare_models,
    name_trial,
    shorten_model_names,
)
from tests.tasks.evaluate.experiments.test_experiments import BASE, made, outcome
from warehouse.errors import BadInput

SERVER = "server:http://127.0.0.1:8080/v1#BAAI/bge-m3&window=512"


def test_each_ranking_is_tried_with_each_model() -> None:
    rankings = choose_rankings(choose_parts(()))
    found = build_model_configurations(["minilm", "hashing"], rankings, (20,), BASE).experiments
    assert [each.name for each in found] == ["minilm-dense", "minilm-hybrid", "hashing-dense", "hashing-hybrid"]
    assert [each.embed.model for each in found] == ["minilm", "minilm", "hashing", "hashing"]
    assert found[0].ranking == rankings["dense"]
    assert {each.k for each in found} == {20}
    assert len({each.fingerprint for each in found}) == 2
    assert found[2].fingerprint == made().fingerprint


def test_a_reranker_has_a_row_beside_those_that_tell_models_apart() -> None:
    assert choose_parts((), "maxsim") == ("dense", "hybrid", "with-maxsim")
    assert choose_parts(("keyword",), "maxsim") == ("keyword",)


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (["hashing", "nosuch"], "--model nosuch: no embedder is named 'nosuch'"),
        (["hashing", "minilm", "hashing"], "--model hashing is there twice"),
        (["server:http://localhost/v1#m", "server:http://localhost/v1/#m"], "is the same model as server:http://"),
        (["server:http://me:secret@localhost/v1#m"], "a password does not belong"),
    ],
)
def test_a_model_that_cannot_be_compared_is_refused(models: list[str], said: str) -> None:
    with pytest.raises(BadInput, match=said) as raised:
        build_model_configurations(models, choose_rankings(()), (), BASE)
    assert "secret" not in str(raised.value)


def test_each_ranking_is_compared_with_the_same_of_the_first_model() -> None:
    marks = {"a-dense": [1.0, 0.0, 1.0], "b-dense": [1.0, 1.0, 0.0], "a-hybrid": [0.0] * 3, "b-hybrid": [1.0] * 3}
    trials = tuple(outcome(name, values, made()) for name, values in marks.items())
    found = compare_models(GridOutcome("exam", 1, trials, {}), ["a", "b"], ["dense", "hybrid"])
    assert [row.trial.name for row in found.rows] == ["a-dense", "b-dense", "a-hybrid", "b-hybrid"]
    first, second, _, last = found.rows
    assert (first.against, first.flips) == ({}, None)
    assert second.against["hit"].difference == 0
    assert second.flips
    assert (len(second.flips.gains), len(second.flips.losses)) == (1, 1)
    assert last.against["hit"].difference == 1


def test_where_the_first_model_failed_nothing_is_compared() -> None:
    trials = (outcome(name_trial("b", "dense"), [1.0], made()),)
    found = compare_models(GridOutcome("exam", 1, trials, {"a-dense": "gone"}), ["a", "b"], ["dense"])
    assert [(row.model, row.against) for row in found.rows] == [("b", {})]
    assert found.models == ("b",)


def test_tables_have_short_names_where_they_tell_models_apart() -> None:
    assert shorten_model_names([SERVER, "sentence:/models/e5/", "minilm"]) == {
        SERVER: "bge-m3",
        "sentence:/models/e5/": "e5",
        "minilm": "minilm",
    }
    same = ["sentence:/one/e5", "sentence:/two/e5"]
    assert shorten_model_names(same) == {name: name for name in same}
