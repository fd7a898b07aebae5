"""Who may see the pages."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.http_server import PASSWORD
from dashboards.streamlit_server import APP, check_exposure
from dashboards.widgets.login import ATTEMPT_WINDOW, MAX_ATTEMPTS, VALIDITY, LoginPasses, PasswordAttempts, may_log_in
from tests.dashboards.pages.elements import said
from warehouse.errors import BadInput

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def everywhere(listens: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The dashboard listens on all addresses."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(PASSWORD, raising=False)
    listens("0.0.0.0")


@pytest.mark.usefixtures("everywhere")
def test_beyond_this_machine_nothing_is_shown_without_a_guard() -> None:
    page = AppTest.from_file(str(APP), default_timeout=60).run()
    assert "has no password" in said(page)
    assert not page.title


@pytest.mark.usefixtures("everywhere")
def test_the_password_opens_and_leaving_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD, "open sesame")
    page = AppTest.from_file(str(APP), default_timeout=60).run()
    assert [title.value for title in page.title] == ["Kalends"]
    page.text_input[0].set_value("open says me")
    page.button[0].click().run()
    assert "The password is wrong" in said(page)
    page.text_input[0].set_value("open sesame")
    page.button[0].click().run()
    assert page.sidebar.button[0].label == "Log out"
    page.sidebar.button[0].click().run()
    assert [title.value for title in page.title] == ["Kalends"]


@pytest.mark.usefixtures("everywhere")
def test_guessing_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD, "open sesame")
    page = AppTest.from_file(str(APP), default_timeout=60).run()
    for guess in (*map(str, range(MAX_ATTEMPTS)), "open sesame"):
        page.text_input[0].set_value(guess)
        page.button[0].click().run()
    assert "Wait a minute" in said(page)
    assert page.title[0].value == "Kalends"


def test_a_pass_ends_and_cannot_be_made_elsewhere() -> None:
    passes = LoginPasses()
    given = passes.issue(NOW)
    assert passes.accepts(given, NOW + VALIDITY - timedelta(seconds=1))
    assert not passes.accepts(given, NOW + VALIDITY)
    assert not LoginPasses().accepts(given, NOW)
    until, _, signature = given.partition(".")
    assert not passes.accepts(f"{int(until) + 1}.{signature}", NOW)
    assert not any(passes.accepts(wrong, NOW) for wrong in ("", ".", "x.y", "é.é", until))


def test_wrong_passwords_are_forgotten_after_a_while() -> None:
    tries = PasswordAttempts()
    assert not any(tries.is_password(str(guess), "secret", NOW) for guess in range(MAX_ATTEMPTS))
    assert tries.is_exhausted(NOW)
    assert not tries.is_exhausted(NOW + ATTEMPT_WINDOW)


@pytest.mark.parametrize(
    ("user", "users", "may"),
    [
        ("ada@example.org", (), True),
        ("Ada@Example.org", ("ada@example.org",), True),
        ("ada@example.org", ("@example.org",), True),
        ("ada@evil-example.org", ("@example.org",), False),
        ("", ("@example.org",), False),
        ("eve@example.org", ("ada@example.org",), False),
    ],
)
def test_those_named_may_log_in(user: str, users: tuple[str, ...], may: bool) -> None:
    assert may_log_in(user, users) is may


def test_the_command_refuses_to_listen_unguarded(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dashboards.cli.main", "dashboard", "--host", "0.0.0.0", "--port", "8999"]
    kept = {name: value for name, value in os.environ.items() if name != PASSWORD}
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        command,
        check=False,
        cwd=tmp_path,
        env={**kept, "HOME": str(tmp_path), "PYTHONPATH": root},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "everybody who can reach 0.0.0.0 would see every document" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_login_is_guard_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(PASSWORD, raising=False)
    (tmp_path / ".streamlit").mkdir()
    secrets = tmp_path / ".streamlit" / "secrets.toml"
    secrets.write_text('[auth]\nclient_id = "kalends"\n', encoding="utf-8")
    check_exposure("0.0.0.0")
    secrets.write_text("auth =", encoding="utf-8")
    with pytest.raises(BadInput, match=r"secrets.toml cannot be read"):
        check_exposure("0.0.0.0")


def test_what_no_browser_of_ours_sends_opens_nothing() -> None:
    passes, tries = LoginPasses(), PasswordAttempts()
    for given in ("", ".", "1.\udcff", "\ud800.x", "9" * 5000, "²." + "0" * 64):
        assert not passes.accepts(given, NOW)
        assert not tries.is_password(given, "open sesame", NOW)
