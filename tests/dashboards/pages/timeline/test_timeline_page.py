"""The timeline page: dates mentioned, periods missing between reports, a figure and its restatement."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.timeline.timeline_charts import ZOOM
from dashboards.pages.timeline.timeline_page import parse_dragged_days
from tasks.coverage import Interval
from tests.building import build_warehouse
from tests.building_reports import build_reports
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    return build_reports(tmp_path_factory.mktemp("filed"))


@pytest.fixture
def reports(filed: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """The page is drawn over them."""
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(filed.layout.folder))
    return filed


def test_both_charts_are_drawn(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline")
    assert not page.exception
    assert [header.value for header in page.header] == ["Dates mentioned", "Documents by date"]


@pytest.mark.parametrize("group", ["Company", "Topic", "Kind", "Calendar"])
def test_bars_can_be_grouped(draw: Draw, reports: Warehouse, group: str) -> None:
    page = draw("timeline", by=group, interval="Year")
    assert not page.exception
    assert "Something went wrong" not in said(page)
    assert next(box.value for box in page.selectbox if box.label == "Group by") == group
    assert "by year" in markdown_of(page)


def test_days_without_mentions_say_so_and_what_lies_elsewhere(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", since="1801-01-01", until="1802-01-01")
    assert "No date is mentioned between these days" in said(page)
    assert "after 1801 not drawn" in markdown_of(page)
    assert "3 documents after 1801 not drawn." in markdown_of(page)


def test_the_interval_is_chosen_by_the_days(draw: Draw, reports: Warehouse) -> None:
    assert "by quarter" in markdown_of(draw("timeline"))
    assert "by day" in markdown_of(draw("timeline", since="2024-04-15", until="2024-04-25"))
    page = draw("timeline", since="1500-01-01", until="2024-04-25", interval="Month")
    assert "bars of a month would be too thin to see" in markdown_of(page)


def test_what_is_dragged_over_is_taken_to_whole_bars() -> None:
    ends = [datetime(2024, 8, 3, 7, tzinfo=UTC), datetime(2024, 2, 11, 5, tzinfo=UTC)]
    selected = {"selection": {ZOOM: {"period": [end.timestamp() * 1000 for end in ends]}}}
    assert parse_dragged_days(selected, Interval.QUARTER) == (date(2024, 1, 1), date(2024, 10, 1))
    assert parse_dragged_days(selected, Interval.DAY) == (date(2024, 2, 11), date(2024, 8, 4))
    assert parse_dragged_days({"selection": {ZOOM: {}}}, Interval.DAY) is None
    assert parse_dragged_days({}, Interval.DAY) is None
    assert parse_dragged_days({"selection": {ZOOM: {"period": [-1e18, 1e18]}}}, Interval.CENTURY) == (
        date.min,
        date.max,
    )


def test_all_of_it_leads_back_from_chosen_days(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", interval="Quarter", since="2024-01-01", until="2024-10-01")
    assert "**Jan 1 to Sep 30, 2024**, by quarter" in markdown_of(page)
    page.button("timeline-all").click().run()
    assert "**Jan 1 to Sep 30, 2024**" not in markdown_of(page)
    assert not [box for box in page.date_input if box.value]


def test_an_end_before_its_beginning_is_one_line(draw: Draw, reports: Warehouse) -> None:
    assert "is not after the start, 2024-01-01" in said(draw("timeline", since="2024-01-01", until="2023-01-01"))


def test_missing_periods_are_named_on_the_page(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", show="Coverage")
    assert [header.value for header in page.header] == ["Missing periods"]
    assert "No report of QUILL CO., INC. covers Q2 2024 (Apr 1 to Jun 30, 2024)" in said(page)
    assert "Q4 2024" in said(page)
    assert "No period is missing" not in said(page)
    assert "A period is missing when no report covers it although it lies between" in markdown_of(page)


def test_documents_miss_no_periods(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", show="Coverage", lines="Documents")
    assert not page.exception
    assert "No report of" not in said(page)


def test_a_restatement_is_told_and_leads_to_its_table(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", show="One figure", item="Total revenue")
    assert not page.exception
    told = "Restated for Jan 1 to Mar 31, 2024: 101,500,000 USD became 103,200,000 USD in filings/q5.html"
    assert told in said(page)
    table = page.dataframe[0].value
    assert [value / 1e6 for value in table["value"]] == [90.0, 99.0, 101.5, 103.2, 120.0, 131.0]
    assert set(table["unit"]) == {"USD"}
    assert set(table["scale"]) == {"million"}
    assert all(link.startswith("/tables?document=") and "table=1" in link and "cell=" in link for link in table["open"])


def test_a_figure_that_no_table_has_is_said(draw: Draw, reports: Warehouse) -> None:
    told = said(draw("timeline", show="One figure", item="Goodwill of the moon"))
    assert "No table has “Goodwill of the moon” with a period" in told


@pytest.mark.parametrize("side", ["Over time", "Coverage", "One figure"])
def test_a_warehouse_without_times_says_so(
    draw: Draw, side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nNothing here names any time at all.\n", encoding="utf-8")
    built = build_warehouse(tmp_path / "w", tmp_path / "notes")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(built.layout.folder))
    page = draw("timeline", show=side)
    assert not page.exception
    assert "Something went wrong" not in said(page)


@pytest.mark.parametrize(
    "address",
    [
        {"show": "<b>", "interval": "aeon", "by": "'; DROP"},
        {"show": "Coverage", "lines": "x", "coverage-company": ["nobody"], "coverage-page": "77"},
        {"show": "One figure", "company": "<script>", "item": "<img src=x>", "length": "z"},
        {"show": "One figure", "item": "2023"},
    ],
)
def test_nonsense_in_the_address_harms_nothing(draw: Draw, address: dict[str, str | list[str]]) -> None:
    page = draw("timeline", **address)
    assert not page.exception
    assert "Something went wrong" not in said(page)
    assert not {"script", "b", "img"} & Reading(html_of(page)).tags
