"""Which dates are mentioned when, which periods reports cover, and what they say of one figure."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.pages.timeline.charts import counts_chart, coverage_chart, figure_chart
from dashboards.pages.timeline.figure_series import (
    FigureValue,
    figure_labels,
    figure_series,
    is_different_value,
    is_other_scale,
    length_of,
    mark_doubtful_scales,
)
from dashboards.pages.timeline.queries import (
    OutsideCounts,
    TimelineQuery,
    count_by_name,
    count_longer_mentions,
    date_extent,
    document_counts,
    documents_outside,
    fitting_interval,
    frequent_periods,
    mention_counts,
    mentions_outside,
    most_frequent_names,
)
from dashboards.pages.timeline.queries import timeline_counts as over_time_of
from tasks.ask.figures.figure_cells import FigureCell
from tasks.coverage.calendar import (
    CoverageKind,
    Interval,
    PeriodCoverage,
    bar_of,
    missing_periods,
    next_bar,
    period_coverage,
    periods_of,
    unreported_quarters,
)
from tasks.coverage.companies import CoverageRow, PeriodReport, company_rows, document_rows, list_companies
from tests.building import build_warehouse
from tests.dashboards.pages.reporting import build_reports
from warehouse.reader import Warehouse
from warehouse.records.fiscal import FiscalCalendar, Weeks

TODAY = date(2026, 1, 1)
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


def test_mentions_stand_in_their_quarter(filed: Warehouse) -> None:
    shown = TimelineQuery(Interval.QUARTER, "Company", SINCE, UNTIL)
    rows = mention_counts(filed, shown)
    assert {row["period"] for row in rows} >= {date(2024, 1, 1), date(2024, 7, 1), date(2025, 1, 1)}
    assert {row["name"] for row in rows} == {"QUILL CO., INC."}
    every = sum(frequent_periods(filed, shown, 999)["mentions"].to_pylist())
    assert sum(row["count"] for row in rows) + count_longer_mentions(filed, shown) == every


def test_documents_stand_at_their_day(filed: Warehouse) -> None:
    rows = document_counts(filed, TimelineQuery(Interval.MONTH, "Kind", SINCE, UNTIL))
    assert sorted(row["period"] for row in rows) == [date(2024, 4, 1), date(2024, 10, 1), date(2025, 4, 1)]


def test_a_name_narrows_the_bars(filed: Warehouse) -> None:
    assert mention_counts(filed, TimelineQuery(Interval.YEAR, "Company", SINCE, UNTIL, ("nobody",))) == []


def test_usual_days_hold_what_is_mentioned(filed: Warehouse) -> None:
    extent = date_extent(filed)
    assert extent
    assert extent.whole[0] <= extent.usual[0] <= date(2023, 3, 31)
    assert extent.whole[1] >= extent.usual[1] >= date(2025, 3, 31)


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


def test_outliers_are_not_drawn_but_counted(scattered: Warehouse) -> None:
    extent = date_extent(scattered)
    assert extent is not None
    assert (extent.whole[0].year, extent.whole[1].year) == (1066, 2101)
    assert date(2018, 12, 1) <= extent.usual[0] <= date(2019, 4, 1)
    assert date(2024, 9, 1) <= extent.usual[1] <= date(2025, 1, 1)
    shown = TimelineQuery(Interval.QUARTER, "Kind", date(2019, 1, 1), date(2025, 1, 1))
    assert mentions_outside(scattered, shown) == OutsideCounts(1, 1)
    assert documents_outside(scattered, shown) == OutsideCounts(0, 0, 1)
    assert documents_outside(scattered, replace(shown, by="Calendar")) == OutsideCounts(0, 0, 1)
    assert documents_outside(scattered, replace(shown, since=date(2025, 1, 1), until=date(2026, 1, 1))).before == 1


@pytest.mark.parametrize(
    ("since", "until", "interval"),
    [
        (date(2019, 1, 1), date(2025, 1, 1), Interval.QUARTER),
        (date(2000, 1, 1), date(2030, 1, 1), Interval.YEAR),
        (date(1066, 1, 1), date(2101, 1, 1), Interval.CENTURY),
        (date(1600, 1, 1), date(2101, 1, 1), Interval.DECADE),
    ],
)
def test_the_interval_fits_the_days_and_the_mentions(
    scattered: Warehouse, since: date, until: date, interval: Interval
) -> None:
    assert fitting_interval(scattered, TimelineQuery(Interval.YEAR, "Kind", since, until)) is interval


@given(
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
    st.sampled_from(list(Interval)),
)
@settings(max_examples=30, deadline=None)
def test_every_mention_is_drawn_or_counted_as_left_out(
    scattered: Warehouse, one: date, other: date, interval: Interval
) -> None:
    since, until = sorted((one, other))
    if since == until:
        return
    found = over_time_of(scattered, TimelineQuery(interval, "Kind", since, until), 9)
    drawn = sum(row["count"] for row in found.mentions)
    left = found.mentions_outside.before + found.mentions_outside.after + found.longer
    assert drawn + left == scattered.sql("SELECT sum(mentions) FROM timeline").rows[0][0]
    dated = sum(row["count"] for row in found.documents)
    assert dated + found.documents_outside.before + found.documents_outside.after + found.documents_outside.undated == 2


@given(st.dates(), st.sampled_from(list(Interval)))
def test_a_bar_holds_its_days(day: date, interval: Interval) -> None:
    assert bar_of(day, interval) <= day
    assert next_bar(bar_of(day, interval), interval) > day or day.year > 9890
    assert bar_of(bar_of(day, interval), interval) == bar_of(day, interval)


def test_names_beyond_the_most_frequent_are_put_together() -> None:
    day = date(2024, 1, 1)
    rows = [{"name": name, "period": day, "count": count} for name, count in (("a", 9), ("A", 5), ("b", 3), ("", 2))]
    found = {
        row["name"]: row["count"] for row in count_by_name(rows, {"A": "a"}, most_frequent_names(rows, {"A": "a"}, 1))
    }
    assert found == {"a": 14, "others": 3, "none": 2}


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


def test_a_company_is_covered_by_its_reports(filed: Warehouse) -> None:
    (own,) = company_rows(filed, list_companies(filed))
    found = dict(covers(period_coverage(own, Interval.QUARTER, date(2024, 1, 1), date(2025, 4, 1))))
    assert found == {
        "Q1 2024": CoverageKind.REPORT,
        "Q2 2024": CoverageKind.MISSING,
        "Q3 2024": CoverageKind.REPORT,
        "Q4 2024": CoverageKind.MISSING,
        "Q1 2025": CoverageKind.REPORT,
    }
    assert all(not each.follows for each in document_rows(filed, 0, 9))


def test_a_year_covers_its_quarters_in_part_and_quarters_a_year() -> None:
    year = line((date(2024, 1, 1), date(2025, 1, 1)))
    assert {cover for _, cover in covers(period_coverage(year, Interval.QUARTER, SINCE, UNTIL))} == {CoverageKind.PART}
    quarter = line((date(2024, 1, 1), date(2024, 4, 1)))
    assert covers(period_coverage(quarter, Interval.YEAR, SINCE, UNTIL)) == [("2024", CoverageKind.PART)]


def test_weeks_of_a_fiscal_quarter_cover_it() -> None:
    own = line((date(2023, 4, 30), date(2023, 7, 30)), first_month=2, name="Q2 2024")
    found = covers(period_coverage(own, Interval.QUARTER, SINCE, UNTIL))
    assert found == [("fiscal Q2 2024", CoverageKind.REPORT)]


def test_squares_are_those_of_the_weeks_of_a_company() -> None:
    grocer = FiscalCalendar(8, "", weeks=Weeks(6, quarters=(12, 24, 36)))
    own = replace(line((date(2023, 2, 13), date(2023, 5, 8)), first_month=9), calendar=grocer)
    found = period_coverage(own, Interval.QUARTER, SINCE, UNTIL)
    assert ("fiscal Q3 2023", CoverageKind.REPORT) in covers(found)
    assert [cover for _, cover in covers(found)].count(CoverageKind.REPORT) == 1
    (square,) = (each for each in found if each.cover is CoverageKind.REPORT)
    assert (square.period.start, square.period.end) == (date(2023, 2, 13), date(2023, 5, 8))


def test_a_year_of_which_most_is_missing_is_a_hole() -> None:
    quarters = [(date(year, 1, 1), date(year, 4, 1)) for year in (2023, 2024)] + [(date(2025, 1, 1), date(2026, 1, 1))]
    found = dict(covers(period_coverage(line(*quarters), Interval.YEAR, SINCE, UNTIL)))
    assert found == {"2023": CoverageKind.MISSING, "2024": CoverageKind.MISSING, "2025": CoverageKind.REPORT}


def test_holes_beside_each_other_are_one_sentence() -> None:
    own = line((date(2024, 1, 1), date(2024, 4, 1)), (date(2024, 10, 1), date(2025, 1, 1)))
    assert missing_periods("Works", period_coverage(own, Interval.QUARTER, SINCE, UNTIL)) == [
        "No report of Works covers Q2 2024 to Q3 2024 (Apr 1 to Sep 30, 2024)"
    ]


PERIODS = st.tuples(st.integers(2015, 2024), st.integers(1, 4))


@given(st.sets(PERIODS, min_size=1), st.sampled_from([1, 2, 7, 9]), st.sampled_from([None, Weeks(5)]))
def test_what_is_missing_lies_between_the_first_and_the_last_report(
    reported: set[tuple[int, int]], first_month: int, weeks: Weeks | None
) -> None:
    calendar = FiscalCalendar((first_month - 2) % 12 + 1, "", weeks=weeks)
    own = [calendar.months(year, quarter * 3 - 2, 3) for year, quarter in reported]
    found = period_coverage(
        replace(line(*own, first_month=first_month), calendar=calendar), Interval.QUARTER, SINCE_LONG, UNTIL
    )
    covered = {(s.period.start, s.period.end) for s in found if s.cover is CoverageKind.REPORT}
    absent = {(s.period.start, s.period.end) for s in found if s.cover is CoverageKind.MISSING}
    first, last = min(reported), max(reported)
    between = {(y, q) for y in range(2015, 2025) for q in (1, 2, 3, 4) if first < (y, q) < last}
    assert covered == set(own)
    assert absent == {calendar.months(y, q * 3 - 2, 3) for y, q in between - reported}
    assert bool(missing_periods("Works", found)) == bool(between - reported)


def test_a_quarter_that_only_the_annual_report_covers_is_told() -> None:
    own = line(
        (date(2023, 1, 1), date(2023, 4, 1)),
        (date(2023, 1, 1), date(2024, 1, 1)),
        (date(2024, 1, 1), date(2024, 4, 1)),
        (date(2024, 4, 1), date(2024, 7, 1)),
    )
    found = period_coverage(own, Interval.QUARTER, SINCE, UNTIL)
    assert missing_periods("Works", found) == []
    assert unreported_quarters("Works", found) == [
        "Only a longer report of Works covers Q2 2023 to Q3 2023 (Apr 1 to Sep 30, 2023)"
    ]
    annual = period_coverage(line((date(2023, 1, 1), date(2024, 1, 1))), Interval.QUARTER, SINCE, UNTIL)
    assert unreported_quarters("Works", annual) == []


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.sampled_from(SHORT), st.integers(1, 12))
def test_periods_follow_each_other_without_gaps(since: date, interval: Interval, month: int) -> None:
    found = list(periods_of(line(first_month=month), interval, since, date(since.year + 3, 1, 1)))
    assert found[0].start <= since < found[0].end
    assert all(one.end == other.start for one, other in pairwise(found))
    assert len({period.name for period in found}) == len(found)


def test_the_last_bar_of_the_calendar_ends() -> None:
    assert next_bar(date(2024, 12, 1), Interval.MONTH) == date(2025, 1, 1)
    assert next_bar(date(9999, 10, 1), Interval.QUARTER) == date.max


def test_a_later_value_restates_an_earlier_one(filed: Warehouse) -> None:
    said_of = figure_series(filed, "Total revenue", (), TODAY)
    assert [(each.value, each.earlier) for each in said_of if each.earlier is not None] == [
        (103_200_000.0, 101_500_000.0)
    ]
    assert {each.length for each in said_of} == {"quarter"}
    assert "Total revenue" in figure_labels(filed, ())


def test_rows_that_name_nothing_are_not_offered(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    rows = "".join(f"| {name} | 12 |\n" for name in ("Total", "Other, net", "2023", "Total sales"))
    text = f"---\ndate: 2024-03-31\n---\n# Sales\n\n| Item | Q1 2024 |\n| --- | --- |\n{rows}"
    (tmp_path / "f" / "a.md").write_text(text, encoding="utf-8")
    assert figure_labels(build_warehouse(tmp_path / "W", tmp_path / "f"), ()) == ["Total sales"]


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("101.5", "101.52", False), ("101.5", "101.8", True), ("1,015", "1,016", False), ("1,015", "1,017", True)],
)
def test_a_rounded_value_is_no_restatement(one: str, other: str, apart: bool) -> None:
    assert is_different_value(figure(one), figure(other)) == apart


def figure(text: str, scale: float = 1.0) -> FigureCell:
    value = float(text.replace(",", "")) * scale
    return FigureCell("", 1, 1, 1, "", "", text, 0, 0, value, "", scale, "USD", SINCE, UNTIL, "", "", 1.0, None)


def test_the_same_digits_in_another_scale_are_in_doubt_and_no_restatement() -> None:
    assert is_other_scale(figure("52,604"), figure("52,604", 1e6))
    assert not is_other_scale(figure("52,604", 1e6), figure("51,610", 1e6))
    assert not is_other_scale(figure("52,604"), figure("-52,604", 1e6))
    assert not is_other_scale(figure("52,604"), figure("51.61", 1e9))


@given(st.lists(st.floats(4e9, 9e9), min_size=3, max_size=9), st.sampled_from([1e-6, 1e-3, 1e3]))
def test_a_value_far_from_most_is_in_doubt(values: list[float], scale: float) -> None:
    usual = [FigureValue(figure(f"{value:.0f}"), "f/a", None, "quarter") for value in values]
    assert not any(each.doubt for each in mark_doubtful_scales(usual))
    wrong = FigureValue(figure(f"{values[0]:.0f}", scale), "f/b", None, "quarter")
    found = mark_doubtful_scales([*usual, wrong])
    assert [bool(each.doubt) for each in found] == [*[False] * len(values), True]
    assert found[-1].doubt.endswith("its scale may be another")


def test_two_documents_of_one_period_with_other_scales(tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    head = "FORM 10-Q\n\nVale Holdings, Inc.\n\n(Exact name of registrant as specified in its charter)\n\n{}\n\n"
    table = "| Item | Q1 2024 |\n| --- | --- |\n| Net sales | $52,604 |\n"
    for stem, scale in (("a", "(in millions)"), ("b", "(in dollars)")):
        text = head.format(f"Date: April 2{'a' in stem:d}, 2024\n\n{scale}") + table
        (tmp_path / "f" / f"{stem}.md").write_text(text, encoding="utf-8")
    found = figure_series(build_warehouse(tmp_path / "w", tmp_path / "f"), "Net sales", (), TODAY)
    assert sorted(each.value for each in found) == [52_604.0, 52_604e6]
    assert [each.earlier for each in found] == [None, None]
    assert [bool(each.doubt) for each in found] == [False, True]


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (1, "at a day"),
        (28, "month"),
        (31, "month"),
        (91, "quarter"),
        (112, "quarter"),
        (119, "quarter"),
        (168, "half year"),
        (182, "half year"),
        (371, "year"),
    ],
)
def test_lengths_have_names(days: int, name: str) -> None:
    assert length_of(date(2024, 1, 1), date.fromordinal(date(2024, 1, 1).toordinal() + days)) == name


def test_charts_hold_what_they_are_given() -> None:
    bar = {"name": "a", "period": SINCE, "until": UNTIL, "count": 2}
    drawn = counts_chart([bar], "Mentions", "Company", ("2023-01-01", "2026-01-01"), ["b", "a"]).to_dict()
    assert drawn["encoding"]["y"]["title"] == "Mentions"
    assert drawn["encoding"]["color"]["scale"]["domain"] == ["b", "a"]
    cell = {"line": "Works", "period": "Q1", "start": SINCE, "end": UNTIL, "middle": SINCE, "strength": 1.0, "days": ""}
    grid = coverage_chart(
        [{**cell, "cover": CoverageKind.MISSING.value, "mentions": 0, "reports": ""}], ["Works"]
    ).to_dict()
    assert [layer["mark"]["type"] for layer in grid["layer"]] == ["rect", "point"]
    value = {"last": SINCE, "drawn": 1.0, "shown": "1", "latest": True, "kind": "restated", "period": "", "doubt": None}
    value |= {"source": "", "open": "/"}
    assert figure_chart([value], "USD").to_dict()["layer"][1]["encoding"]["href"]["field"] == "open"


def test_documents_of_one_title_have_a_row_each(scattered: Warehouse) -> None:
    assert [each.name for each in document_rows(scattered, 0, 9)] == ["Sales (f/a.md)", "Sales (f/b.md)"]
