"""The charts of the timeline in a real browser: what is dragged over is drawn, the address keeps it, and back again."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from tests.building_reports import build_reports
from tests.dashboards.browser.browsing import at_rest, browser, element, missing, press, says, troubles, until
from tests.dashboards.browser.serving import dashboard

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

CHARTS = "[data-testid=stVegaLiteChart] svg"
BARS = "[aria-roledescription=bar]"


def days(driver: webdriver.Chrome) -> tuple[str, ...]:
    """The days of the address."""
    told = parse_qs(urlsplit(driver.current_url).query)
    return tuple(told[name][0] for name in ("timeline-since", "timeline-until") if name in told)


def drag(driver: webdriver.Chrome, number: int, share: float) -> None:
    """Drag over a share of a chart's width, from its middle on."""
    until(lambda: len(driver.find_elements(By.CSS_SELECTOR, CHARTS)) > number, "the chart")
    at_rest(driver)
    chart = driver.find_elements(By.CSS_SELECTOR, CHARTS)[number]
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
    way = int(chart.size["width"] * share)
    moves = ActionChains(driver).move_to_element(chart).click_and_hold()
    for _ in range(4):
        moves = moves.move_by_offset(way // 4, 1)
    moves.release().perform()


def test_dragging_zooms_and_all_of_it_leads_back(tmp_path: Path) -> None:
    folder = build_reports(tmp_path).layout.folder
    with (
        dashboard(tmp_path, {"KALENDS_EMBED__MODEL": "hashing"}, "--warehouse", str(folder)) as served,
        browser(tmp_path / "profile", height=1500) as driver,
    ):
        driver.get(f"{served}/timeline")
        until(lambda: driver.find_elements(By.CSS_SELECTOR, BARS), "the bars")
        assert all(bar.size["width"] >= 3 for bar in driver.find_elements(By.CSS_SELECTOR, BARS))
        drag(driver, 0, 0.25)
        until(lambda: len(days(driver)) == 2, "the days in the address")
        first = days(driver)
        until(lambda: element(driver, "button", "All of it"), "the way back")
        drag(driver, 1, 0.2)
        until(lambda: days(driver) != first, "fewer days in the address")
        second = days(driver)
        assert first[0] <= second[0] < second[1] <= first[1]
        driver.refresh()
        until(lambda: element(driver, "button", "All of it"), "the same days after a reload")
        assert days(driver) == second
        at_rest(driver)
        press(driver, "button", "All of it")
        until(lambda: not days(driver), "an address without days")
        assert not says(driver, "Something went wrong")
        assert not troubles(driver)
