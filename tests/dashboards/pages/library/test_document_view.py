"""The view of one document: its facts, its outline and its pages, whatever its words look like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.library import document_parts
from dashboards.pages.library.document_parts import (
    OutlineSection,
    find_page_number,
    render_outline,
    render_text_page,
    split_into_pages,
)
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading, html_of, said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
SAMPLES = Path(__file__).parents[4] / "samples"


def id_of(warehouse: Warehouse, path: str) -> str:
    return next(each.document_id for each in warehouse.list_documents() if each.file.path == path)


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("pdf")
    (folder / "docs").mkdir()
    (folder / "docs" / "q2.pdf").write_bytes((SAMPLES / "reports" / "northlight-fy2025-q2.pdf").read_bytes())
    parts = [f"## Part {number}\n\n{'The rotor. ' * 200}" for number in range(20)]
    (folder / "docs" / "longer.md").write_text("# Longer\n\n" + "\n\n".join(parts), "utf-8")
    return build_warehouse(folder / "warehouse", folder / "docs")


def test_a_document_tells_what_is_known_of_it(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library", document=id_of(warehouse, "report.md"))
    assert not page.exception
    assert page.title[0].value == "Quarter"
    text = said(page)
    assert "2025-06-30 (from front matter)" in text
    assert "Turbine revenue grew by a fifth." in text
    assert [header.value for header in page.header] == ["Outline", "Tables", "Periods mentioned"]


def test_a_document_is_found_by_its_source_as_well(draw: Draw) -> None:
    assert draw("library", document="vault/course.txt").title[0].value == "Turbines"


def test_an_unknown_document_is_one_line(draw: Draw) -> None:
    page = draw("library", document="<script>")
    assert not page.exception
    assert "This document is not in the library" in said(page)
    assert "script" not in html_of(page)


def test_a_file_that_could_not_be_read_says_why(draw: Draw, warehouse: Warehouse) -> None:
    page = draw("library", document=id_of(warehouse, "broken.pdf"))
    assert not page.exception
    assert "unreadable: " in said(page)


def test_what_a_document_says_is_text(draw: Draw, warehouse: Warehouse) -> None:
    hostile = next(each for each in warehouse.list_documents() if each.file.path.endswith(".html"))
    page = draw("library", document=hostile.document_id)
    assert not page.exception
    read = Reading(html_of(page))
    assert not {"b", "script", "img"} & read.tags
    assert not [value for name, value in read.attributes if name == "href" and not value.startswith("?document=")]
    title = page.title[0].value
    assert title.startswith("\\<b\\>Bold")
    assert "](" not in title


def test_a_pdf_shows_one_page_at_a_time(draw: Draw, pdf: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(pdf.layout.folder))
    page = draw("library", document="docs/q2.pdf", page="2")
    assert not page.exception
    assert [widget.value for widget in page.pagination] == [2]
    assert len(page.image) == 1
    assert 'aria-current="true"' in html_of(page)


@pytest.mark.parametrize("asked", ["0", "99", "-1", "x", "9" * 40])
def test_nonsense_for_a_page_harms_nothing(
    draw: Draw, pdf: Warehouse, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(pdf.layout.folder))
    page = draw("library", document="docs/q2.pdf", page=asked)
    assert not page.exception
    assert page.pagination[0].value in {1, 2}


def test_the_pages_have_the_whole_text_in_order(pdf: Warehouse) -> None:
    name = id_of(pdf, "longer.md")
    found, text = split_into_pages(pdf, name), pdf.read_text(name)
    assert len(found) > 2
    assert all(page[-1].end - page[0].start <= document_parts.PAGE_CHARACTERS for page in found)
    text_of_pages = "".join(text[block.start : block.end] for page in found for block in page)
    assert "".join(text_of_pages.split()) == "".join(text.split())
    for number, page in enumerate(found, 1):
        assert {find_page_number(found, block.start) for block in page} == {number}


def test_turning_the_page_is_kept_in_the_address(draw: Draw, pdf: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(pdf.layout.folder))
    page = draw("library", document="docs/longer.md")
    page.pagination[0].set_value(3).run()
    assert not page.exception
    assert page.query_params["page"] in ("3", ["3"])


def test_headings_and_words_are_escaped() -> None:
    html = render_outline(
        "<id>", [(OutlineSection("<b>x</b>", 2, None, 0), 1), (OutlineSection("y", 9, None, 5), 2)], 2
    )
    read = Reading(html)
    assert "<b>x</b>" in read.text
    assert ("href", "?document=%3Cid%3E&page=2") in read.attributes
    assert html.count("aria-current") == 1
    assert Reading(render_text_page("", [])).tags == {"div"}
