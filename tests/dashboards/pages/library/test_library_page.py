from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.library.document_parts import DocumentOrder, compute_mean_qualities, sort_entries
from dashboards.serializers.catalogue import build_documents_table
from dashboards.serializers.sheets import as_csv
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.reader import Warehouse
from warehouse.records import DateOrigin, Kind, Status

Draw = Callable[..., AppTest]


def sources(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value["source"])


def test_every_document_is_listed_with_what_is_known_of_it(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library")
    assert not page.exception
    table = page.dataframe[0].value
    assert list(table["source"]) == [entry.file.source for entry in warehouse.list_documents()]
    report = table[table["source"] == "vault/report.md"].iloc[0]
    assert str(report["date"])[:10] == "2025-06-30"
    assert (report["kind"], report["date_from"], report["tables"]) == ("note", DateOrigin.FRONT_MATTER.value, 1)
    assert report["chunks"] > 0


def test_quality_is_the_mean_of_the_passages(draw: Draw, warehouse: Warehouse) -> None:
    scores = warehouse.snapshot.query_records("SELECT document_id, avg(quality_score) AS mean FROM chunks GROUP BY ALL")
    table = draw("library").dataframe[0].value.set_index("document_id")["quality"]
    assert {row["document_id"]: round(row["mean"], 4) for row in scores} == table.dropna().to_dict()


def test_headline_counts_what_is_held(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library")
    figures = {metric.label: metric.value for metric in page.metric}
    held = warehouse.list_documents()
    assert figures["Documents"] == str(len(held) - 1)
    assert figures["Passages"] == str(sum(entry.chunk_count for entry in held))
    assert figures["Unreadable files"] == "1"
    assert "Last import 2025-11-22 03:00 UTC (generation 1)" in page.caption[0].value


def test_unreadable_files_are_shown_with_their_reason(draw: Draw, warehouse: Warehouse) -> None:
    refused = next(entry for entry in warehouse.list_documents() if entry.status is Status.UNREADABLE)
    text = said(draw("library"))
    assert refused.reason
    assert "vault/broken.pdf" in text
    assert refused.reason in text


@pytest.mark.parametrize(
    ("parameters", "found"),
    [
        ({"text": "OLDER jan"}, []),
        ({"text": "older"}, ["vault/notes/older.md"]),
        ({"text": "revenue"}, ["vault/report.md"]),
        ({"kind": ["course"]}, ["vault/course.txt"]),
        ({"status": ["unreadable"]}, ["vault/broken.pdf"]),
    ],
)
def test_the_address_holds_the_filters(draw: Draw, parameters: dict[str, str], found: list[str]) -> None:
    page = draw("library", **parameters)
    assert not page.exception
    assert ([] if "No document matches" in said(page) else sources(page)) == found


def test_the_address_holds_the_order(draw: Draw) -> None:
    assert sources(draw("library", order=DocumentOrder.OLDEST.value))[0] == "vault/notes/older.md"


@pytest.mark.parametrize("order", DocumentOrder)
def test_every_order_keeps_every_document(warehouse: Warehouse, order: DocumentOrder) -> None:
    held, quality = warehouse.list_documents(), compute_mean_qualities(warehouse)
    found = sort_entries(held, quality, order)
    assert sorted(each.document_id for each in found) == sorted(each.document_id for each in held)
    assert found == sort_entries(held[::-1], quality, order)


def test_what_has_no_date_comes_last(warehouse: Warehouse) -> None:
    for order in (DocumentOrder.NEWEST, DocumentOrder.OLDEST):
        dated = [each.document_date is not None for each in sort_entries(warehouse.list_documents(), {}, order)]
        assert dated == sorted(dated, reverse=True)
        assert not all(dated)


def test_a_filter_narrows_the_list(draw: Draw) -> None:
    page = draw("library")
    page.multiselect(key="library-kind").set_value([Kind.COURSE]).run()
    assert list(page.dataframe[0].value["kind"]) == ["course"]


def test_the_browser_keeps_the_filters_in_the_address(draw: Draw) -> None:
    page = draw("library")
    filters = [page.multiselect(key=f"library-{name}") for name in ("kind", "root", "status")]
    widgets = [page.text_input(key="library-text"), *filters, page.selectbox(key="library-order")]
    assert [widget.proto.query_param_key for widget in widgets] == [widget.key for widget in widgets]


def test_nonsense_in_the_address_harms_nothing(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library", kind=["<script>"], root=["../.."], order="<b>", status=["x"])
    assert not page.exception
    assert len(page.dataframe[0].value) == len(warehouse.list_documents())


def test_names_of_files_are_text(draw: Draw) -> None:
    page = draw("library")
    assert "evil.example" not in markdown_of(page)
    assert not {"b", "script", "img", "a"} & Reading(html_of(page)).tags


def test_downloads_hold_every_column_of_every_document(warehouse: Warehouse) -> None:
    table = build_documents_table(warehouse.list_documents(), compute_mean_qualities(warehouse))
    assert len(table) == len(warehouse.list_documents())
    assert b"2025-06-30" in as_csv(table)
    assert build_documents_table([], {}).schema == table.schema


def test_the_way_back_from_a_document_leaves_it_out_of_the_address(draw: Callable[..., AppTest]) -> None:
    page = draw("library", document="course.txt", page="1")
    next(button for button in page.button if button.label == "All documents").click().run()
    assert dict(page.query_params) == {}
    assert page.title[0].value == "Library"
