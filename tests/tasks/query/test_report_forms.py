"""Of several filings of a company the one comes first whose form and period the question names."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tasks.query.soft_filters import find_soft_filters
from tests.building import build_warehouse
from tests.tasks.entities.filing_covers import (
    COMPANIES,
    Layout,
    cover_in_capitals,
    current_report,
    proxy_statement,
    quarterly_form,
    release_with_a_dateline,
    release_with_a_headline,
    transcript,
)
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest

FILED: tuple[tuple[Layout, int], ...] = (
    (cover_in_capitals, 2021),
    (cover_in_capitals, 2022),
    (quarterly_form, 2022),
    (quarterly_form, 2023),
    (current_report, 2022),
    (proxy_statement, 2022),
    (release_with_a_headline, 2022),
    (release_with_a_dateline, 2022),
    (transcript, 2022),
)
FIGURES = (
    "Capital expenditures were $300 million. The board declared a dividend of $1.10 a share. Gross margin fell to 31"
    " percent. Directors were elected. The effective tax rate was 22 percent.\n"
)


@pytest.fixture(scope="module", params=["numbers", "misleading names"])
def filed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, dict[str, str]]:
    folder = tmp_path_factory.mktemp("forms")
    (folder / "f").mkdir()
    names = {}
    for symbol in ("BBY", "BA", "MMM"):
        company = next(each for each in COMPANIES if each.symbol == symbol)
        for layout, year in FILED:
            number = len(names) + 1
            name = f"{number}.txt" if request.param == "numbers" else f"ACME_{2030 - number}_10Q.txt"
            (folder / "f" / name).write_text(f"{layout(company, year).text}\n\n{FIGURES}", encoding="utf-8")
            names[name] = f"{symbol} {layout.__name__} {year}"
    return build_warehouse(folder / "w", folder / "f"), names


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What was Best Buy's gross margin in the FY2022 10-K?", "BBY cover_in_capitals 2022"),
        ("Best Buy capital expenditures according to its annual report for 2021", "BBY cover_in_capitals 2021"),
        ("best buy fy22 capital expenditures", "BBY cover_in_capitals 2022"),
        ("What was Best Buy's gross margin in Q2 of FY2022, as its 10-Q says?", "BBY quarterly_form 2022"),
        ("BBY gross margin Q2 2023", "BBY quarterly_form 2023"),
        (
            "What did the Best Buy earnings release say about gross margin in Q2 2022?",
            "BBY release_with_a_dateline 2022",
        ),
        ("Who was elected at Best Buy according to the 8-K dated May 18, 2022?", "BBY current_report 2022"),
        ("Boeing 8-K directors elected", "BA current_report 2022"),
        ("Boeing proxy statement directors", "BA proxy_statement 2022"),
        ("What was said about dividends on the Boeing earnings call for Q2 2022?", "BA transcript 2022"),
        ("3M press release full year 2022 dividend", "MMM release_with_a_headline 2022"),
        ("MMM's effective tax rate in its 10-Q for the quarter ended June 30, 2023", "MMM quarterly_form 2023"),
    ],
)
def test_the_form_and_the_period_that_are_asked_for(
    filed: tuple[Warehouse, dict[str, str]], question: str, first: str
) -> None:
    warehouse, names = filed
    hits = find(warehouse, SearchRequest(question), open_embedder("hashing"), date(2026, 1, 1)).hits
    assert names[PurePosixPath(hits[0].citation.source).name] == first


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("in its 10K", ("10-K",)),
        ("the annual report of 2022", ("10-K", "annual report")),
        ("the earnings press release", ("earnings release",)),
        ("2022年年度报告", ("10-K", "annual report")),
        ("an annual meeting", ()),
        ("the press", ()),
    ],
)
def test_forms_are_asked_for_in_the_words_of_people(question: str, forms: tuple[str, ...]) -> None:
    known = {"paper_types": ("10-K", "10-Q", "annual report", "earnings release", "Review")}
    assert find_soft_filters(question, lambda field: known.get(field, ())).paper_types == forms
