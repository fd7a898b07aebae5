"""A headless Chromium that sees the dashboard as a person would, and reaches nothing but this machine."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
)
ONLY_HERE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
PATIENCE = 60.0
REDRAWN = (StaleElementReferenceException, NoSuchElementException, ElementClickInterceptedException)
"""What is raised where the page was drawn anew meanwhile."""
_AT_REST = """
    const busy = "[data-testid=stSpinner], [data-test-script-state=running], [data-testid=stSkeleton]";
    return !!document.querySelector("h1") && !document.querySelector(busy);
"""
Found = TypeVar("Found")


def missing() -> str:
    """What of the browser is not on this machine; empty where all is."""
    names = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(names)} not installed (Debian: chromium, chromium-driver)" if names else ""


@contextmanager
def browser(profile: Path, width: int = 1440, height: int = 1100, *, dark: bool = False) -> Iterator[webdriver.Chrome]:
    """A window of this size in CSS pixels; narrow ones are a phone's. `profile` is an empty folder."""
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS.split(), ONLY_HERE, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    try:
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
        resize(driver, width, height)
        yield driver
    except Exception:
        driver.save_screenshot(str(profile.with_name("failed.png")))
        raise
    finally:
        driver.quit()


def resize(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Give the window another size."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def until(look: Callable[[], Found], what: str, seconds: float = PATIENCE) -> Found:
    """What `look` finds, once it finds something. Raises `AssertionError` that names `what` where it does not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = look()
        except REDRAWN:
            found = None
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"{what} did not come in {seconds:.0f} s")


def at_rest(driver: webdriver.Chrome) -> None:
    """Wait until the page has been drawn."""
    quiet = 0
    while quiet < 3:
        until(lambda: driver.execute_script(_AT_REST), "a page at rest")
        quiet = quiet + 1 if driver.execute_script(_AT_REST) else 0
        time.sleep(0.2)


def says(driver: webdriver.Chrome, text: str) -> bool:
    """Whether the page shows a text."""
    return text in driver.find_element(By.TAG_NAME, "body").text


def element(driver: webdriver.Chrome, css: str, text: str = "") -> WebElement | None:
    """The first visible element of a selector that holds a text."""
    found = driver.find_elements(By.CSS_SELECTOR, css)
    return next((each for each in found if each.is_displayed() and text in each.text), None)


def press(driver: webdriver.Chrome, css: str, text: str = "") -> None:
    """Press an element once it is there and can be pressed, whatever is drawn anew meanwhile."""

    def pressed() -> bool:
        found = element(driver, css, text)
        if found is None or not found.is_enabled():
            return False
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        found.click()
        return True

    until(pressed, f"{css} {text!r}")


def ask(driver: webdriver.Chrome, css: str, text: str) -> None:
    """Write into a field in place of what it holds, and hand it in."""

    def written() -> bool:
        field = element(driver, css)
        if field is None:
            return False
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.ENTER)
        return True

    until(written, css)


def troubles(driver: webdriver.Chrome) -> list[str]:
    """What the browser complained of, but for Streamlit's own search for where its server is mounted."""
    told = [each["message"] for each in driver.get_log("browser") if each["level"] == "SEVERE"]
    return [message for message in told if "/_stcore/" not in message]
