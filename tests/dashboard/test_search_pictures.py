"""Hits of a PDF: the page beside each, with the rows boxed that answer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from tests.building import build_warehouse
from tests.dashboard.pages import said
from warehouse.reader import Warehouse

Draw = Callable[..., AppTest]
REPORT = Path(__file__).parents[2] / "samples/reports/northlight-fy2025-q3.pdf"
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
    folds = [fold for fold in page.expander if fold.label.startswith("Page ")]
    assert len(folds) == len(page.code)
    page.session_state[str(folds[1].key)] = True
    page.run()
    assert len(pictures(page)) == 2


def test_a_page_can_be_closed(draw: Draw) -> None:
    page = draw("search", q=QUESTION)
    page.session_state[next(str(fold.key) for fold in page.expander if fold.label.startswith("Page "))] = False
    page.run()
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
    assert "The file has changed since it was read" in said(page)
