"""What a person corrects on the page of a document or table: kept, imported at once, shown with what it was, undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.widgets import imports
from dashboards.widgets.resources import load_page_context
from tests.building import build_warehouse, copy_made
from tests.dashboards.pages.elements import html_of, said
from tests.dashboards.widgets.test_imports import button, press, until
from warehouse.reader import Warehouse
from warehouse.records import CorrectedField
from warehouse.store import corrections_file
from warehouse.store.layout import Layout

Draw = Callable[..., AppTest]
GULLS = """---
date: 2023-05-25
---
# Gulls

The gull company met last month.

| | 2023 | 2022 |
| --- | --- | --- |
| Net sales | $ 52,604 | $ 51,612 |
| Other income | $ 1,044 | $ 984 |
"""


def made(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "gulls.md").write_text(GULLS, "utf-8")
    build_warehouse(folder / "warehouse", folder / "docs")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    """A warehouse whose Prefect server cannot come up: what an import would do is done by `applied`."""
    copy_made(made, tmp_path)
    held = Warehouse(tmp_path / "warehouse")
    (held.layout.prefect / "server.json").mkdir(parents=True)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(held.layout.folder))
    yield held
    imports.get_background_ingests(load_page_context()).close()


def applied(page: AppTest, own: Warehouse) -> AppTest:
    """The page once the import that it has begun has ended, and its work was done."""
    page = until(page, lambda page: button(page, f"{page_of(page)}-imports-dismiss-"))
    build_warehouse(own.layout.folder, own.layout.folder.parent / "docs")
    return page.run()


def page_of(page: AppTest) -> str:
    return "tables" if page.query_params.get("table") else "library"


def save(page: AppTest) -> AppTest:
    page = press(page, f"FormSubmitter:{page_of(page)}-correct-form")
    assert not page.exception
    return page


def of(own: Warehouse) -> str:
    (entry,) = own.list_documents()
    return entry.document_id


def test_a_document_is_corrected_shown_as_such_and_undone(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document=of(own))
    company, year_end = page.text_input[0], page.text_input[1]
    assert (company.label, company.value, year_end.value) == ("Company", "", "")
    assert page.date_input[0].value == date(2023, 5, 25)
    company.set_value(" Gull  <b>Ltd</b>")
    year_end.set_value("last Sunday in August")
    page.date_input[0].set_value(date(2022, 3, 9))
    page = save(page)
    assert "Saved. It is applied by the import that has begun." in said(page)
    assert "Company: Gull <b>Ltd</b>. Saved by a person, not applied yet." in said(page)
    assert "<b>" not in html_of(page)
    assert {each.field: each.value for each in corrections_file.read(own.layout)} == {
        CorrectedField.COMPANY: "Gull <b>Ltd</b>",
        CorrectedField.FISCAL_YEAR_END: "last Sunday of August",
        CorrectedField.DOCUMENT_DATE: "2022-03-09",
    }
    page = applied(page, own)
    text = said(page)
    assert "2022-03-09 (corrected by a person)" in text
    assert "Document date: 2022-03-09. Corrected by a person: was 2023-05-25 (front matter)." in text
    assert "Company: Gull <b>Ltd</b>. Corrected by a person: nothing was read." in text
    assert "Fiscal year endlast Sunday of August" in text
    assert (page.text_input[0].value, page.text_input[1].value) == ("Gull <b>Ltd</b>", "last Sunday of August")
    page = press(page, "library-correct-undo-document_date")
    assert not page.exception
    assert len(corrections_file.read(own.layout)) == 2
    page = applied(page, own)
    assert "2023-05-25 (from front matter)" in said(page)
    assert page.date_input[0].value == date(2023, 5, 25)


def test_a_table_is_corrected_shown_as_such_and_undone(draw: Draw, own: Warehouse) -> None:
    page = draw("tables", document=of(own), table="1", cell="1.1")
    scale = next(each for each in page.selectbox if each.label == "Amounts are in")
    currency = next(each for each in page.text_input if each.label == "Currency")
    assert (scale.value, currency.value) == ("ones", "USD")
    scale.set_value("millions")
    currency.set_value("cad")
    page = save(page)
    assert "Scale: millions. Saved by a person, not applied yet." in said(page)
    page = applied(page, own)
    text = said(page)
    assert "Scale: millions. Corrected by a person: was ones." in text
    assert "Currency: CAD. Corrected by a person: was USD." in text
    assert own.snapshot.query_rows("SELECT value, currency, doubt FROM cells WHERE text = '$ 52,604'") == [
        (52_604e6, "CAD", "")
    ]
    page = press(page, "tables-correct-undo-scale")
    page = applied(page, own)
    assert "Scale: millions" not in said(page)
    assert own.snapshot.query_rows("SELECT value FROM cells WHERE text = '$ 52,604'") == [(52_604.0,)]


def test_bad_input_is_one_line_with_its_cure_and_nothing_is_kept(draw: Draw, own: Warehouse) -> None:
    page = draw("library", document=of(own))
    assert "Nothing was changed" in said(save(page))
    page.text_input[1].set_value("in summer")
    page = save(page)
    assert "'in summer' does not say when fiscal years end" in said(page)
    assert "write it as MM-DD" in said(page)
    assert page.text_input[1].value == "in summer"
    page.text_input[1].set_value("")
    page.text_input[0].set_value("...")
    assert "'...' is no company's name" in said(save(page))
    page = draw("tables", document=of(own), table="1")
    next(each for each in page.text_input if each.label == "Currency").set_value("dollars")
    assert "'dollars' is no currency" in said(save(page))
    assert not own.layout.corrections.exists()


def test_a_broken_file_of_corrections_is_one_line_on_the_page(draw: Draw, own: Warehouse) -> None:
    Layout(own.layout.folder).corrections.write_text("{")
    for page in (draw("library", document=of(own)), draw("tables", document=of(own), table="1")):
        assert not page.exception
        assert "corrections.json holds no corrections" in said(page)


def test_a_correction_that_fits_no_table_any_more_is_told_and_undone(draw: Draw, own: Warehouse) -> None:
    (entry,) = own.list_documents()
    tables = own.read_tables(entry.document_id)
    corrections_file.correct(own.layout, entry, {CorrectedField.SCALE: "millions"}, tables[0], tables)
    changed = GULLS.replace("| | 2023 | 2022 |", "| | Spring | Winter |")
    (own.layout.folder.parent / "docs" / "gulls.md").write_text(changed, "utf-8")
    build_warehouse(own.layout.folder, own.layout.folder.parent / "docs")
    page = draw("tables", document=of(own), table="1")
    assert "Scale: millions. Corrected by a person, but not applied: no table has this caption" in said(page)
    page = press(page, "tables-correct-undo-scale")
    assert not page.exception
    assert not corrections_file.read(own.layout)
