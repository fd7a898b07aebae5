"""Numbers, times and quotations of answers, looked up in what they cite."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from benchmarks.proving import DATA, altered, answers, proven
from dashboards.assistant.answer_types import AnswerSource, ToolCall
from dashboards.assistant.proof import check_claims
from warehouse.records import Citation, Hit

TABLE = """[TABLE 1]
| (in millions, except per share) | Three months ended June 30, 2025 | Three months ended June 30, 2024 |
| --- | --- | --- |
| Total sales | $1,496.5 | $1,202.9 |
| Net income (loss) | 15.6 | (10.7) |
| Gross margin | 50.0% | 47.0% |
| Other income | (3.3) | 4.4 |
[END TABLE]

The board met on 5 May 2025. "We are, to be plain,
pleased with the re-
sult," said Ms Berg. It recalled 212 windows with numbers 4400 to 4611."""


def source(number: int = 1, text: str = TABLE) -> AnswerSource:
    citation = Citation("d", "A report", "a.pdf", 1, 0, 0, (), 1.0, date(2025, 7, 24), "A report", "")
    return AnswerSource(number, Hit(f"c{number}", "d", 0, text, 1.0, None, None, citation))


def judged(text: str, *sources: AnswerSource) -> list[tuple[str, bool]]:
    return [(text[claim.start : claim.end], claim.proven) for claim in check_claims(text, sources or [source()])]


@pytest.mark.parametrize(
    "said",
    [
        "Sales were 1,496.5 [1].",
        "Sales were $1,496.5 million [1].",
        "Sales were $1.4965 billion [1].",
        "Sales were 1496.5 million dollars [1].",
        "Sales were USD 1,496,500 thousand [1].",
        "Sales were $1,496,500,000 [1].",
        "Sales were about $1.5 billion [1].",
        "Sales were $1,497 million [1].",
        "Sales went from 1,202.9 to 1,496.5 million [1].",
        "There was a net loss of $10.7 million [1].",
        "Net income was -10.7 million [1].",
        "The margin was 50 % [1].",
        "The margin was 50.0 percent [1].",
        "212 windows were recalled [1].",
        "销售额为14.965亿美元 [1]。",
    ],
)
def test_a_figure_is_proven_in_whatever_form(said: str) -> None:
    assert {proven for _, proven in judged(said)} == {True}


@pytest.mark.parametrize(
    "said",
    [
        "Sales were 1,496.6 million [1].",
        "Sales were 1,469.5 million [1].",
        "Sales were $1,496.5 billion [1].",
        "Sales were €1,496.5 million [1].",
        "Sales were $1.4 billion [1].",
        "The margin was 51% [1].",
        "Other income was 3.3 million [1].",
        "The margin was 1,496.5% [1].",
        "213 windows were recalled [1].",
    ],
)
def test_a_figure_that_is_not_there_is_not_proven(said: str) -> None:
    assert False in {proven for _, proven in judged(said)}


def test_what_is_computed_from_proven_figures_is_proven() -> None:
    said = "Sales grew by 24.4%, from 1,202.9 to 1,496.5 million, that is by 293.6 million [1]."
    assert [proven for _, proven in judged(said)] == [True] * 4
    assert ("23.4%", False) in judged(said.replace("24.4%", "23.4%"))


def test_dates_are_times_and_not_numbers() -> None:
    said = "On June 30, 2025 and on 2025-05-05, and in the second quarter of 2025 [1]."
    assert judged(said) == [("June 30, 2025", True), ("2025-05-05", True), ("the second quarter of 2025", True)]
    assert judged("On 6 May 2025 [1].") == [("6 May 2025", False)]
    assert judged("In 2031 [1].") == [("2031", False)]


def test_quotations_are_compared_by_their_letters() -> None:
    assert judged("She said: “We are – to be plain – pleased with the result” [1].") == [
        ("We are – to be plain – pleased with the result", True)
    ]
    assert judged('"We are … pleased with the result" [1]') == [("We are … pleased with the result", True)]
    assert judged('"We are very pleased" [1]') == [("We are very pleased", False)]
    assert judged('It is "plain" [1].') == []


