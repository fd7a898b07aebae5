"""Hits of a PDF: the page beside each, with the rows boxed that answer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from dashboards.assistant.extract_answers import extract_answer
from dashboards.assistant.tools.contract import ToolContext
from dashboards.html.hits import render_best_quotes
from tests.building import build_warehouse
from tests.dashboards.pages.elements import Reading, said
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.settings.loader import Settings

Draw = Callable[..., AppTest]
REPORT = Path(__file__).parents[4] / "samples/reports/northlight-fy2025-q3.pdf"
QUESTION = "operating income of turbines"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A warehouse of one PDF."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "reports").mkdir()
    shutil.copy(REPORT, folder / "reports")
    return build_warehouse(folder / "w", folder / "reports")


@pytest.fixture(autouse=True)
def _here(house: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(house.layout.folder))


def pictures(page: AppTest) -> list[str]:
    return [
        image.caption for element in page.get("image") if isinstance(element, Element) for image in element.proto.imgs
    ]


def test_the_page_of_the_first_hit_is_opened_and_others_wait(draw: Draw) -> None:
    page = draw("search", q=QUESTION)
    assert not page.exception
    assert len(pictures(page)) == 1
    switches = [each.label for each in page.button if "page" in each.label and "search-page" in str(each.key)]
    assert switches[0].startswith("Hide page ")
    assert len(switches) == len(page.code)
    next(each for each in page.button if each.label.startswith("Show page ")).click().run()
    assert len(pictures(page)) == 2


def test_a_page_can_be_closed(draw: Draw) -> None:
    page = draw("search", q=QUESTION)
    next(each for each in page.button if each.label.startswith("Hide page ")).click().run()
    assert not pictures(page)


def test_a_file_that_changed_shows_no_page(draw: Draw, house: Warehouse) -> None:
    file = house.layout.folder.parent / "reports" / REPORT.name
    was = file.read_bytes()
    file.write_bytes(was + b"\n")
    try:
        page = draw("search", q=QUESTION)
    finally:
        file.write_bytes(was)
    assert not page.exception
    assert not pictures(page)
    assert "The file has changed since it was imported" in said(page)


def alts(page: AppTest) -> list[str]:
    return [image.alt for element in page.get("image") if isinstance(element, Element) for image in element.proto.imgs]


def test_the_part_around_the_boxes_is_shown_and_the_whole_page_is_one_press_away(draw: Draw) -> None:
    page = draw("search", q=QUESTION)
    assert alts(page) == ["Part of page 2 with the quoted lines in boxes"]
    next(each for each in page.button if each.label == "Whole page").click().run()
    assert not page.exception
    assert sorted(alts(page)) == [
        "Page 2 with the quoted lines in boxes",
        "Part of page 2 with the quoted lines in boxes",
    ]


def test_the_short_answer_is_that_of_the_answer_without_a_model(draw: Draw, house: Warehouse) -> None:
    context = ToolContext(Settings(warehouse=house.layout.folder, embed={"model": "hashing"}), house, date(2026, 1, 1))
    question = "What was operating income in the three months ended June 30, 2025?"
    said = extract_answer(context, SearchRequest(question), on_event=lambda _: None)
    assert said.extracts[0].text.endswith("| Operating income | 20.2 | 13.9 |")
    page = draw("search", q=question)
    answer = next(str(each.value) for each in page.html if "k-answer" in str(each.value))
    assert Reading(answer).text == Reading(render_best_quotes(said.extracts, said.hits, frozenset())).text
    row = next(str(each.value) for each in page.html if 'class="k-quoted"' in str(each.value))
    assert "Operating" in Reading(row.partition('<tr class="k-quoted">')[2].partition("</tr>")[0]).text
