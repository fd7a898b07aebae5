"""The same flow on a Dask cluster: a scheduler and two workers on loopback, in processes of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import distributed
import pytest

from flows.execution import batch_runner
from tests.flows.conftest import Bench
from warehouse.errors import ClusterFailed
from warehouse.records import Status
from warehouse.settings.models import BatchSettings, LakeSettings, ScaleSettings
from warehouse.store.generations import Generation, read_current
from warehouse.store.layout import Layout

START_SECONDS = 60
FILES = 12


@dataclass
class Cluster:
    """A scheduler and its workers, each a process."""

    folder: Path
    port: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, start_new_session=True)
        self.processes.append(process)
        return process

    def worker(self, threads: int = 1) -> subprocess.Popen[bytes]:
        place = ["--no-nanny", "--no-dashboard", "--local-directory", str(self.folder)]
        return self.start("dask_worker", self.address, "--nthreads", str(threads), *place)

    def wait_for(self, workers: int) -> None:
        with distributed.Client(self.address, set_as_default=False, timeout=START_SECONDS) as client:
            client.wait_for_workers(workers, timeout=START_SECONDS)

    def stop(self) -> None:
        for process in self.processes[::-1]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    found = Cluster(tmp_path_factory.mktemp("dask"), free_port())
    place = ["--host", "127.0.0.1", "--port", str(found.port), "--no-dashboard", "--no-jupyter"]
    try:
        found.start("dask_scheduler", *place)
        found.worker()
        found.worker()
        found.wait_for(2)
        yield found
    finally:
        found.stop()


def notes(bench: Bench) -> None:
    for number in range(FILES):
        bench.write(f"{number}.md", f"# Note {number}\n\nPump {number} was replaced in May {2000 + number}.\n")


def content(generation: Generation) -> object:
    """All that a generation is made of but its times of day."""
    manifest = generation.manifest
    return (
        generation.read_entries(),
        generation.read_findings(),
        manifest.base,
        manifest.base_count,
        manifest.delta_count,
    )


def in_another(bench: Bench, folder: Path, **changes: object) -> Bench:
    return Bench(bench.settings.model_copy(update={"warehouse": folder, **changes}), bench.docs)


@pytest.mark.slow
def test_a_cluster_makes_the_same_warehouse(bench: Bench, cluster: Cluster, tmp_path: Path) -> None:
    notes(bench)
    scaled = in_another(bench, tmp_path / "scaled", scale=ScaleSettings(dask=cluster.address))
    reports = [bench.ingest(), scaled.ingest()]
    assert reports[0].chunks == reports[1].chunks
    one, other = (read_current(Layout(each.settings.warehouse)) for each in (bench, scaled))
    assert content(one) == content(other)
    assert scaled.sources("Pump 7") == bench.sources("Pump 7") != set()


@pytest.mark.slow
def test_workers_who_share_no_folder_meet_in_the_lake(bench: Bench, cluster: Cluster, tmp_path: Path) -> None:
    notes(bench)
    lake = LakeSettings(url=f"file://{tmp_path}/remote")
    first = in_another(bench, tmp_path / "first", scale=ScaleSettings(dask=cluster.address), lake=lake)
    assert sum(cost.documents for cost in first.ingest().stages[:-1]) > 0
    second = in_another(bench, tmp_path / "second", lake=lake)
    assert sum(cost.documents for cost in second.ingest().stages[:-1]) == 0
    assert second.sources("Pump 7") == first.sources("Pump 7") != set()


@pytest.mark.slow
def test_a_worker_that_is_killed_does_not_lose_the_run(bench: Bench, cluster: Cluster) -> None:
    notes(bench)
    doomed = cluster.worker()
    cluster.wait_for(3)

    def kill_amid() -> None:
        deadline = monotonic() + START_SECONDS
        while monotonic() < deadline and not list(bench.settings.warehouse.glob("lake/contents/*.parquet")):
            sleep(0.01)
        os.killpg(doomed.pid, signal.SIGKILL)

    killer = Thread(target=kill_amid)
    killer.start()
    report = bench.ingest(scale=ScaleSettings(dask=cluster.address), batch=BatchSettings(files=1))
    killer.join()
    assert doomed.wait() == -signal.SIGKILL
    assert report.documents == FILES + 3
    assert {entry.status for entry in bench.warehouse.list_documents()} == {Status.PUBLISHED}


def refused(settings: ScaleSettings, *folders: Path) -> str:
    with pytest.raises(ClusterFailed) as failure, batch_runner(settings, folders):
        pass
    assert failure.value.cure
    return str(failure.value)


def test_a_folder_that_workers_do_not_see_is_named(cluster: Cluster, tmp_path: Path) -> None:
    said = refused(ScaleSettings(dask=cluster.address), tmp_path, tmp_path / "elsewhere")
    assert f"does not see {tmp_path}/elsewhere: mount it there" in said


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.execution.CONNECT_SECONDS", 0.5)
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in refused(ScaleSettings(dask="tcp://127.0.0.1:9"))


def test_a_worker_of_many_threads_is_refused(cluster: Cluster) -> None:
    busy = cluster.worker(threads=2)
    try:
        cluster.wait_for(3)
        assert "has 2 threads: start 'dask worker --nthreads 1" in refused(ScaleSettings(dask=cluster.address))
    finally:
        busy.terminate()
        busy.wait()
