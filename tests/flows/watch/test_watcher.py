"""A watch finds what is created, changed, moved and deleted, outlives trouble and ends when it is told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic

import httpx
import pytest

from dashboards.cli.ingest import describe_batch
from flows.locks import write_lock
from flows.watch.folder_monitor import MonitorProblem
from flows.watch.watcher import WatchBatch, Watcher
from tests.flows.conftest import Bench
from tests.forked_process import COMMAND_LINE, ForkedProcess
from warehouse.store.layout import Layout

SECONDS = 600.0
"""How long an event is waited for: it comes within a second on an idle machine, within a minute on a busy one."""


class Heard:
    """A listener that keeps what it hears: lines, problems and batches."""

    def __init__(self) -> None:
        self._heard: Queue[str | WatchBatch] = Queue()

    def on_notice(self, line: str) -> None:
        self._heard.put(line)

    def on_batch(self, batch: WatchBatch) -> None:
        self._heard.put(batch)

    def on_failure(self, problem: str, pause: float) -> None:
        self._heard.put(problem)

    def until(self, holds: Callable[[str | WatchBatch], bool]) -> str | WatchBatch:
        """The next for which something holds."""
        deadline = monotonic() + SECONDS
        missed = []
        while True:
            try:
                heard = self._heard.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                pytest.fail(f"not heard within {SECONDS} s; heard was {missed}")
            if holds(heard):
                return heard
            missed.append(heard)

    def batch(self) -> WatchBatch:
        """The next batch."""
        found = self.until(lambda heard: isinstance(heard, WatchBatch))
        assert isinstance(found, WatchBatch)
        return found

    def changed(self, *sources: str) -> WatchBatch:
        """The last of the batches until each source has changed; how they are dealt out to batches depends on time."""
        missing = set(sources)
        while missing:
            batch = self.batch()
            missing -= batch.changes.keys()
        return batch


@contextmanager
def watching(bench: Bench, *, poll: bool = False) -> Iterator[tuple[Heard, Watcher]]:
    """A watch of a bench's documents, which are in the warehouse already."""
    heard = Heard()
    watch = Watcher(bench.settings, [bench.docs], heard, poll=poll)
    thread = Thread(target=watch.run)
    thread.start()
    try:
        yield heard, watch
    finally:
        watch.stop()
        thread.join(SECONDS)
        assert not thread.is_alive()


@pytest.fixture
def watched(bench: Bench) -> Iterator[Heard]:
    with watching(bench) as (heard, _):
        heard.changed("docs/alpha.md", "docs/beta.txt", "docs/deep/gamma.md")
        yield heard


def test_what_is_saved_moved_and_deleted_is_found_found_elsewhere_and_gone(bench: Bench, watched: Heard) -> None:
    bench.write("note.md", "Kingfishers dive.")
    watched.changed("docs/note.md")
    assert bench.sources("Kingfishers") == {"docs/note.md"}
    temporary = bench.write(".note.md.tmp", "Cormorants dive.")
    temporary.rename(bench.docs / "note.md")
    assert watched.changed("docs/note.md").changes == {"docs/note.md": "changed"}
    assert bench.sources("Cormorants") == {"docs/note.md"}
    (bench.docs / "note.md").rename(bench.docs / "deep" / "birds.md")
    renamed = watched.changed("docs/deep/birds.md")
    assert describe_batch(renamed) == "renamed: docs/note.md to docs/deep/birds.md"
    assert bench.sources("Cormorants") == {"docs/deep/birds.md"}
    (bench.docs / "deep" / "birds.md").unlink()
    assert watched.changed("docs/deep/birds.md").changes == {"docs/deep/birds.md": "gone"}
    assert bench.sources("Cormorants") == set()


@pytest.mark.slow
def test_a_folder_comes_and_goes_in_one_batch(bench: Bench, watched: Heard) -> None:
    aside = bench.docs.parent / "aside"
    for number in range(12):
        (aside / str(number % 5)).mkdir(parents=True, exist_ok=True)
        (aside / str(number % 5) / f"{number}.txt").write_text(f"Lantern {number} burns.")
    moved = aside.rename(bench.docs / "many")
    assert len(watched.batch().changes) == 12
    moved.rename(aside)
    gone = watched.batch().changes
    assert len(gone) == 12
    assert set(gone.values()) == {"gone"}


