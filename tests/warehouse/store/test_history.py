"""Readers see one generation whole: the newest, or the older one they ask for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from shutil import copytree
from threading import Event

import pytest

from dashboards.cli import status
from tasks.embedders.embedder import open_embedder
from tasks.query.retrieval import find
from tests.building import DAY, build_warehouse
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, SearchRequest
from warehouse.store.generations import Generation, compute_next_number, find_current
from warehouse.store.publishing import publish

TODAY = date(2026, 1, 1)


def texts(warehouse: Warehouse, question: str) -> list[str]:
    return [
        hit.text
        for hit in find(warehouse, SearchRequest(question, Filters(), k=9), open_embedder("hashing"), TODAY).hits
    ]


def publish_twice(folder: Path) -> Warehouse:
    """A warehouse of two generations, between which the figure of a note changes."""
    (folder / "docs").mkdir()
    for generation in (1, 2):
        (folder / "docs" / "note.txt").write_text(f"The obelisk weighs {generation} tons.\n", encoding="utf-8")
        house = build_warehouse(folder / "house", folder / "docs")
    return house


@pytest.fixture(scope="module")
def published_twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish_twice(tmp_path_factory.mktemp("history")).layout.folder


@pytest.fixture
def twice(published_twice: Path, tmp_path: Path) -> Warehouse:
    """A copy to go on with."""
    return Warehouse(copytree(published_twice, tmp_path / "house", symlinks=True))


def test_an_older_generation_answers_by_number(twice: Warehouse) -> None:
    assert texts(twice, "obelisk") == ["The obelisk weighs 2 tons."]
    assert texts(twice.pin_generation(1), "obelisk") == ["The obelisk weighs 1 tons."]
    assert twice.pin_generation(1).run_sql("SELECT text FROM chunks").rows == (("The obelisk weighs 1 tons.",),)
    assert (twice.pin_generation(1).generation, twice.pin_generation(2).generation) == (1, 2)


def test_an_older_generation_answers_by_the_moment_it_was_published(twice: Warehouse) -> None:
    published = find_current(twice.layout)
    assert published is not None
    day = DAY + timedelta(days=3)
    later = replace(published.read_runs()[-1], generation=compute_next_number(twice.layout), started=day, published=day)
    publish(twice.layout, published, published.read_entries(), {}, published.manifest.roots, later, 384)
    assert twice.generation == 3
    assert twice.pin_generation(DAY + timedelta(days=1)).generation == 2
    assert twice.pin_generation(DAY + timedelta(days=9)).generation == 3


@pytest.mark.parametrize("moment", [7, 0, datetime(1999, 1, 1, tzinfo=UTC)])
def test_what_was_never_published_is_named(twice: Warehouse, moment: int | datetime) -> None:
    with pytest.raises(BadInput, match=r"choose one of 1, 2|the first generation is of 2025-11-22"):
        twice.pin_generation(moment)


def test_a_warehouse_held_does_not_notice_the_next_generation(tmp_path: Path) -> None:
    twice = publish_twice(tmp_path)
    held = twice.pin_generation()
    (tmp_path / "docs" / "note.txt").write_text("The obelisk weighs 3 tons.\n", encoding="utf-8")
    build_warehouse(tmp_path / "house", tmp_path / "docs")
    assert (texts(held, "obelisk"), texts(twice, "obelisk")) == (
        ["The obelisk weighs 2 tons."],
        ["The obelisk weighs 3 tons."],
    )


def test_readers_see_no_mixture_while_generations_are_published(tmp_path: Path) -> None:
    docs, done = tmp_path / "docs", Event()
    docs.mkdir()

    def write(generation: int) -> Warehouse:
        for number in range(3):
            (docs / f"{number}.txt").write_text(f"Obelisk {number} weighs {generation} tons.\n", encoding="utf-8")
        return build_warehouse(tmp_path / "house", docs)

    def read(house: Warehouse) -> list[list[str]]:
        seen = []
        while not done.wait(0.01):  # Who publishes is to be waited for as little as may be.
            seen.append(texts(house, "obelisk tons"))
        return seen

    house = write(0)
    with ThreadPoolExecutor(4) as readers:
        # Half of them share a warehouse, as the pages of a server do; half have their own.
        reading = [readers.submit(read, house if reader % 2 else Warehouse(tmp_path / "house")) for reader in range(4)]
        try:
            for generation in range(1, 3):
                write(generation)
        finally:
            done.set()
        answers = [answer for future in reading for answer in future.result()]
    weights = [{text.split()[3] for text in answer} for answer in answers]
    assert all(len(answer) == 3 for answer in answers)
    assert all(len(each) == 1 for each in weights)
    assert len(set.union(*weights)) > 1


def test_a_run_notes_when_it_published_and_not_when_it_began(twice: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    generation = find_current(twice.layout)
    assert generation is not None
    run = replace(generation.read_runs()[-1], generation=compute_next_number(twice.layout), published=None)
    before = datetime.now(UTC)
    publish(twice.layout, generation, generation.read_entries(), {}, generation.manifest.roots, run, 384)
    told = status.read_warehouse_status(twice.layout)
    assert before <= told["published"] <= datetime.now(UTC)
    assert told["run_started"] == run.started
    older = replace(run, seconds=60.0)
    assert older.visible_from == older.started + timedelta(seconds=60)
    monkeypatch.setattr(Generation, "read_runs", lambda self: (older,))
    told = status.read_warehouse_status(twice.layout)
    assert "published" not in told, "an older program did not note it"
    assert told["run_started"] == run.started
