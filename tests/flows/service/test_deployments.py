"""What is deployed runs, one run after the other, and tells what it did."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from queue import Queue
from time import monotonic, sleep
from typing import Any

import pytest
from prefect import Flow
from prefect.automations import Automation
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import FlowRun, State
from prefect.deployments import run_deployment

from flows.orchestration import connect_prefect
from flows.service import deployments, processes
from flows.service.deployments import DEPLOYMENT_FILE, read_deployments
from flows.service.run_history import read_server_record
from tests.flows.conftest import Bench, settings_for
from warehouse.errors import BadSettings, ServerFailed
from warehouse.settings.loader import Settings, load_settings
from warehouse.settings.models import ScheduleSettings
from warehouse.store.generations import find_current
from warehouse.store.layout import Layout

SECONDS = 600.0
"""How long a run is waited for: it takes ten seconds on an idle machine, two minutes on a busy one."""
TAKEN = {"Pending", "Running", "Completed"}


def awaited(run: FlowRun, holds: Callable[[State], bool]) -> FlowRun:
    """A run as the server knows it, once something holds of its state."""
    deadline = monotonic() + SECONDS
    with get_client(sync_client=True) as client:
        while True:
            found = client.read_flow_run(run.id)
            if found.state and holds(found.state):
                return found
            assert monotonic() < deadline, f"the run is still {found.state_name}"
            sleep(0.5)


def scheduled(folder: Path, **times: str) -> Settings:
    return settings_for(folder).model_copy(update={"schedules": ScheduleSettings(**times)})


def test_deployments_name_flows_that_are_there(tmp_path: Path) -> None:
    deployments = read_deployments(settings_for(tmp_path))
    assert [each.name for each in deployments] == ["ingest", "scan", "quality-report", "maintain"]
    for each in deployments:
        module, name = each.entrypoint.rsplit(".", 1)
        flow = getattr(import_module(module), name)
        assert isinstance(flow, Flow)
        assert flow.name == each.name
        assert each.schedule is not None
        assert each.tags == (f"warehouse:{tmp_path.resolve()}",)


def test_the_package_has_the_file_of_the_project() -> None:
    assert DEPLOYMENT_FILE.read_bytes() == (Path(__file__).parents[3] / "prefect.yaml").read_bytes()


def test_the_settings_say_other_times(tmp_path: Path) -> None:
    found = read_deployments(scheduled(tmp_path, ingest="5 1 * * *", scan="never", timezone="Europe/Berlin"))
    assert [each.when for each in found[:2]] == ["5 1 * * * (Europe/Berlin)", "when it is started by hand"]


@pytest.mark.parametrize("times", [{"ingest": "at night"}, {"timezone": "Mars/Olympus"}])
def test_times_that_are_none_are_refused(tmp_path: Path, times: dict[str, str]) -> None:
    with pytest.raises(BadSettings, match=r"schedules\.ingest"):
        read_deployments(scheduled(tmp_path, **times))


def test_a_folder_with_quotes_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / 'a "b" \\ c: #d'
    assert read_deployments(settings_for(folder))[0].job_variables["env"]["KALENDS_WAREHOUSE"] == str(folder)


@pytest.fixture
def served(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A warehouse in service on the session's server, its settings in a file as a user has them."""
    file = bench.docs.parent / "kalends.toml"
    file.write_text(
        'warehouse = "warehouse"\nsources = [{ folder = "docs" }]\n'
        '[embed]\nmodel = "hashing"\n[entities]\nkinds = []\n'
        '[schedules]\nscan = "never"\nquality_report = "never"\nmaintain = "never"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("KALENDS_CONFIG", str(file))
    monkeypatch.setenv("PREFECT_WORKER_QUERY_SECONDS", "1")
    bench.settings = load_settings()
    yield bench
    layout = Layout(bench.settings.warehouse)
    processes.make_worker_process(layout).stop()
    with connect_prefect(layout, bench.said.append), get_client(sync_client=True) as client:
        for each in client.read_deployments():
            client.delete_deployment(each.id)


@pytest.fixture
def own_server(served: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The warehouse has a server of its own, with all of Prefect's services."""
    layout = Layout(served.settings.warehouse)
    with monkeypatch.context() as patch:
        patch.delenv("PREFECT_API_URL")
        yield
        processes.make_worker_process(layout).stop()
        processes.stop_server(layout)


def test_the_server_makes_the_runs_that_the_clock_asks_for(served: Bench) -> None:
    deployments.start_service(served.settings, served.said.append, with_worker=False)
    with connect_prefect(Layout(served.settings.warehouse), served.said.append), get_client(sync_client=True) as client:
        (ingest,) = (each for each in client.read_deployments() if each.name == "ingest")
        # What the server's scheduler does, a minute after it has got a schedule.
        asked = client.request("POST", "/deployments/{id}/schedule", path_params={"id": ingest.id}, json={})
        assert asked.is_success
        runs = [each for each in client.read_flow_runs() if each.deployment_id == ingest.id]
    times = {(run.expected_start_time.hour, run.expected_start_time.minute) for run in runs if run.expected_start_time}
    assert runs
    assert all(run.auto_scheduled for run in runs)
    assert times == {(2, 0)}


def test_what_is_deployed_runs_and_tells_what_it_did(served: Bench) -> None:
    layout = Layout(served.settings.warehouse)
    first = deployments.start_service(served.settings, served.said.append)
    again = deployments.start_service(served.settings, served.said.append)
    assert first.worker is not None
    assert first.worker == again.worker
    with connect_prefect(layout, served.said.append):
        ingest = awaited(run_deployment("ingest/ingest", timeout=0, as_subflow=False), State.is_final)
        kept = artifacts(ingest)
    assert ingest.state_name == "Completed"
    assert kept.keys() == {"ingest-summary", "ingest-quality", "ingest-slowest"}
    assert "| source | seconds |" in str(kept["ingest-slowest"])
    published = find_current(layout)
    assert published is not None
    assert published.manifest.number == 1
    assert published.read_runs()[-1].flow_run == str(ingest.id)
    with connect_prefect(layout, served.said.append):
        # As the server's own scheduler makes the runs to come, a minute after it has got a schedule.
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        run_deployment("ingest/ingest", scheduled_time=tomorrow, timeout=0, as_subflow=False)
    record = read_server_record(layout)
    assert record is not None
    assert {(run.flow, run.state) for run in record.runs} == {("ingest", "Completed")}
    times = {each.name: each.schedules for each in record.deployments}
    assert times["ingest/ingest"] == ("0 2 * * * (UTC)",)
    assert times["scan/scan"] == ()
    with pytest.raises(ServerFailed, match="serves another warehouse"):
        deployments.start_service(settings_for(served.docs.parent / "other"), served.said.append)


@pytest.mark.slow
def test_what_is_deployed_runs_one_after_the_other(served: Bench) -> None:
    layout = Layout(served.settings.warehouse)
    deployments.start_service(served.settings, served.said.append)
    with connect_prefect(layout, served.said.append):
        # The worker takes runs in the order of the times they are due: the second is asked for once it has the first.
        ingest = awaited(
            run_deployment("ingest/ingest", timeout=0, as_subflow=False), lambda state: state.name in TAKEN
        )
        scan = run_deployment("scan/scan", timeout=SECONDS, poll_interval=1, as_subflow=False)
        ingest = awaited(ingest, State.is_final)
    assert ingest.state_name == "Completed"
    assert scan.state is not None
    assert scan.start_time is not None
    assert ingest.end_time is not None
    assert scan.start_time >= ingest.end_time
    assert (scan.state_name, scan.state.message) == ("Completed", "Nothing changed.")
    record = read_server_record(layout)
    assert record is not None
    assert {(run.flow, run.state) for run in record.runs} == {("ingest", "Completed"), ("scan", "Completed")}


@pytest.mark.slow
def test_the_weekly_ones_run_too(served: Bench) -> None:
    layout = Layout(served.settings.warehouse)
    deployments.start_service(served.settings, served.said.append)
    with connect_prefect(layout, served.said.append):
        for name in ("ingest", "quality-report", "maintain"):
            run = run_deployment(f"{name}/{name}", timeout=SECONDS, poll_interval=1, as_subflow=False)
            assert run.state_name == "Completed", (name, run.state)
    assert {path.suffix for path in (layout.folder / "reports").iterdir()} >= {".sarif", ".html"}


@pytest.mark.slow
def test_a_run_that_fails_notifies(served: Bench, own_server: None) -> None:
    layout = Layout(served.settings.warehouse)
    deployments.start_service(served.settings, served.said.append)
    with listening() as (url, heard), connect_prefect(layout, served.said.append):
        made = notifying(url)
        run = run_deployment(
            "ingest/ingest", parameters={"paths": ["/nowhere"]}, timeout=SECONDS, poll_interval=1, as_subflow=False
        )
        said = heard.get(timeout=60)
        made.delete()
    assert run.state_name == "Failed"
    assert said["text"].startswith(f"ingest / {run.name}: ")
    assert "there is no file or folder /nowhere" in said["text"]


def notifying(url: str) -> Automation:
    """The automation of docs/service.md."""
    page = (Path(__file__).parents[3] / "docs/service.md").read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    found: dict[str, Any] = {}
    exec(code.replace("http://127.0.0.1:9000/", url).replace("\nAutomation(", "\nmade = Automation("), found)
    made: Automation = found["made"]
    return made


@contextmanager
def listening() -> Iterator[tuple[str, Queue[dict[str, str]]]]:
    """The address of a receiver, and what it hears."""
    heard: Queue[dict[str, str]] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as receiver:
        thread = threading.Thread(target=receiver.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{receiver.server_port}/", heard
        finally:
            receiver.shutdown()
            thread.join()


def artifacts(run: FlowRun) -> dict[str | None, Any]:
    of_run = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
    with get_client(sync_client=True) as client:
        return {each.key: each.data for each in client.read_artifacts(artifact_filter=of_run)}
