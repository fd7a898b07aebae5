"""The page of runs: what they cost, what they changed, what is scheduled, and what it takes of the disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboards.pages.runs.run_charts import NAMED, OTHERS, chart_disk_use, chart_stage_times
from dashboards.pages.runs.run_queries import (
    DocumentChangeKind,
    StageRow,
    build_run_rows,
    compare_generations,
    iter_stage_rows,
    list_changed_settings,
    list_disk_parts,
)
from dashboards.pages.runs.runs_page import render_schedules, render_setup_help
from flows.service.run_history import RecordedDeployment, read_server_record
from tests.building import build_warehouse, count_findings
from tests.dashboards.pages.elements import Reading, said
from warehouse.errors import ServerFailed
from warehouse.reader import Warehouse
from warehouse.records import Run, StageCost
from warehouse.store.layout import Layout

Draw = Callable[..., AppTest]
STAGES = ("parse", "tables", "temporal", "entities", "chunk", "score", "embed")
RUN = Run(
    generation=3,
    flow_run="0000",
    started=datetime(2025, 11, 22, 3, tzinfo=UTC),
    seconds=9.0,
    settings="{}",
    model="hashing",
    documents=20,
    chunks=80,
    new=4,
    changed=2,
    gone=1,
    stages=(StageCost("parse", 5, 1.5), StageCost("embed", 6, 3.0), StageCost("publish", 20, 0.5)),
)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Two generations: one document is changed, one has gone, one has come, and one is cut in another way."""
    folder = tmp_path_factory.mktemp("twice")
    docs = folder / "docs"
    docs.mkdir()
    texts = {"same.md": "# Same\n\nA turbine.", "old.md": "# Old\n\nA rotor.", "change.md": "# Change\n\nA blade."}
    for name, text in texts.items():
        (docs / name).write_text(text, "utf-8")
    build_warehouse(folder / "warehouse", docs)
    (docs / "old.md").unlink()
    (docs / "new <b>.md").write_text("# <b>New\n\nIt said that the tower was", "utf-8")
    (docs / "change.md").write_text("# Change\n\nA blade broke.", "utf-8")
    return build_warehouse(folder / "warehouse", docs, chunk={"size": 400})


def test_runs_are_rows_the_latest_first() -> None:
    rows = build_run_rows([replace(RUN, generation=2), RUN], kept_generations={3})
    assert [(row["generation"], row["kept"]) for row in rows] == [(3, True), (2, False)]
    assert rows[0]["published"] == datetime(2025, 11, 22, 3, 0, 9, tzinfo=UTC)


def test_a_stage_is_spared_what_was_known() -> None:
    assert list(iter_stage_rows([RUN])) == [StageRow(3, "parse", 5, 1, 1.5), StageRow(3, "embed", 6, 0, 3.0)]


def test_a_file_that_cannot_be_read_is_not_spared() -> None:
    stages = tuple(StageCost(name, count, 1.0) for name, count in (("parse", 16), ("tables", 14), ("embed", 13)))
    run = replace(RUN, new=16, changed=0, stages=stages)
    assert [(row.cache_misses, row.cache_hits) for row in iter_stage_rows([run])] == [(16, 0), (14, 0), (13, 1)]


def test_stages_before_the_one_whose_settings_changed_are_spared() -> None:
    run = replace(RUN, new=0, changed=0, stages=(StageCost("parse", 0, 0.0), StageCost("chunk", 9, 1.0)))
    assert [(row.cache_misses, row.cache_hits) for row in iter_stage_rows([run])] == [(0, 9), (9, 0)]


