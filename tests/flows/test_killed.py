"""A run killed at any stage changes nothing that readers see, and the next run goes on where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.sorting import FlowRunSort
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.locks import make_warehouse_tag
from flows.progress import Action
from tasks.pipeline import STAGES
from tests.flows.conftest import Bench, worked
from tests.forked_process import COMMAND_LINE, ROOT, ForkedProcess
from warehouse.store.layout import Layout

DOCUMENTS = 12


def _words(bench: Bench) -> list[str]:
    return ["ingest", str(bench.docs), "--warehouse", str(bench.settings.warehouse)]


def _environment(bench: Bench) -> dict[str, str]:
    return {
        **os.environ,
        "KALENDS_EMBED__MODEL": "hashing",
        "KALENDS_ENTITIES__KINDS": "[]",
        "KALENDS_BATCH__FILES": str(bench.settings.batch.files),
    }


def _start(bench: Bench) -> ForkedProcess:
    return ForkedProcess(COMMAND_LINE, *_words(bench), pipes=("stderr",), environment=_environment(bench))


def _kill_after(process: ForkedProcess, stage: str) -> None:
    """Kill the run as soon as it says that a stage is done, or, for the first, while it works."""
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(f"{stage}:"):
            break
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()


def _corpus(bench: Bench) -> None:
    for number in range(DOCUMENTS):
        bench.write(
            f"note-{number:02}.md", f"# Note {number}\n\nThe obelisk number {number} stands since 19{number:02}.\n"
        )


def _check_whole(bench: Bench) -> None:
    counted = bench.warehouse.snapshot.query_rows(
        "SELECT count(*), count(DISTINCT chunk_id), count(DISTINCT document_id) FROM chunks"
    )[0]
    assert counted == (DOCUMENTS + 3, DOCUMENTS + 3, DOCUMENTS + 3)
    assert len(bench.search("obelisk", 50)) == DOCUMENTS + 3
    assert bench.ingest().generation is None


def _killed_first_run(bench: Bench, stage: str) -> None:
    _corpus(bench)
    _kill_after(_start(bench), stage)
    assert not (bench.settings.warehouse / "current").is_symlink()
    report = bench.ingest()
    assert report.counts == {Action.NEW.value: DOCUMENTS + 3}
    done = [s.name for s in STAGES]
    finished = done[: done.index(stage) + 1]
    assert not set(finished) & worked(report).keys(), "stages that were finished are not done again"
    _check_whole(bench)
    with temporary_settings({PREFECT_API_URL: os.environ["PREFECT_API_URL"]}), get_client(sync_client=True) as client:
        runs = client.read_flow_runs(sort=FlowRunSort.START_TIME_ASC)
    states = [run.state_name for run in runs if make_warehouse_tag(Layout(bench.settings.warehouse)) in run.tags]
    assert states == ["Crashed", "Completed", "Completed"]


def test_a_first_run_killed_half_way_is_resumed(bench: Bench) -> None:
    _killed_first_run(bench, "chunk")


@pytest.mark.slow
@pytest.mark.parametrize("stage", [stage.name for stage in STAGES])
def test_a_first_run_killed_after_any_stage_is_resumed(bench: Bench, stage: str) -> None:
    _killed_first_run(bench, stage)


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.0, 0.2, 0.4, 0.8, 1.2, 1.6, 2.0, 2.4])
def test_a_run_killed_at_any_moment_leaves_the_old_generation(bench: Bench, delay: float) -> None:
    bench.ingest()
    _corpus(bench)
    process = _start(bench)
    assert process.stderr is not None
    next(line for line in process.stderr if line.startswith("plan:"))
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    assert bench.warehouse.generation in (1, 2)
    bench.ingest()
    _check_whole(bench)


KILLS = """
import os, signal
from tasks import pipeline
find_mentions = pipeline.find_mentions
def killing(document, *given, **named):
    if "gremlin" in document.text:
        os.kill(os.getpid(), signal.SIGKILL)
    return find_mentions(document, *given, **named)
pipeline.find_mentions = killing
"""
"""What every process of these runs begins with."""


@pytest.mark.slow
def test_a_document_that_kills_the_run_is_left_out_by_the_next(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text(KILLS)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])]))
    bench.write("bad.md", "# New\n\nA gremlin was sold in 1913.\n")
    ends = []
    for _ in range(3):
        command = [sys.executable, "-m", COMMAND_LINE, *_words(bench)]
        ends.append(subprocess.run(command, cwd=ROOT, env=_environment(bench), check=False).returncode)
    assert ends == [-signal.SIGKILL, 1, 0]
    assert bench.sources("bitter oranges") == {"docs/beta.txt"}
    ((source, reason),) = bench.warehouse.snapshot.query_rows(
        "SELECT source, reason FROM documents WHERE status = 'unreadable'"
    )
    assert source == "docs/bad.md"
    assert reason.startswith("internal error in stage temporal: it ended the process (killed, as the system does")
