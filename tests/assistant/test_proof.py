"""Numbers, times and quotations of answers, looked up in what they cite."""

from __future__ import annotations

from datetime import date

import pytest

from benchmarks.proving import DATA, altered, answers, proven
from dashboards.chat.proof import claims
from dashboards.chat.records import Source
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


def source(number: int = 1, text: str = TABLE) -> Source:
    citation = Citation("d", "A report", "a.pdf", 1, 0, 0, (), 1.0, date(2025, 7, 24), "A report", "")
    return Source(number, Hit(f"c{number}", "d", 0, text, 1.0, None, None, citation))


def judged(text: str, *sources: Source) -> list[tuple[str, bool]]:
    return [(text[claim.start : claim.end], claim.proven) for claim in claims(text, sources or [source()])]


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
    assert [claim.proven for claim in claims("It was 41 million.", [])] == [False]


def test_true_answers_of_tables_are_proven_and_altered_ones_not() -> None:
    if not DATA.exists():
        pytest.skip(f"{DATA} is not there")
    printed = [said for said in answers(DATA) if not said.derived][:120]
    assert sum(map(proven, printed)) >= 0.95 * len(printed)
    assert sum(proven(altered(said)) for said in printed) <= 0.05 * len(printed)


def test_proving_takes_time_linear_in_the_answer() -> None:
    assert len(claims("(" * 5000 + "-" * 5000 + " " * 5000 + "1," * 5000 + '"a ' * 2000, [source()])) < 10
