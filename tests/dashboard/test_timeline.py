"""The page of time: what is spoken of when, the holes between reports, a figure and its restatement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.building import build_warehouse
from tests.dashboard.pages import Reading, html_of, said
from tests.dashboard.reporting import build_reports
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
    assert [header.value for header in page.header] == ["Times spoken of", "Documents"]


@pytest.mark.parametrize("parted", ["Company", "Topic", "Kind", "Calendar"])
def test_bars_can_be_parted(draw: Draw, parted: str) -> None:
    page = draw("timeline", parted=parted, grain="year")
    assert not page.exception
    assert "Something went wrong" not in said(page)


def test_days_without_mentions_say_so(draw: Draw, reports: Warehouse) -> None:
    assert "Nothing is named between these days" in said(draw("timeline", since="1801-01-01", until="1802-01-01"))


def test_an_end_before_its_beginning_is_one_line(draw: Draw, reports: Warehouse) -> None:
    assert "no day lies from 2024-01-01" in said(draw("timeline", since="2024-01-01", until="2023-01-01"))


def test_holes_are_named_on_the_page(draw: Draw, reports: Warehouse) -> None:
    text = said(draw("timeline", show="Coverage"))
    assert "No report of QUILL CO., INC. covers Q2 2024 (2024-04-01 to 2024-06-30)" in text
    assert "Q4 2024" in text


def test_documents_have_no_holes(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", show="Coverage", lines="Documents")
    assert not page.exception
    assert "No report of" not in said(page)


def test_a_restatement_is_told_and_leads_to_its_table(draw: Draw, reports: Warehouse) -> None:
    page = draw("timeline", show="One figure", item="Total revenue")
    assert not page.exception
    assert "Restated for 2024-01-01 to 2024-03-31: 101,500,000 became 103,200,000 in filings/q5.html" in said(page)
    table = page.dataframe[0].value
    assert [value / 1e6 for value in table["value"]] == [90.0, 99.0, 101.5, 103.2, 120.0, 131.0]
    assert all(link.startswith("/tables?document=") and "table=1" in link and "cell=" in link for link in table["open"])


def test_a_figure_that_no_table_has_is_said(draw: Draw, reports: Warehouse) -> None:
    assert "No table has a figure called so" in said(draw("timeline", show="One figure", item="Goodwill of the moon"))


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
        {"show": "<b>", "grain": "aeon", "parted": "'; DROP"},
        {"show": "Coverage", "lines": "x", "of": ["nobody"], "at": "77"},
        {"show": "One figure", "company": "<script>", "item": "<img src=x>", "length": "z"},
        {"show": "One figure", "item": "2023"},
    ],
)
def test_nonsense_in_the_address_harms_nothing(draw: Draw, address: dict[str, str | list[str]]) -> None:
    page = draw("timeline", **address)
    assert not page.exception
    assert "Something went wrong" not in said(page)
    assert not {"script", "b", "img"} & Reading(html_of(page)).tags
