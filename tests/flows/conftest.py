"""One real Prefect server for all flow tests, and a corpus to change."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest
from filelock import FileLock
from prefect.settings.base import PrefectBaseSettings

from flows.orchestration import flush_events, run_ingest
from flows.progress import IngestReport
from flows.service import processes as servers
from tasks.embedders.embedder import open_embedder
from tasks.query.question_parser import parse_question
from tests.building import build_warehouse, copy_made
from tests.forked_process import start_group
from warehouse.reader import Warehouse
from warehouse.records import Hit, SearchRequest
from warehouse.settings.loader import Settings
from warehouse.settings.models import BatchSettings, ChunkSettings, EmbedSettings, EntitySettings
from warehouse.store.layout import Layout

WITHOUT_EVENTS = {
    f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false"
    for name in ("TRIGGERS", "EVENT_PERSISTER", "EVENT_LOGGER", "TASK_RUN_RECORDER")
} | {"PREFECT_API_BLOCKS_REGISTER_ON_START": "false"}
"""No automation listens to the events of these runs, and to write them down takes longer than the runs themselves. Nor
does any use the blocks that Prefect's server registers at its first start."""


@pytest.fixture(scope="session")
def prefect_server(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, pytestconfig: pytest.Config
) -> Iterator[servers.RunningProcess]:
    """The server of all processes that run tests: the first that needs it starts it, the last one stops it."""
    place = tmp_path_factory.getbasetemp()
    place = (place if worker_id == "master" else place.parent) / "server"
    layout, users = Layout(place / "warehouse"), place / "users"
    users.mkdir(parents=True, exist_ok=True)
    (users / worker_id).touch()
    assert pytestconfig.cache
    with FileLock(place / "start"):
        found = _start_server(layout, pytestconfig.cache.mkdir("prefect") / f"{version('prefect')}.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PrefectBaseSettings, "settings_customise_sources", staticmethod(_choose_source))
        patch.setattr(PrefectBaseSettings, "_settings_warn_unused_config_keys", staticmethod(lambda *_: None))
        yield found
    flush_events()
    with FileLock(place / "lock"):
        (users / worker_id).unlink()
        if not list(users.iterdir()):
            with pytest.MonkeyPatch.context() as patch:
                # It waits for the connections that other processes of this run of tests still have open.
                patch.setattr(servers, "STOP_SECONDS", 1.0)
                assert servers.stop_server(layout)


def _choose_source(_: type, init_settings: object, *_others: object, **_named: object) -> tuple[object, ...]:
    """The source of Prefect's settings for a run: those that there are, with those that the run names.

    For each of them it would look into variables and files again, which takes a tenth of the time of a small run.
    """
    return (init_settings,)


def _start_server(layout: Layout, migrated: Path) -> servers.RunningProcess:
    """Start a server on a copy of a database that the first run of tests made: making one takes ten seconds."""
    database = layout.prefect / "prefect.db"
    if migrated.exists() and not database.exists():
        layout.make_folder()
        layout.prefect.mkdir()
        shutil.copy(migrated, database)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in WITHOUT_EVENTS.items():
            patch.setenv(name, value)
        found, _ = servers.start_server(layout)
    if not migrated.exists():
        written = migrated.with_name(f"{found.pid}.partial")
        with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(written)) as target:
            source.backup(target)
        written.replace(migrated)
    return found


DOCUMENTS = {
    "alpha.md": "# Alpha\n\nThe zeppelin left Friedrichshafen in March 2021.\n",
    "beta.txt": "Marmalade is made of bitter oranges.\n\nIt keeps for years.\n",
    "deep/gamma.md": "# Gamma\n\nTurbines of the third dam were replaced in Q2 2023.\n",
}


@dataclass
class Bench:
    """A warehouse, a folder of documents, and the verbs that the tests use."""

    settings: Settings
    docs: Path
    said: list[str] = field(default_factory=list)

    @property
    def warehouse(self) -> Warehouse:
        return Warehouse(self.settings.warehouse)

    def ingest(self, *paths: Path, drop: tuple[str, ...] = (), **changes: object) -> IngestReport:
        self.settings = self.settings.model_copy(update=changes)
        return run_ingest(self.settings, paths or ([] if drop else [self.docs]), self.said.append, drop)

    def build(self, place: Path | None = None) -> None:
        """Publish what `ingest` would, without Prefect, for tests of what comes after it."""
        if place is None and self.settings.warehouse == self.docs.parent / "warehouse" and self._is_as_it_began():
            copy_made(_make_bench, self.docs.parent)
        else:
            build_warehouse(self.settings.warehouse, place or self.docs)

    def _is_as_it_began(self) -> bool:
        """Whether nothing was published yet and the documents are those of every bench."""
        found = {path.relative_to(self.docs).as_posix(): path for path in self.docs.rglob("*") if path.is_file()}
        began = found.keys() == DOCUMENTS.keys() and all(
            path.read_text("utf-8") == DOCUMENTS[name] for name, path in found.items()
        )
        return began and not self.settings.warehouse.exists()

    def search(self, text: str, k: int = 5) -> list[Hit]:
        question = parse_question(SearchRequest(text, k=k), open_embedder(self.settings.embed.model), date(2025, 1, 1))
        return self.warehouse.search(question)

    def sources(self, text: str) -> set[str]:
        """The sources whose hits hold the text itself."""
        found = [hit for hit in self.search(text, 50) if text in hit.text]
        return {citation.source for hit in found for citation in (hit.citation, *hit.duplicates)}

    def write(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


def settings_for(folder: Path) -> Settings:
    """No model, no name tagger: what is tested is the order of things."""
    return Settings(
        warehouse=folder,
        embed=EmbedSettings(model="hashing"),
        entities=EntitySettings(kinds=()),
        batch=BatchSettings(files=4),
        chunk=ChunkSettings(),
    )


@pytest.fixture
def bench(tmp_path: Path, prefect_server: servers.RunningProcess, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("PREFECT_API_URL", prefect_server.url)
    return _open_bench(tmp_path)


@pytest.fixture
def forked_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in the background begin with all loaded: that takes longer than they do."""
    monkeypatch.setattr("dashboards.background.runs.start_group", start_group)


def _open_bench(folder: Path) -> Bench:
    found = Bench(settings_for(folder / "warehouse"), folder / "docs")
    for name, text in DOCUMENTS.items():
        found.write(name, text)
    return found


def _make_bench(folder: Path) -> None:
    bench = _open_bench(folder)
    build_warehouse(bench.settings.warehouse, bench.docs)


def worked(report: IngestReport) -> dict[str, int]:
    """How many documents each stage worked on."""
    return {cost.stage: cost.documents for cost in report.stages if cost.documents}
