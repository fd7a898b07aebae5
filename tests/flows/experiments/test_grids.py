"""A grid over a real server: what is there is not made again, what fails is told of, what is killed goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from html import unescape
from pathlib import Path

import pytest

from dashboards.cli.main import run as command
from flows.experiments import experiment_flow
from flows.experiments.grids import GridOptions, run_grid
from flows.experiments.losses import explain_losses
from tasks.embedders.hashing import HashingEmbedder
from tasks.evaluate.dataset import Dataset, read_dataset
from tasks.evaluate.experiments.experiment import Experiment, build_experiment
from tasks.evaluate.experiments.grid_file import GridConfigurations
from tasks.evaluate.experiments.grid_outcome import GridOutcome
from tests.flows.conftest import Bench, worked
from tests.tasks.evaluate.written_datasets import beir
from warehouse.reader import Warehouse
from warehouse.store.layout import Layout

DAY = date(2025, 1, 1)
LONG = "Marmalade is made of bitter oranges. " * 3
CORPUS = {
    "oranges": LONG + "The zeppelin left in March 2021. " * 12,
    "dams": "Turbines of the third dam were replaced in Q2 2023. " * 12,
    "sluices": "The sluice opens when the lake is full. " * 12,
}
QUERIES = {"q1": "bitter oranges", "q2": "turbines of the dam", "q3": "when does the sluice open"}
QRELS = [("q1", "oranges", 1), ("q2", "dams", 1), ("q3", "sluices", 1)]


@pytest.fixture
def exam(tmp_path: Path) -> Dataset:
    return read_dataset(beir(tmp_path / "set", CORPUS, QUERIES, QRELS))


def tried(bench: Bench, name: str, changes: Mapping[str, object]) -> Experiment:
    return build_experiment(name, bench.settings, 10, changes)


def four(bench: Bench) -> tuple[Experiment, ...]:
    """Two ways to cut, two to rank."""
    return tuple(
        tried(bench, f"{size} {fusion}", {"chunk.chunker": "recursive", "chunk.size": size, "ranking.fusion": fusion})
        for size in (100, 300)
        for fusion in ("weighed", "rrf")
    )


def run(
    bench: Bench, exam: Dataset, chosen: tuple[Experiment, ...], say: Callable[[str], None] | None = None
) -> GridOutcome:
    terms = GridOptions("span", DAY, DAY, bench.settings.warehouse.parent / "work")
    return run_grid(exam, GridConfigurations(chosen), terms, bench.settings, say or bench.said.append)


def test_experiments_share_what_is_alike_and_what_was_tried_costs_nothing_again(
    bench: Bench, exam: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(bench, exam, four(bench))
    assert [each.name for each in found.trials] == ["100 weighed", "100 rrf", "300 weighed", "300 rrf"]
    assert (found.new_trials, found.failures) == (4, {})
    places = [path.parent for path in Layout(bench.settings.warehouse).experiments.glob("*/current")]
    made = [{cost.stage for cost in Warehouse(place).list_runs()[0].stages if cost.documents} for place in places]
    assert len(made) == 2
    assert min(made, key=len) == {"chunk", "score", "embed"}
    assert max(made, key=len) > {"parse", "chunk", "score", "embed"}
    check_only_the_best_is_ingested(bench, found)
    bench.said.clear()

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(HashingEmbedder, "embed", never)
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    again = run(bench, exam, four(bench))
    assert (again.new_trials, bench.said) == (0, [])
    assert [each.record for each in again.trials] == [each.record for each in found.trials]
    assert len(bench.warehouse.list_runs()) == 1


def check_only_the_best_is_ingested(bench: Bench, found: GridOutcome) -> None:
    best = found.rank_trials()[0]
    (made,) = bench.warehouse.list_runs()
    assert not [cost for cost in made.stages if cost.documents and cost.stage != "publish"]
    ((longest,),) = bench.warehouse.snapshot.query_rows("SELECT max(length(text)) FROM chunks")
    assert longest <= json.loads(best.record.settings)["chunk"]["size"]
    assert found.notes[-1].endswith(f"ingested as by {best.name}, the best configuration")


@pytest.mark.slow
def test_the_ingest_of_what_was_best_costs_nothing_more(bench: Bench, exam: Dataset) -> None:
    short, *_, long = four(bench)
    run(bench, exam, (short,))
    run(bench, exam, (long,))
    report = bench.ingest(bench.settings.warehouse.parent / "work" / "files" / exam.name, chunk=long.chunk)
    assert worked(report) == {"publish": 3}


@pytest.mark.slow
def test_one_that_fails_stops_no_other(bench: Bench, exam: Dataset) -> None:
    unasked = tried(bench, "unasked", {"ranking.reranker": "cross:nowhere"})
    unmade = tried(bench, "unmade", {"embed.model": "sentence:nowhere"})
    found = run(bench, exam, (unasked, unmade, *four(bench)[:1]))
    assert [each.name for each in found.trials] == ["100 weighed"]
    assert found.failures.keys() == {"unasked", "unmade"}
    assert all("nowhere" in reason for reason in found.failures.values())


def test_a_killed_run_loses_nothing(bench: Bench, exam: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop_after_two(line: str) -> None:
        if line.startswith("[2/4]"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(bench, exam, four(bench), stop_after_two)
    asked: list[str] = []
    before = experiment_flow._run_trial
    monkeypatch.setattr(
        experiment_flow, "_run_trial", lambda seat, *rest: (asked.append(seat.experiment.name), before(seat, *rest))
    )
    found = run(bench, exam, four(bench))
    assert (len(asked), len(found.trials)) == (2, 4)


@pytest.mark.slow
def test_a_changed_document_is_asked_again(bench: Bench, tmp_path: Path) -> None:
    one = four(bench)[:1]
    run(bench, read_dataset(beir(tmp_path / "one" / "set", CORPUS, QUERIES, QRELS)), one)
    moved = {**CORPUS, "dams": "The third dam has no turbines any more."}
    found = run(bench, read_dataset(beir(tmp_path / "two" / "set", moved, QUERIES, QRELS)), one)
    assert found.new_trials == 1


def test_no_more_than_k_hits_are_read(bench: Bench, exam: Dataset) -> None:
    found = run(bench, exam, (build_experiment("one", bench.settings, 1, {}),))
    assert [len(each.hits) for each in found.trials[0].questions] == [1, 1, 1]


@pytest.mark.slow
def test_trials_are_tables(bench: Bench, exam: Dataset) -> None:
    run(bench, exam, four(bench))
    rows = bench.warehouse.run_sql("SELECT name, measure FROM trials WHERE measure = 'nDCG@10' ORDER BY name").rows
    assert [name for name, _ in rows] == ["100 rrf", "100 weighed", "300 rrf", "300 weighed"]
    marked = bench.warehouse.run_sql("SELECT count(*), count(marks['nDCG@10']) FROM trial_questions").rows
    assert marked == ((12, 12),)


@pytest.mark.slow
def test_the_first_stage_that_differs_is_told(bench: Bench, tmp_path: Path) -> None:
    corpus = {
        "target": "Bitter oranges are grown by patient people in the south. Nobody there has seen turbines yet.",
        "fruit": "Bitter bread was eaten at noon.",
        "power": "Turbines turn in a strong wind.",
    }
    asked = read_dataset(beir(tmp_path / "set", corpus, {"q": "bitter turbines"}, [("q", "target", 1)]))
    words = {"ranking.mode": "keyword", "ranking.names": False}
    small = {**words, "chunk.chunker": "recursive", "chunk.size": 60}
    run(bench, asked, (tried(bench, "whole", words), tried(bench, "cut", small), first_only(bench, "one", small)))
    home = Layout(bench.settings.warehouse)
    (lost,) = explain_losses(home, "whole", "cut").lost_questions
    assert (lost.stage, lost.rank_before) == ("chunk", 1)
    assert lost.reason.startswith("the answer lay in a passage of 92 characters, now in 2 passages")
    found = explain_losses(home, "cut", "one")
    assert [each.stage for each in found.lost_questions] == ["rank"]
    assert found.differences == ("k 10, now 1",)


def first_only(bench: Bench, name: str, changes: Mapping[str, object]) -> Experiment:
    return build_experiment(name, bench.settings, 1, changes)


def test_a_grid_on_the_command_line_is_gated(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = beir(tmp_path / "set", CORPUS, QUERIES, QRELS)
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "mine"))
    (tmp_path / "grid.yaml").write_text("grid: {fusion: [weighed, rrf]}", encoding="utf-8")
    kept = tmp_path / "kept.json"
    words = ["evaluate", str(place), "--grid", str(tmp_path / "grid.yaml")]
    reports = [kept, tmp_path / "found.md", tmp_path / "found.csv", tmp_path / "found.html"]
    assert command([*words, *(f"--report={file}" for file in reports)]) == 0
    assert "best by nDCG@10: fusion=" in capsys.readouterr().out
    assert "| rrf |" in (tmp_path / "found.md").read_text(encoding="utf-8")
    assert (tmp_path / "found.csv").read_text(encoding="utf-8").count("fusion=rrf,") == 6
    drawn = (tmp_path / "found.html").read_text(encoding="utf-8")
    assert "fusion=rrf" in drawn
    assert 'src="http' not in drawn
    (saved, other) = json.loads(kept.read_text(encoding="utf-8"))["trials"]
    assert saved["passages"].keys() == other["passages"].keys() == QUERIES.keys()
    first = saved["passages"]["q1"][0]
    assert first["score"] > 0
    assert "bitter oranges" in first["text"]
    assert all(first["text"] in text for text in (unescape(drawn), (tmp_path / "found.md").read_text(encoding="utf-8")))
    assert command([*words, "--gate", str(kept)]) == 0
    held = json.loads(kept.read_text(encoding="utf-8"))
    for trial in held["trials"]:
        trial["values"] = {name: {"nDCG@10": 2.0} for name in trial["values"]}
    kept.write_text(json.dumps(held), encoding="utf-8")
    assert command([*words, "--gate", str(kept)]) == 1
    assert "fusion=rrf is significantly worse: nDCG@10 -1.0" in capsys.readouterr().err
    assert command([*words, "--gate", str(tmp_path / "none.json")]) == 2
