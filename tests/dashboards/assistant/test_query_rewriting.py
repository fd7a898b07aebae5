"""Questions that lean on those before them are answered by extracts too."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.assistant.answer_types import AnswerKind
from dashboards.assistant.answers import answer
from dashboards.assistant.query_rewriting import rewrite_as_standalone, rewrite_in_context
from dashboards.assistant.sessions import Exchange, Session, Sessions
from tests.building import build_warehouse
from tests.dashboards.assistant.tool_contexts import SAMPLES, TODAY, tool_context_at
from tests.examples import examples
from warehouse.records import SearchRequest

REVENUE = "What was Northlight's revenue in Q3 of fiscal 2025?"


def session(folder: Path, *questions: str) -> Session:
    found = Sessions(folder).start_session()
    for question in questions:
        found.append(Exchange(datetime(2025, 11, 22, tzinfo=UTC), question, "An answer.", AnswerKind.EXTRACTS))
    return found


@pytest.mark.parametrize(
    ("before", "question", "read"),
    [
        ([REVENUE], "and in Q2?", "What was Northlight's revenue in Q2 fiscal 2025?"),
        ([REVENUE], "2024?", "What was Northlight's revenue in 2024?"),
        ([REVENUE], "And its net income?", "Northlight's net income in Q3 of fiscal 2025"),
        ([REVENUE, "And its net income?"], "for fiscal 2024?", "Northlight's net income for fiscal 2024"),
        ([REVENUE, "and in Q2?"], "what about Netflix?", "What was Netflix's revenue in Q2 fiscal 2025?"),
        ([REVENUE], "What about the year before?", "What was Northlight's revenue in Q3 of fiscal 2024?"),
        ([REVENUE], "and the previous quarter?", "What was Northlight's revenue in Q2 of fiscal 2025?"),
        ([REVENUE], "And what was Netflix's net income?", "what was Netflix's net income in Q3 of fiscal 2025"),
        (["What did Amazon and Netflix spend in 2015?"], "What about Disney?", "What did Disney spend in 2015?"),
        (["Which papers are on drift?"], "and from 2022?", "Which papers are on drift from 2022?"),
        ([REVENUE, "Does nitrate drift?"], "why?", "Does nitrate drift? why?"),
        ([REVENUE, "Does nitrate drift?"], "What did Amazon sell in Q4?", "What did Amazon sell in Q4 fiscal 2025?"),
        ([REVENUE], "What did Amazon sell in Q4 2019?", "What did Amazon sell in Q4 2019?"),
        ([REVENUE], "What did Amazon sell last quarter?", "What did Amazon sell last quarter?"),
        (["Does nitrate drift?"], "What did Amazon sell in Q4?", "What did Amazon sell in Q4?"),
        ([REVENUE], "why?", f"{REVENUE} why?"),
        ([REVENUE], "Does nitrate drift?", "Does nitrate drift?"),
        ([REVENUE], "nitrate", "nitrate"),
        ([REVENUE], "the sensor that drifts this year", "the sensor that drifts this year"),
        ([], "and in Q2?", "and in Q2?"),
    ],
)
def test_what_is_left_out_comes_from_the_questions_before(
    before: list[str], question: str, read: str, tmp_path: Path
) -> None:
    assert rewrite_in_context(question, session(tmp_path, *before), TODAY) == read


NAMES = ["Amazon", "Netflix", "Best Buy", "Foot Locker", "AMD"]
MEASURES = ["revenue", "gross margin", "net income", "cash from operations"]
YEARS = ["2014", "fiscal 2022"]
PARTS = ["the fourth quarter", "the first half", "Q2"]
LEADS = ["What about {}?", "And {}?", "and {}", "How about {}?", "But {}?"]


def _alone(follow_up: str, before: str) -> str:
    return rewrite_as_standalone(follow_up, before, TODAY)


@given(
    name=st.sampled_from(NAMES),
    other=st.sampled_from(NAMES),
    measure=st.sampled_from(MEASURES),
    year=st.sampled_from(YEARS),
    later=st.sampled_from(["2015", "fiscal 2023", "Q1 2016"]),
    lead=st.sampled_from(LEADS),
    form=st.sampled_from(
        ["What was {0}'s {1} in {2}?", "What was the {1} of {0} in {2}?", "How did the {1} of {0} do in {2}?"]
    ),
)
@examples(6)
def test_a_name_and_a_time_take_the_place_of_those_before(
    name: str, other: str, measure: str, year: str, later: str, lead: str, form: str
) -> None:
    before = form.format(name, measure, year)
    assert _alone(lead.format(other), before) == form.format(other, measure, year)
    assert _alone(lead.format(f"in {later}"), before) == form.format(name, measure, later)
    assert _alone(lead.format(f"{other} in {later}"), before) == form.format(other, measure, later)


@given(
    name=st.sampled_from(NAMES),
    measure=st.sampled_from(MEASURES),
    other=st.sampled_from(["operating income", "dividends", "long-term debt"]),
    year=st.sampled_from(YEARS),
    part=st.sampled_from(PARTS),
    lead=st.sampled_from(LEADS),
)
@examples(6)
def test_a_part_of_a_year_is_of_the_year_spoken_of_and_a_measure_keeps_the_rest(
    name: str, measure: str, other: str, year: str, part: str, lead: str
) -> None:
    before = f"What was {name}'s {measure} in {year}?"
    quarter = _alone(lead.format(f"in {part}"), before)
    joint = " " if part == "Q2" else " of "
    assert quarter == f"What was {name}'s {measure} in {part}{joint}{year}?"
    assert _alone(lead.format(other), before) == f"{other} of {name} in {year}"
    assert _alone("why?", before) == f"{before} why?"


@given(
    name=st.sampled_from(["Amazon", "Netflix", "AMD"]),
    other=st.sampled_from(["Intel", "Costco"]),
    measure=st.sampled_from(["收入", "毛利率", "净利润"]),
    year=st.sampled_from(["2014年", "2022年"]),
)
@examples(2)
def test_the_same_in_chinese(name: str, other: str, measure: str, year: str) -> None:
    before = f"{name} {year}的{measure}是多少？"
    assert _alone(f"那{other}呢？", before) == f"{other} {year}的{measure}是多少？"
    assert _alone("2015年呢？", before) == f"{name} 2015年的{measure}是多少？"
    assert _alone(f"{other} 2015年呢？", before) == f"{other} 2015年的{measure}是多少？"
    assert _alone("第四季度呢？", before) == f"{name} {year}第四季度的{measure}是多少？"
    assert _alone("负债呢？", before) == f"{name}{year}的负债"
    assert _alone("为什么？", before) == f"{before} 为什么？"


def test_a_question_on_its_own_is_itself() -> None:
    assert rewrite_in_context("and in Q2?", None, TODAY) == "and in Q2?"


def test_extracts_answer_what_is_meant_and_say_how_they_read_it(tmp_path: Path) -> None:
    build_warehouse(tmp_path, SAMPLES / "papers")
    talk = session(tmp_path, "Does nitrate drift?")
    context = replace(tool_context_at(tmp_path), today=TODAY)
    found = answer(
        context,
        SearchRequest("why?"),
        talk,
        on_event=lambda event: None,
        ask_permission=lambda name, given: False,
        extracts_only=True,
    )
    assert "read as: Does nitrate drift? why?" in found.notes
    assert any("nitrate" in source.hit.text.lower() for source in found.sources)
    assert talk.exchanges[-1].question == "why?"


def test_what_was_quoted_is_not_quoted_again_in_a_follow_up(tmp_path: Path) -> None:
    root = tmp_path / "library"
    root.mkdir()
    for number in range(5):
        text = f"# Site {number}\n\nNitrate drifts at site {number} since its lamp ages by {number} percent.\n"
        (root / f"site{number}.md").write_text(text)
    build_warehouse(tmp_path / "w", root)
    context, talk = replace(tool_context_at(tmp_path / "w"), today=TODAY), Sessions(tmp_path / "w").start_session()

    def asked(question: str) -> list[str]:
        found = answer(
            context,
            SearchRequest(question),
            talk,
            on_event=lambda event: None,
            ask_permission=lambda *given: False,
            extracts_only=True,
        )
        return [each.text for each in found.extracts] or [found.text]

    first, second = asked("Does nitrate drift since the lamp ages?"), asked("why?")
    assert first
    assert second
    assert not set(first) & set(second)
    third = asked("why?")
    assert not set(third) & {*first, *second}
    assert asked("Does nitrate drift since the lamp ages?") == first, "a question of its own is answered in full"


@pytest.mark.parametrize(
    ("follow_up", "row"),
    [("And in 2022?", "Net sales"), ("and in 2021?", "Net sales"), ("And cost of sales?", "Cost of sales")],
)
def test_a_row_that_answered_for_one_year_answers_a_follow_up_for_another(
    follow_up: str, row: str, tmp_path: Path
) -> None:
    root = tmp_path / "library"
    root.mkdir()
    head = "| | 2023 | 2022 | 2021 |\n|---|---|---|---|\n"
    table = f"{head}| Net sales | 812 | 745 | 690 |\n| Cost of sales | 540 | 498 | 470 |\n"
    (root / "sales.md").write_text(f"# Harrow Mills\n\nThe year of Harrow Mills in millions of dollars.\n\n{table}")
    build_warehouse(tmp_path / "w", root)
    context, talk = replace(tool_context_at(tmp_path / "w"), today=TODAY), Sessions(tmp_path / "w").start_session()
    for question in ("What were the net sales of Harrow Mills in 2023?", follow_up):
        found = answer(
            context,
            SearchRequest(question),
            talk,
            on_event=lambda event: None,
            ask_permission=lambda *given: False,
            extracts_only=True,
        )
    assert f"| {row} |" in found.extracts[0].text
