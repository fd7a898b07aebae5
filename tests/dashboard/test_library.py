from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.drawing.listing import Row, as_csv, chosen
from tests.dashboard.pages import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse
from warehouse.records import DateOrigin, Kind, Status

Draw = Callable[..., AppTest]


def test_every_document_is_listed_with_what_is_known_of_it(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library")
    assert not page.exception
    table = page.dataframe[0].value
    assert list(table["source"]) == [holding.file.source for holding in warehouse.documents()]
    report = table[table["source"] == "vault/report.md"].iloc[0]
    assert str(report["date"])[:10] == "2025-06-30"
    assert (report["kind"], report["date_from"], report["tables"]) == ("note", DateOrigin.FRONT_MATTER.value, 1)
    assert report["chunks"] > 0


def test_headline_counts_what_is_held(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library")
    figures = {metric.label: metric.value for metric in page.metric}
    held = warehouse.documents()
    assert figures["Documents"] == str(len(held) - 1)
    assert figures["Chunks"] == str(sum(holding.chunk_count for holding in held))
    assert figures["Unreadable files"] == "1"
    assert "Generation 1, published 2025-11-22 03:00 UTC" in page.caption[0].value


def test_unreadable_files_are_shown_with_their_reason(draw: Draw, warehouse: Warehouse) -> None:
    refused = next(holding for holding in warehouse.documents() if holding.status is Status.UNREADABLE)
    text = said(draw("library"))
    assert refused.reason
    assert "vault/broken.pdf" in text
    assert refused.reason in text


def test_findings_are_counted_by_rule(draw: Draw, warehouse: Warehouse) -> None:
    table = draw("library").dataframe[1].value
    assert [tuple(row) for row in table.values] == [tuple(row.values()) for row in warehouse.findings()]
    assert "error" in set(table["severity"])


@pytest.mark.parametrize(
    ("parameters", "sources"),
    [
        ({"text": "OLDER jan"}, []),
        ({"text": "older"}, ["vault/notes/older.md"]),
        ({"text": "revenue"}, ["vault/report.md"]),
        ({"kind": ["course"]}, ["vault/course.txt"]),
    ],
)
def test_the_address_holds_the_filters(draw: Draw, parameters: dict[str, str], sources: list[str]) -> None:
    page = draw("library", **parameters)
    assert not page.exception
    shown = [] if "No document satisfies" in said(page) else list(page.dataframe[0].value["source"])
    assert shown == sources


def test_a_filter_narrows_the_list(draw: Draw) -> None:
    page = draw("library")
    page.multiselect(key="kind").set_value([Kind.COURSE]).run()
    assert list(page.dataframe[0].value["kind"]) == ["course"]


def test_the_browser_keeps_the_filters_in_the_address(draw: Draw) -> None:
    page = draw("library")
    widgets = (page.text_input(key="text"), page.multiselect(key="kind"), page.multiselect(key="root"))
    assert [widget.proto.query_param_key for widget in widgets] == ["text", "kind", "root"]


def test_nonsense_in_the_address_harms_nothing(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library", kind=["<script>"], root=["../.."])
    assert not page.exception
    assert len(page.dataframe[0].value) == len(warehouse.documents())


def test_names_of_files_are_text(draw: Draw) -> None:
    page = draw("library")
    assert "evil.example" not in markdown_of(page)
    assert not {"b", "script", "img", "a"} & Reading(html_of(page)).tags


def test_csv_holds_all_columns_and_no_formula(warehouse: Warehouse) -> None:
    rows = [Row.of(holding) for holding in chosen(warehouse.documents(), [], [], "")]
    read = list(csv.DictReader(io.StringIO(as_csv(rows).decode("utf-8-sig"))))
    assert [row["source"] for row in read] == [row.source for row in rows]
    assert {row["date"] for row in read} >= {"2025-06-30", "2023-01-15"}
