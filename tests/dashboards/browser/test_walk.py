"""Every page of the dashboard walked over in a real browser: nothing breaks, and the address is the state."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from dashboards.background.ingests import QUEUED_NOTE
from dashboards.widgets.navigation import PAGES
from flows.locks import write_lock
from flows.service.processes import stop_server
from tests.building import build_warehouse, count_findings
from tests.dashboards.browser.browsing import browser, element, missing, press, resize, says, until
from tests.dashboards.browser.serving import ROOT, dashboard
from tests.dashboards.browser.walking import Walk, quoted, round_trip
from warehouse.reader import Warehouse
from warehouse.store.layout import Layout

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

PAGES = [leaf.name for leaf in PAGES]
SAMPLES = ("reports/northlight-fy2025-q3.pdf", "reports/northlight-fy2025-q4.pdf", "vault", "chinese", "broken.pdf")
TABLES, MEMOS = 55, 30
"""More than one page of the lists of tables and of findings."""
INGEST = 240.0
"""Seconds in which the Prefect server must have started and two small files have been read."""
REFRESH = 0.5
"""Seconds between two looks of a page for a new generation."""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose `.kalends` holds two generations: reports of two companies, many tables, many findings."""
    folder = tmp_path_factory.mktemp("walked")
    build(folder)
    return folder


def build(folder: Path) -> None:
    """Write the documents and publish them."""
    docs = folder / "docs"
    for name in SAMPLES:
        there = ROOT / "samples" / name
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if there.is_dir() else shutil.copy)(there, docs / name)
    rows = "| Item | Q1 2024 | Q1 2025 |\n| --- | --- | --- |\n| Revenue | {0} | {1} |\n| Costs | {1} | {0} |\n"
    tables = "\n\n".join(f"## Harbour {number}\n\n{rows.format(number, number + 9)}" for number in range(TABLES))
    head = "---\ndate: 2025-04-30\ncompany: Harbour Foods Ltd\nkind: report\n---\n# Harbour Foods, Q1 2025\n\n"
    (docs / "harbour.md").write_text(head + tables, encoding="utf-8")
    memos = "\n\n".join(f"# Memo {number}\n\nThe turbine stood still last week." for number in range(MEMOS))
    (docs / "memos.txt").write_text(memos, encoding="utf-8")
    quiet = {"entities": {"kinds": ()}}
    build_warehouse(folder / ".kalends", docs, **quiet)
    (docs / "later.md").write_text("---\ndate: 2025-06-30\n---\n# Later\n\nTurbine revenue grew in 2025.\n", "utf-8")
    build_warehouse(folder / ".kalends", docs, **quiet)


@pytest.fixture(scope="module")
def served(held: Path) -> Iterator[str]:
    surroundings = {"KALENDS_EMBED__MODEL": "hashing", "KALENDS_DASHBOARD__REFRESH": str(REFRESH)}
    with dashboard(held, surroundings) as address:
        yield address


@pytest.fixture(scope="module")
def addresses(held: Path) -> dict[str, str]:
    """Each page as it opens, by its name, and pages with something chosen."""
    warehouse = Warehouse(held / ".kalends")
    known = {entry.file.path: entry.document_id for entry in warehouse.list_documents()}
    report, text = known["reports/northlight-fy2025-q4.pdf"], known["harbour.md"]
    return {
        **{name: f"/{name}" for name in PAGES},
        "hits": "/search?search-q=total+revenue",
        "document": f"/library?document={report}&page=2",
        "text": f"/library?document={text}",
        "table": f"/tables?document={report}&table=1",
        "rule": f"/quality?rule={count_findings(warehouse)[0]['code']}",
        "coverage": "/timeline?timeline-show=Coverage",
        "figure": "/timeline?timeline-show=One+figure&timeline-item=Total+revenue",
        "cells": "/tables?tables-part=All+cells",
    }


@pytest.fixture(scope="module")
def window(held: Path) -> Iterator[webdriver.Chrome]:
    with browser(held / "profile") as driver:
        yield driver


@pytest.fixture
def walk(window: webdriver.Chrome, served: str) -> Walk:
    resize(window, 1440, 1100)
    return Walk(window, served)


@pytest.mark.parametrize(
    "pages",
    [
        # Those whose filters have names in common.
        pytest.param(("library", "search", "timeline"), id="some"),
        pytest.param(PAGES, id="all", marks=pytest.mark.slow),
    ],
)
def test_every_page_leads_to_every_other_page_however_long_one_stays(walk: Walk, pages: tuple[str, ...]) -> None:
    walk.open(f"/{pages[0]}")
    for name in round_trip(pages):
        walk.wait_refreshes()
        walk.visit_page(name)
    walk.judge()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hits", "table", "document", "rule"])
def test_a_link_leads_where_it_says_and_back_to_the_question(walk: Walk, addresses: dict[str, str], name: str) -> None:
    walk.crawl(addresses[name], kinds=("link",))
    walk.judge()


