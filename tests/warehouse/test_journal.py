"""The journal: one line an event, in three forms, with its ids and without secrets; nothing by default."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from flows.ingest import RunJournal, record_failures, record_publication
from flows.progress import RunObserver
from tasks.faults import DocumentProblem
from tests.building import DAY, build_warehouse
from tests.command_line import kalends
from warehouse.journal import bind_ids, open_log, record
from warehouse.records import CatalogEntry, Run, SourceFile, StageCost, Status
from warehouse.settings.models import LogSettings
from warehouse.store.lake import Lake

MOMENT = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+Z")
RUN = Run(3, "", DAY, 1.0, "{}", "hashing", 2, 5, 1, 0, 0)

BROKEN = CatalogEntry("d1", SourceFile("b.pdf", "docs", "b.pdf", "", 1, 0), Status.UNREADABLE, "cut\n")


@pytest.fixture(autouse=True)
def _quiet_again(tmp_path: Path) -> Iterator[None]:
    yield
    open_log(LogSettings(), tmp_path)


def told(folder: Path, form: str, level: str = "info") -> list[str]:
    """The lines of a small run, the moments made equal."""
    open_log(LogSettings(level=level, format=form, file=Path("k.log")), folder)
    with bind_ids(run="r1"):
        journal = RunJournal(RunObserver())
        journal.on_stage_started("parse", 2)
        journal.on_stage_advanced("parse", 2)
        journal.on_stage_finished(StageCost("parse", 2, 0.12345))
        record_failures(
            [BROKEN], {"d1": DocumentProblem("parse", "DOC001", "unreadable-file", "", passing=True)}, Lake(folder)
        )
        record_publication(RUN)
    return [MOMENT.sub("T", line) for line in (folder / "logs/k.log").read_text(encoding="utf-8").splitlines()]


def test_lines_for_people(tmp_path: Path) -> None:
    assert told(tmp_path, "human") == [
        "T [info] stage started documents=2 run=r1 stage=parse",
        "T [info] stage finished documents=2 run=r1 seconds=0.123 stage=parse",
        "T [warning] document failed code=DOC001 document=d1 reason=cut run=r1 source=b.pdf",
        "T [info] published chunks=5 documents=2 generation=3 run=r1",
    ]


def test_lines_of_logfmt(tmp_path: Path) -> None:
    assert told(tmp_path, "logfmt") == [
        'timestamp=T level=info event="stage started" run=r1 stage=parse documents=2',
        'timestamp=T level=info event="stage finished" run=r1 stage=parse documents=2 seconds=0.123',
        'timestamp=T level=warning event="document failed" run=r1 document=d1 source=b.pdf code=DOC001 reason=cut',
        "timestamp=T level=info event=published run=r1 generation=3 documents=2 chunks=5",
    ]


def test_lines_of_json(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in told(tmp_path, "json", "debug")]
    assert all(line.pop("timestamp") == "T" and line.pop("run") == "r1" for line in lines)
    assert lines[1] == {"event": "stage advanced", "level": "debug", "stage": "parse", "documents": 2}
    assert [line["event"] for line in lines] == [
        "stage started",
        "stage advanced",
        "stage finished",
        "document failed",
        "published",
    ]


@pytest.mark.parametrize("form", ["human", "logfmt", "json"])
@pytest.mark.parametrize("name", ["a\nb=c.md", 'a"b\r\n[error] forged\x1b[2J\u2028.md', "a\\nb\x00\x85c"])
def test_an_event_is_one_line_whatever_a_file_is_called(tmp_path: Path, form: str, name: str) -> None:
    open_log(LogSettings(level="info", format=form, file=Path("k.log")), tmp_path)
    record("warning", "document failed", source=name)
    (line,) = (tmp_path / "logs/k.log").read_text(encoding="utf-8").splitlines()
    assert "\x1b" not in line


def test_secrets_are_hidden_and_the_file_is_its_owner_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "abcdef-123456")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wJalr/XUtn")
    open_log(LogSettings(level="info", file=Path("k.log")), tmp_path)
    said = "abcdef-123456, wJalr/XUtn, Bearer abcdefgh, https://me:pw@h/x, sk-ant-abcdefgh"
    record("error", "run failed", problem=said)
    file = tmp_path / "logs/k.log"
    assert "problem='***, ***, Bearer ***, https://***@h/x, ***'" in file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nothing_is_logged_by_default_and_what_is_asked_goes_to_standard_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Oats\n\nThe oats are sold.\n")
    build_warehouse(tmp_path / "W", tmp_path / "docs")
    quiet = kalends("sql", "SELECT 1 AS a", "-w", tmp_path / "W")
    assert (quiet.stdout, quiet.stderr) == ("a\n1\n", "")
    loud = kalends("--log", "debug", "sql", "SELECT 'secret words' AS a", "-w", tmp_path / "W")
    assert loud.stdout == "a\nsecret words\n"
    assert re.fullmatch(MOMENT.pattern + r" \[debug\] asked in SQL generation=1 rows=1 seconds=[\d.]+\n", loud.stderr)