def test_names_marks_and_list_numbers_are_no_claims() -> None:
    assert judged("1. The NS-7 sensor of Form 10-K [1].\n2. The 3rd one, COVID-19 [1].") == []


def test_a_line_is_proven_by_what_it_cites_itself() -> None:
    other = source(2, "It cost 41 million.")
    assert judged("It cost 41 million [2].\nIt cost 41 million [1].", source(), other) == [
        ("41 million", True),
        ("41 million", False),
    ]
    assert judged("It cost 41 million.", source(), other) == [("41 million", True)]


def test_without_sources_nothing_is_proven() -> None:
    assert [claim.proven for claim in check_claims("It was 41 million.", [])] == [False]


def judged_with(said: str, *calls: ToolCall) -> list[tuple[str, bool, str]]:
    return [
        (said[claim.start : claim.end], claim.proven, claim.tool) for claim in check_claims(said, [source()], calls)
    ]


def call(name: str, result: str, given: dict[str, Any] | None = None, *, failed: bool = False) -> ToolCall:
    return ToolCall(name, given or {}, result[:10], 0.1, failed, result)


RESULTS = {
    "run_sql": "company | total\nAmcor | 3443000000.0\n1 row.",
    "list_documents": "17 documents:\n1. “Tides of Fjords” | paper | dated 2021-03-04",
    "extract_temporal_context": "1. “last quarter” | DATE 2025-Q3 | 2025-07-01 to 2025-09-30",
    "query_cells": "1. Total liabilities: 9,121 (in millions) | 2024-06-30",
}


@pytest.mark.parametrize(
    ("name", "said", "claimed"),
    [
        ("run_sql", "The total of Amcor is $3,443 million.", "$3,443 million"),
        ("list_documents", "There are 17 of them.", "17"),
        ("list_documents", "The newest is of March 4, 2021.", "March 4, 2021"),
        ("list_documents", "It is called “Tides of Fjords”.", "Tides of Fjords"),
        ("extract_temporal_context", "The quarter began on 2025-07-01.", "2025-07-01"),
        ("query_cells", "Liabilities were $9,121 million.", "$9,121 million"),
        ("query_cells", "Liabilities were $9,121 million [1].", "$9,121 million"),
    ],
)
def test_what_a_tool_gives_is_proven_by_it(name: str, said: str, claimed: str) -> None:
    every = [call(each, result) for each, result in RESULTS.items()]
    assert judged_with(said, *every) == [(claimed, True, name)]
    assert [proven for _, proven, _ in judged_with(said)] == [False]
    assert [proven for _, proven, _ in judged_with(said, call(name, RESULTS[name], failed=True))] == [False]


def test_a_passage_comes_before_a_tool() -> None:
    assert judged_with("212 windows were recalled [1].", call("run_sql", "212")) == [("212", True, "")]


def test_what_a_tool_was_given_proves_nothing() -> None:
    echoed = call("run_sql", "made\n4711\n1 row.", {"query": "SELECT 4711 AS made"})
    assert judged_with("4711 were made.", echoed) == [("4711", False, "")]
    quote = call(
        "verify_quote", "Not so: the document does not say this\n  said: we lost it all", {"quote": "we lost it"}
    )
    assert judged_with("“we lost it all”", quote) == [("we lost it all", False, "")]


def test_a_sum_of_what_tools_give_is_proven() -> None:
    found = judged_with("Together 42 are there: 17 papers and 25 notes.", call("run_sql", "paper | 17\nnote | 25"))
    assert [proven for _, proven, _ in found] == [True, True, True]


def test_true_answers_of_tables_are_proven_and_altered_ones_not() -> None:
    if not DATA.exists():
        pytest.skip(f"{DATA} is not there")
    printed = [said for said in answers(DATA) if not said.derived][:120]
    assert sum(map(proven, printed)) >= 0.95 * len(printed)
    assert sum(proven(altered(said)) for said in printed) <= 0.05 * len(printed)


def test_proving_takes_time_linear_in_the_answer() -> None:
    assert len(check_claims("(" * 5000 + "-" * 5000 + " " * 5000 + "1," * 5000 + '"a ' * 2000, [source()])) < 10
