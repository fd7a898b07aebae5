"""An error that the program did not foresee is a plain sentence at every door, with the reference of its log line."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from dashboards.api.problems import install_error_handlers
from dashboards.cli import main
from dashboards.mcp import server
from tasks.temporal import tagger
from warehouse.journal import open_log
from warehouse.settings.models import LogSettings

REFERENCE = re.compile(r"reference ([0-9a-f]{8})")


def fail(*given: Any, **named: Any) -> None:
    raise KeyError("Grain.MONTH")


def test_the_command_line_says_what_happened_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KALENDS_DEBUG", raising=False)
    monkeypatch.setattr(main, "app", fail)
    assert main.run(["status"]) == 1
    said = capsys.readouterr().err
    assert said == (
        "kalends: Internal error: KeyError: 'Grain.MONTH'. Published data is unchanged."
        " Please report it (KALENDS_DEBUG=1 shows where).\n"
    )


def test_the_command_line_names_the_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(main, "app", fail)
    open_log(LogSettings(level="error", format="json", file=Path("kalends.log")), tmp_path)
    try:
        assert main.run(["status"]) == 1
    finally:
        open_log(LogSettings(), tmp_path)
    reference = REFERENCE.search(capsys.readouterr().err)
    line = json.loads((tmp_path / "logs" / "kalends.log").read_text())
    assert reference
    assert (line["event"], line["reference"], line["error"]) == ("internal error", reference[1], "KeyError")
    assert re.search(r"test_internal_errors\.py:\d+$", line["place"])


def test_the_api_says_what_happened_and_what_to_do(log: StringIO) -> None:
    def fail_at_once() -> None:
        fail()

    app = FastAPI()
    install_error_handlers(app, [])
    app.add_api_route("/x", fail_at_once)
    told = TestClient(app, raise_server_exceptions=False).get("/x").json()
    reference = REFERENCE.search(told["detail"])
    assert reference
    assert told["status"] == 500
    assert "Grain.MONTH" not in json.dumps(told)
    assert f"reference {reference[1]}: KeyError" in log.getvalue()


def test_a_tool_says_what_happened_and_what_to_do(log: StringIO) -> None:
    tool = SimpleNamespace(name="search", call=fail, writes=False)
    service: Any = SimpleNamespace(tools={"search": tool}, context=None)
    told = anyio.run(server.call_tool, service, "search", {})
    assert told.is_error
    (content,) = told.content
    reference = REFERENCE.search(content.text)
    assert reference
    assert reference[1] in log.getvalue()
    assert content.text.startswith("Internal error in the tool search: KeyError. Try it once more")


def test_a_stream_of_texts_goes_on_past_one_on_which_the_tagger_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tag = tagger.tag
    monkeypatch.setattr(
        tagger, "tag", lambda text, *rest, **named: fail() if "bad" in text else tag(text, *rest, **named)
    )
    lines = tmp_path / "texts.jsonl"
    lines.write_text('{"id": 1, "text": "bad in 2020"}\n{"id": 2, "text": "good in 2021"}\n')
    assert main.run(["dates", "--jsonl", "--file", str(lines)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["mentions"] == []
    assert first["error"].startswith("Internal error in stage temporal, document line 1: KeyError")
    assert [each["text"] for each in second["mentions"]] == ["2021"]
