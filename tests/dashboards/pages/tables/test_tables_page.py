"""The page of tables: choosing, the true grid, cells as parsed, and figures found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
REPORT = Path(__file__).parents[4] / "samples/reports/northlight-fy2025-q3.pdf"
SUMS = """---
date: 2025-06-30
---
# Sums

Revenue by segment (in millions)

| Segment | Q1 2025 | Q2 2025 |
| --- | --- | --- |
| Turbines | 40 | 41 |
| Service | 6 | 7 |
| Parts <img src=x onerror=alert(1)> | 1 | 2 |
| Total | 47 | 55 |

Staff by site

| Site | Q2 2025 |
| --- | --- |
| Kiel | 12 |
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A PDF's table, one whose second total is wrong, and one beside that."""
    place = tmp_path_factory.mktemp("tables")
    (place / "docs").mkdir()
    (place / "docs" / "sums.md").write_text(SUMS, encoding="utf-8")
    shutil.copy(REPORT, place / "docs")
    return build_warehouse(place / "w", place / "docs")


@pytest.fixture(autouse=True)
def _here(held: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(held.layout.folder))


def of(held: Warehouse, name: str) -> str:
    return held.find_document_id(f"docs/{name}") or ""


def test_every_table_is_listed_and_filtered_by_the_address(draw: Draw, held: Warehouse) -> None:
    page = draw("tables")
    assert not page.exception
    assert len(page.dataframe[0].value) == held.snapshot.query_rows("SELECT count(*) FROM tables")[0][0]
    narrow = draw("tables", words="TURBINES q2", named="sums", during="Q2 2025", kind=["note"])
    assert list(narrow.dataframe[0].value["title"]) == ["Sums"]
    assert "No table matches" in said(draw("tables", words="nothing like it"))


def test_a_table_is_a_true_grid_with_its_wrong_total_marked(draw: Draw, held: Warehouse) -> None:
    page = draw("tables", document=of(held, "sums.md"), table="1")
    assert not page.exception
    html = html_of(page)
    assert '<th scope="row"><bdi>Turbines</bdi></th>' in html
    assert html.count('class="k-figure k-wrong"') == 1
    assert 'data-cell="4.2"' in html[html.index("k-figure k-wrong") :][:80]
    assert "50,000,000: 5,000,000 too much" in said(page)
    assert not {"img", "script"} & Reading(html).tags


def test_the_chosen_cell_is_told_as_it_was_parsed(draw: Draw, held: Warehouse) -> None:
    page = draw("tables", document=of(held, "sums.md"), table="1", cell="1.2")
    text = said(page)
    assert "Value41,000,000" in text
    assert "Printed inmillion" in text
    assert "2025-04-01 to 2025-06-30" in text
    assert 'data-cell="1.2" aria-pressed="true"' in html_of(page)


def test_the_chosen_cell_is_boxed_on_its_page(draw: Draw, held: Warehouse) -> None:
    page = draw("tables", document=of(held, REPORT.name), table="1", cell="1.1")
    assert not page.exception
    assert page.get("image")[0].proto.imgs[0].caption.startswith("Page ")
    assert "Choose a cell" not in markdown_of(page)


@pytest.mark.parametrize(
    "address",
    [
        {"document": "nonsense", "table": "1"},
        {"document": "../..", "table": "99999999999999999999"},
        {"document": "<b>", "table": "x", "cell": "a.b", "p": "-3", "part": "nothing", "sort": "x'; DROP"},
    ],
)
def test_nonsense_in_the_address_harms_nothing(draw: Draw, address: dict[str, str]) -> None:
    page = draw("tables", **address)
    assert not page.exception
    assert len(page.dataframe[0].value) > 1


def chosen(page: AppTest, row: int) -> AppTest:
    """The page after a click on a row of its list."""
    key = page.dataframe[0].key
    assert key
    page.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return page.run()


def test_a_choice_in_the_list_opens_the_table(draw: Draw, held: Warehouse) -> None:
    page = chosen(draw("tables", named="sums"), 0)
    assert page.query_params["document"] == of(held, "sums.md")
    assert page.query_params["table"] == "1"
    assert "Totals that do not add up: 1 of 2 checked totals." in said(page)


def test_a_found_cell_opens_its_table_at_the_cell(draw: Draw) -> None:
    page = chosen(draw("tables", part="All cells", row="turbines", at="Q2 2025"), 0)
    assert page.query_params["cell"] == "1.2"
    assert 'data-cell="1.2" aria-pressed="true"' in html_of(page)


def test_the_way_from_a_table_to_its_neighbours(draw: Draw, held: Warehouse) -> None:
    document = of(held, "sums.md")
    page = draw("tables", document=document, table="1", cell="1.1")
    page.button(key="tables-Next").click().run()
    assert dict(page.query_params) == {"document": document, "table": "2"}
    page.button(key="tables-Previous").click().run()
    assert page.query_params["table"] == "1"
    page.button(key="tables-2 tables of this document").click().run()
    assert dict(page.query_params) == {"document": document}
    assert set(page.dataframe[0].value["number"]) == {1, 2}


def test_figures_are_found_by_question(draw: Draw) -> None:
    page = draw("tables", part="Find a figure", item="turbines")
    assert not page.exception
    first = page.dataframe[0].value.iloc[0]
    assert (first["value"], first["period"], first["printed"]) == (41_000_000, "2025-04-01 to 2025-06-30", "41")
    none = draw("tables", part="Find a figure", item="zebras")
    assert "No table has a figure with this name." in said(none)
    wrong = draw("tables", part="Find a figure", item="revenue", of="nobody")
    assert "there is no document 'nobody'" in said(wrong)


def test_all_cells_are_filtered(draw: Draw) -> None:
    page = draw("tables", part="All cells", row="turbines", at="Q2 2025", least="1000000")
    assert not page.exception
    assert list(page.dataframe[0].value["value"]) == [41_000_000]
    assert "names no time" in said(draw("tables", part="All cells", at="zebra"))
    assert "the lowest value, 3, is above the highest, 2" in said(draw("tables", part="All cells", least="3", most="2"))


def test_names_are_text(draw: Draw) -> None:
    page = draw("tables")
    assert "<img" not in markdown_of(page)


def test_no_table_anywhere_is_an_empty_state(draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nNo table.\n")
    build_warehouse(tmp_path / "w", tmp_path / "docs")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "w"))
    for part in ("Tables", "Find a figure", "All cells"):
        page = draw("tables", part=part)
        assert not page.exception
        assert page.html
