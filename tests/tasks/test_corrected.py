"""Figures and fiscal calendars as people corrected them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.document_date import find_date_disputes
from tasks.tables.cells import read_cells as cells_of
from tasks.tables.totals import find_totals
from tasks.temporal.fiscal_inference import choose_calendar, find_year_ends, make_corrected_calendar
from tests.tasks.documents import Draft, Rows
from warehouse.records import (
    Cell,
    CorrectedField,
    Correction,
    DateClaim,
    DateOrigin,
    Document,
    DocumentCorrections,
    TableMark,
)
from warehouse.records.calendars import (
    MONTH_END,
    FiscalCalendar,
    Weeks,
    YearEndRule,
    get_year_end_rule,
    parse_year_end_rule,
)
from warehouse.records.corrections import SCALES

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)
RELEASE = "Results for the twelve weeks ended May 7, 2023. Gull today reported its third quarter."


def said(document: Document, **values: str) -> DocumentCorrections:
    """Corrections of the first table: field and value."""
    mark = TableMark.from_table(document.tables[0], document.tables)
    own = (Correction("a", "", CorrectedField(field), value, MOMENT, "", mark) for field, value in values.items())
    return DocumentCorrections(tuple(own))


def cells(document: Document, corrections: DocumentCorrections) -> dict[str, Cell]:
    found = cells_of(document, find_totals(document, corrections), "", corrections)
    return {cell.text: cell for cell in found}


def values(rows: Rows, *, above: str = "", caption: str = "", **corrected: str) -> dict[str, float | None]:
    draft = Draft().paragraph(above) if above else Draft()
    document = draft.table(rows, caption=caption).document()
    return {text: cell.value for text, cell in cells(document, said(document, **corrected)).items()}


def test_a_label_that_counts_otherwise_than_the_table_keeps_its_word() -> None:
    rows = [
        ["", "2023", "2022"],
        ["Sales", "52,604", "50,046"],
        ["Costs", "46,023", "44,102"],
        ["Fees ($000)", "9", "8"],
    ]
    found = values(rows, scale="millions")
    assert (found["52,604"], found["9"]) == (52_604e6, 9e3)


def test_a_scale_that_was_misread_is_replaced_wherever_it_stood() -> None:
    rows = [["(in thousands)", "2023"], ["Sales", "52,604"], ["Costs", "46,023"]]
    assert values(rows)["52,604"] == 52_604e3
    assert values(rows, scale="millions")["52,604"] == 52_604e6
    assert values(rows, scale="ones")["52,604"] == 52_604
    by_column = [["", "2023 ($ thousands)"], ["Sales", "52,604"], ["Costs", "46,023"]]
    assert values(by_column)["52,604"] == 52_604e3
    assert values(by_column, scale="millions")["52,604"] == 52_604e6


def test_percents_amounts_per_share_and_what_is_excepted_are_not_scaled() -> None:
    rows = [["", "2023"], ["Sales", "52,604"], ["Growth", "3.1%"], ["Earnings per share", "2.93"], ["Employees", "304"]]
    found = values(rows, scale="millions")
    assert (found["52,604"], found["3.1%"], found["2.93"], found["304"]) == (52_604e6, 3.1, 2.93, 304)
    spared = values(
        [["", "2023"], ["Sales", "5"], ["TCE rate", "7"]], caption="(in thousands, except TCE rate)", scale="millions"
    )
    assert (spared["5"], spared["7"]) == (5e6, 7)


@pytest.mark.parametrize(
    ("rows", "doubtful"),
    [
        ([["", "2023"], ["Sales", "$1,001"], ["Costs", "1,002"], ["Other", "1,003"], ["Basic", "1.05"]], "1.05"),
        ([["", "2023"], ["Sales", "5"], ["EBITDA and EPS", "7"]], "7"),
        ([["", "2023"], ["Sales", "5"], ["Shares outstanding", "443"]], "443"),
    ],
)
def test_nothing_is_in_doubt_about_a_scale_that_a_person_gave(rows: Rows, doubtful: str) -> None:
    document = Draft().table(rows, caption="(dollars in millions)").document()
    assert cells(document, DocumentCorrections())[doubtful].doubt
    corrected = cells(document, said(document, scale="millions"))
    assert not [cell.doubt for cell in corrected.values() if cell.doubt]
    assert corrected[doubtful].value is not None


def test_a_currency_is_corrected_beside_each_figure_and_no_other_one() -> None:
    rows = [["", "2023"], ["Sales", "$ 5"], ["Loan", "€ 7"], ["Costs", "3"], ["Margin", "4%"]]
    document = Draft().table(rows).document()
    found = cells(document, said(document, currency="CAD"))
    assert [found[text].currency for text in ("$ 5", "€ 7", "3", "4%")] == ["CAD", "EUR", "CAD", ""]


def test_other_tables_stay_as_they_are_even_those_that_take_their_scale_from_it() -> None:
    rows = [["", "2023"], ["Sales", "5"], ["Costs", "4"]]
    draft = (
        Draft()
        .paragraph("Results in thousands:")
        .table(rows, caption="One")
        .table([["", "2023"], ["Cash", "6"], ["Debt", "7"]], caption="Two")
    )
    document = draft.document()
    before = cells(document, DocumentCorrections())
    after = cells(document, said(document, scale="billions"))
    assert after["5"].value == 5e9
    assert {text: cell for text, cell in after.items() if cell.table == 2} == {
        text: cell for text, cell in before.items() if cell.table == 2
    }


@given(st.sampled_from(sorted(SCALES)), st.lists(st.integers(1, 9999), min_size=1, max_size=5, unique=True))
def test_a_table_of_plain_amounts_is_counted_as_a_person_says(scale: str, figures: list[int]) -> None:
    rows = [["", "Total"], *([f"Row {chr(65 + place)}", f"{figure:,}"] for place, figure in enumerate(figures))]
    found = values(rows, scale=scale)
    # A bare number like a year may be read as one, and is no amount then.
    amounts = [figure for figure in figures if not 1900 <= figure <= 2099]
    assert [found[f"{figure:,}"] for figure in amounts] == [figure * 10.0 ** SCALES[scale] for figure in amounts]


def test_a_person_s_day_takes_its_weeks_from_what_the_text_has_of_them() -> None:
    # By itself the release is no calendar, but it is enough to say how a known year is cut.
    evidence = find_year_ends(RELEASE, "en")
    found = choose_calendar(evidence, "", "08-31")
    assert found is not None
    assert found.find_months(2023, 7, 3) == (date(2023, 2, 13), date(2023, 5, 8))
    assert str(found.basis) == "fiscal years end on 08-31, as corrected by a person"
    exact = choose_calendar(evidence, "", "exactly 08-31")
    assert exact is not None
    assert exact.find_months(2023, 7, 3) == (date(2023, 3, 1), date(2023, 6, 1))


def test_a_person_comes_before_the_settings_and_the_text() -> None:
    evidence = find_year_ends("The fiscal year ended September 30, 2023.", "en")
    assert choose_calendar(evidence, "03-31", "06-30") == make_corrected_calendar(
        evidence, parse_year_end_rule("06-30")
    )
    found = choose_calendar(evidence, "03-31", "Saturday nearest the end of January")
    assert found is not None
    assert found.find_months(2022, 1, 12)[1] == date(2022, 1, 30)


@given(
    st.builds(YearEndRule, st.integers(1, 12), st.integers(1, 27) | st.just(MONTH_END), st.none(), st.booleans())
    | st.builds(YearEndRule, st.integers(1, 12), weeks=st.builds(Weeks, st.integers(0, 6), st.booleans())),
    st.sampled_from(["", RELEASE, "52 weeks ended January 28, 2023", "fiscal year ended December 31, 2022"]),
    st.integers(1990, 2030),
)
def test_any_rule_gives_a_calendar_whose_years_end_by_it(rule: YearEndRule, text: str, year: int) -> None:
    found = make_corrected_calendar(find_year_ends(text, "en"), rule)
    assert isinstance(found, FiscalCalendar)
    assert found.last_month == rule.month
    end = found.find_months(year, 10, 3)[1]
    assert 350 < (end - found.find_months(year, 1, 3)[0]).days < 380
    if rule.exactly or rule.day < MONTH_END:
        assert str(get_year_end_rule(found)) == str(rule).removeprefix("exactly ")
    if rule.weeks:
        assert str(get_year_end_rule(found)) == str(rule)


def test_a_date_that_a_person_gave_is_not_disputed() -> None:
    claims = (DateClaim(date(2010, 1, 1), DateOrigin.DATELINE),)
    assert find_date_disputes(claims, "a.txt", DateClaim(date(2020, 1, 1), DateOrigin.PROPERTIES))
    assert not find_date_disputes(claims, "a.txt", DateClaim(date(2020, 1, 1), DateOrigin.CORRECTED))
