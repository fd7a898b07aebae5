"""A figure whose scale no table states: marked wherever it is shown, and right where sentences tell its scale."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.query_cells import query_cells
from tests.building import build_warehouse
from tests.dashboards.pages.elements import html_of
from warehouse.reader import Warehouse
from warehouse.settings.loader import load_settings

PAGE = """<html><head><title>Results of Quay Wholesale</title></head><body>
<p>May 25, 2023 - Quay Wholesale Corporation announced its results for the third quarter.{said}</p>
<h2>CONDENSED CONSOLIDATED STATEMENTS OF INCOME (unaudited)</h2>
<table><tr><th></th><th>Three months ended May 7, 2023</th><th>Three months ended May 8, 2022</th></tr>
<tr><td>Net sales</td><td>$ 52,604</td><td>$ 51,612</td></tr>
<tr><td>Merchandise costs</td><td>47,175</td><td>46,355</td></tr></table></body></html>"""
SILENT, TOLD = "", " Net sales increased 1.9 percent, to $52.60 billion, from $51.61 billion."


@pytest.fixture(params=[SILENT, TOLD])
def released(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Warehouse, float, str]:
    """The warehouse of one release, the value that its net sales have, and why that is in doubt."""
    folder = tmp_path / "releases"
    folder.mkdir()
    (folder / "q3.html").write_text(PAGE.format(said=request.param))
    warehouse = build_warehouse(tmp_path / "warehouse", folder)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(warehouse.layout.folder))
    if request.param == TOLD:
        return warehouse, 52_604e6, "the table states no scale; it is that of its figures in the text"
    return warehouse, 52_604.0, "no scale is stated of this consolidated statement"


def test_a_doubtful_value_is_marked_on_every_face(
    released: tuple[Warehouse, float, str], draw: Callable[..., AppTest]
) -> None:
    warehouse, value, doubt = released
    ((found, why),) = warehouse.snapshot.query_rows(
        "SELECT value, doubt FROM cells WHERE row_header = 'Net sales' AND text = '$ 52,604'"
    )
    assert (found, why) == (value, doubt)
    context = ToolContext(
        load_settings({"warehouse": warehouse.layout.folder, "embed": {"model": "hashing"}}),
        warehouse,
        date(2023, 7, 1),
    )
    assert f"IN DOUBT: {doubt}" in query_cells(context, "net sales").text
    page = draw("timeline", show="One figure", item="Net sales")
    assert doubt in html_of(page)
    assert value in set(page.dataframe[0].value["value"])
