"""Findings counted, scores explained, pairs of near duplicates, and the reports of the check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.pages.quality.quality_charts import chart_generations, chart_severities
from dashboards.pages.quality.quality_charts import chart_scores as drawn
from dashboards.pages.quality.quality_html import (
    describe_effect,
    find_differences,
    render_ledger,
    render_priority,
    render_rule,
    render_side_by_side,
)
from dashboards.pages.quality.quality_page import write_report
from dashboards.pages.quality.quality_queries import (
    MAX_RULES,
    Examination,
    FindingTable,
    ScoreBreakdown,
    count_by_score,
    count_faulty_passages,
    find_passage,
    list_generations,
    list_lowest_passages,
    load_examination,
    rank_priorities,
    read_findings,
    read_pair_texts,
    read_passage,
    run_examination,
    summarize_generation,
    summarize_scores,
)
from tasks.quality.rule import list_rules
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading
from warehouse.reader import Warehouse
from warehouse.records import Finding, Severity
from warehouse.settings.loader import load_settings

LONG = " ".join(
    f"The {word} of the northern works was opened in the spring of that year." for word in "abcdefghijklmnop"
)


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Examination]:
    """Two documents that say the same but for a word, checked."""
    folder = tmp_path_factory.mktemp("doubled")
    (folder / "notes").mkdir()
    for name, word in (("one", "first"), ("two", "second")):
        (folder / "notes" / f"{name}.md").write_text(f"# Works\n\nThe {word} version. {LONG}\n", encoding="utf-8")
    built = build_warehouse(folder / "w", folder / "notes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KALENDS_CACHE", "off")
        return built, run_examination(
            built.pin_generation(), load_settings({"warehouse": folder / "w", "embed": {"model": "hashing"}})
        )


def test_counts_come_to_all_findings(warehouse: Warehouse) -> None:
    found = read_findings(warehouse)
    for columns in (("code",), ("folder",), ("kind", "severity")):
        assert sum(row["count"] for row in found.count_by(*columns)) == len(found)


def test_narrowed_findings_have_all_that_is_asked(warehouse: Warehouse) -> None:
    found = read_findings(warehouse)
    row = found.table.slice(0, 1).to_pylist()[0]
    own = found.filter_by({"code": row["code"], "document_id": row["document_id"], "severity": ""})
    assert 0 < len(own) <= len(found)
    assert {(each["code"], each["document_id"]) for each in own.table.to_pylist()} == {
        (row["code"], row["document_id"])
    }


def test_folders_are_those_of_the_sources(warehouse: Warehouse) -> None:
    assert all(row["source"].startswith(f"{row['folder']}/") for row in read_findings(warehouse).table.to_pylist())


def test_penalties_add_up_to_every_stored_score(warehouse: Warehouse) -> None:
    found = read_findings(warehouse)
    for (chunk,) in warehouse.snapshot.query_rows("SELECT chunk_id FROM chunks"):
        passage = read_passage(warehouse, chunk)
        assert passage
        charged = found.filter_by({"chunk_id": chunk}).list_first(99)
        assert ScoreBreakdown(*passage.base_score, tuple(charged)).score == passage.stored_score


@given(st.lists(st.floats(0, 1).map(lambda each: round(each, 2)), max_size=6))
def test_a_score_stays_between_nothing_and_one(penalties: list[float]) -> None:
    charges = tuple(Finding("CHK002", "x", Severity.NOTE, "", penalty) for penalty in penalties)
    made = ScoreBreakdown(1.0, "prose", charges)
    assert 0 <= made.score <= 1
    assert bool(made.remark) == (sum(penalties) > 1)


def test_the_distribution_holds_every_passage(warehouse: Warehouse) -> None:
    rows = count_by_score(warehouse)
    assert [row["score"] for row in rows][:2] == [0.0, 0.05]
    assert sum(row["passages"] for row in rows) == summarize_scores(warehouse).passages


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A short and a long document with dates that do not exist, a broken file, and one without a fault."""
    folder = tmp_path_factory.mktemp("faulty") / "notes"
    folder.mkdir()
    fault = "The meeting of February 30, 2024 was moved to the hall of the works by the river for good.\n\n"
    dated = "---\ndate: 2024-01-02\n---\n"
    (folder / "short.md").write_text(f"{dated}# Short\n\n{fault}", encoding="utf-8")
    (folder / "long.md").write_text(f"{dated}# Long\n\n{fault}{LONG}\n", encoding="utf-8")
    (folder / "fine.md").write_text(f"{dated}# Fine\n\n{LONG}\n", encoding="utf-8")
    (folder / "broken.pdf").write_text("%PDF-1.7\nnothing of a PDF follows", encoding="utf-8")
    return build_warehouse(folder.parent / "w", folder)


def test_what_costs_most_comes_first(faulty: Warehouse) -> None:
    found = rank_priorities(faulty, read_findings(faulty))
    first, *others = found.rules
    assert (first.unsearchable, Path(first.source).name) == (1, "broken.pdf")
    impossible = next(each for each in others if each.code == "TMP003")
    assert (impossible.findings, impossible.passages, impossible.documents) == (2, 2, 2)
    assert Path(impossible.source).name == "long.md"
    assert found.document
    assert Path(found.document.source).name == "long.md"
    assert 0.5 < found.document.share <= 1
    losses = [each.score_loss for each in others]
    assert losses == sorted(losses, reverse=True)


def test_what_rules_cost_is_what_the_mean_score_lacks(faulty: Warehouse) -> None:
    found = rank_priorities(faulty, read_findings(faulty))
    mean = summarize_scores(faulty).mean
    assert mean is not None
    assert sum(each.score_loss for each in found.rules) == pytest.approx(1 - mean, abs=1e-3)


