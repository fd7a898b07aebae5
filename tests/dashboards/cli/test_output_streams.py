"""The command line when its streams are closed, full or gone; and its help."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dashboards.cli.progress_display import StageLines
from tests.command_line import MODEL, ROOT, kalends
from warehouse.records import StageCost


def status(redirection: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = f'"{sys.executable}" -m dashboards.cli.main status -w nowhere {redirection}'
    environment = {**os.environ, **MODEL, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_closed_streams_are_no_mistake(tmp_path: Path) -> None:
    done = status(">&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = status("2>&-", tmp_path)
    assert done.returncode == 0
    assert "generation" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    done = status(">/dev/full", tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "free some space" in done.stderr


def test_progress_that_nobody_reads_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    closed = os.fdopen(writer, "w", buffering=1)
    monkeypatch.setattr(sys, "stderr", closed)
    StageLines().on_stage_finished(StageCost("parse", 3, 1.0))
    with pytest.raises(BrokenPipeError):
        closed.close()


def test_help_keeps_its_square_brackets() -> None:
    assert "[default: all declared source folders]" in " ".join(kalends("ingest", "--help").stdout.split())


def test_no_verb_prints_help() -> None:
    done = kalends()
    assert done.returncode == 0
    assert "ingest" in done.stdout


def test_a_named_server_that_does_not_answer_is_named(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nA text.\n")
    done = kalends("ingest", tmp_path, cwd=tmp_path, PREFECT_API_URL="http://127.0.0.1:9/api")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "unset PREFECT_API_URL" in done.stderr
