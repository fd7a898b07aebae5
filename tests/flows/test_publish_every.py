"""A run that publishes as it goes: each generation is whole, a killed run keeps them, and the end is the same."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from flows import publication
from flows.progress import IngestReport, RunObserver, observe_runs
from tasks.embedders.embedder import open_embedder
from tests.flows.conftest import Bench, worked
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Status
from warehouse.settings.models import IngestSettings
from warehouse.store.generations import find_generation

ALWAYS = IngestSettings(publish_every=1e-9)
"""After each portion."""
SAID = ["The obelisk stands in the harbour.", "A lantern hangs at the gate.", "Four ferries cross the sound."]


@pytest.fixture(autouse=True)
def single_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that each document is a portion."""
    monkeypatch.setattr(publication, "FIRST_PORTION_BYTES", 1)


class Publications(RunObserver):
    """Looks at the warehouse, as any reader would, at each publication before the end."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.seen: list[tuple[int, frozenset[str], int]] = []
        self.readers: list[Warehouse] = []

    def on_published(self, generation: int, sources: Collection[str], of: int) -> None:
        warehouse = self.bench.warehouse
        assert warehouse.generation == generation
        held = frozenset(entry.file.source for entry in warehouse.list_documents())
        found = {hit.citation.source for hit in self.bench.search("obelisk lantern ferries", 50)}
        assert found <= held
        self.seen.append((generation, held, of))
        self.readers.append(warehouse.pin_generation())


def run(bench: Bench, **changes: Any) -> tuple[IngestReport, Publications]:
    watch = Publications(bench)
    with observe_runs(watch):
        return bench.ingest(ingest=ALWAYS, **changes), watch


def content(warehouse: Warehouse) -> list[CatalogEntry]:
    """The documents, whatever files of the lake their outputs lie in."""
    return [
        replace(entry, outputs=tuple(replace(output, file="") for output in entry.outputs))
        for entry in warehouse.list_documents()
    ]


def write_reports(bench: Bench) -> None:
    """Documents of growing size; two are of one company, of which only the larger says when its years end."""
    shutil.rmtree(bench.docs)
    for number, text in enumerate(SAID):
        bench.write(f"note-{number}.md", f"# Note {number}\n\n{text}\n{'More of it. ' * 20 * number}\n")
    head = "---\ncompany: Northmoor Inc.\nkind: report\n---\n\n"
    bench.write("small.md", f"{head}# Northmoor 10-Q\n\nFor the quarterly period ended June 30, 2023.\n")
    year = "For the fiscal year ended September 30, 2023. The fiscal year ends on September 30 of each year.\n"
    bench.write("year.md", f"{head}# Northmoor 10-K\n\n{year}{'The obelisk is an asset. ' * 60}\n")


def test_each_publication_is_whole_and_the_end_is_that_of_a_run_without_it(bench: Bench, tmp_path: Path) -> None:
    write_reports(bench)
    report, watch = run(bench)
    count = len(bench.warehouse.list_documents())
    assert [generation for generation, *_ in watch.seen] == list(range(1, count))
    assert [len(held) for _, held, _ in watch.seen] == list(range(1, count))
    assert {of for *_, of in watch.seen} == {count}
    assert report.generation == count
    # Who opened a generation before goes on reading it.
    assert [len(reader.list_documents()) for reader in watch.readers] == list(range(1, count))
    assert [len(reader.snapshot.passages.documents) for reader in watch.readers] == list(range(1, count))
    runs = bench.warehouse.list_runs()
    assert [(each.new, each.documents) for each in runs] == [(1, number) for number in range(1, count + 1)]
    assert len({each.flow_run for each in runs}) == 1
    assert find_generation(bench.warehouse.layout, runs[2].visible_from).manifest.number == 3
    plain = Bench(bench.settings.model_copy(update={"warehouse": tmp_path / "plain"}), bench.docs)
    plain.ingest(ingest=IngestSettings())
    assert content(bench.warehouse) == content(plain.warehouse)
    for text in (*SAID, "obelisk", "Northmoor in fiscal 2023"):
        assert [replace(hit) for hit in bench.search(text, 9)] == [replace(hit) for hit in plain.search(text, 9)]
    assert bench.ingest(ingest=ALWAYS).generation is None


def test_between_publications_a_document_is_there_as_it_was_or_as_it_is(bench: Bench) -> None:
    write_reports(bench)
    bench.build()
    before = {entry.file.source: entry for entry in bench.warehouse.list_documents()}
    bench.write("note-0.md", "# Note 0\n\nThe obelisk fell.\n")
    bench.write("year.md", "# Northmoor\n\nA lantern again.\n")
    (bench.docs / "note-1.md").unlink()
    (bench.docs / "note-2.md").rename(bench.docs / "renamed.md")
    bench.write("new.md", f"# New\n\n{'A ferry is new. ' * 90}\n")
    _, watch = run(bench)
    assert len(watch.seen) == 3
    for reader in watch.readers:
        sources = {entry.file.source for entry in reader.list_documents()}
        assert "docs/note-1.md" not in sources
        assert len(sources & {"docs/note-2.md", "docs/renamed.md"}) == 1
        assert {"docs/note-0.md", "docs/year.md", "docs/small.md"} <= sources
        assert all(entry.status is Status.PUBLISHED for entry in reader.list_documents() if entry.chunk_count)
        assert len(reader.snapshot.passages) == sum(entry.chunk_count for entry in reader.list_documents())
    changed = [
        {e.file.sha256 for e in r.list_documents()} - {e.file.sha256 for e in before.values()} for r in watch.readers
    ]
    assert [len(each) for each in changed] == sorted(len(each) for each in changed)
    runs = bench.warehouse.list_runs()[1:]
    assert (sum(r.new for r in runs), sum(r.changed for r in runs), sum(r.gone for r in runs)) == (1, 3, 1)


class Interruption(RunObserver):
    """Ctrl-C after the second publication."""

    def on_published(self, generation: int, sources: Collection[str], of: int) -> None:
        if generation == 2:
            raise KeyboardInterrupt


def test_a_run_stopped_between_two_publications_keeps_what_it_published(bench: Bench) -> None:
    write_reports(bench)
    with observe_runs(Interruption()), pytest.raises(KeyboardInterrupt):
        bench.ingest(ingest=ALWAYS)
    check_goes_on(bench)


@pytest.mark.slow
def test_a_run_killed_between_two_publications_keeps_what_it_published(bench: Bench) -> None:
    write_reports(bench)
    command = [sys.executable, "-c", KILLED, "ingest", str(bench.docs), "--publish-every", "0.000001"]
    environment = {**os.environ, "KALENDS_EMBED__MODEL": "hashing", "KALENDS_ENTITIES__KINDS": "[]"}
    with subprocess.Popen(
        [*command, "--warehouse", str(bench.settings.warehouse)],
        cwd=Path(__file__).parents[2],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith("published generation 2:"))
        process.send_signal(signal.SIGKILL)
    check_goes_on(bench)


def check_goes_on(bench: Bench) -> None:
    """What was published is there, and the next run does what is left."""
    held = {entry.file.source for entry in bench.warehouse.list_documents()}
    assert len(held) >= 2
    assert bench.search("obelisk lantern ferries", 9)
    count = bench.warehouse.generation
    report = bench.ingest(ingest=IngestSettings())
    assert report.generation == count + 1
    assert report.counts["new"] == report.documents - len(held)
    assert worked(report)["parse"] <= report.documents - len(held)
    assert {entry.file.source for entry in bench.warehouse.list_documents()} > held


KILLED = """
import sys
from flows import publication
publication.FIRST_PORTION_BYTES = 1
from dashboards.cli.main import main
main()
"""


def test_vectors_of_another_model_are_published_all_at_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    write_reports(bench)
    bench.build()
    monkeypatch.setattr(type(open_embedder("hashing")), "dimension", 64)
    report, watch = run(bench)
    assert not watch.seen
    assert worked(report)["embed"] == report.documents
    assert bench.warehouse.snapshot.vectors.read_vectors(np.arange(1)).shape == (1, 64)


def test_a_damaged_warehouse_is_published_once_it_is_mended(bench: Bench) -> None:
    write_reports(bench)
    bench.build()
    next(path for path in bench.warehouse.layout.lake.glob("chunks/*") if path.stem != "none").unlink()
    _, watch = run(bench)
    assert not watch.seen
    assert bench.search("obelisk", 9)


def test_the_smallest_come_first_and_a_portion_is_as_large_as_the_rate_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publication, "FIRST_PORTION_BYTES", 100)
    now = [0.0]
    monkeypatch.setattr(publication, "monotonic", lambda: now[0])
    sizes = [900, *([50] * 30), 3_000]
    drafts: list[Any] = [SimpleNamespace(file=SimpleNamespace(size=size)) for size in sizes]
    found = []
    for portion in publication.split_portions(drafts, 60.0):
        found.append([draft.file.size for draft in portion])
        now[0] += sum(found[-1]) / 20
    # Twenty bytes a second are six hundred in half of a minute; no portion is over four times the one before.
    assert found == [[50] * 2, [50] * 8, [50] * 12, [50] * 8, [900], [3_000]]
