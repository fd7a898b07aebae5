"""Embedding models compared from the command line to the figures: one ingest but for the vectors, no work twice."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest

from dashboards.cli.main import run as command
from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.hashing import HashingEmbedder
from tests.flows.conftest import Bench
from tests.flows.experiments.test_grids import CORPUS, QRELS, QUERIES
from tests.tasks.evaluate.written_datasets import beir
from warehouse.reader import Warehouse
from warehouse.store.layout import Layout

MODELS = ("--model", "minilm", "--model", "hashing")


@pytest.fixture
def words(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words of the command line, with the settings' own model the second of those that are compared."""
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "mine"))
    return ["evaluate", str(beir(tmp_path / "set", CORPUS, QUERIES, QRELS)), *MODELS]


def home(tmp_path: Path) -> Path:
    return tmp_path / "mine" / "evaluate" / "set" / "warehouse"


def test_the_second_model_only_embeds_and_a_second_time_nothing_does(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command([*words, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["embed_model"], row["part"]) for row in first["trials"]] == [
        ("minilm-dense", "minilm", "dense"),
        ("minilm-hybrid", "minilm", "hybrid"),
        ("hashing-dense", "hashing", "dense"),
        ("hashing-hybrid", "hashing", "hybrid"),
    ]
    assert [bool(row["against"]) for row in first["trials"]] == [False, False, True, True]
    assert first["trials"][0]["model"].startswith("all-MiniLM-L6-v2@")
    made = {}
    for place in Layout(home(tmp_path)).experiments.glob("*/current"):
        warehouse = Warehouse(place.parent)
        stages = {cost.stage for cost in warehouse.list_runs()[0].stages if cost.documents and cost.stage != "publish"}
        made[warehouse.snapshot.generation.manifest.model] = stages
    assert made["hashing@384"] == {"embed"}
    assert len(made) == 2
    # What is published is of the settings' model, since questions to that warehouse are read by it.
    assert Warehouse(home(tmp_path)).snapshot.generation.manifest.model == "hashing@384"

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(HashingEmbedder, "embed", never)
    monkeypatch.setattr(BertEmbedder, "embed", never)
    assert command([*words, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["asked"] == 0
    assert again["trials"] == first["trials"]


@pytest.mark.slow
def test_the_report_fits_a_screen_and_the_files_name_the_models(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, kept, runs = tmp_path / "found.md", tmp_path / "kept.json", tmp_path / "runs"
    files = ["--report", str(report), "--report", str(kept), "--run", str(runs)]
    assert command([*words, "--part", "dense", "--k", "2", *files]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "set: 3 questions over 3 documents, 2 models"
    assert [line.split()[0] for line in shown[3:5]] == ["minilm", "hashing"]
    (row,) = (line for line in shown if line.startswith("dense hashing") and "[" in line)
    assert row.split()[3:5] == ["+0.000", "[+0.000,"]
    assert max(len(line) for line in shown if not line.startswith("note:")) <= 80
    assert "| hashing |" in report.read_text(encoding="utf-8")
    trials = {row["name"]: row for row in json.loads(kept.read_text(encoding="utf-8"))["trials"]}
    assert "recall@2" in trials["minilm-dense"]["means"]
    qrels = list(ir_measures.read_trec_qrels(str(runs / "qrels.txt")))
    for name in ("minilm-dense", "hashing-dense"):
        lines = (runs / f"{name}.run").read_text(encoding="utf-8").splitlines()
        assert {line.split()[-1] for line in lines} == {name}
        found = list(ir_measures.read_trec_run(str(runs / f"{name}.run")))
        measured = ir_measures.calc_aggregate([ir_measures.nDCG @ 10], qrels, found)
        assert measured[ir_measures.nDCG @ 10] == pytest.approx(trials[name]["means"]["nDCG@10"])
    assert command([*words, "--part", "dense", "--k", "2", "--gate", str(kept)]) == 0
    assert "gate: hashing-dense is not significantly worse" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--model", "minilm"], "--model minilm is there twice: name each model once"),
        (["--model", "nosuch"], "no embedder is named 'nosuch': choose from hashing, minilm, sentence, server"),
        (["--grid", "grid.yaml"], "--model and --run cannot be combined with --grid"),
        (["--run", "all.run"], "would hold 4 rankings: name a folder, or one ranking (--part) of one model"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert command([*words, *more]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_corpus_may_be_larger_than_what_the_server_keeps_of_a_run(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "mine"))
    place = beir(tmp_path / "set", {**CORPUS, "long": "lighthouse " * 50_000}, QUERIES, QRELS)
    assert command(["evaluate", str(place), "--model", "hashing", "--part", "dense"]) == 0
    assert "set: 3 questions over 4 documents, 1 model" in capsys.readouterr().out
