"""Mentions and documents over time, and the days and intervals of their charts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.pages.timeline.timeline_charts import chart_counts, chart_coverage, chart_figure
from dashboards.pages.timeline.timeline_queries import (
    OutsideCounts,
    TimelineQuery,
    choose_interval,
    count_by_name,
    count_documents_outside,
    count_documents_over_time,
    count_longer_mentions,
    count_mentions_over_time,
    count_timeline,
    find_date_extent,
    list_most_frequent_names,
)
from tasks.coverage import CoverageKind, Interval
from tests.building import build_warehouse
from tests.building_reports import build_reports
from warehouse.reader import Warehouse

SINCE, UNTIL = date(2023, 1, 1), date(2026, 1, 1)


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_reports(tmp_path_factory.mktemp("filed"))


def test_mentions_stand_in_their_quarter(filed: Warehouse) -> None:
    shown = TimelineQuery(Interval.QUARTER, "Company", SINCE, UNTIL)
    rows = count_mentions_over_time(filed, shown)
    assert {row["period"] for row in rows} >= {date(2024, 1, 1), date(2024, 7, 1), date(2025, 1, 1)}
    assert {row["name"] for row in rows} == {"QUILL CO., INC."}
    every = sum(count_timeline(filed, shown, 999).periods["mentions"].to_pylist())
    assert sum(row["count"] for row in rows) + count_longer_mentions(filed, shown) == every


def test_documents_stand_at_their_day(filed: Warehouse) -> None:
    rows = count_documents_over_time(filed, TimelineQuery(Interval.MONTH, "Kind", SINCE, UNTIL))
    assert sorted(row["period"] for row in rows) == [date(2024, 4, 1), date(2024, 10, 1), date(2025, 4, 1)]


def test_a_name_narrows_the_bars(filed: Warehouse) -> None:
    assert count_mentions_over_time(filed, TimelineQuery(Interval.YEAR, "Company", SINCE, UNTIL, ("nobody",))) == []


def test_usual_days_hold_what_is_mentioned(filed: Warehouse) -> None:
    extent = find_date_extent(filed)
    assert extent
    assert extent.full[0] <= extent.typical[0] <= date(2023, 3, 31)
    assert extent.full[1] >= extent.typical[1] >= date(2025, 3, 31)


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
    extent = find_date_extent(scattered)
    assert extent is not None
    assert (extent.full[0].year, extent.full[1].year) == (1066, 2101)
    assert date(2018, 12, 1) <= extent.typical[0] <= date(2019, 4, 1)
    assert date(2024, 9, 1) <= extent.typical[1] <= date(2025, 1, 1)
    shown = TimelineQuery(Interval.QUARTER, "Kind", date(2019, 1, 1), date(2025, 1, 1))
    assert count_timeline(scattered, shown, 1).mentions_outside == OutsideCounts(1, 1)
    assert count_documents_outside(scattered, shown) == OutsideCounts(0, 0, 1)
    assert count_documents_outside(scattered, replace(shown, by="Calendar")) == OutsideCounts(0, 0, 1)
    assert (
        count_documents_outside(scattered, replace(shown, since=date(2025, 1, 1), until=date(2026, 1, 1))).before == 1
    )


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
    assert choose_interval(scattered, TimelineQuery(Interval.YEAR, "Kind", since, until)) is interval


@given(
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
    st.sampled_from(list(Interval)),
)
def test_every_mention_is_drawn_or_counted_as_left_out(
    scattered: Warehouse, one: date, other: date, interval: Interval
) -> None:
    since, until = sorted((one, other))
    if since == until:
        return
    found = count_timeline(scattered, TimelineQuery(interval, "Kind", since, until), 9)
    drawn = sum(row["count"] for row in found.mentions)
    left = found.mentions_outside.before + found.mentions_outside.after + found.longer_mentions
    assert drawn + left == scattered.snapshot.query_rows("SELECT sum(mentions) FROM timeline")[0][0]
    dated = sum(row["count"] for row in found.documents)
    assert dated + found.documents_outside.before + found.documents_outside.after + found.documents_outside.undated == 2


def test_names_beyond_the_most_frequent_are_put_together() -> None:
    day = date(2024, 1, 1)
    rows = [{"name": name, "period": day, "count": count} for name, count in (("a", 9), ("A", 5), ("b", 3), ("", 2))]
    found = {
        row["name"]: row["count"]
        for row in count_by_name(rows, {"A": "a"}, list_most_frequent_names(rows, {"A": "a"}, 1))
    }
    assert found == {"a": 14, "others": 3, "none": 2}


def test_charts_hold_what_they_are_given() -> None:
    bar = {"name": "a", "period": SINCE, "until": UNTIL, "count": 2}
    drawn = chart_counts([bar], "Mentions", "Company", ("2023-01-01", "2026-01-01"), ["b", "a"]).to_dict()
    assert drawn["encoding"]["y"]["title"] == "Mentions"
    assert drawn["encoding"]["color"]["scale"]["domain"] == ["b", "a"]
    cell = {"line": "Works", "period": "Q1", "start": SINCE, "end": UNTIL, "middle": SINCE, "strength": 1.0, "days": ""}
    grid = chart_coverage(
        [{**cell, "cover": CoverageKind.MISSING.value, "mentions": 0, "reports": ""}], ["Works"]
    ).to_dict()
    assert [layer["mark"]["type"] for layer in grid["layer"]] == ["rect", "point"]
    value = {"last": SINCE, "drawn": 1.0, "shown": "1", "latest": True, "kind": "restated", "period": "", "doubt": None}
    value |= {"source": "", "open": "/"}
    assert chart_figure([value], "USD").to_dict()["layer"][1]["encoding"]["href"]["field"] == "open"