@pytest.mark.slow
@pytest.mark.parametrize("undo", ["Clear", "Back"])
def test_a_filter_that_was_taken_back_stays_so_and_can_be_chosen_again(walk: Walk, undo: str) -> None:
    chips = [("Kind", "choice", "Kind"), ("Period mentioned", "choice", "Year"), ("More filters", "choice", "Language")]
    fields = [("Display", "toggle", "Mark dates")] if undo == "Back" else []
    question, other = "/search?search-q=revenue", "search-rank-fusion=convex"
    for chip, kind, name in (*chips, *fields):
        walk.open(question)
        walk.operate("button", chip)
        walk.operate(kind, name)
        chosen = walk.address
        assert chosen != question
        walk.close()
        if undo == "Back":
            walk.go_back(f"{chip} closed", question)
        else:
            walk.operate("button", "close icon")
        # With this run the browser sends the values of all fields, also of those in closed chips.
        walk.operate("button", "Ranking")
        walk.operate("choice", "Combine both by")
        walk.close()
        assert walk.address == f"{question}&{other}"
        walk.operate("button", chip)
        walk.operate(kind, name)
        assert parameters_of(walk.address) == {*parameters_of(chosen), other}
        walk.open(f"{question}&{other}")
    walk.judge()


def parameters_of(address: str) -> set[str]:
    return set(address.partition("?")[2].split("&"))


def test_what_is_opened_begins_at_its_top_and_names_the_tab(walk: Walk) -> None:
    walk.open("/library")
    assert walk.driver.title == "Library · Kalends"
    # Documents are opened from the middle of the page.
    resize(walk.driver, 1440, 500)
    list_of_documents(walk.driver).send_keys(Keys.ARROW_DOWN)
    walk.driver.execute_script("document.querySelector('.stMain').scrollTo(0, 300)")
    ActionChains(walk.driver).send_keys(Keys.ENTER).perform()
    until(lambda: walk.address.startswith("/library?document="), "the document")
    walk.look("a document opened")
    assert walk.driver.title.endswith(" · Library · Kalends")
    assert walk.driver.execute_script("return document.querySelector('.stMain').scrollTop") == 0
    walk.judge()


@pytest.mark.slow
def test_the_keyboard_opens_a_row_and_a_link(walk: Walk) -> None:
    walk.open("/library")
    walk.follow_by_keyboard("What it changed")
    assert walk.address.startswith("/runs?")
    walk.open("/library")
    list_of_documents(walk.driver).send_keys(Keys.ARROW_DOWN)
    ActionChains(walk.driver).send_keys(Keys.SPACE).perform()
    # The list tells of a chosen row a moment later.
    until(lambda: walk.address.startswith("/library?document="), "the document")
    walk.look("a row opened by the keyboard")
    walk.judge()


@pytest.mark.slow
def test_a_phone_shows_all_and_covers_nothing(walk: Walk, addresses: dict[str, str]) -> None:
    resize(walk.driver, 390, 844)
    for address in addresses.values():
        walk.open(address)
        walk.touch()
    walk.judge()


@pytest.mark.slow
@pytest.mark.parametrize("place", [*PAGES, "hits", "document", "text", "table", "rule", "coverage", "figure", "cells"])
def test_all_that_can_be_operated_works_and_its_address_can_be_copied(
    walk: Walk, addresses: dict[str, str], place: str
) -> None:
    reached = walk.crawl(addresses[place], alike=2)
    for address in reached:
        walk.open(quoted(address))
        walk.driver.refresh()
        walk.look(f"reload {address}")
    walk.judge()


@pytest.mark.slow
def test_each_page_can_be_read_in_the_dark_on_a_phone(held: Path, served: str, addresses: dict[str, str]) -> None:
    with browser(held / "dark", 390, 844, dark=True) as driver:
        walk = Walk(driver, served)
        for address in addresses.values():
            walk.open(address)
            walk.touch()
    walk.judge()


@pytest.mark.slow
def test_files_dropped_while_a_run_is_going_wait_for_it_and_are_taken_in(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "first.md").write_text("# First\n\nA turbine.\n", encoding="utf-8")
    build_warehouse(tmp_path / ".kalends", tmp_path / "docs")
    layout, names = Layout(tmp_path / ".kalends"), ("second.md", "third.md")
    surroundings = {
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_ENTITIES__KINDS": "[]",
        "KALENDS_WAREHOUSE": str(layout.folder),
    }
    try:
        with dashboard(tmp_path, surroundings) as address, browser(tmp_path / "profile") as driver:
            walk = Walk(driver, address)
            with write_lock(layout):
                for name in names:
                    (tmp_path / name).write_text(f"# {name}\n\nA rotor turns in {name}.\n", encoding="utf-8")
                    walk.views.clear()
                    walk.open("/library")
                    press(driver, "summary", "Add documents")
                    driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(tmp_path / name))
                    until(lambda: element(driver, "[data-testid=stFileUploaderFile], [data-testid=stFileChips]"), "it")
                    press(driver, "button", "Add to library")
                    until(lambda: says(driver, QUEUED_NOTE), "the note that it waits")
                    assert not walk.driver.find_elements(By.CSS_SELECTOR, ".k-notice[role=alert]")
            until(lambda: taken_in(layout) >= {*names, "first.md"}, "both files in the library", INGEST)
            walk.views.clear()
            walk.open("/library")
            walk.judge()
    finally:
        stop_server(layout)


def taken_in(layout: Layout) -> set[str]:
    return {entry.file.path for entry in Warehouse(layout.folder).list_documents()}


def list_of_documents(driver: webdriver.Chrome) -> WebElement:
    return driver.find_element(By.CSS_SELECTOR, "canvas[data-testid=data-grid-canvas]")
