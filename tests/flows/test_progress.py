"""How far a run is, as another process sees it: who holds the lock, and the record beside it."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows import progress
from flows.locks import find_lock_holder, write_lock
from flows.planning import IngestPlan, PlannedFile
from flows.progress import (
    MAX_FAILED_LISTED,
    MAX_LISTED,
    Action,
    DocumentProgress,
    DocumentState,
    ProgressTracker,
    RunObserver,
    RunProgress,
    find_writer,
    observe_runs,
)
from tests.flows.conftest import Bench
from warehouse.errors import WarehouseBusy
from warehouse.records import StageCost
from warehouse.store.layout import Layout

HOLD = """
import sys, time
from pathlib import Path
from flows import progress
from flows.locks import write_lock
from warehouse.store.layout import Layout
layout = Layout(Path(sys.argv[1]))
with write_lock(layout), progress.record_origin("kalends ingest"):
    progress.write_progress(layout, progress.make_progress())
    print("held", flush=True)
    time.sleep(600)
"""
texts = st.text(max_size=20)
runs = st.builds(
    RunProgress,
    process=st.integers(1, 2**31),
    origin=texts,
    started=st.datetimes(timezones=st.just(UTC)),
    plan=st.dictionaries(texts, st.integers(0)),
    stages=st.lists(st.builds(StageCost, texts, st.integers(0), st.floats(0, 1e9))).map(tuple),
    stage=texts,
    done=st.integers(0),
    of=st.integers(0),
    documents=st.lists(st.builds(DocumentProgress, texts, st.sampled_from(DocumentState), texts, texts, texts)).map(
        tuple
    ),
    unlisted=st.integers(0),
)


@given(runs)
def test_a_record_is_read_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, run: RunProgress) -> None:
    layout = Layout(tmp_path_factory.getbasetemp() / "records")
    with write_lock(layout):
        mine = replace(run, process=progress.make_progress().process)
        progress.write_progress(layout, mine)
        assert find_writer(layout) == (f"process {mine.process}", mine)
        if run != mine:
            progress.write_progress(layout, run)
            assert find_writer(layout) == (f"process {mine.process}", None), "it is that of another process"
    assert find_writer(layout) is None


@given(st.binary(max_size=40) | st.just(b'{"started": "2020-01-01", "stages": [], "documents": []}'))
def test_what_is_no_record_is_none(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    layout = Layout(tmp_path_factory.getbasetemp() / "records")
    with write_lock(layout):
        layout.progress.write_bytes(data)
        found = find_writer(layout)
        assert found is not None
        assert found[1] is None


def test_whoever_looks_is_in_nobodys_way(tmp_path: Path) -> None:
    layout, ended = Layout(tmp_path / "w"), Event()

    def look() -> None:
        while not ended.is_set():
            find_lock_holder(layout)

    thread = Thread(target=look)
    thread.start()
    try:
        for _ in range(300):
            with write_lock(layout):
                assert find_lock_holder(layout) is not None
    finally:
        ended.set()
        thread.join()
    assert find_lock_holder(layout) is None


def test_the_run_of_another_process_is_seen_until_that_is_gone(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "w")
    command = [sys.executable, "-c", HOLD, str(layout.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        name, found = find_writer(layout) or ("", None)
        assert name == f"process {process.pid}"
        assert found is not None
        assert (found.origin, found.stage) == ("kalends ingest", "")
        with pytest.raises(WarehouseBusy, match=name), write_lock(layout):
            pass
        process.send_signal(signal.SIGKILL)
    assert layout.progress.exists()
    assert find_writer(layout) is None
    with write_lock(layout):
        assert (find_writer(layout) or ("", 1))[1] is None, "the record of the one that was killed does not count"


class Look(RunObserver):
    """Notes what another process would see at each stage."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.seen: list[RunProgress] = []

    def on_stage_started(self, stage: str, documents: int) -> None:
        if not documents:
            return
        writer = find_writer(self.layout)
        assert writer is not None
        assert writer[1] is not None
        assert writer[1].stage == stage
        self.seen.append(writer[1])


def test_a_run_is_on_record_document_by_document(bench: Bench) -> None:
    bench.write("bad.pdf", "%PDF-1.7\nnothing of a PDF follows")
    layout = Layout(bench.settings.warehouse)
    told: list[RunProgress] = []
    tracker, look = ProgressTracker(told.append), Look(layout)
    with observe_runs(look):
        bench.ingest()
    assert find_writer(layout) is None
    assert not layout.progress.exists()
    first, *_, last = look.seen
    assert (first.stage, first.of, first.plan) == ("parse", 4, {"new": 4})
    assert {each.source: (each.state, each.stage) for each in first.documents} == {
        f"docs/{name}": (DocumentState.WORKING, "parse")
        for name in ("alpha.md", "bad.pdf", "beta.txt", "deep/gamma.md")
    }
    assert (last.documents[0].source, last.documents[0].state) == ("docs/bad.pdf", DocumentState.FAILED)
    assert "PDF" in last.documents[0].reason
    assert {each.state for each in last.documents[1:]} == {DocumentState.WORKING}
    bench.write("beta.txt", "Marmalade is made of sweet lemons.\n")
    with observe_runs(tracker):
        tracker.finish(bench.ingest())
    assert {each.source: (each.action, each.state) for each in told[-1].documents} == {
        "docs/alpha.md": ("unchanged", DocumentState.DONE),
        "docs/bad.pdf": ("unchanged", DocumentState.FAILED),
        "docs/beta.txt": ("changed", DocumentState.DONE),
        "docs/deep/gamma.md": ("unchanged", DocumentState.DONE),
    }


@given(st.integers(0, 4 * MAX_LISTED), st.sets(st.integers(0, 4 * MAX_LISTED - 1)))
def test_a_record_stays_small_and_names_failures_first(number: int, failing: set[int]) -> None:
    told: list[RunProgress] = []
    tracker = ProgressTracker(told.append)
    files = tuple(PlannedFile(Action.NEW, f"docs/{place}", "") for place in range(number))
    tracker.on_planned(IngestPlan(files, (), (), counts={Action.NEW: number}))
    tracker.on_stage_started("parse", number)
    failed = {f"docs/{place}": "it is empty" for place in failing if place < number}
    tracker.on_documents_done("parse", {planned.source: failed.get(planned.source, "") for planned in files})
    tracker.on_stage_finished(StageCost("publish", number, 1.0))
    last = told[-1]
    assert len(last.documents) <= MAX_LISTED + MAX_FAILED_LISTED
    assert len(last.documents) + last.unlisted == number
    states = [each.state for each in last.documents]
    bad = states.count(DocumentState.FAILED)
    assert states == [DocumentState.FAILED] * bad + [DocumentState.DONE] * (len(states) - bad)
    assert bad >= min(len(failed), MAX_FAILED_LISTED)
