"""The company, form and period of a document are those that its first pages say, whatever its file is called."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.entities.companies import with_company
from tasks.query.subjects import find_subjects
from tasks.temporal.document import with_times
from tasks.temporal.fiscal_inference import choose_calendar
from tasks.temporal.reported_periods import find_file_period
from tests.examples import examples
from tests.tasks.entities.filing_covers import (
    COMPANIES,
    LAYOUTS,
    Layout,
    Listed,
    cover_behind_a_letter,
    cover_in_capitals,
    current_report,
    release_with_a_headline,
)
from warehouse.records import Document, Kind
from warehouse.search.catalogue import Catalogue, NamedDocument, make_company_key

YEARS = st.integers(2005, 2024)
LAYOUTS_OF_A_COMPANY = (cover_in_capitals, release_with_a_headline, current_report, cover_behind_a_letter)


def read(text: str, title: str = "") -> Document:
    return with_company(with_times(Document(Kind.REPORT, "text/plain", text, (), title=title)))


def period(document: Document, name: str) -> tuple[date | None, date | None]:
    found = find_file_period(document.attributes, name, choose_calendar(document.attributes.year_ends), None)
    return (found.start, found.end) if found else (None, None)


EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
A_FILING = given(company=st.sampled_from(COMPANIES), year=YEARS)


@EVERY_LAYOUT
@examples(0.5)
@A_FILING
def test_the_first_pages_decide(layout: Layout, company: Listed, year: int) -> None:
    check_first_pages(layout, company, year)


@pytest.mark.slow
@EVERY_LAYOUT
@examples(12)
@A_FILING
def test_the_first_pages_of_many_filings_decide(layout: Layout, company: Listed, year: int) -> None:
    check_first_pages(layout, company, year)


def check_first_pages(layout: Layout, company: Listed, year: int) -> None:
    pages = layout(company, year)
    document = read(pages.text)
    assert make_company_key(document.attributes.company) in {
        make_company_key(company.name),
        make_company_key(company.short),
    }
    assert document.attributes.paper_type == pages.form
    assert period(document, "7.pdf") == (pages.start, pages.end)
    assert document.attributes.company in document.title
    if pages.start:
        # A file that is named for another year changes nothing.
        assert period(document, f"report_{year - 3}_10K.pdf") == (pages.start, pages.end)


@given(company=st.sampled_from(COMPANIES), layouts=st.tuples(*[st.sampled_from(LAYOUTS)] * 2), year=YEARS)
def test_a_title_of_the_file_gets_the_name_of_the_company(
    company: Listed, layouts: tuple[Layout, Layout], year: int
) -> None:
    document = read(layouts[0](company, year).text, title="Overview")
    assert document.title == f"{document.attributes.company}: Overview"


@pytest.mark.parametrize("title", ["EX-99.1", "ex-99_1", "Exhibit 99.1"])
def test_the_headline_of_a_release_replaces_the_number_of_its_exhibit(title: str) -> None:
    headline = "Northgate Instruments Reports Third Quarter 2024 Results"
    text = f"Exhibit 99.1\n\n{headline}\n\nPORTLAND, Ore., May 9, 2024 (GLOBE NEWSWIRE) -- Northgate Instruments, Inc."
    assert read(f"{text} (NASDAQ: NGIX) today reported results for the quarter.", title=title).title == headline


@cache
def numbered() -> Catalogue:
    """Documents of each company in each of its layouts, by number."""
    found = []
    for company in COMPANIES:
        for layout in LAYOUTS_OF_A_COMPANY:
            own = read(layout(company, 2021).text)
            names, number = own.attributes, str(len(found))
            found.append(
                NamedDocument(
                    number, own.kind, own.title, names.company, names.symbols, names.aliases, number, None, 100
                )
            )
    return Catalogue(found)


@pytest.mark.parametrize("company", COMPANIES, ids=lambda company: company.symbol)
def test_all_documents_of_a_company_are_found_by_whatever_it_is_called(company: Listed) -> None:
    first = COMPANIES.index(company) * len(LAYOUTS_OF_A_COMPANY)
    own = {str(first + place) for place in range(len(LAYOUTS_OF_A_COMPANY))}
    for name in company.asked:
        for frame in (
            "What was the revenue of {} in FY2021?",
            "revenue of {} FY21",
            "Is {} a capital-intensive business?",
        ):
            question = frame.format(name)
            text = question.lower() if name.islower() else question
            found = find_subjects(text, numbered(), lambda words: {})
            assert {document for each in found for document in each.documents} == own, text


@pytest.mark.parametrize(
    "name",
    ["Owens Corning", "Johnson Controls", "American Tower", "General Motors", "Boeing Employees Credit Union", "AXA"],
)
def test_a_company_without_a_filing_is_not_given_another_ones(name: str) -> None:
    assert not find_subjects(f"What was the revenue of {name} in FY2021?", numbered(), lambda words: {})


def test_a_comparison_names_both() -> None:
    found = find_subjects("Compare the capex of Boeing and Best Buy in FY2021", numbered(), lambda words: {})
    assert [each.text for each in found] == ["Boeing", "Best Buy"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Vale Holdings, Inc. (together with its subsidiaries, “Vale”, the “Company” or “we”) makes boxes.", ("Vale",)),
        ("Vale Holdings Inc. d/b/a Box Barn sells boxes.", ("Box Barn",)),
        ("Vale Holdings, Inc. (formerly Square Boxes, Inc.) sells boxes.", ("Square Boxes",)),
        ("Vale Holdings, Inc. (the “Company”) sells boxes.", ()),
        ("Vale Holdings, Inc. bought Hill Corporation (“Hill”).", ()),
    ],
)
def test_what_else_a_document_calls_its_company(text: str, names: tuple[str, ...]) -> None:
    cover = "FORM 10-K\n\nVale Holdings, Inc.\n(Exact name of registrant as specified in its charter)\n\n"
    assert read(cover + text).attributes.aliases == names


@pytest.mark.parametrize(
    ("text", "company", "form", "symbols", "aliases"),
    [
        (
            "公司代码：600123 公司简称：北光仪器\n\n北光仪器股份有限公司\n2022年年度报告\n\n",
            "北光仪器股份有限公司",
            "annual report",
            ("600123",),
            ("北光仪器",),
        ),
        ("北光仪器股份有限公司2023年第三季度报告\n", "北光仪器股份有限公司", "quarterly report", (), ()),
    ],
)
def test_a_chinese_report(
    text: str, company: str, form: str, symbols: tuple[str, ...], aliases: tuple[str, ...]
) -> None:
    found = read(text).attributes
    assert (found.company, found.paper_type, found.symbols, found.aliases) == (company, form, symbols, aliases)


@pytest.mark.parametrize(
    "text",
    [
        "Annual Report 2022\n\nOur year\n\nConsolidated Annual Report 2022\n\nConsolidated Annual Report 2022\n",
        "The committee reports on earnings.\n\nTo the shareholders: thank you.\n",
        "Minutes of the board\n\nWe read the annual report of last year.\n",
    ],
)
def test_words_that_head_any_report_are_nobodys_name(text: str) -> None:
    assert read(text).attributes.company == ""
