"""Uploads over HTTP until a search finds them, and runs that fail, wait or are interrupted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from dashboards.background import runs
from dashboards.background.ingests import IngestQueue
from dashboards.background.runs import IngestRun, RunStore, State
from flows.locks import write_lock
from tests.dashboards.api.serving import served
from tests.flows.conftest import Bench
from tests.flows.test_queued_ingests import until, upload
from warehouse.records import Status
from warehouse.store.layout import Layout

pytestmark = pytest.mark.usefixtures("forked_runs")
MILL = "# Mill\n\nThe mill burnt down in May 1911.\n"


def send(client: httpx.Client, **files: str) -> httpx.Response:
    return client.post("/api/documents", files=[("files", (name, text.encode())) for name, text in files.items()])


def finished(client: httpx.Client, address: str) -> dict[str, Any]:
    """The run at an address once it is over."""
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(client.get(address, params={"wait": 10}).json())
        return found["state"] in ("finished", "failed")

    until(is_over, "the run did not end")
    return found


def test_an_upload_can_be_searched_when_its_run_has_finished(bench: Bench) -> None:
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        assert client.get("/api/health").json()["status"] == "empty"
        done = send(client, **{"mill.md": MILL, "cut.pdf": "%PDF-1.7\nno more"})
        assert done.status_code == 202
        run = finished(client, done.headers["location"])
        assert (run["state"], run["plan"], run["report"]["generation"]) == ("finished", {"new": 2}, 1)
        assert (run["stage"], run["note"]) == ("", "")
        states = {each["source"]: (each["state"], each["reason"]) for each in run["documents"]}
        assert states["inbox/mill.md"] == ("done", "")
        assert states["inbox/cut.pdf"][0] == "failed"
        assert ": " in states["inbox/cut.pdf"][1], "the reason has a cure"
        hits = client.post("/api/search", json={"query": "When did the mill burn down?"}).json()["hits"]
        assert hits[0]["citation"]["source"] == "inbox/mill.md"
        again = send(client, **{"mill.md": MILL})
        assert (again.status_code, again.json()["run"]) == (200, None)
        gone = client.delete("/api/documents/inbox/mill.md")
        assert finished(client, gone.headers["location"])["plan"] == {"gone": 1}
        assert client.get("/api/documents/inbox/mill.md").status_code == 404
        listed = client.get("/api/runs").json()
        assert [each["id"] for each in listed["runs"]] == [gone.json()["id"], run["id"]]
    assert [each.status for each in bench.warehouse.list_documents()] == [Status.UNREADABLE]


def test_a_queued_run_goes_on_in_the_next_process_of_the_server(bench: Bench) -> None:
    bench.build()
    layout = Layout(bench.settings.warehouse)
    with write_lock(layout):
        with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
            first = send(client, **{"mill.md": MILL})
        with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
            waiting = client.get(first.headers["location"]).json()
            assert waiting["state"] == "queued"
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        run = finished(client, first.headers["location"])
        assert (run["state"], run["plan"]) == ("finished", {"new": 1})
        assert client.get("/api/documents/inbox/mill.md").status_code == 200
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        assert client.get(first.headers["location"]).json() == run, "also when nothing of it is in memory"


def test_a_run_that_is_interrupted_is_done_again(bench: Bench) -> None:
    bench.build()
    store = RunStore(Layout(bench.settings.warehouse))
    file = upload(bench, "mill.md", MILL)
    queue = IngestQueue("the HTTP API", store=store)
    run = queue.enqueue(bench.settings, [file])
    queue.close()
    until(lambda: not queue.is_running, "the run did not stop")
    assert queue.latest
    assert queue.latest.state is State.FAILED
    kept = store.read(run.id)
    assert kept
    assert not kept.is_over, "it is still promised"
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        assert finished(client, f"/api/runs/{run.id}")["plan"] == {"new": 1}


def test_only_one_server_continues_the_runs_of_another(bench: Bench) -> None:
    bench.build()
    layout = Layout(bench.settings.warehouse)
    first, second = (IngestQueue("the HTTP API", store=RunStore(layout)) for _ in range(2))
    with write_lock(layout):
        first.resume(bench.settings)
        run = first.enqueue(bench.settings, [bench.docs / "alpha.md"])
        second.resume(bench.settings)
        assert second.queued_runs == ()
        found = second.find(run.id)
        assert found
        assert found.state is State.QUEUED, "the other knows of it"
        first.close()
        second.resume(bench.settings)
        assert [each.id for each in second.queued_runs] == [run.id]
        second.close()


def test_files_that_were_removed_while_their_run_waited_stop_no_others(bench: Bench) -> None:
    bench.build()
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        with write_lock(Layout(bench.settings.warehouse)):
            both = send(client, **{"mill.md": "# Mill\n\nIn May 1911.\n", "barn.md": "# Barn\n\nIn June 1912.\n"})
            assert client.delete("/api/documents/inbox/mill.md").status_code == 204
        run = finished(client, both.headers["location"])
        assert (run["state"], run["plan"]) == ("finished", {"new": 1})
        with write_lock(Layout(bench.settings.warehouse)):
            alone = send(client, **{"shed.md": "# Shed\n\nIn July 1913.\n"})
            assert client.delete("/api/documents/inbox/shed.md").status_code == 204
        run = finished(client, alone.headers["location"])
        assert run["state"] == "failed"
        assert "were deleted before it began" in run["problem"]["detail"]
        assert run["problem"]["cure"]


def test_the_latest_runs_are_kept_and_others_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MAX_RUNS", 4)
    store = RunStore(Layout(tmp_path / "warehouse"))
    for number in range(6):
        store.save(IngestRun(id=f"20261125T{number:012}", started=datetime(2026, 11, 25, tzinfo=UTC), files=[]))
    assert store.list_ids() == [f"20261125T{number:012}" for number in (5, 4, 3, 2)]
    for name in ("20261125T000000000001", "../../etc/passwd", "", "."):
        assert store.read(name) is None
    (tmp_path / "warehouse" / "runs" / f"{store.list_ids()[0]}.json").write_text('{"of": "another version"}')
    assert store.read(store.list_ids()[0]) is None
    assert [run.id for run in store.iter_unfinished()] == store.list_ids()[:0:-1]
