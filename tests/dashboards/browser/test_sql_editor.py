"""The SQL editor in a real browser: names are completed, words highlighted, and the query is in the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.building import build_warehouse
from tests.dashboards.browser.browsing import at_rest, browser, element, missing, press, says, troubles, until
from tests.dashboards.browser.serving import dashboard

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

EDITOR, CHOSEN = ".cm-content", ".cm-tooltip-autocomplete [aria-selected]"


@pytest.mark.slow
def test_a_query_is_completed_run_and_replaced_by_an_example(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Hay\n\nThe harvest of 2021.\n", "utf-8")
    folder = build_warehouse(tmp_path / "w", tmp_path / "docs").layout.folder
    with (
        dashboard(tmp_path, {"KALENDS_EMBED__MODEL": "hashing"}, "--warehouse", str(folder)) as served,
        browser(tmp_path / "profile") as driver,
    ):
        driver.get(f"{served}/sql")
        until(lambda: element(driver, EDITOR), "the editor")
        assert not element(driver, "textarea")
        written = driver.find_element(By.CSS_SELECTOR, EDITOR)
        written.send_keys("select source from docum")
        until(lambda: element(driver, CHOSEN, "documents"), "the completed table")
        assert element(driver, ".tok-keyword", "select")
        written.send_keys(Keys.ENTER, " where chunk_c")
        until(lambda: element(driver, CHOSEN, "chunk_count"), "the completed column")
        written.send_keys(Keys.ENTER, " = 1", Keys.CONTROL, Keys.ENTER)
        until(lambda: says(driver, "1 row, 1 column"), "the result")
        assert "chunk_count%20%3D%201" in driver.current_url.replace("+", "%20")
        press(driver, "[role=tab]", "Examples")
        press(driver, "button", "Quality of the passages")
        until(lambda: element(driver, EDITOR, "AS quality"), "the example in the editor")
        at_rest(driver)
        driver.refresh()
        until(lambda: element(driver, EDITOR, "AS quality"), "the query of the address")
        assert not troubles(driver)
