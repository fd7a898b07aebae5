"""What an experiment is, which of them share an ingest, and what their outcomes say beside each other."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from tasks.evaluate.experiments.experiment import (
    INGESTION,
    Experiment,
    build_experiment,
    find_dimension,
    get_short_name,
    list_dimensions,
)
from tasks.evaluate.experiments.grid_outcome import GridOutcome, TrialOutcome, compute_effects, compute_price
from tasks.evaluate.outcomes import compute_verdicts, read_baseline
from warehouse.errors import BadInput
from warehouse.records import Mark, MeasuredMean, TrialQuestion, TrialRecord
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkChoice, SourceSettings

BASE = Settings.model_validate({"embed": {"model": "hashing"}})


def made(**changes: object) -> Experiment:
    whole = {find_dimension(name): value for name, value in changes.items()}
    return build_experiment("any", BASE, 10, whole)


OTHERS: dict[str, object] = {
    "parse.seconds": 7,
    "parse.page_seconds": 7,
    "parse.megabytes": 700,
    "parse.max_file_megabytes": 7,
    "entities.kinds": ["paper"],
    "chunk.chunker": "fixed",
    "chunk.size": 333,
    "chunk.overlap": 3,
    "chunk.unit": "tokens",
    "chunk.prefix": False,
    "embed.model": "minilm",
    "embed.tables": "first",
    "embed.device": "cpu",
    "embed.index": "hnsw",
}


@pytest.mark.parametrize(
    "name", [each for each in list_dimensions() if each.count(".") == 1 and each.split(".")[0] in INGESTION]
)
def test_the_fingerprint_is_of_all_that_decides_the_ingest(name: str) -> None:
    if name == "parse.processes":
        assert made(processes=3).fingerprint == made().fingerprint
    else:
        assert made(**{name: OTHERS[name]}).fingerprint != made().fingerprint


def test_the_ranking_shares_the_ingest() -> None:
    assert made(fusion="rrf", k=3, merge=False).fingerprint == made().fingerprint


def test_short_names_lead_back() -> None:
    for name in list_dimensions():
        assert find_dimension(get_short_name(name)) == name


def test_an_ingest_cuts_all_folders_as_the_experiment_says(tmp_path: Path) -> None:
    own = SourceSettings(folder=tmp_path, chunk=ChunkChoice(size=200))
    assert made(size=900).build_settings(BASE, tmp_path, (own,)).sources[0].chunk == ChunkChoice()
    assert made(fusion="rrf").build_settings(BASE, tmp_path, (own,)).sources[0].chunk.size == 200


def outcome(name: str, marks: list[float], chosen: Experiment, size: int = 100, p50: float = 1.0) -> TrialOutcome:
    mean = sum(marks) / len(marks)
    record = TrialRecord(
        trial_id=name,
        name=name,
        exam="exam",
        fingerprint=chosen.fingerprint,
        generation=1,
        settings=json.dumps(chosen.values),
        model="hashing",
        day=date(2025, 1, 1),
        documents=1,
        chunks=1,
        vectors=1,
        index_bytes=size,
        ingest_seconds=1.0,
        questions=len(marks),
        p50=p50,
        p95=p50,
        measures=(MeasuredMean("hit", mean, mean, mean, len(marks)),),
    )
    rows = [
        TrialQuestion(name, str(number), "?", None, 1.0, (Mark("hit", mark),), (), ())
        for number, mark in enumerate(marks)
    ]
    return TrialOutcome(name, record, tuple(rows))


GOOD, BAD = [1.0] * 30 + [0.0] * 2, [0.0] * 30 + [1.0] * 2


def grid_outcome(*trials: TrialOutcome) -> GridOutcome:
    return GridOutcome("exam", 1, trials, {})


def test_the_price_of_the_best_is_told_beside_the_cheapest_as_good() -> None:
    equal = [*GOOD[:-3], 0.0, 0.0, 0.0]
    dear = outcome("dear", GOOD, made(size=100), 300, 9.0)
    cheap = outcome("cheap", equal, made(size=900), 100, 2.0)
    bad = outcome("bad", BAD, made(size=500), 10)
    found = compute_price(grid_outcome(dear, cheap, bad))
    assert (found.best, found.cheapest) == (dear, cheap)
    assert (found.bytes, found.milliseconds) == (200, 7.0)


def test_the_best_may_be_the_cheapest() -> None:
    best = outcome("best", GOOD, made(), 100, 9.0)
    assert compute_price(grid_outcome(best, outcome("bad", BAD, made(k=3), 10))).cheapest is best


def test_a_value_is_compared_all_else_being_equal() -> None:
    trials = [
        outcome("a", GOOD, made(size=100, fusion="rrf")),
        outcome("b", BAD, made(size=100, fusion="convex")),
        outcome("c", GOOD, made(size=900, fusion="rrf")),
        outcome("d", BAD, made(size=900, fusion="convex")),
        outcome("alone", BAD, made(size=500, fusion="rrf", k=3)),
    ]
    found = {(each.dimension, each.value): each for each in compute_effects(trials, "hit")}
    assert found.keys() == {("fusion", "rrf"), ("fusion", "convex"), ("size", "100"), ("size", "900")}
    lost = found["fusion", "convex"]
    assert (lost.configurations, lost.mean) == (2, pytest.approx(2 / 32))
    assert lost.change is not None
    assert lost.change.difference == pytest.approx(-28 / 32)


def kept(place: Path, values: dict[str, list[float]]) -> Path:
    trials = [
        {
            "name": name,
            "means": {"hit": sum(marks) / len(marks)},
            "values": {str(number): {"hit": mark} for number, mark in enumerate(marks)},
        }
        for name, marks in values.items()
    ]
    place.write_text(json.dumps({"trials": trials, "more": 1}), encoding="utf-8")
    return place


def marks(values: list[float]) -> dict[str, dict[str, float]]:
    return {str(number): {"hit": mark} for number, mark in enumerate(values)}


def test_the_gate_stops_what_is_significantly_worse(tmp_path: Path) -> None:
    file = kept(tmp_path / "was.json", {"a": GOOD, "b": GOOD, "gone": GOOD})
    found = {
        each.name: each
        for each in compute_verdicts(read_baseline(file), {"a": marks(BAD), "b": marks([*GOOD[:29], 0.0, 0.0, 0.0])})
    }
    assert {name: each.is_worse for name, each in found.items()} == {"a": True, "b": False}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is not a baseline"),
        ("{", "is not JSON"),
        ('{"trials": [{"name": "x", "means": {}, "values": {}}]}', "has none of these configurations"),
        ('{"trials": [{"name": "a", "means": {"hit": 1}, "values": {"q": {"hit": 1}}}]}', "was asked other questions"),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "was.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        compute_verdicts(read_baseline(tmp_path / "was.json"), {"a": marks(GOOD)})
