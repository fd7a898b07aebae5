"""An answer without a model begins with the figure that is asked for, where a table surely has it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from dashboards.assistant.answer_types import Answer, ExtractsStatus
from dashboards.assistant.extract_answers import extract_answer, find_figure_rows, select_quotations
from dashboards.assistant.tools.contract import ToolContext
from tasks.ask.figures.figure_query import list_paraphrase_wordings
from tasks.query.retrieval import find
from tests.dashboards.assistant.tools.test_query_cells import context
from warehouse.records import Filters, SearchRequest

__all__ = ["context"]


def answer(context: ToolContext, question: str) -> Answer:
    return extract_answer(context, SearchRequest(question), on_event=lambda _: None)


def said(context: ToolContext, question: str) -> list[str]:
    return [each.text for each in answer(context, question).extracts]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What was Beta Foods' net revenue in Q1 2023?", "| Net revenue | $ 17,846 | $ 16,200 |"),
        ("How high were Alpha Tools' total assets on December 31, 2022?", "| Total assets | 17,475 | 17,426 |"),
    ],
)
def test_the_figure_comes_first_below_its_head(context: ToolContext, question: str, row: str) -> None:
    head, _, found = said(context, question)[0].rpartition("\n")
    assert found == row
    assert "2022" in head


@pytest.mark.parametrize(
    "question",
    ["How much did Beta Foods' net revenue rise in Q1 2023?", "What was net revenue of Beta Foods in Q1 2023?"],
)
def test_the_word_net_is_no_paraphrase_of_net_income(context: ToolContext, question: str) -> None:
    assert list_paraphrase_wordings("how much did net revenue rise") == []
    assert said(context, question)[0].rpartition("\n")[2] == "| Net revenue | $ 17,846 | $ 16,200 |"


def test_its_source_is_the_row(context: ToolContext) -> None:
    found = answer(context, "What was Beta Foods' net revenue in Q1 2023?")
    source = found.sources[0]
    quoted = [source.hit.text[start - source.hit.start : end - source.hit.start] for start, end in source.spans]
    assert "| Net revenue | $ 17,846 | $ 16,200 |" in quoted
    assert "| $ 17,846 | $ 16,200 | [1]" in found.text
    assert source.hit.citation.relevance is not None


@pytest.mark.parametrize(
    "question",
    [
        "What was Gamma Steel's net revenue in Q1 2023?",
        "What was Beta Foods' net revenue in Q1 1999?",
        "What was Beta Foods' deferred tax in Q1 2023?",
        "Why did Alpha Tools restructure?",
    ],
)
def test_no_other_figure_is_the_answer(context: ToolContext, question: str) -> None:
    found = answer(context, question)
    assert found.extracts_status is not ExtractsStatus.ANSWER or not any(each.figure for each in found.extracts[:1])


def test_the_limits_of_the_question_bind_the_figure(context: ToolContext) -> None:
    wanted = SearchRequest("What was net revenue in the first quarter of 2023?")
    assert find_figure_rows(context, wanted)
    assert find_figure_rows(context, replace(wanted, filters=Filters(until=date(1990, 1, 1)))) == []
    assert (
        find_figure_rows(context, replace(wanted, filters=Filters(during=(date(2023, 1, 1), date(2023, 4, 1))))) == []
    )
    assert find_figure_rows(context, replace(wanted, filters=Filters(names=("Beta Foods",)))) == []
    assert find_figure_rows(context, replace(wanted, filters=Filters(pages=(1,)))) == []


def test_a_passage_that_is_not_quoted_is_none_of_the_answer(context: ToolContext) -> None:
    wanted = SearchRequest("What was Beta Foods' net revenue in Q1 2023?", k=1)
    found = find(context.warehouse, wanted, context.embedder, context.today)
    told = select_quotations(context, wanted, found)
    assert set(range(1, len(told.hits))) <= {each.hit for each in told.extracts}