def test_nothing_is_to_be_mended_where_nothing_is_found(faulty: Warehouse) -> None:
    none = FindingTable(read_findings(faulty).table.slice(0, 0))
    assert rank_priorities(faulty, none).rules == ()
    assert rank_priorities(faulty, none).document is None


def test_every_priority_is_told_with_its_cure(faulty: Warehouse) -> None:
    found = rank_priorities(faulty, read_findings(faulty)).rules
    assert 1 < len(found) <= MAX_RULES
    for number, cost in enumerate(found, 1):
        read = Reading(render_priority(number, cost))
        assert "Cure" in read.text
        assert describe_effect(cost) in read.text
    assert describe_effect(found[0]).startswith("No search finds anything in 1 file:")
    impossible = next(each for each in found if each.code == "TMP003")
    assert describe_effect(impossible).startswith("2 passages of 2 documents, most of them in ")


def test_the_lowest_come_page_by_page(warehouse: Warehouse) -> None:
    count = count_faulty_passages(warehouse)
    pages = [row for first in range(0, count, 2) for row in list_lowest_passages(warehouse, "", first, 2).to_pylist()]
    assert len({row["chunk_id"] for row in pages}) == count
    assert [row["score"] for row in pages] == sorted(row["score"] for row in pages)


def test_a_position_leads_to_its_passage(warehouse: Warehouse) -> None:
    chunk, document, start = warehouse.snapshot.query_rows("SELECT chunk_id, document_id, start FROM chunks LIMIT 1")[0]
    assert find_passage(warehouse, document, start) == chunk
    assert find_passage(warehouse, document, 10**9) == ""


def test_copies_are_found_by_the_check_alone(doubled: tuple[Warehouse, Examination]) -> None:
    warehouse, examination = doubled
    assert load_examination(warehouse).pairs == ()
    assert [
        (pair.code, Path(pair.first.source).stem, Path(pair.duplicate.source).stem) for pair in examination.pairs
    ] == [("DOC018", "one", "two")]


def test_a_pair_differs_in_the_words_that_differ(doubled: tuple[Warehouse, Examination]) -> None:
    warehouse, examination = doubled
    one, other = read_pair_texts(warehouse, examination.pairs[0])
    lost, gained = find_differences(one, other)
    assert [one[start:end] for start, end in lost] == ["first"]
    assert [other[start:end] for start, end in gained] == ["second"]


def test_a_report_is_written_in_every_form(doubled: tuple[Warehouse, Examination]) -> None:
    examination = doubled[1]
    sarif = json.loads(write_report("sarif", lambda: examination))
    assert {result["ruleId"] for result in sarif["runs"][0]["results"]} == set(examination.findings.list_values("code"))
    assert write_report("html", lambda: examination).startswith(b"<!DOCTYPE html>")
    assert json.loads(write_report("json", lambda: examination))["summary"]["findings"] == len(examination.findings)


def test_generations_stand_side_by_side(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nIt was said last week that the works are closed for good.\n", encoding="utf-8")
    build_warehouse(tmp_path / "w", notes)
    (notes / "a.md").write_text("# A\n\nThe works are closed for good, as was said before.\n", encoding="utf-8")
    built = build_warehouse(tmp_path / "w", notes)
    numbers = list_generations(built)
    assert numbers == [1, 2]
    first, second = [summarize_generation(built.pin_generation(number)) for number in numbers]
    assert first["generation"] == 1
    assert second["warning"] == 0


words = st.text(st.sampled_from("ab <&\n."), max_size=40)


@given(words, words)
def test_what_is_the_same_is_left_when_differences_go(one: str, other: str) -> None:
    lost, gained = find_differences(one, other)
    assert _without(one, lost) == _without(other, gained)


@given(words, words)
def test_texts_side_by_side_are_escaped_and_whole(one: str, other: str) -> None:
    html = render_side_by_side(("", ""), (one, other))
    assert Reading(html).text == one + other
    assert Reading(html).tags <= {"div", "section", "h3", "bdi", "del", "ins"}


def _without(text: str, spans: list[tuple[int, int]]) -> list[str]:
    kept = "".join(letter if not any(a <= at < b for a, b in spans) else " " for at, letter in enumerate(text))
    return [letter for letter in kept.lower() if not letter.isspace()]


def test_the_page_of_every_rule_can_be_drawn() -> None:
    for rule in list_rules().values():
        assert Reading(render_rule(rule)).tags <= {"p", "span", "dl", "dt", "dd", "code"}
        assert "`" not in Reading(render_rule(rule)).text or render_rule(rule).count("`") == 1


def test_an_account_tells_what_is_kept_where_it_is_another() -> None:
    charge = Finding("CHK009", "near-duplicate-passage", Severity.NOTE, "", 0.1)
    text = Reading(render_ledger(ScoreBreakdown(1.0, "prose", (charge,)), 1.0)).text
    assert "CHK009 near-duplicate-passage−0.10" in text
    assert "Score0.90" in text
    assert "Search uses 1.00" in text


def test_charts_hold_what_they_are_given() -> None:
    assert drawn([{"score": 1.0, "passages": 3}]).to_dict()["encoding"]["x"]["field"] == "score"
    counts = [{"folder": "", "severity": "note", "count": 2}, {"folder": "a", "severity": "error", "count": 1}]
    assert chart_severities(counts, "folder", "Folder").to_dict()["encoding"]["y"]["sort"] == ["–", "a"]
    rows = [{"generation": 1, "score": 0.9, "passages": 1, "error": 0, "warning": 2, "note": 1}]
    values = next(iter(chart_generations(rows).to_dict()["datasets"].values()))
    assert sum(row["count"] for row in values) == 3
