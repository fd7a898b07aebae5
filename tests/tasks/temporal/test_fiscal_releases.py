"""The calendar of a company that never says when its years end, learned from its releases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from hypothesis import example, given
from hypothesis import strategies as st

from tasks.temporal.document import with_calendar, with_company_calendars, with_times
from tasks.temporal.fiscal_inference import choose_calendar
from tests.examples import examples
from tests.tasks.temporal.releases import STYLES, Release, in_a_page, in_a_table, in_one_sentence, without_days
from warehouse.records import Attributes, CatalogEntry, DateClaim, DateOrigin, Document, Kind, SourceFile, Status
from warehouse.records.calendars import FiscalCalendar, Weeks

PATTERNS = ((13, 26, 39), (12, 24, 36), (16, 28, 40))


def learned(of: Release, style: Callable[[Release], str]) -> Attributes:
    claim = DateClaim(of.written, DateOrigin.DATELINE)
    return with_times(Document(Kind.REPORT, "text/plain", style(of), (), language="en", dates=(claim,))).attributes


calendars = st.builds(
    FiscalCalendar,
    st.integers(1, 12),
    st.just("true"),
    weeks=st.none() | st.builds(Weeks, st.integers(0, 6), st.booleans(), st.sampled_from(PATTERNS)),
    named_by_start=st.booleans(),
)


@given(calendars, st.integers(2015, 2027), st.integers(1, 3), st.sampled_from(STYLES))
@example(FiscalCalendar(8, "", weeks=Weeks(6, quarters=(12, 24, 36))), 2023, 3, in_one_sentence)
@example(FiscalCalendar(1, "", weeks=Weeks(5), named_by_start=True), 2023, 2, in_a_page)
@example(FiscalCalendar(2, "", weeks=Weeks(5, nearest=False, quarters=(16, 28, 40))), 2024, 1, in_a_table)
@examples(6)
def test_the_period_of_a_release_is_its_company_s_own(
    calendar: FiscalCalendar, year: int, quarter: int, style: Callable[[Release], str]
) -> None:
    of = Release(calendar, year, quarter)
    found = learned(of, style)
    assert (found.reported_name, found.reported_start, found.reported_end) == (f"Q{quarter} {year}", of.start, of.end)


@given(calendars, st.integers(2015, 2027), st.integers(1, 3), st.integers(1, 3), st.sampled_from(STYLES))
@examples(2)
def test_a_release_without_days_has_those_that_another_of_its_company_tells(
    calendar: FiscalCalendar, year: int, quarter: int, other: int, style: Callable[[Release], str]
) -> None:
    told, silent = Release(calendar, year, other), Release(calendar, year, quarter)
    found = with_company_calendars([entry("told", told, style), entry("silent", silent, without_days)], {})
    assert found[1].reported_name == f"Q{quarter} {year}"
    assert found[1].reported_start is not None
    assert found[1].reported_end is not None
    # Quarters of 12 weeks go with one of 16, and the second or third alone does not say which one that is.
    slack = 35 if calendar.weeks and calendar.weeks.quarters != (13, 26, 39) else 1
    assert abs(found[1].reported_start - silent.start).days <= slack
    assert abs(found[1].reported_end - silent.end).days <= slack
    if other == quarter:
        assert (found[1].reported_start, found[1].reported_end) == (silent.start, silent.end)


def test_a_company_that_says_nothing_of_its_years_keeps_what_each_document_says() -> None:
    silent = Release(FiscalCalendar(12, ""), 2023, 2)
    (found,) = with_company_calendars([entry("silent", silent, without_days)], {})
    assert found.fiscal_calendar is None
    assert (found.reported_start, found.reported_end) == (date(2023, 4, 1), date(2023, 7, 1))


def test_the_settings_decide_for_a_company_too() -> None:
    silent = Release(FiscalCalendar(9, ""), 2023, 2)
    (found,) = with_company_calendars([entry("silent", silent, without_days)], {"docs": "09-30"})
    assert (found.reported_start, found.reported_end) == (date(2023, 1, 1), date(2023, 4, 1))


def entry(name: str, of: Release, style: Callable[[Release], str]) -> CatalogEntry:
    own = replace(learned(of, style), company=of.company)
    file = SourceFile(f"docs/{name}.txt", "docs", f"{name}.txt", "", 0, 0)
    made = CatalogEntry(name, file, Status.PUBLISHED, kind=Kind.REPORT, document_date=of.written, attributes=own)
    return with_calendar(made, choose_calendar(own.year_ends))
