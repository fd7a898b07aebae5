"""Files handed over while another process writes: they wait, are taken in by one run, and are never lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest

from dashboards.background.ingests import QUEUED_NOTE, IngestQueue, list_pending_uploads
from dashboards.background.runs import IngestRun, RunInProgress, State
from flows.locks import write_lock
from flows.progress import DocumentState
from tests.dashboards.api.serving import served
from tests.dashboards.background.storing import store_upload
from tests.flows.conftest import Bench
from tests.forked_process import COMMAND_LINE, ROOT, ForkedProcess
from warehouse.errors import BadInput
from warehouse.records import Status
from warehouse.store.layout import Layout

DROP = """
import sys
from pathlib import Path
from dashboards.background.ingests import IngestQueue
from dashboards.background.inbox import stage_upload
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout
settings = Settings.model_validate_json(sys.argv[1])
with stage_upload(Layout(settings.warehouse).inbox, "lost.md", most_megabytes=1) as staged:
    staged.write(b"# Lost\\n\\nThe caravel sank in 1503.")
    file, _ = staged.store()
print(IngestQueue("the dashboard").enqueue(settings, [file]).state, flush=True)
sys.stdin.read()
"""


def until(look: Callable[[], bool], what: str, seconds: float = 180.0) -> None:
    deadline = monotonic() + seconds
    while not look():
        assert monotonic() < deadline, what
        sleep(0.05)


@pytest.fixture
def ingests() -> Iterator[IngestQueue]:
    found = IngestQueue("the dashboard")
    yield found
    found.close()


def upload(bench: Bench, name: str, text: str) -> Path:
    file, _ = store_upload(Layout(bench.settings.warehouse).inbox, name, text.encode())
    return file


def states(run: IngestRun) -> dict[str, tuple[str, DocumentState]]:
    return {each.source: (each.action, each.state) for each in run.documents}


@pytest.mark.usefixtures("forked_runs")
def test_two_files_dropped_while_the_command_line_ingests_end_in_one_generation(
    bench: Bench, ingests: IngestQueue
) -> None:
    environment = {**os.environ, "KALENDS_EMBED__MODEL": "hashing", "KALENDS_ENTITIES__KINDS": "[]"}
    folder = str(bench.settings.warehouse)
    words = ["ingest", str(bench.docs), "--warehouse", folder]
    with ForkedProcess(COMMAND_LINE, *words, pipes=("stderr",), environment=environment) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("plan: 3 new")
        # It goes on when the line is read, and holds the lock for some seconds more: all that follows is quicker.
        process.send_signal(signal.SIGSTOP)
        first = ingests.enqueue(bench.settings, [upload(bench, "one.md", "# One\n\nThe galleon sailed in 1588.")])
        second = ingests.enqueue(bench.settings, [upload(bench, "two.pdf", "%PDF-1.7\nnothing follows")])
        other = ingests.find_other_run(bench.settings)
        process.send_signal(signal.SIGCONT)
        assert process.wait() == 0
    assert (first.state, first.note) == (State.QUEUED, QUEUED_NOTE)
    assert states(second) == {"inbox/one.md": ("", DocumentState.WAITING), "inbox/two.pdf": ("", DocumentState.WAITING)}
    assert other is not None
    assert (other.holder, other.origin) == (f"process {process.pid}", "kalends ingest")
    assert other.run is not None
    assert other.run.plan == {"new": 3}
    assert {each.source for each in other.run.documents} == {"docs/alpha.md", "docs/beta.txt", "docs/deep/gamma.md"}
    until(lambda: bool(ingests.finished_runs), "the queued run did not end")
    (run,) = ingests.finished_runs
    assert run.id == first.id
    assert run.report is not None
    assert (run.report.generation, run.report.counts) == (2, {"new": 2})
    assert states(run) == {"inbox/one.md": ("new", DocumentState.DONE), "inbox/two.pdf": ("new", DocumentState.FAILED)}
    assert run.documents[0].reason
    found = {each.file.source: each.status for each in bench.warehouse.list_documents()}
    assert (found["inbox/one.md"], found["inbox/two.pdf"]) == (Status.PUBLISHED, Status.UNREADABLE)
    assert len(found) == 5
    assert list_pending_uploads(bench.settings) == []


def test_what_a_killed_server_had_queued_is_taken_in_by_the_next(bench: Bench, ingests: IngestQueue) -> None:
    bench.build()
    command = [sys.executable, "-c", DROP, bench.settings.model_dump_json()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with write_lock(Layout(bench.settings.warehouse)):
        with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "queued\n"
            process.kill()
        assert [file.name for file in list_pending_uploads(bench.settings)] == ["lost.md"]
        looking = ingests.ingest_inbox(bench.settings)
    looking.join(60)
    assert ingests.latest is not None
    assert set(states(ingests.latest)) == {"inbox/lost.md"}
    ingests.stop()
    until(lambda: bool(ingests.finished_runs), "the run did not end")
    until(lambda: bool(ingests.pending_uploads), "the file is forgotten")
    assert [file.name for file in ingests.pending_uploads] == ["lost.md"], "what is stopped is not lost either"
    bench.build(Layout(bench.settings.warehouse).inbox)
    ingests.ingest_inbox(bench.settings).join(60)
    assert (len(ingests.finished_runs), ingests.is_running, ingests.pending_uploads) == (1, False, ()), (
        "nothing is left"
    )


def test_files_of_the_inbox_that_nobody_holds_are_found(bench: Bench) -> None:
    assert list_pending_uploads(bench.settings) == []
    file = upload(bench, "one.md", "# One\n\nThe galleon sailed in 1588.")
    assert list_pending_uploads(bench.settings) == [file.resolve()], "also before the first generation"
    bench.build(file.parent)
    assert list_pending_uploads(bench.settings) == []
    file.write_text("# One\n\nThe galleon sailed in 1589.\n", "utf-8")
    (file.parent / ".partial").write_text("not whole")
    assert list_pending_uploads(bench.settings) == [file.resolve()]
    file.unlink()
    assert list_pending_uploads(bench.settings) == [], "documents whose files are gone are left alone"


def test_the_queue_is_short_and_can_be_left(bench: Bench, ingests: IngestQueue) -> None:
    bench.build()
    settings, docs = bench.settings, bench.docs
    with write_lock(Layout(settings.warehouse)):
        for _ in range(3):
            ingests.enqueue(settings)
            ingests.enqueue(settings, [docs / "alpha.md"])
            ingests.enqueue(settings, [docs / "beta.txt"])
        everything, files = ingests.queued_runs
        assert (everything.files, len(files.files)) == ([], 2)
        ingests.enqueue(settings, drop=["docs"])
        ingests.enqueue(settings, [docs / "alpha.md"])
        assert [run.drop for run in ingests.queued_runs] == [[], [], ["docs"], []], (
            "what follows a drop stays behind it"
        )
        with pytest.raises(RunInProgress) as refused:
            ingests.start(settings)
        assert refused.value.run == everything.id
        with pytest.raises(BadInput):
            ingests.enqueue(settings, [docs / "nowhere.md"])
        file = upload(bench, "one.md", "# One\n\nThe galleon sailed in 1588.")
        ingests.enqueue(settings, [file])
        for run in ingests.queued_runs:
            ingests.cancel(run.id)
        assert ingests.queued_runs == ()
        assert ingests.pending_uploads == (file.resolve(),), "what is cancelled is not forgotten"
    assert ingests.latest is None


def test_the_api_queues_if_asked_to(bench: Bench) -> None:
    bench.build()
    with (
        served(bench.settings) as url,
        httpx.Client(base_url=url, timeout=60) as client,
        write_lock(Layout(bench.settings.warehouse)),
    ):
        assert client.post("/reindex/scan").status_code == 409
        queued = client.post("/reindex/scan", params={"queue": True})
        assert (queued.status_code, queued.json()["state"]) == (202, "queued")
        again = client.post("/reindex/scan?queue=true").json()
        assert again["id"] == queued.json()["id"]
        status = client.get("/reindex/status").json()
        assert [run["id"] for run in status["queued"]] == [queued.json()["id"]]
        assert status["other"] == {"holder": f"process {os.getpid()}", "origin": "", "run": None}
        assert status["run"] is None


def test_a_file_that_is_gone_when_its_turn_comes_stops_nothing(
    bench: Bench, ingests: IngestQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = Layout(bench.settings.warehouse).inbox / "gone.md"
    here = upload(bench, "here.md", "# Here\n\nThe brig sailed in 1790.")
    listings = iter([[gone, here], [here]])
    monkeypatch.setattr("dashboards.background.ingests.list_pending_uploads", lambda _: next(listings))
    ingests.ingest_inbox(bench.settings).join(60)
    assert ingests.latest is None
    assert ingests.pending_uploads == (here,), "it stays on offer"
