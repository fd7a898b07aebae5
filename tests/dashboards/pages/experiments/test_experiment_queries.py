"""Queries, tables, HTML and charts of the experiments page."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dashboards.background.grids import build_library_dataset, load_dataset, parse_grid
from dashboards.background.runs import GridReport, GridRun
from dashboards.pages.experiments.experiment_html import (
    describe_result,
    render_configurations,
    render_flip,
    render_price,
    render_verdict,
)
from dashboards.pages.experiments.experiment_queries import (
    ExperimentTitles,
    TrialGroup,
    build_change_rows,
    build_effects_table,
    build_flips_table,
    compare_best,
    group_trials,
    make_title,
)
from dashboards.pages.experiments.grid_settings import SETTING_LABELS, format_grid_yaml, list_values, to_yaml_value
from dashboards.serializers.experiment_charts import chart_cost, chart_effects, chart_ranking
from tasks.evaluate.experiments.experiment import build_experiment
from tasks.evaluate.experiments.grid_outcome import Effect, GridOutcome, TrialOutcome, compute_price
from tasks.evaluate.outcomes import Change, find_flips
from tests.dashboards.pages.elements import Reading
from warehouse.errors import BadInput, BadWarehouse
from warehouse.reader import Warehouse
from warehouse.records import Mark, MeasuredMean, TrialQuestion, TrialRecord
from warehouse.settings.loader import load_settings
from warehouse.store import trials
from warehouse.store.lake import Lake

NOW = datetime(2025, 11, 22, 3, tzinfo=UTC)


def outcome(name: str, marks: str, size: int = 1, settings: str = "{}") -> TrialOutcome:
    """A trial whose questions score as the digits say, and so do their ranks."""
    values = {f"q{number}": int(mark) for number, mark in enumerate(marks)}
    mean = sum(values.values()) / len(values)
    record = TrialRecord(
        trial_id=f"id-{name}", name=name, exam="exam", fingerprint="f", generation=1, settings=settings,
        model="hashing", day=date(2025, 1, 1), documents=2, chunks=3, vectors=4, index_bytes=size, ingest_seconds=1.0,
        questions=len(values), p50=float(size), p95=9.0, measures=(MeasuredMean("hit", mean, mean, mean, len(values)),),
    )  # fmt: skip
    asked = tuple(
        TrialQuestion(record.trial_id, key, f"What is {key}?", value or None, 1.0, (Mark("hit", value),), (), ())
        for key, value in values.items()
    )
    return TrialOutcome(name, record, asked)


def test_a_grid_is_yaml_that_is_read_as_meant() -> None:
    text = format_grid_yaml({"chunk.chunker": ["fixed", "dated"], "ranking.times": ["on", "off"], "chunk.size": []})
    assert text == "grid:\n  chunker: [fixed, dated]\n  times: [on, off]\n"
    assert [each.name for each in parse_grid(text, load_settings({})).experiments][-1] == "chunker=dated times=off"
    assert format_grid_yaml({}) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("400", "400"),
        ('""', '""'),
        ("a, b", '"a, b"'),
        ("x]\nfixed: {k: 1", '"x]\\nfixed: {k: 1"'),
        ("{a: 1}", '"{a: 1}"'),
    ],
)
def test_a_typed_value_stays_one_value(value: str, said: str) -> None:
    assert to_yaml_value(value) == said


def test_a_mistake_names_the_line_but_no_folder() -> None:
    with pytest.raises(BadInput) as caught:
        parse_grid("grid:\n  sise: [400]\n", load_settings({}))
    assert str(caught.value).startswith("grid.yaml line 2: 'sise'")


def test_every_offered_value_can_be_tried() -> None:
    offered = list_values()
    assert offered.keys() == SETTING_LABELS.keys()
    for name, values in offered.items():
        if name == "chunk.overlap":
            continue
        assert len(parse_grid(format_grid_yaml({name: values}), load_settings({})).experiments) == len(values), name


def test_documents_are_named_as_on_the_command_line(warehouse: Warehouse) -> None:
    found = build_library_dataset(warehouse)
    assert found.name == "vault"
    assert {"report", "notes/older", "course"} <= {each.name for each in found.documents}
    assert "broken" not in {each.name for each in found.documents}


def test_published_questions_of_other_documents_are_refused(warehouse: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "x", "title": "", "text": "y"}\n', "utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "y"}\n', "utf-8")
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\tx\t1\n", "utf-8")
    settings = load_settings({"warehouse": warehouse.layout.folder})
    with pytest.raises(BadInput, match="1 of the 1 documents that the questions need are not in the warehouse"):
        load_dataset(settings, str(tmp_path), None, lambda line: None)


def test_own_questions_are_asked_of_the_documents(warehouse: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    rows = [{"question": f"What of {n}?", "evidence": [{"document": "report.md", "text": "grew"}]} for n in range(4)]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    found = load_dataset(load_settings({"warehouse": warehouse.layout.folder}), str(file), 2, lambda line: None)
    assert [each.gold[0].document for each in found.questions] == ["report", "report"]


def test_trials_of_the_same_questions_are_a_round(warehouse: Warehouse) -> None:
    lake = Lake(warehouse.layout.lake)
    base = load_settings({})
    force = build_experiment("", base, 10, {})
    tried = [("one", "110", "{}"), ("two", "11", "{}"), ("three", "100", json.dumps({"k": force.k}))]
    for name, marks, settings in tried:
        each = outcome(name, marks, settings=settings)
        trials.write(lake, each.record, each.questions)
    try:
        latest, other = group_trials(warehouse, base)
    finally:
        for name, _, _ in tried:
            for table in ("trials", "trial_questions"):
                lake.get_path(table, f"id-{name}").unlink()
    assert {each.name for each in latest.trials} == {"one", "three"}
    assert [each.name for each in other.trials] == ["two"]
    assert latest.rank_trials("hit")[0].name == "one"


def test_flips_are_the_questions_that_differ() -> None:
    before, after = outcome("a", "1100"), outcome("b", "1011")
    found = find_flips(after, before, "hit")
    rows = build_flips_table(
        found, {each.question: f"What of {each.question}?" for each in after.questions}
    ).to_pylist()
    assert [(row["text"], row["outcome"]) for row in rows] == [
        ("What of q1?", "worse"),
        ("What of q2?", "better"),
        ("What of q3?", "better"),
    ]
    assert (rows[0]["rank_before"], rows[0]["rank_after"]) == (1, None)
    (row,) = build_change_rows(before, after)
    assert (row["before"], row["after"], row["difference"]) == (0.5, 0.75, 0.25)


def test_the_price_of_being_best_is_told() -> None:
    grid = GridOutcome("exam", 2, (outcome("small <b>", "1110", 1), outcome("big", "1111", 2_000_001)), {})
    read = Reading(render_price(compute_price(grid, "hit")))
    assert read.text.startswith("Best by hit: big. The cheapest that is not significantly worse is small <b>. ")
    assert "+2.0 MB" in read.text
    assert "b" not in read.tags
    alone = GridOutcome("exam", 2, (outcome("small", "0000", 1), outcome("big", "1111", 2)), {})
    assert "No cheaper configuration is as good" in render_price(compute_price(alone, "hit"))


def told(found: GridOutcome, current: str) -> str:
    said = compare_best(found, compute_price(found, "hit"), current)
    assert said
    html = Reading(render_verdict(said))
    assert html.tags <= {"div", "p", "code", "bdi"}
    return html.text


def test_a_sure_difference_is_told_with_its_interval() -> None:
    sizes = ('{"chunk": {"size": 400}}', '{"chunk": {"size": 80}}')
    worse, better = (
        outcome("size=400 <b>", "0" * 30, settings=sizes[0]),
        outcome("size=80", "1" * 30, settings=sizes[1]),
    )
    grid = GridOutcome("exam", 2, (worse, better), {})
    text = told(grid, worse.name)
    assert text.startswith("size=80 is better than size=400 <b> (the settings in use) by 1.000 hit.")
    assert "This is sure: the 95 % interval of the difference is 1.000 to 1.000." in text
    assert text.endswith("What differs: size 80 instead of 400.")


def test_a_difference_that_may_be_chance_is_called_so() -> None:
    grid = GridOutcome("exam", 2, (outcome("one", "110"), outcome("two", "101")), {})
    text = told(grid, "")
    assert text.startswith("No difference between one and two can be shown.")
    assert "includes 0" in text
    assert "better" not in text
    assert "settings in use" not in text


def test_the_best_is_compared_with_the_settings_in_use_if_they_were_tried() -> None:
    grid = GridOutcome("exam", 2, (outcome("used", "0000"), outcome("best", "1111"), outcome("next", "1110")), {})
    assert "than used (the settings in use)" in told(grid, "used")
    assert "next" not in told(grid, "used")
    assert "next" in told(grid, "")
    assert "next" in told(grid, "best")


def test_one_configuration_is_compared_with_none() -> None:
    grid = GridOutcome("exam", 2, (outcome("one", "110"),), {})
    assert compare_best(grid, compute_price(grid, "hit"), "one") is None


def test_a_title_is_made_from_what_varies_until_one_is_given(tmp_path: Path) -> None:
    sizes = [outcome(f"{n}", "1", settings=json.dumps({"chunk": {"size": n, "unit": "u"}, "k": 5})) for n in (1, 2)]
    chosen = TrialGroup("abc", "exam", tuple(each.record for each in sizes))
    titles = ExperimentTitles(tmp_path)
    assert titles.get_title(chosen) == make_title(chosen) == "Size, 2 configurations"
    titles.rename(chosen, "  Short\n<b>passages</b> " + "x" * 100)
    assert titles.get_title(chosen).startswith("Short <b>passages</b> xxx")
    assert len(titles.get_title(chosen)) == 80
    titles.rename(chosen, " ")
    assert titles.get_title(chosen) == "Size, 2 configurations"
    assert make_title(TrialGroup("d", "exam", (sizes[0].record,))) == "1 configuration"


def test_a_title_that_cannot_be_kept_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "experiment-titles").write_text("in the way", encoding="utf-8")
    chosen = TrialGroup("abc", "exam", (outcome("one", "1").record,))
    with pytest.raises(BadWarehouse, match="the title cannot be saved"):
        ExperimentTitles(tmp_path).rename(chosen, "x")


def test_a_run_tells_what_was_last_said_of_each_configuration() -> None:
    run = GridRun(id="1", started=NOW, configurations={"a": "", "b <b>": "", "c": ""})
    run = run.with_fields({"configurations": {"a": "ingest"}}).with_fields({"configurations": {"b <b>": "failed: no"}})
    assert run.configurations == {"a": "ingest", "b <b>": "failed: no", "c": ""}
    read = Reading(render_configurations(run.configurations))
    assert read.text.startswith("1 of 3 configurations finished in this run")
    assert "b <b> failed: no" in read.text
    assert ("class", "k-failed") in read.attributes
    shape = GridReport(exam="e", trials=["1", "2"], asked=1, failed={"b": "no"}, notes=[])
    assert describe_result(shape) == "1 configuration tried, 1 tried before, 1 failed."


def test_charts_have_a_row_for_each() -> None:
    pair = [outcome("a", "10").record, outcome("b", "11").record]
    worth = [Effect("size", "80", 0.5, 1, None), Effect("size", "400", 0.7, 1, Change(0.2, 0.1, 0.3, 0.01))]
    for chart, count in (
        (chart_ranking(pair, "hit"), 2),
        (chart_cost(pair, "hit"), 2),
        (chart_effects(worth, "hit"), 1),
    ):
        sets = chart.to_dict()["datasets"].values()
        assert max(len(rows) for rows in sets) == count
    assert build_effects_table(worth).column("difference").to_pylist() == [None, 0.2]


def test_a_question_is_drawn_as_text() -> None:
    found = find_flips(outcome("b", "01"), outcome("a", "10"), "hit")
    read = Reading(render_flip(found.losses[0], "What of <q0>?", "hit", None))
    assert "What of <q0>?" in read.text
    assert "1.000 to 0.000" in read.text
    assert "at rank 1, then not found" in read.text
