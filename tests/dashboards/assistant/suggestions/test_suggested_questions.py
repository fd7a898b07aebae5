"""Suggested questions of the samples: each is answered, first by the document that it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from dashboards.assistant.answers import answer
from dashboards.assistant.suggestions import suggested_questions
from dashboards.assistant.suggestions.suggested_questions import (
    MAX_QUESTIONS,
    QuestionCandidate,
    SuggestedQuestion,
    SuggestedQuestions,
    SuggestionKind,
    make_candidates,
)
from dashboards.assistant.tools.contract import ToolContext
from tests.building import build_warehouse
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import load_settings

SAMPLES = Path(__file__).parents[4] / "samples"


def context_of(warehouse: Warehouse, today: date = date(2026, 11, 25)) -> ToolContext:
    settings = load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}})
    return ToolContext(settings, warehouse, today)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_warehouse(tmp_path_factory.mktemp("suggestions") / "w", SAMPLES)


@pytest.fixture(scope="module")
def found(samples: Warehouse) -> tuple[SuggestedQuestion, ...]:
    return SuggestedQuestions(context_of(samples)).get_first(MAX_QUESTIONS)


def test_each_is_answered_first_by_the_document_that_it_was_made_from(
    samples: Warehouse, found: tuple[SuggestedQuestion, ...]
) -> None:
    assert len(found) == MAX_QUESTIONS
    for each in found:
        request = SearchRequest(each.text)
        told = answer(
            context_of(samples),
            request,
            None,
            on_event=lambda _: None,
            ask_permission=lambda *_: False,
            extracts_only=True,
        )
        assert told.sources[0].citation.document_id == each.source.document_id, each.text
        assert "No direct quote" not in told.text


def test_kinds_take_turns(found: tuple[SuggestedQuestion, ...]) -> None:
    kinds = [each.kind for each in found]
    several = list(dict.fromkeys(kinds))
    assert len(several) >= len(SuggestionKind) - 1
    assert kinds[: len(several)] == several == [kind for kind in SuggestionKind if kind in several]
    assert len({each.text for each in found}) == MAX_QUESTIONS


def test_they_are_the_same_on_any_day_and_however_many_are_asked_for(
    samples: Warehouse, found: tuple[SuggestedQuestion, ...]
) -> None:
    another = SuggestedQuestions(context_of(samples, date(2031, 2, 3)))
    assert another.get_first(1) == found[:1]
    assert another.get_first(4) == found[:4]
    assert another.get_first(2) == found[:2]


def test_no_more_is_tried_than_asked_for(samples: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def counting(context: ToolContext, request: SearchRequest, *rest: object, **given: object) -> object:
        tried.append(request.text)
        return answer(context, request, *rest, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(suggested_questions, "answer", counting)
    questions = SuggestedQuestions(context_of(samples))
    questions.get_first(1)
    assert len(tried) == 1
    questions.get_first(1)
    assert len(tried) == 1


def test_what_is_not_answered_is_not_offered(samples: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    (other,) = (each for each in samples.list_documents() if each.file.path == "reports/incident-2025-06.txt")

    def misplaced(warehouse: Warehouse, today: date) -> dict[SuggestionKind, Iterator[QuestionCandidate]]:
        found = list(make_candidates(warehouse, today).items())[:3]
        wrong = frozenset({other.document_id})
        return {kind: (replace(each, documents=wrong) for each in questions) for kind, questions in found}

    monkeypatch.setattr(suggested_questions, "make_candidates", misplaced)
    assert SuggestedQuestions(context_of(samples)).get_first(MAX_QUESTIONS) == ()


def test_a_failure_is_not_remembered(samples: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = SuggestedQuestions(context_of(samples))

    def fail(*_: object, **__: object) -> None:
        raise BadInput("the server of the model does not answer", "start it")

    with monkeypatch.context() as patch:
        patch.setattr(suggested_questions, "answer", fail)
        with pytest.raises(BadInput):
            questions.get_first(1)
    assert len(questions.get_first(1)) == 1


def test_chinese_documents_are_asked_in_chinese(tmp_path: Path) -> None:
    warehouse = build_warehouse(tmp_path / "w", SAMPLES / "chinese")
    found = SuggestedQuestions(context_of(warehouse)).get_first(2)
    assert any("《北光仪器2025财年第三季度简报》" in each.text for each in found), found


def test_a_library_without_anything_to_ask_of_has_none(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("zzz\n")
    assert (
        SuggestedQuestions(context_of(build_warehouse(tmp_path / "w", tmp_path / "docs"))).get_first(MAX_QUESTIONS)
        == ()
    )
