"""The page of the HTTP API in a real browser: it asks for the token and tries requests, without another server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dashboards.api.middleware import AccessRules
from flows.locks import write_lock
from tests.building import build_warehouse
from tests.dashboards.api.serving import served
from tests.dashboards.browser.browsing import browser, element, missing, press, says, troubles, until
from warehouse.settings.loader import load_settings
from warehouse.store.layout import Layout

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]
TOKEN = "let-me-in-please"


def opened(driver: webdriver.Chrome, operation: str) -> str:
    """The selector of an operation, opened."""
    press(driver, f"#operations-{operation} .opblock-summary-control")
    until(lambda: element(driver, f"#operations-{operation} .execute"), "the form")
    return f"#operations-{operation}"


def test_requests_are_tried_with_the_token(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Hay\n\nThe harvest of 2021.\n", "utf-8")
    (tmp_path / "b.md").write_text("# Mill\n\nThe mill burnt down in May 1911.\n", "utf-8")
    folder = build_warehouse(tmp_path / "w", tmp_path / "docs").layout.folder
    settings = load_settings({"warehouse": folder, "embed": {"model": "hashing"}})
    with (
        write_lock(Layout(folder)),
        served(settings, AccessRules(token=TOKEN)) as url,
        browser(tmp_path / "profile") as driver,
    ):
        driver.get(url)
        press(driver, "a", "/docs")
        field = until(lambda: element(driver, "#token"), "the field for the token")
        field.send_keys("wrong", Keys.ENTER)
        until(lambda: says(driver, "This is not the token."), "the refusal")
        field.clear()
        driver.get_log("browser")
        field.send_keys(TOKEN, Keys.ENTER)
        search = opened(driver, "search-search")
        body = driver.find_element(By.CSS_SELECTOR, f"{search} textarea")
        body.clear()
        body.send_keys('{"query": "harvest"}')
        press(driver, f"{search} .execute")
        until(lambda: element(driver, f"{search} .live-responses-table", "docs/a.md"), "the passage")
        upload = opened(driver, "documents-upload")
        driver.find_element(By.CSS_SELECTOR, f"{upload} input[type=file]").send_keys(str(tmp_path / "b.md"))
        press(driver, f"{upload} .execute")
        until(lambda: element(driver, f"{upload} .live-responses-table", "inbox/b.md"), "the receipt")
        assert (Layout(folder).inbox / "b.md").exists()
        loaded = driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
        assert {urlsplit(each).netloc for each in loaded} == {urlsplit(url).netloc}
        assert not troubles(driver)
