"""An answer without a model begins with the figure that is asked for, where a table surely has it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from dashboards.chat.extracting import extracted
from dashboards.chat.leading import lead
from dashboards.tools.contract import Desk
from tests.assistant.test_figures import desk
from warehouse.records import Filters, Wanted

__all__ = ["desk"]


def said(desk: Desk, question: str, filters: Filters | None = None) -> list[str]:
    return [each.text for each in extracted(desk, Wanted(question, filters or Filters()), tell=lambda _: None).extracts]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What was Beta Foods' net revenue in Q1 2023?", "| Net revenue | $ 17,846 | $ 16,200 |"),
        ("How high were Alpha Tools' total assets on December 31, 2022?", "| Total assets | 17,475 | 17,426 |"),
    ],
)
def test_the_figure_comes_first_below_its_head(desk: Desk, question: str, row: str) -> None:
    head, _, found = said(desk, question)[0].rpartition("\n")
    assert found == row
    assert "2022" in head


def test_its_source_is_the_row(desk: Desk) -> None:
    answer = extracted(desk, Wanted("What was Beta Foods' net revenue in Q1 2023?"), tell=lambda _: None)
    source = answer.sources[0]
    quoted = [source.hit.text[start - source.hit.start : end - source.hit.start] for start, end in source.spans]
    assert "| Net revenue | $ 17,846 | $ 16,200 |" in quoted
    assert answer.text.endswith("[1]") or "[1]" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What was Gamma Steel's net revenue in Q1 2023?",
        "What was Beta Foods' net revenue in Q1 1999?",
        "What was Beta Foods' deferred tax in Q1 2023?",
        "Why did Alpha Tools restructure?",
    ],
)
def test_no_other_figure_leads(desk: Desk, question: str) -> None:
    assert lead(desk, Wanted(question)) is None


def test_the_limits_of_the_question_bind_the_figure(desk: Desk) -> None:
    wanted = Wanted("What was net revenue in the first quarter of 2023?")
    assert lead(desk, wanted)
    assert lead(desk, replace(wanted, filters=Filters(until=date(1990, 1, 1)))) is None
    assert lead(desk, replace(wanted, filters=Filters(during=(date(2023, 1, 1), date(2023, 4, 1))))) is None
