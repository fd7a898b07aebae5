"""From an empty folder to a cited figure, as a person goes: in a real browser, against all that really runs."""

from __future__ import annotations

import base64
from io import BytesIO
from operator import le
from pathlib import Path

import pdfplumber
import pytest
from PIL import Image, ImageChops
from selenium import webdriver
from selenium.webdriver.common.by import By

from dashboards.widgets.page_pictures import render_page_picture
from flows.locks import write_lock
from flows.service.processes import stop_server
from tests.dashboards.assistant.messages_script import Body, Cite, Reply, Says, Uses, search_results
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.browser.browsing import (
    ask,
    at_rest,
    browser,
    element,
    missing,
    press,
    resize,
    says,
    troubles,
    until,
)
from tests.dashboards.browser.serving import ROOT, dashboard
from warehouse.store.layout import Layout

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

REPORT = ROOT / "samples/reports/northlight-fy2025-q3.pdf"
QUESTION = "What was the total revenue in the quarter ended June 30, 2025?"
ROW, FIGURE, PAGE = "| Total revenue | 108.3 |", "108.3", 2
INGEST = 240.0
"""Seconds in which the Prefect server must have started and one report have been read."""
_WHOLE = "[role=dialog] img[alt*='in boxes']"
_BYTES = """
    const [picture, done] = arguments;
    fetch(picture.src).then((answer) => answer.blob()).then((blob) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.split(",")[1]);
      reader.readAsDataURL(blob);
    });
"""


def answers(body: Body) -> Reply:
    """A model that searches and cites the row."""
    found = search_results(body)
    if not found:
        return Reply((Uses("search", {"question": QUESTION}),))
    for index, result in enumerate(found):
        for place, block in enumerate(result["content"]):
            if ROW in block["text"]:
                return Reply((Says(f"It was {FIGURE} million dollars", (Cite(index, place),)), Says(".")))
    return Reply((Says("The documents do not say."),))


def test_a_report_is_taken_in_searched_judged_and_cited(tmp_path: Path) -> None:
    with MessagesServer(answers) as model:
        surroundings = {
            "ANTHROPIC_API_KEY": "a key",
            "KALENDS_CHAT__BASE_URL": model.url,
            "KALENDS_CHAT__CITATIONS": "service",
            "KALENDS_EMBED__MODEL": "hashing",
            "KALENDS_WAREHOUSE": str(tmp_path / "w"),
        }
        try:
            with dashboard(tmp_path, surroundings) as served, browser(tmp_path / "profile") as driver:
                _take_in(driver, served, Layout(tmp_path / "w"))
                _search(driver)
                _judge(driver)
                _chat(driver)
                assert not troubles(driver)
        finally:
            stop_server(Layout(tmp_path / "w"))


def _take_in(driver: webdriver.Chrome, served: str, layout: Layout) -> None:
    """Two files, handed over one after the other while another process writes, come with one generation."""
    note = layout.folder.with_name("note.md")
    note.write_text("# Note\n\nThe report came in August 2025.\n", "utf-8")
    with write_lock(layout):
        driver.get(served)
        until(lambda: says(driver, "The library is empty."), "the home page of an empty library")
        press(driver, ".st-key-menu a", "Library")
        until(lambda: says(driver, "nothing has been ingested"), "the empty library")
        at_rest(driver)
        for file in (REPORT, note):
            _drop(driver, file)
            until(lambda name=file.name: says(driver, f"inbox/{name} waiting"), f"{file.name} in the queue")
            at_rest(driver)
        assert says(driver, "Another import is running; yours is queued.")
    until(lambda: says(driver, "(generation 1)"), "the first generation", INGEST)
    at_rest(driver)
    assert says(driver, "2 added")
    assert says(driver, f"inbox/{REPORT.name} added")
    assert says(driver, "inbox/note.md added")


def _drop(driver: webdriver.Chrome, file: Path) -> None:
    driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(file))
    until(lambda: element(driver, "[data-testid=stFileUploaderFile], [data-testid=stFileChips]"), "the chosen file")
    press(driver, "button", "Add to library")


def _search(driver: webdriver.Chrome) -> None:
    press(driver, ".st-key-menu a", "Search")
    at_rest(driver)
    ask(driver, "input[type=search], input[aria-label=Question]", QUESTION)
    until(lambda: element(driver, "img[alt*='in boxes']"), "the part of the page with its boxes")
    at_rest(driver)
    assert says(driver, "Total revenue")
    press(driver, "button", "Whole page")
    until(lambda: element(driver, _WHOLE), "the whole page")
    at_rest(driver)
    _check_boxed(until(lambda: _shown(driver), "its bytes"))
    press(driver, "[role=dialog] button[aria-label=Close]")


def _shown(driver: webdriver.Chrome) -> Image.Image:
    told = driver.execute_async_script(_BYTES, element(driver, _WHOLE))
    return Image.open(BytesIO(base64.b64decode(told))).convert("RGB")


def _check_boxed(shown: Image.Image) -> None:
    """What differs from the bare page goes around the figure."""
    with pdfplumber.open(REPORT) as book:
        page = book.pages[PAGE - 1]
        figure = next(word for word in page.extract_words() if word["text"] == FIGURE)
        scale = shown.width / float(page.width)
    bare = Image.open(BytesIO(render_page_picture(REPORT, PAGE, ()))).convert("RGB").resize(shown.size)
    left, top, right, bottom = ImageChops.difference(shown, bare).getbbox() or (0, 0, 0, 0)
    around = (left / scale, top / scale, -right / scale, -bottom / scale)
    assert all(map(le, around, (figure["x0"], figure["top"], -figure["x1"], -figure["bottom"])))


def _judge(driver: webdriver.Chrome) -> None:
    press(driver, ".st-key-menu a", "Quality")
    until(lambda: element(driver, "h1", "Quality"), "the quality page")
    at_rest(driver)
    assert not element(driver, "[role=alert]")


def _chat(driver: webdriver.Chrome) -> None:
    press(driver, ".st-key-menu a", "Chat")
    at_rest(driver)
    ask(driver, "textarea", QUESTION)
    press(driver, "button[data-cite='1.1']")
    until(lambda: element(driver, ".st-key-chat-beside img[alt*='in boxes']"), "the cited page beside the answer")
    until(lambda: element(driver, ".st-key-chat-beside .k-quoted", FIGURE), "the cited row")
    assert "source=1.1" in driver.current_url
    until(lambda: element(driver, "button[data-copy]"), "the copy button").click()
    until(lambda: element(driver, "button[data-copy]", "Copied"), "the answer on the clipboard")
    resize(driver, 390, 844)
    until(lambda: element(driver, "[role=dialog] img[alt*='in boxes']"), "the cited page over the answer")
    driver.refresh()
    until(lambda: element(driver, "[role=dialog] .k-quoted", FIGURE), "the same at the same address")
    press(driver, "[role=dialog] button[aria-label=Close]")
    until(lambda: "source=" not in driver.current_url, "the address of the conversation alone")
    until(lambda: not element(driver, "[role=dialog]"), "the answer alone")
