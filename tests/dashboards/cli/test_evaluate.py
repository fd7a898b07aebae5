"""`kalends evaluate` as its users meet it, over a warehouse that holds the corpus already."""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import pytest

from dashboards.cli.main import run
from tests.building import build_warehouse, copy_made
from tests.tasks.evaluate.written_datasets import beir

CORPUS = {"oranges": "Marmalade is made of bitter oranges.", "dams": "Turbines of the third dam were replaced."}
QUERIES = {"q1": "bitter oranges", "q2": "turbines of the dam"}


def made(folder: Path) -> None:
    (folder / "docs").mkdir()
    for name, text in CORPUS.items():
        (folder / "docs" / f"{name}.txt").write_text(text)
    build_warehouse(folder / "held", folder / "docs")


@pytest.fixture
def judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The words of the command line that name questions and a warehouse."""
    qrels = [("q1", "oranges", 1), ("q2", "dams", 1), ("q2", "sluices", 1)]
    place = beir(tmp_path / "set", CORPUS, QUERIES, qrels)
    copy_made(made, tmp_path)
    monkeypatch.setenv("KALENDS_EMBED__MODEL", "hashing")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "mine"))
    return "evaluate", str(place), "-w", str(tmp_path / "held")


def test_a_line_a_ranking_with_its_figures(judged: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*judged, "--part", "hybrid", "--part", "keyword", "--k", "3"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "set: 2 questions over 2 documents, hashing@384"
    assert shown[1].split()[:7] == ["nDCG@10", "recall@5", "recall@10", "MRR@10", "hit@5", "recall@1", "recall@3"]
    assert shown[3].split()[:8] == ["keyword", "0.807", "0.750", "0.750", "1.000", "1.000", "0.750", "0.750"]
    assert shown[3].endswith("+0.000 [+0.000, +0.000]")
    assert shown[4].split()[:2] == ["hybrid", "0.807"]
    assert shown[5].startswith("note: cannot be found: 1 judged passages that are not in corpus.jsonl")


def test_json_has_each_question(judged: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*judged, "--json", "--limit", "1", "--part", "dense"]) == 0
    found = json.loads(capsys.readouterr().out)
    (trial,) = found["trials"]
    assert (found["questions"], trial["name"], trial["ranking"]["mode"]) == (1, "dense", "dense")
    assert trial["values"]["q1"]["nDCG@10"] == trial["means"]["nDCG@10"] == 1.0
    assert len(trial["milliseconds"]) == 1
    assert found["texts"] == {"q1": "bitter oranges"}
    first = trial["passages"]["q1"][0]
    assert (first["text"], first["source"]) == (CORPUS["oranges"], "docs/oranges.txt")
    assert 0 < first["score"] <= 1
    assert trial["documents"]["q1"][0] == ["oranges", first["score"]]
    assert found["clusters"] == {"q1": "oranges"}
    assert first.keys() >= {"chunk_id", "document_id", "start", "end", "title", "page", "date"}


def test_runs_and_qrels_are_what_other_programs_measure(
    judged: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = ["--part", "keyword", "--part", "dense"]
    assert run([*judged, *parts, "--json", "--run", str(tmp_path / "runs")]) == 0
    trials = {trial["name"]: trial["means"] for trial in json.loads(capsys.readouterr().out)["trials"]}
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "runs" / "qrels.txt")))
    for name, means in trials.items():
        found = list(ir_measures.read_trec_run(str(tmp_path / "runs" / f"{name}.run")))
        measures = {"nDCG@10": ir_measures.nDCG @ 10, "recall@5": ir_measures.R @ 5}
        measured = ir_measures.calc_aggregate(list(measures.values()), qrels, found)
        for label, measure in measures.items():
            assert measured[measure] == pytest.approx(means[label])
    assert run([*judged, "--part", "dense", "--run", str(tmp_path / "one.run")]) == 0
    assert (tmp_path / "one.run").read_text() == (tmp_path / "runs" / "dense.run").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--part", "sparse"], "choose from dense, keyword, hybrid"),
        (["--today", "soon"], "write it as YYYY-MM-DD"),
        (["--split", "dev"], "choose with --split from test"),
        (["--run", "all.run"], "would hold 11 rankings"),
        (["--k", "0"], "see 'kalends evaluate --help'"),
        (["--reranker", "nobody"], "no reranker is named 'nobody'"),
    ],
)
def test_bad_input_is_one_line(
    judged: tuple[str, ...], capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run([*judged, *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1


def test_the_reranker_of_the_settings_has_a_part(
    judged: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KALENDS_RERANK__MODEL", "maxsim")
    assert run([*judged, "--part", "with-maxsim"]) == 2
    assert "does not show the vectors of tokens" in capsys.readouterr().err
