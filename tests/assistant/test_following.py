"""Questions that lean on those before them are answered by extracts too."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dashboards.chat.answering import answer
from dashboards.chat.exchanges import Exchange
from dashboards.chat.following import followed
from dashboards.chat.records import AnswerKind
from dashboards.chat.sessions import Session, Sessions
from tests.assistant.desks import SAMPLES, TODAY, desk_at
from tests.building import build_warehouse
from warehouse.records import Wanted

REVENUE = "What was Northlight's revenue in Q3 of fiscal 2025?"


def session(folder: Path, *questions: str) -> Session:
    found = Sessions(folder).new()
    for question in questions:
        found.append(Exchange(datetime(2025, 11, 22, tzinfo=UTC), question, "An answer.", AnswerKind.EXTRACTS))
    return found


@pytest.mark.parametrize(
    ("before", "question", "read"),
    [
        ([REVENUE], "and in Q2?", "What was Northlight's revenue? and in Q2?"),
        ([REVENUE], "2024?", "What was Northlight's revenue? 2024?"),
        ([REVENUE], "And its net income?", f"{REVENUE} And its net income?"),
        (
            [REVENUE, "And its net income?"],
            "for fiscal 2024?",
            "What was Northlight's revenue? And its net income? for fiscal 2024?",
        ),
        ([REVENUE, "Does nitrate drift?"], "why?", "Does nitrate drift? why?"),
        ([REVENUE], "Does nitrate drift?", "Does nitrate drift?"),
        ([REVENUE], "nitrate", "nitrate"),
        ([REVENUE], "the sensor that drifts this year", "the sensor that drifts this year"),
        ([], "and in Q2?", "and in Q2?"),
    ],
)
def test_what_is_left_out_comes_from_the_questions_before(
    before: list[str], question: str, read: str, tmp_path: Path
) -> None:
    assert followed(question, session(tmp_path, *before), TODAY) == read


def test_a_question_on_its_own_is_itself() -> None:
    assert followed("and in Q2?", None, TODAY) == "and in Q2?"


def test_extracts_answer_what_is_meant_and_say_how_they_read_it(tmp_path: Path) -> None:
    build_warehouse(tmp_path, SAMPLES / "papers", entities={"kinds": ()})
    talk = session(tmp_path, "Does nitrate drift?")
    desk = replace(desk_at(tmp_path), today=TODAY)
    found = answer(
        desk, Wanted("why?"), talk, tell=lambda event: None, permit=lambda name, given: False, extracts_only=True
    )
    assert "read as: Does nitrate drift? why?" in found.notes
    assert "nitrate" in found.sources[0].hit.text.lower()
    assert talk.exchanges[-1].question == "why?"
