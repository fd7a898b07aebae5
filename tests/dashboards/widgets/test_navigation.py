from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.streamlit_server import APP, build_server_command
from dashboards.widgets.navigation import PAGES
from tests.dashboards.pages.elements import html_of, said

Draw = Callable[..., AppTest]


def test_the_app_opens_on_the_home_page_at_this_machine(listens: Callable[[str], None]) -> None:
    listens("127.0.0.1")
    page = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not page.exception
    assert page.title[0].value == "Kalends"


@pytest.mark.parametrize("name", ["library", "search"])
def test_no_warehouse_yet_is_one_line_with_the_cure(
    draw: Draw, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path / "![x](http://evil.example)"))
    page = draw(name)
    assert not page.exception
    assert "nothing has been ingested into" in said(page)
    assert "run 'kalends ingest FOLDER' first" in said(page)
    assert not page.error


@pytest.mark.parametrize("name", [leaf.name for leaf in PAGES])
def test_a_damaged_warehouse_is_one_line_below_the_title(
    draw: Draw, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "generations" / "000001").mkdir(parents=True)
    (tmp_path / "generations" / "000001" / "manifest.json").write_text("{}", encoding="utf-8")
    (tmp_path / "current").symlink_to("generations/000001")
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(tmp_path))
    page = draw(name)
    assert not page.exception
    assert "generation 000001 cannot be read" in said(page)
    assert len(page.title) == 1


def test_a_setting_that_cannot_be_used_is_one_line(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_BATCH__FILES", "none")
    assert "setting 'batch.files'" in said(draw("library"))


def test_an_internal_error_goes_to_the_log(log: StringIO) -> None:
    broken = "def broken():\n    raise RuntimeError('<b>private')\n"
    script = f"from dashboards.widgets.navigation import frame_page\n{broken}frame_page('x', broken)()"
    page = AppTest.from_string(script).run()
    assert not page.exception
    assert "Something went wrong. Reload the page." in said(page)
    reference = re.search(r"for reference ([0-9a-f]{8})", said(page))
    assert reference
    assert reference[1] in log.getvalue(), "the message names the line of the log"
    assert "private" not in html_of(page)
    assert "private" in log.getvalue()


def test_streamlit_is_bound_to_this_machine_and_silent() -> None:
    flags = build_server_command(8501)
    assert {"--server.address=127.0.0.1", "--browser.gatherUsageStats=false", "--client.showErrorDetails=none"} <= {
        *flags
    }
