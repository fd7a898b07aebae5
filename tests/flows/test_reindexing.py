"""Ingests that the HTTP API starts: one at a time, beside the answers, and of the warehouse's own folders only."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from flows.locks import write_lock
from tests.dashboards.api.serving import served
from tests.flows.conftest import Bench
from warehouse.store.layout import Layout

pytestmark = pytest.mark.usefixtures("forked_runs")


def finished(client: httpx.Client) -> dict[str, Any]:
    """The latest run once it has ended."""
    deadline = monotonic() + 120
    while monotonic() < deadline:
        run: dict[str, Any] = client.get("/reindex/status").json()["run"]
        if run["state"] != "running":
            return run
        sleep(0.1)
    raise AssertionError(run)


def test_a_scan_publishes_what_is_new_while_answers_go_on(bench: Bench) -> None:
    bench.build()
    bench.write("delta.md", "# Delta\n\nSweet lemons grow in Sicily.\n")
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        started = client.post("/reindex/scan")
        assert started.status_code == 202
        assert started.headers["location"] == "/reindex/status"
        refused = client.post("/reindex/scan")
        assert refused.status_code == 409
        assert refused.json()["run"] == started.json()["id"]
        assert client.post("/api/search", json={"query": "bitter oranges"}).json()["generation"] == 1
        run = finished(client)
        assert (run["state"], run["id"]) == ("finished", started.json()["id"])
        assert run["plan"] == {"new": 1, "unchanged": 3}
        assert run["report"]["generation"] == 2
        hits = client.post("/api/search", json={"query": "sweet lemons"}).json()["hits"]
        assert hits[0]["citation"]["source"] == "docs/delta.md"


def test_one_file_is_looked_at_by_path_or_source(bench: Bench) -> None:
    bench.build()
    bench.write("beta.txt", "Marmalade is made of sweet lemons.\n")
    bench.write("deep/gamma.md", "# Gamma\n\nNobody looks at this one yet.\n")
    (bench.docs / "alpha.md").unlink()
    files = ["docs/beta.txt", str(bench.docs / "beta.txt"), str(bench.docs / "alpha.md")]
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        client.post("/reindex/files", json={"files": files})
        assert finished(client)["plan"] == {"changed": 1, "gone": 1}


def test_all_or_some_files_are_read_again_on_demand(bench: Bench) -> None:
    bench.build()
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        for body, plan in ((None, {"settings changed": 3}), ({"files": ["docs/beta.txt"]}, {"settings changed": 1})):
            started = client.post("/api/reindex", json=body) if body else client.post("/api/reindex")
            assert (started.status_code, started.json()["again"]) == (202, True)
            run = finished(client)
            assert (run["state"], run["plan"]) == ("finished", plan)
        assert client.post("/api/reindex", json={"files": ["/etc/passwd"]}).status_code == 400
        assert client.post("/api/search", json={"query": "bitter oranges"}).json()["generation"] == 3


def test_no_file_outside_of_the_folders_is_read(bench: Bench) -> None:
    bench.build()
    secret = bench.docs.parent / "secret.txt"
    secret.write_text("nobody's business")
    (bench.docs / "link.txt").symlink_to(secret)
    names = [str(secret), "docs/../secret.txt", "docs/link.txt", str(bench.docs / "link.txt"), "/etc/passwd", "x", "\0"]
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        for name in names:
            assert client.post("/reindex/files", json={"files": [name]}).status_code == 400, name
        assert client.get("/reindex/status").json() == {"run": None, "queued": [], "other": None}


def test_a_root_of_single_files_takes_no_others(bench: Bench) -> None:
    bench.build(bench.docs / "beta.txt")
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        assert client.post("/reindex/files", json={"files": [str(bench.docs / "alpha.md")]}).status_code == 400


def test_without_folders_there_is_nothing_to_look_at(bench: Bench) -> None:
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        refused = client.post("/reindex/scan")
        assert refused.status_code == 400
        assert "kalends.toml" in refused.json()["cure"]


def test_an_ingest_of_others_is_in_the_way(bench: Bench) -> None:
    bench.build()
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        with write_lock(Layout(bench.settings.warehouse)):
            refused = client.post("/reindex/scan")
        assert refused.status_code == 409
        assert "is writing to" in refused.json()["detail"]


def test_what_goes_wrong_in_a_run_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.build()
    bench.write("delta.md", "# Delta\n")
    monkeypatch.delenv("PREFECT_API_URL")
    # A folder where the local server's state belongs keeps it from being started.
    (Layout(bench.settings.warehouse).prefect / "server.json").mkdir(parents=True)
    with served(bench.settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        client.post("/reindex/scan")
        run = finished(client)
        assert run["state"] == "failed"
        assert run["problem"]["type"] == "urn:kalends:server-failed"
        assert client.get("/api/health").json()["generation"] == 1


def test_a_stopped_server_leaves_no_run_behind(bench: Bench) -> None:
    for number in range(60):
        bench.write(f"many/{number}.md", f"# Number {number}\n\nMarmalade again, the jar of shelf {number}.\n")
    settings = bench.settings
    bench.build(bench.docs / "deep")
    with served(settings) as url, httpx.Client(base_url=url, timeout=60) as client:
        client.post("/reindex/scan")
    with write_lock(Layout(settings.warehouse)):
        assert Path(settings.warehouse / "current").exists()
