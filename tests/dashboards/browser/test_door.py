"""Entering the dashboard from a real browser: by the password, and through an OpenID Connect provider."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from dashboards.http_server import PASSWORD
from tests.building import build_warehouse
from tests.dashboards.browser.browsing import at_rest, browser, element, missing, press, says, until
from tests.dashboards.browser.serving import dashboard, free_port

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

SECRETS = """
[auth]
redirect_uri = "http://127.0.0.1:{port}/oauth2callback"
cookie_secret = "thirty-two characters of nothing much"
client_id = "kalends"
client_secret = "not much of a secret"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
client_kwargs = {{ scope = "openid email" }}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a warehouse in `.kalends`."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A note\n\nOf January 2024.\n", encoding="utf-8")
    build_warehouse(tmp_path / ".kalends", tmp_path / "notes")
    return tmp_path


@pytest.fixture
def issuer(tmp_path: Path) -> Iterator[str]:
    """A provider on this machine."""
    port = free_port()
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
    with (tmp_path / "provider.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        until(lambda: _answers(f"http://localhost:{port}/.well-known/openid-configuration"), "the provider")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(10)


def test_the_password_is_asked_once_a_browser(home: Path) -> None:
    with dashboard(home, {PASSWORD: "open sesame"}) as served, browser(home / "profile") as driver:
        driver.get(f"{served}/search")
        field = until(lambda: element(driver, "input[type=password]"), "the field")
        assert not says(driver, "Search")
        field.send_keys("open sesame", Keys.ENTER)
        until(lambda: says(driver, "Ask a question to search"), "the page")
        at_rest(driver)
        driver.refresh()
        until(lambda: says(driver, "Ask a question to search"), "the page again")
        press(driver, "button", "Log out")
        until(lambda: element(driver, "input[type=password]"), "the field again")
        at_rest(driver)
        driver.refresh()
        until(lambda: element(driver, "input[type=password]"), "the field after leaving")


@pytest.mark.parametrize(("user", "sees"), [("ada@example.org", "Library"), ("eve@evil.example", "has no access")])
def test_a_login_lets_in_those_who_are_named(home: Path, issuer: str, user: str, sees: str) -> None:
    port = free_port()
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(SECRETS.format(port=port, issuer=issuer), encoding="utf-8")
    (home / "kalends.toml").write_text('[dashboard]\nusers = ["@example.org"]\n', encoding="utf-8")
    with dashboard(home, {}, port=port) as served, browser(home / "profile") as driver:
        driver.get(f"{served}/search?search-q=note")
        press(driver, "button", "Log in")
        until(lambda: element(driver, "input[name=sub]"), "the provider's page").send_keys(user)
        driver.find_element(By.CSS_SELECTOR, "form").submit()
        until(lambda: says(driver, sees), "what this user may see")
        assert says(driver, "Search") is (sees == "Library")


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=1):
            return True
    except (URLError, OSError):
        return False
