"""Questions that the samples make of themselves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tasks.evaluate.dataset import JudgedQuestion
from tasks.evaluate.question_maker import MAKERS, describe_questions, make_questions
from tests.building import build_warehouse
from tests.dashboards.cli.test_main import SAMPLES
from warehouse.reader import Warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("made") / "warehouse", SAMPLES).pin_generation()


@pytest.fixture(scope="module")
def names(warehouse: Warehouse) -> dict[str, str]:
    return {entry.document_id: entry.file.path for entry in warehouse.list_documents()}


@pytest.fixture(scope="module")
def questions(warehouse: Warehouse, names: dict[str, str]) -> tuple[JudgedQuestion, ...]:
    return make_questions(warehouse, names, 1000)


def _of(questions: tuple[JudgedQuestion, ...], kind: str) -> dict[str, JudgedQuestion]:
    return {each.text: each for each in questions if each.name.startswith(f"{kind}-")}


def test_gold_stands_where_it_is_said_to(
    warehouse: Warehouse, names: dict[str, str], questions: tuple[JudgedQuestion, ...]
) -> None:
    texts = {name: warehouse.read_text(document_id) for document_id, name in names.items()}
    located = [gold for question in questions for gold in question.gold if gold.span]
    assert len(located) > 80
    for gold in located:
        assert gold.span is not None
        assert texts[gold.document][slice(*gold.span)] == gold.text


def test_a_figure_is_asked_by_label_and_period_and_its_row_answers(questions: tuple[JudgedQuestion, ...]) -> None:
    found = _of(questions, "figures")
    rows = {(each.answer, gold.text) for each in found.values() for gold in each.gold}
    assert ("34.2", "| Data services | 34.2 | 25.2 |") in rows
    assert all(text.startswith("What was ") for text in found)


def test_a_figure_that_stands_in_several_places_is_not_asked(questions: tuple[JudgedQuestion, ...]) -> None:
    """Operating income of that quarter stands in the report of the quarter and in that of the year."""
    assert not any("Operating income" in text and "June 30, 2025" in text for text in _of(questions, "figures"))


def test_headings_and_titles_are_asked_in_the_language_of_their_document(questions: tuple[JudgedQuestion, ...]) -> None:
    assert "“业务要点”说了什么？" in _of(questions, "headings")
    assert "What is said under “Where the money goes”?" in _of(questions, "headings")
    assert "What is “Mooring array” about?" in _of(questions, "titles")


def test_a_gap_is_in_a_sentence_that_stands_once(questions: tuple[JudgedQuestion, ...]) -> None:
    for text, each in _of(questions, "gaps").items():
        assert text.count("____") == 1
        assert text.replace("____", each.answer) == " ".join(each.gold[0].text.split())
        assert len(each.answer) > 1


def test_kinds_and_documents_take_turns_and_the_choice_is_the_same_each_time(
    warehouse: Warehouse, names: dict[str, str], questions: tuple[JudgedQuestion, ...]
) -> None:
    few = make_questions(warehouse, names, 24)
    assert few == make_questions(warehouse, dict(reversed(names.items())), 24)
    assert Counter(each.name.partition("-")[0] for each in few) == dict.fromkeys(MAKERS, 6)
    assert len({each.gold[0].document for each in few}) > 8
    assert set(few) < set(questions)
    assert len({each.name for each in questions}) == len(questions)


def test_only_documents_of_the_corpus_are_asked_about(warehouse: Warehouse, names: dict[str, str]) -> None:
    one = {document_id: name for document_id, name in names.items() if name.endswith("nitrate-drift.xml")}
    found = make_questions(warehouse, one, 50)
    assert found
    assert {gold.document for each in found for gold in each.gold} == set(one.values())


def test_what_such_questions_cannot_show_is_said(questions: tuple[JudgedQuestion, ...]) -> None:
    notes = " ".join(describe_questions(questions))
    assert "which show whether a section is found by its heading" in notes
    assert "higher than for people's questions" in notes


def test_a_corpus_of_one_note_makes_what_it_can(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("Nothing.", encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "w", tmp_path / "docs").pin_generation()
    assert make_questions(warehouse, {each.document_id: "a" for each in warehouse.list_documents()}) == ()
