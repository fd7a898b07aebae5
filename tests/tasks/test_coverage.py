"""Fiscal periods and their coverage by reports; rows of companies and documents."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.coverage import (
    CoverageKind,
    CoverageRow,
    Interval,
    PeriodCoverage,
    PeriodReport,
    build_company_rows,
    build_document_rows,
    compute_period_coverage,
    describe_missing_periods,
    describe_unreported_quarters,
    find_bar_start,
    find_next_bar,
    iter_periods,
    list_companies,
)
from tests.building import build_warehouse
from tests.building_reports import build_reports
from warehouse.reader import Warehouse
from warehouse.records.calendars import FiscalCalendar, Weeks

SINCE_LONG = date(2012, 1, 1)
SHORT = (Interval.MONTH, Interval.QUARTER, Interval.YEAR)
SINCE, UNTIL = date(2023, 1, 1), date(2026, 1, 1)


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_reports(tmp_path_factory.mktemp("filed"))


def line(*reported: tuple[date, date], first_month: int = 1, name: str = "") -> CoverageRow:
    return CoverageRow("Works", first_month, tuple(PeriodReport("", "", name, *each) for each in reported), ())


def covers(found: list[PeriodCoverage]) -> list[tuple[str, CoverageKind]]:
    return [(square.period.name, square.cover) for square in found]


@given(st.dates(), st.sampled_from(list(Interval)))
def test_a_bar_holds_its_days(day: date, interval: Interval) -> None:
    assert find_bar_start(day, interval) <= day
    assert find_next_bar(find_bar_start(day, interval), interval) > day or day.year > 9890
    assert find_bar_start(find_bar_start(day, interval), interval) == find_bar_start(day, interval)


def test_a_company_is_covered_by_its_reports(filed: Warehouse) -> None:
    (own,) = build_company_rows(filed, list_companies(filed))
    found = dict(covers(compute_period_coverage(own, Interval.QUARTER, date(2024, 1, 1), date(2025, 4, 1))))
    assert found == {
        "Q1 2024": CoverageKind.REPORT,
        "Q2 2024": CoverageKind.MISSING,
        "Q3 2024": CoverageKind.REPORT,
        "Q4 2024": CoverageKind.MISSING,
        "Q1 2025": CoverageKind.REPORT,
    }
    assert all(not each.follows for each in build_document_rows(filed, 0, 9))


def test_a_year_covers_its_quarters_in_part_and_quarters_a_year() -> None:
    year = line((date(2024, 1, 1), date(2025, 1, 1)))
    assert {cover for _, cover in covers(compute_period_coverage(year, Interval.QUARTER, SINCE, UNTIL))} == {
        CoverageKind.PART
    }
    quarter = line((date(2024, 1, 1), date(2024, 4, 1)))
    assert covers(compute_period_coverage(quarter, Interval.YEAR, SINCE, UNTIL)) == [("2024", CoverageKind.PART)]


def test_weeks_of_a_fiscal_quarter_cover_it() -> None:
    own = line((date(2023, 4, 30), date(2023, 7, 30)), first_month=2, name="Q2 2024")
    found = covers(compute_period_coverage(own, Interval.QUARTER, SINCE, UNTIL))
    assert found == [("fiscal Q2 2024", CoverageKind.REPORT)]


def test_squares_are_those_of_the_weeks_of_a_company() -> None:
    grocer = FiscalCalendar(8, "", weeks=Weeks(6, quarters=(12, 24, 36)))
    own = replace(line((date(2023, 2, 13), date(2023, 5, 8)), first_month=9), calendar=grocer)
    found = compute_period_coverage(own, Interval.QUARTER, SINCE, UNTIL)
    assert ("fiscal Q3 2023", CoverageKind.REPORT) in covers(found)
    assert [cover for _, cover in covers(found)].count(CoverageKind.REPORT) == 1
    (square,) = (each for each in found if each.cover is CoverageKind.REPORT)
    assert (square.period.start, square.period.end) == (date(2023, 2, 13), date(2023, 5, 8))


def test_a_year_of_which_most_is_missing_is_a_hole() -> None:
    quarters = [(date(year, 1, 1), date(year, 4, 1)) for year in (2023, 2024)] + [(date(2025, 1, 1), date(2026, 1, 1))]
    found = dict(covers(compute_period_coverage(line(*quarters), Interval.YEAR, SINCE, UNTIL)))
    assert found == {"2023": CoverageKind.MISSING, "2024": CoverageKind.MISSING, "2025": CoverageKind.REPORT}


def test_holes_beside_each_other_are_one_sentence() -> None:
    own = line((date(2024, 1, 1), date(2024, 4, 1)), (date(2024, 10, 1), date(2025, 1, 1)))
    assert describe_missing_periods("Works", compute_period_coverage(own, Interval.QUARTER, SINCE, UNTIL)) == [
        "No report of Works covers Q2 2024 to Q3 2024 (Apr 1 to Sep 30, 2024)"
    ]


PERIODS = st.tuples(st.integers(2015, 2024), st.integers(1, 4))


@given(st.sets(PERIODS, min_size=1), st.sampled_from([1, 2, 7, 9]), st.sampled_from([None, Weeks(5)]))
def test_what_is_missing_lies_between_the_first_and_the_last_report(
    reported: set[tuple[int, int]], first_month: int, weeks: Weeks | None
) -> None:
    calendar = FiscalCalendar((first_month - 2) % 12 + 1, "", weeks=weeks)
    own = [calendar.find_months(year, quarter * 3 - 2, 3) for year, quarter in reported]
    found = compute_period_coverage(
        replace(line(*own, first_month=first_month), calendar=calendar), Interval.QUARTER, SINCE_LONG, UNTIL
    )
    covered = {(s.period.start, s.period.end) for s in found if s.cover is CoverageKind.REPORT}
    absent = {(s.period.start, s.period.end) for s in found if s.cover is CoverageKind.MISSING}
    first, last = min(reported), max(reported)
    between = {(y, q) for y in range(2015, 2025) for q in (1, 2, 3, 4) if first < (y, q) < last}
    assert covered == set(own)
    assert absent == {calendar.find_months(y, q * 3 - 2, 3) for y, q in between - reported}
    assert bool(describe_missing_periods("Works", found)) == bool(between - reported)


def test_a_quarter_that_only_the_annual_report_covers_is_told() -> None:
    own = line(
        (date(2023, 1, 1), date(2023, 4, 1)),
        (date(2023, 1, 1), date(2024, 1, 1)),
        (date(2024, 1, 1), date(2024, 4, 1)),
        (date(2024, 4, 1), date(2024, 7, 1)),
    )
    found = compute_period_coverage(own, Interval.QUARTER, SINCE, UNTIL)
    assert describe_missing_periods("Works", found) == []
    assert describe_unreported_quarters("Works", found) == [
        "Only a longer report of Works covers Q2 2023 to Q3 2023 (Apr 1 to Sep 30, 2023)"
    ]
    annual = compute_period_coverage(line((date(2023, 1, 1), date(2024, 1, 1))), Interval.QUARTER, SINCE, UNTIL)
    assert describe_unreported_quarters("Works", annual) == []


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.sampled_from(SHORT), st.integers(1, 12))
def test_periods_follow_each_other_without_gaps(since: date, interval: Interval, month: int) -> None:
    found = list(iter_periods(line(first_month=month), interval, since, date(since.year + 3, 1, 1)))
    assert found[0].start <= since < found[0].end
    assert all(one.end == other.start for one, other in pairwise(found))
    assert len({period.name for period in found}) == len(found)


def test_the_last_bar_of_the_calendar_ends() -> None:
    assert find_next_bar(date(2024, 12, 1), Interval.MONTH) == date(2025, 1, 1)
    assert find_next_bar(date(9999, 10, 1), Interval.QUARTER) == date.max


@pytest.fixture(scope="module")
def scattered(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("scattered")
    (folder / "f").mkdir()
    quarters = "".join(f"Sales rose in Q{q} {year}. " for year in range(2019, 2025) for q in (1, 2, 3, 4))
    for name, head, rest in (
        ("a", "---\ndate: 2024-05-02\n---\n", "The abbey was founded on October 14, 1066. The lease ends in 2100."),
        ("b", "", ""),
    ):
        (folder / "f" / f"{name}.md").write_text(f"{head}# Sales\n\n{quarters}{rest}\n", encoding="utf-8")
    return build_warehouse(folder / "w", folder / "f")


def test_one_company_under_two_names(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    for stem, name in (("a", "QUILL CO., INC."), ("b", "Quill")):
        text = f"FORM 10-K\n\n{name}\n\n(Exact name of registrant as specified in its charter)\n\nIt went on.\n"
        (tmp_path / "f" / f"{stem}.txt").write_text(text, encoding="utf-8")
    found = list_companies(build_warehouse(tmp_path / "w", tmp_path / "f"))
    assert [len(company.documents) for company in found] == [2]


def test_a_company_has_the_plainest_of_its_names_and_one_row(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    cover = "FORM 10-K\n\n{}\n\n(Exact name of registrant as specified in its charter)\n\nIt went on.\n"
    texts = {
        "a": cover.format("ORRIN CORP"),
        "b": cover.format("Orrin Corporation"),
        "c": "Orrin Reports Second-Quarter 2022 Results\n\nSales rose.\n",
        "d": "OBAN, Wash., May 25, 2023 (GLOBE NEWSWIRE) -- Vale Boxes, Inc. (NYSE: VLB) today announced results.\n",
        "e": "OBAN, Wash., May 26, 2022 (GLOBE NEWSWIRE) -- Vale (NYSE: VLB) today announced its results.\n",
    }
    for stem, text in texts.items():
        (tmp_path / "f" / f"{stem}.txt").write_text(text, encoding="utf-8")
    found = list_companies(build_warehouse(tmp_path / "w", tmp_path / "f"))
    assert [(company.name, company.spellings) for company in found] == [
        ("Orrin", ("ORRIN CORP", "Orrin", "Orrin Corporation")),
        ("Vale", ("Vale", "Vale Boxes, Inc.")),
    ]
    assert [len(company.documents) for company in found] == [3, 2]


def test_documents_of_one_title_have_a_row_each(scattered: Warehouse) -> None:
    assert [each.name for each in build_document_rows(scattered, 0, 9)] == ["Sales (f/a.md)", "Sales (f/b.md)"]
