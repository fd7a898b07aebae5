"""The page of SQL: what it runs, shows, keeps and refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.sql import sql_page as sql
from dashboards.pages.sql.sql_queries import EXAMPLES, SavedQueries, make_empty_schema, read_warehouse_schema
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading, html_of, markdown_of, said
from warehouse.errors import BadInput
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]


@pytest.fixture
def own(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Warehouse:
    """A warehouse that a test may write queries into."""
    built = build_warehouse(tmp_path / "own", corpus)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(built.layout.folder))
    return built


def test_no_query_is_run_at_first_and_the_tables_are_listed(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("sql")
    assert not page.exception
    assert "No query yet" in said(page)
    tables = read_warehouse_schema(warehouse)
    assert {"documents", "chunks", "cells", "totals"} <= {table.name for table in tables}
    assert all(table.description for table in tables)
    assert "Each body cell with its header paths" in said(page)
    assert "row_header" in said(page)


def test_the_query_of_the_address_is_run(draw: Draw) -> None:
    page = draw("sql", query="SELECT kind, count(*) AS documents FROM documents GROUP BY kind ORDER BY kind")
    assert not page.exception
    assert {"note", "course"} <= set(page.dataframe[0].value["kind"])
    assert any("rows, 2 columns, in " in caption.value for caption in page.caption)
    assert page.get("vega_lite_chart") or page.get("arrow_vega_lite_chart")
    assert page.text_area(key="sql-query").proto.query_param_key == "sql-query"


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("SELECT x\nFROM nowhere", "nowhere does not exist"),
        ("SELECT titel\nFROM documents", "(line 1, column 8)"),
        ("DROP TABLE documents", "only one SELECT"),
        ("SELECT * FROM read_text('/etc/passwd')", "disabled"),
        ("INSTALL httpfs", "only one SELECT"),
        ("SELECT 1; SELECT 2", "only one SELECT"),
        ("SELECT <img src=x>", "syntax error"),
    ],
)
def test_a_query_that_cannot_be_run_is_one_line(draw: Draw, query: str, problem: str) -> None:
    page = draw("sql", query=query)
    assert not page.exception
    assert problem in said(page)
    assert not page.dataframe
    assert "img" not in Reading(html_of(page)).tags


def test_more_rows_than_are_shown_are_said(draw: Draw) -> None:
    page = draw("sql", query="SELECT range AS n FROM range(1001)")
    assert len(page.dataframe[0].value) == 1000
    assert "There are more rows." in said(page)
    assert any(caption.value.startswith("The first 1,000 rows") for caption in page.caption)


def test_a_click_on_a_table_or_an_example_asks_for_it(draw: Draw) -> None:
    page = draw("sql")
    page.button(key="sql-table-cells").click().run()
    assert not page.exception
    assert {"row_header", "value"} <= set(page.dataframe[0].value.columns)
    page.button(key="sql-example-1").click().run()
    assert page.text_area(key="sql-query").value == list(EXAMPLES.values())[1]
    assert "vault/report.md" in said(page) or len(page.dataframe[0].value)
    assert {button.key for button in page.button} >= {"sql-before-0", "sql-before-1"}


def test_a_query_is_kept_used_and_deleted(draw: Draw, own: Warehouse) -> None:
    page = draw("sql", query="SELECT 41 AS parts")
    page.text_input(key="sql-keep-name").set_value("parts of Ä")
    page.button(key="sql-keep-it").click().run()
    assert not page.exception
    file = own.layout.folder / "queries" / "parts of Ä.sql"
    assert file.read_text(encoding="utf-8") == "SELECT 41 AS parts\n"
    page.text_area(key="sql-query").set_value("").run()
    page.button(key="sql-saved-parts of Ä").click().run()
    assert page.dataframe[0].value["parts"].tolist() == [41]
    page.button(key="sql-delete-it-parts of Ä").click().run()
    assert not page.exception
    assert not list(file.parent.iterdir())


@pytest.mark.parametrize("name", ["", " ", "../up", "a/b", "a.sql", ".hidden", "x" * 61, "a\x00b", "![x](y)", "-"])
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a query"):
        SavedQueries(tmp_path).save(name, "SELECT 1")
    assert not list(tmp_path.iterdir())


def test_a_kept_query_is_not_written_over(tmp_path: Path) -> None:
    kept = SavedQueries(tmp_path)
    kept.save("one", "SELECT 1")
    with pytest.raises(BadInput, match="already"):
        kept.save("one", "SELECT 2")
    assert kept.read_text("one") == "SELECT 1\n"
    assert kept.list_names() == ["one"]
    assert [path.name for path in kept.folder.iterdir()] == ["one.sql"]
    with pytest.raises(BadInput, match="there is no query"):
        kept.read_text("two")


def test_what_documents_say_is_text(draw: Draw) -> None:
    page = draw("sql", query="SELECT text, source FROM contents JOIN documents USING (document_id)")
    assert not page.exception
    assert not {"script", "img"} & Reading(html_of(page)).tags
    assert "evil.example" not in markdown_of(page)


def test_before_the_first_import_tables_and_examples_are_listed(
    draw: Draw, warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert make_empty_schema() == read_warehouse_schema(warehouse)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "none"))
    for parameters in ({}, {"query": "SELECT 1"}):
        page = draw("sql", **parameters)
        assert not page.exception
        assert "nothing has been ingested" in said(page)
        assert {button.key for button in page.button} >= {"sql-table-documents", "sql-example-1"}


def test_a_query_that_takes_too_long_can_be_narrowed_or_downloaded(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql, "SECONDS", 0.2)
    page = draw("sql", query="SELECT count(*) FROM range(1e12::BIGINT)")
    assert not page.exception
    assert "The query took longer than 0.2 s." in said(page)
    assert "Narrow it with WHERE or LIMIT, or download the result: a download may take 120 s." in said(page)
    assert [each.proto.label for each in page.get("download_button")][:1] == ["CSV"]


def test_a_mistake_leads_to_the_list_of_tables(draw: Draw) -> None:
    assert "listed under “Tables”" in said(draw("sql", query="SELECT titel FROM documents"))
