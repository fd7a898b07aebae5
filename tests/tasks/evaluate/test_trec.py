"""Runs and qrels as trec_eval reads them, checked by its measures and by their definitions."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, nDCG

from tasks.evaluate.answers import HitAnswer
from tasks.evaluate.dataset import Dataset, Gold, JudgedQuestion
from tasks.evaluate.measures import list_measures, score_answers
from tasks.evaluate.outcomes import Trial
from tasks.evaluate.trec import iter_qrels_lines, iter_run_lines, write_runs
from warehouse.errors import BadInput
from warehouse.records import Ranking

NAMES = st.lists(st.text(min_size=1, max_size=4).filter(str.strip), unique_by=lambda name: name.casefold(), max_size=12)
GRADES = st.dictionaries(st.integers(0, 14), st.integers(1, 3), min_size=1, max_size=6)


def _trial(name: str, documents: dict[str, tuple[tuple[str, float], ...]], **found: object) -> Trial:
    return Trial(name, Ranking(), {}, (1.0,), {}, documents=documents, **found)  # type: ignore[arg-type]


SCORES = st.sampled_from([0.0, 0.25, 0.25 + 1e-12, 1.0, -3.5])


@given(NAMES, st.lists(SCORES, min_size=12, max_size=12))
def test_scores_fall_strictly_in_single_precision_whatever_the_search_gives(
    names: list[str], scores: list[float]
) -> None:
    found = tuple(zip(names, sorted(scores)[::-1], strict=False))
    rows = [line.split() for line in iter_run_lines({"a q": found}, "hybrid")]
    assert all(len(row) == 6 and (row[0], row[1], row[5]) == ("a%20q", "Q0", "hybrid") for row in rows)
    assert [int(row[3]) for row in rows] == list(range(1, len(names) + 1))
    assert all(first > second for first, second in pairwise(np.float32(row[4]) for row in rows))


@given(st.lists(st.integers(0, 14), unique=True, min_size=1, max_size=12), GRADES)
def test_trec_eval_measures_of_the_files_are_those_of_the_report_and_of_their_definitions(
    found: list[int], grades: dict[int, int]
) -> None:
    question = JudgedQuestion("q", "What?", tuple(Gold(f"d{each}", grade=grade) for each, grade in grades.items()))
    answers = {"q": [HitAnswer(f"d{each}", score=0.5) for each in found]}
    ours = score_answers([question], answers, list_measures(Dataset("e", (), (question,))))["q"]
    ranked = tuple((f"d{each}", 0.5) for each in found)
    run = list(ir_measures.read_trec_run("".join(f"{line}\n" for line in iter_run_lines({"q": ranked}, "t"))))
    qrels = list(ir_measures.read_trec_qrels("".join(f"{line}\n" for line in iter_qrels_lines([question]))))
    theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 5, RR @ 10], qrels, run)
    gains = [grades.get(each, 0) / math.log2(rank + 1) for rank, each in enumerate(found[:10], 1)]
    ideal = [grade / math.log2(rank + 1) for rank, grade in enumerate(sorted(grades.values())[::-1][:10], 1)]
    first = next((rank for rank, each in enumerate(found[:10], 1) if each in grades), None)
    defined = {
        "nDCG@10": sum(gains) / sum(ideal),
        "recall@5": len(grades.keys() & set(found[:5])) / len(grades),
        "MRR@10": 1 / first if first else 0.0,
    }
    for label, measure in (("nDCG@10", nDCG @ 10), ("recall@5", R @ 5), ("MRR@10", RR @ 10)):
        assert ours[label] == pytest.approx(defined[label])
        assert theirs[measure] == pytest.approx(defined[label])


def test_a_folder_has_a_file_a_ranking_and_the_judgements(tmp_path: Path) -> None:
    trials = [
        _trial("dense", {"q": (("a", 0.5),)}),
        _trial("hybrid", {"q": (("b", 0.5),)}, spans={"q": (("b#0-9", 0.5), ("b#9-12", 0.5))}),
    ]
    write_runs(tmp_path / "runs", trials, [JudgedQuestion("q", "What?", (Gold("a", 1), Gold("a", 2, grade=2)))])
    assert (tmp_path / "runs" / "dense.run").read_text() == "q Q0 a 1 0.5 dense\n"
    assert (tmp_path / "runs" / "qrels.txt").read_text() == "q 0 a 2\n"
    assert [line.split()[2] for line in (tmp_path / "runs" / "hybrid.passages.run").read_text().splitlines()] == [
        "b#0-9",
        "b#9-12",
    ]
    assert len(list((tmp_path / "runs").iterdir())) == 4


def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        write_runs(tmp_path / "file" / "all.run", [_trial("dense", {})], [])