def test_settings_that_came_or_differ_are_told() -> None:
    assert list_changed_settings({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": [4]}) == [("b", 2, 3), ("c", None, [4])]


def test_what_changed_between_two_generations(twice: Warehouse) -> None:
    found = compare_generations(twice.pin_generation(1), twice.pin_generation(2))
    assert {each.source: each.change for each in found.documents} == {
        "docs/change.md": DocumentChangeKind.UPDATED,
        "docs/new <b>.md": DocumentChangeKind.ADDED,
        "docs/old.md": DocumentChangeKind.REMOVED,
        "docs/same.md": DocumentChangeKind.REPROCESSED,
    }
    before, after = (
        sum(each.chunk_count for each in twice.pin_generation(number).list_documents()) for number in (1, 2)
    )
    assert found.chunks == (before, after)
    assert sum(each.chunks for each in found.documents) == after - before
    for rule in found.rules:
        counts = [
            sum(row["count"] for row in count_findings(twice.pin_generation(number)) if row["code"] == rule.code)
            for number in (1, 2)
        ]
        assert counts == [rule.before, rule.after]
    assert compare_generations(twice.pin_generation(2), twice.pin_generation(2)).documents == ()


def test_every_file_of_the_folder_is_counted_once(twice: Warehouse) -> None:
    folder = twice.layout.folder
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink()]
    files = [file for file in files if folder / "current" not in file.parents]
    found = list_disk_parts(twice.layout)
    assert sum(part.files for part in found) == len(files)
    assert sum(part.bytes for part in found) == sum(file.stat().st_size for file in files)
    assert {"lake", "generations", "vectors"} <= {part.name for part in found}


def test_a_folder_without_anything_takes_nothing(tmp_path: Path) -> None:
    assert list_disk_parts(Layout(tmp_path / "none")) == []


def test_the_chart_keeps_every_second_and_few_colours() -> None:
    rows = [StageRow(run, stage, 1, 0, float(place + 1)) for run in (1, 2) for place, stage in enumerate(STAGES)]
    drawn = chart_stage_times(rows).to_dict()
    values = next(iter(drawn["datasets"].values()))
    assert sum(value["seconds"] for value in values) == sum(row.seconds for row in rows)
    assert len({value["stage"] for value in values}) == NAMED + 1
    assert values[-1]["stage"] == OTHERS
    assert chart_disk_use([]).to_dict()["mark"]["type"] == "bar"


def test_the_page_tells_of_runs_changes_and_disk(draw: Draw, twice: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(twice.layout.folder))
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    page = draw("runs")
    assert not page.exception
    assert list(page.dataframe[0].value["generation"]) == [2, 1]
    assert [header.value for header in page.header][1:] == [
        "Generation 2",
        "What generation 2 changed",
        "Prefect server",
        "Disk use",
    ]
    figures = {metric.label: metric.value for metric in page.metric}
    assert (figures["Added"], figures["Updated"], figures["Processed again"], figures["Removed"]) == (
        "1",
        "1",
        "1",
        "1",
    )
    text = said(page)
    assert "No Prefect server is running for this library" in text
    assert "kalends up" in text
    assert "lake" in list(page.dataframe[-1].value["part"])


def test_the_address_names_the_generation(draw: Draw, twice: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALENDS_WAREHOUSE", str(twice.layout.folder))
    page = draw("runs", generation="1")
    assert page.header[1].value == "Generation 1"
    assert page.selectbox(key="runs-against-1").value == 2
    assert draw("runs", generation="<b>").header[1].value == "Generation 2"


def test_one_generation_has_nothing_to_be_compared_with(draw: Draw) -> None:
    page = draw("runs")
    assert not page.exception
    assert "There is no other generation" in said(page)


@contextmanager
def server(answers: dict[str, Any]) -> Iterator[str]:
    """The address of a server that answers each path with some JSON, and others with 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            name = self.path.removeprefix("/api/").removesuffix("/filter")
            self.send_response(200 if name in answers else 404)
            self.end_headers()
            self.wfile.write(json.dumps(answers.get(name)).encode())

        def log_message(self, *args: object) -> None:
            """Nothing."""

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=found.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{found.server_port}/api"
    finally:
        found.shutdown()
        thread.join()
        found.server_close()


FLOW_RUN = {
    "id": "11",
    "flow_id": "f",
    "name": "wise-owl",
    "state_name": "Crashed",
    "state": {"message": "its process <b>ended"},
    "start_time": "2025-11-22T03:00:00Z",
    "total_run_time": 4.5,
}
DEPLOYMENT = {
    "flow_id": "f",
    "name": "nightly",
    "description": "Every <i>night",
    "paused": False,
    "schedules": [
        {"active": True, "schedule": {"cron": "0 2 * * *", "timezone": "UTC"}},
        {"active": False, "schedule": {"interval": 60.0}},
    ],
}


def test_what_the_server_has_on_record_is_shown(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"flow_runs": [FLOW_RUN], "flows": [{"id": "f", "name": "ingest"}], "deployments": [DEPLOYMENT]}
    with server(answers) as url:
        monkeypatch.setenv("PREFECT_API_URL", url)
        page = draw("runs")
    assert not page.exception
    table = next(each.value for each in page.dataframe if "state" in each.value)
    assert (table["name"][0], table["state"][0], table["flow"][0]) == ("wise-owl", "Crashed", "ingest")
    assert "ingest/nightly" in said(page)
    assert "0 2 * * * (UTC)" in said(page)
    assert "every 60 s" not in said(page)


@pytest.mark.parametrize("answers", [{}, {"flow_runs": [{}], "flows": [], "deployments": []}])
def test_a_server_of_another_kind_is_one_line(
    answers: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(answers) as url:
        monkeypatch.setenv("PREFECT_API_URL", url)
        with pytest.raises(ServerFailed):
            read_server_record(Layout(tmp_path))


@pytest.mark.parametrize("url", ["file:///etc", "http://127.0.0.1:1/api", "nonsense"])
def test_no_server_at_an_address_is_one_line(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_API_URL", url)
    with pytest.raises(ServerFailed, match="no Prefect server answers"):
        read_server_record(Layout(tmp_path))


def test_schedules_are_text() -> None:
    html = render_schedules(
        [
            RecordedDeployment("a/b", "<script>", ("0 2 * * *",), paused=True),
            RecordedDeployment("c/d", "", (), paused=False),
        ]
    )
    assert "script" not in Reading(html).tags
    assert "paused" in Reading(html).text
    assert "only when started by hand" in Reading(html).text
    assert "kalends up" in render_setup_help()
