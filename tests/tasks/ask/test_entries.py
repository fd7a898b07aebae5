"""Questions about days as a whole: which questions are, and what of an entry is said."""

from __future__ import annotations

from datetime import date

import pytest

from tasks.ask.entries import find_entry_body, parse_entry_question
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from tests.tasks.ask.test_excerpts import hit
from warehouse.records import Question, SearchRequest

TODAY = date(2026, 11, 23)


def parsed(text: str) -> Question:
    return parse_question(SearchRequest(text), open_embedder("hashing"), TODAY)


@pytest.mark.parametrize(
    ("text", "start", "end", "who"),
    [
        ("What happened on 2026-11-12?", date(2026, 11, 12), date(2026, 11, 13), False),
        ("Who did I meet on 19 November 2026?", date(2026, 11, 19), date(2026, 11, 20), True),
        ("What did I do last Tuesday?", date(2026, 11, 17), date(2026, 11, 18), False),
        ("what did I do last week", date(2026, 11, 16), date(2026, 11, 23), False),
        ("Was passierte letzte Woche?", date(2026, 11, 16), date(2026, 11, 23), False),
        ("Que s'est-il passé le 12 novembre 2026 ?", date(2026, 11, 12), date(2026, 11, 13), False),
        ("¿Qué hice la semana pasada?", date(2026, 11, 16), date(2026, 11, 23), False),
        ("2026年11月12日发生了什么?", date(2026, 11, 12), date(2026, 11, 13), False),
        ("上周二我和谁见面了？", date(2026, 11, 17), date(2026, 11, 18), True),
    ],
)
def test_a_question_about_days_as_a_whole_is_known(text: str, start: date, end: date, who: bool) -> None:
    asked = parse_entry_question(parsed(text))
    assert asked is not None
    assert asked.days == ((start, end),)
    assert asked.asks_for_people is who


@pytest.mark.parametrize(
    "text",
    [
        "What did Harrow earn on 12 November 2026?",
        "Who repaired the pump last week?",
        "What happened?",
        "What happened in 2025?",
        "When did I last meet Tom?",
        "Was passierte letzte Woche mit der Pumpe?",
        "上周水泵出了什么问题?",
    ],
)
def test_other_questions_are_not(text: str) -> None:
    assert parse_entry_question(parsed(text)) is None


def test_an_entry_is_said_without_its_heading() -> None:
    entry = hit("Harbour\n\n- 08:40 Met Tom Baker\n- 11:00 Rain")
    span = find_entry_body(entry)
    assert span is not None
    assert entry.text[slice(*span)] == "- 08:40 Met Tom Baker\n- 11:00 Rain"
    assert find_entry_body(hit("Harbour")) is None
