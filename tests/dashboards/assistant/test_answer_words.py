"""How answers are drawn: marks of what is not proven, footnotes, cost; and by which signs questions are taken apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import (
    UNPROVEN,
    Answer,
    AnswerClaim,
    AnswerKind,
    AnswerSource,
    Usage,
    mark_unproven,
)
from dashboards.assistant.prompts import enclose_in_tags
from dashboards.assistant.query_rewriting import may_be_several, may_refer_back
from dashboards.assistant.service import compute_cost, describe_usage
from dashboards.cli.answer_output import iter_answer_lines, list_unproven_claims, without_control
from warehouse.records import Citation, Hit
from warehouse.settings.models import PriceSettings

TEXT = "Revenue was 108.3 million [1], up from 99.9 million."
CITATION = Citation("d", "A report", "a.pdf", 2, 0, 0, (), 1.0, None, "A report", "file:///a.pdf#page=2")
SOURCE = AnswerSource(1, Hit("c", "d", 0, "Revenue 108.3", 0.5, None, None, CITATION), ((0, 7),))
ANSWER = Answer(
    TEXT, AnswerKind.MODEL, (SOURCE,), (AnswerClaim(12, 25, True), AnswerClaim(39, 51, False)), ("it is late",)
)


def test_what_no_source_has_is_marked_and_the_mark_is_explained_once() -> None:
    lines = "\n".join(iter_answer_lines(ANSWER))
    assert "Revenue was 108.3 million [1], up from 99.9 million[?].\n" in lines
    assert "[?] 1 of 2 numbers and quotations are in none of its sources." in lines
    assert "[1] A report, page 2, undated\n   a.pdf  file:///a.pdf#page=2" in lines
    assert "Note: it is late" in lines
    assert list_unproven_claims(ANSWER) == [f"{TEXT[:-1]}[?]"]


def test_a_proven_answer_has_no_marks() -> None:
    proven = replace(ANSWER, claims=ANSWER.claims[:1])
    assert UNPROVEN not in "\n".join(iter_answer_lines(proven))


@given(st.text(), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.booleans())))
def test_marks_change_nothing_else(text: str, spans: list[tuple[int, int, bool]]) -> None:
    text = text.replace(UNPROVEN, "")
    claims = tuple(
        AnswerClaim(min(a, b, len(text)), min(max(a, b), len(text)), proven)
        for a, b, proven in spans
        if min(a, b) < len(text)
    )
    found = mark_unproven(Answer(text, AnswerKind.MODEL, claims=claims))
    assert found.count(UNPROVEN) == sum(not claim.proven for claim in claims)
    assert len(found) == len(text) + len(UNPROVEN) * found.count(UNPROVEN)


def test_nothing_in_an_answer_steers_a_terminal() -> None:
    assert without_control("a\x1b[31mb\x9b2J\x07\r\u202ec\n\td") == "a[31mb2Jc\n\td"


def test_cost_is_shown_where_prices_are_set_and_tokens_always() -> None:
    usage = Usage(input=1000, output=500, cache_read=10_000, cache_written=2000, rounds=2)
    prices = PriceSettings(input=3, output=15, cache_read=0.3, cache_written=3.75)
    assert compute_cost(usage, prices) == pytest.approx(0.003 + 0.0075 + 0.003 + 0.0075)
    assert describe_usage(usage, prices) == "2 rounds, 13,000 tokens in (10,000 from the cache), 500 out, 0.0210 USD"
    assert describe_usage(usage, PriceSettings()) == "2 rounds, 13,000 tokens in (10,000 from the cache), 500 out"
    assert describe_usage(Usage(), prices) == "no tokens"


@pytest.mark.parametrize(
    "question",
    [
        "Compare revenue in Q2 and Q3",
        "What was revenue? And what was margin?",
        "What did the paper find and how was it measured?",
        "How does PepsiCo's growth differ from Coca-Cola's?",
        "比较2023年和2024年的营业收入",
        "word " * 41,
    ],
)
def test_signs_of_several_questions(question: str) -> None:
    assert may_be_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in Q3 of fiscal 2025?",
        "Hello!",
        "Who wrote the note on nitrate and phosphate sensors?",
        "What do research and development cost?",
        "2023年第三季度的营业收入是多少？",
    ],
)
def test_plain_questions_show_none(question: str) -> None:
    assert not may_be_several(question)


@pytest.mark.parametrize("question", ["And in Q3?", "What did they say about it?", "Why?", "那第三季度呢？"])
def test_signs_of_leaning_on_what_was_said(question: str) -> None:
    assert may_refer_back(question)


def test_a_question_that_stands_alone_does_not_lean() -> None:
    assert not may_refer_back("What was the revenue of Northlight in Q3 of fiscal 2025?")


@given(st.text(alphabet="</part> \n", max_size=40))
def test_material_cannot_close_its_tag(text: str) -> None:
    assert enclose_in_tags("part", text).count("</part") == 1