def test_a_root_that_was_away_is_looked_through(bench: Bench, watched: Heard) -> None:
    away = bench.docs.rename(bench.docs.with_name("unmounted"))
    (away / "late.md").write_text("Kingfishers dive.")
    (away / "beta.txt").write_bytes(b"\x00\x01\x02\x03" * 512)
    away.rename(bench.docs)
    # A run that was under way may still find files gone: what counts is what the last batch of each says.
    unreadable: dict[str, bool] = {}
    while unreadable.get("docs/late.md") is not False or not unreadable.get("docs/beta.txt"):
        batch = watched.batch()
        unreadable.update({source: source in batch.unreadable for source in batch.changes})
    assert {source for source, bad in unreadable.items() if bad} == {"docs/beta.txt"}
    bench.write("later.md", "Cormorants dive.")
    watched.changed("docs/later.md")


def test_another_writer_is_waited_for(bench: Bench, watched: Heard) -> None:
    with write_lock(Layout(bench.settings.warehouse)):
        bench.write("note.md", "Kingfishers dive.")
        watched.until(lambda heard: isinstance(heard, str) and "is writing to" in heard)
    watched.changed("docs/note.md")


def test_where_the_system_watches_no_more_it_is_looked_for(bench: Bench) -> None:
    with watching(bench) as (heard, watch):
        heard.changed("docs/alpha.md")
        watch.notify(MonitorProblem.LIMIT_REACHED)
        heard.until(lambda said: isinstance(said, str) and "max_user_watches" in said)
        bench.write("note.md", "Kingfishers dive.")
        heard.changed("docs/note.md")


@pytest.mark.slow
def test_the_command_finds_what_it_was_not_told_and_ends_well(bench: Bench) -> None:
    words = ["watch", str(bench.docs), "--json", "--warehouse", str(bench.settings.warehouse)]
    environment = {**os.environ, "KALENDS_EMBED__MODEL": "hashing", "KALENDS_ENTITIES__KINDS": "[]"}
    with ForkedProcess(COMMAND_LINE, *words, pipes=("stdout",), environment=environment) as process:
        assert process.stdout
        events = map(json.loads, process.stdout)
        told = next(event for event in events if event["event"] == "batch")
        assert told["changes"].keys() == {"docs/alpha.md", "docs/beta.txt", "docs/deep/gamma.md"}
        process.send_signal(signal.SIGSTOP)
        more_than_the_system_keeps(bench)
        bench.write("note.md", "Kingfishers dive.")
        process.send_signal(signal.SIGCONT)
        assert "all folders are scanned" in next(event for event in events if event["event"] == "note")["text"]
        assert next(event for event in events if event["event"] == "batch")["changes"] == {"docs/note.md": "new"}
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 0


@pytest.mark.slow
def test_services_with_a_watch_and_the_api_end_together(bench: Bench) -> None:
    folder = bench.docs.parent
    (folder / "kalends.toml").write_text('[[sources]]\nfolder = "docs"\n')
    command = [sys.executable, "-m", "dashboards.cli.main", "up", "--watch", "--api", "--no-worker", "--no-dashboard"]
    environment = {**os.environ, "KALENDS_EMBED__MODEL": "hashing", "KALENDS_ENTITIES__KINDS": "[]"}
    del environment["PREFECT_API_URL"]
    given = [*command, "--warehouse", str(folder / "up"), "--config", str(folder / "kalends.toml")]
    with subprocess.Popen(given, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout
        url = process.stdout.readline().split()[-1]
        while "alpha.md" not in process.stdout.readline():
            assert process.poll() is None
        hits = httpx.post(f"{url}/api/search", json={"query": "zeppelin"}, timeout=60).json()["hits"]
        assert hits[0]["citation"]["source"] == "docs/alpha.md"
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(SECONDS) == 0
    assert rest.endswith("HTTP API stopped.\nPrefect server stopped.\n")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/api/health")


def more_than_the_system_keeps(bench: Bench) -> None:
    limit = Path("/proc/sys/fs/inotify/max_queued_events")
    if not limit.exists():
        pytest.skip("no inotify here")
    for _ in range(int(limit.read_text()) // 2 + 1):
        bench.write("~$note.md", "").unlink()
