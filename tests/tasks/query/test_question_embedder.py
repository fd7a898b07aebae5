"""Which model reads questions while the vectors are of another one than the settings name."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tasks.embedders.embedder import open_embedder
from tasks.query.question_embedder import PublishedEmbedder, find_question_embedder
from tasks.query.retrieval import find
from tests.building import build_warehouse, copy_made
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest
from warehouse.settings.models import EmbedSettings
from warehouse.store.generations import read_current
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish

MINILM = EmbedSettings(model="minilm")
SERVER = "server:http://127.0.0.1:9/v1#m"


def made(folder: Path) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.txt").write_text("Marmalade is made of bitter oranges.", encoding="utf-8")
    build_warehouse(folder / "w", folder / "docs")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_made(made, tmp_path)
    return tmp_path / "w"


def publish_with(folder: Path, settings: str, model: str = "hashing@384") -> Warehouse:
    """The warehouse, published anew as by a run with these settings; `model` is written as that of its vectors."""
    layout = Layout(folder)
    before = read_current(layout)
    run = replace(before.read_runs()[-1], generation=before.manifest.number + 1, settings=settings, model=model)
    kept = before.read_entries(), before.read_findings(), before.manifest.roots
    publish(layout, before, *kept, run, before.manifest.dimension)
    return Warehouse(folder)


def test_the_model_of_the_vectors_reads_questions_until_the_settings_one_has_embedded(folder: Path) -> None:
    warehouse = publish_with(folder, json.dumps({"embed.model": "hashing"}))
    chosen = find_question_embedder(warehouse, MINILM)
    assert isinstance(chosen, PublishedEmbedder)
    assert (chosen.model, chosen.dimension) == ("hashing@384", 384)
    found = find(warehouse, SearchRequest("bitter oranges"), chosen, date(2025, 1, 1))
    assert [hit.text for hit in found.hits] == ["Marmalade is made of bitter oranges."]
    (note,) = found.notes
    assert note.startswith("the vectors are of hashing@384, which read the question")
    assert note.endswith(f"'kalends ingest' embeds with {open_embedder('minilm').model}")


def test_the_model_of_the_settings_reads_questions_to_vectors_of_its_own(folder: Path) -> None:
    warehouse = publish_with(folder, json.dumps({"embed.model": "hashing"}))
    assert find_question_embedder(warehouse, EmbedSettings(model="hashing")) is open_embedder("hashing", "auto")


def test_nothing_is_published_yet(tmp_path: Path) -> None:
    assert find_question_embedder(Warehouse(tmp_path), MINILM) is open_embedder("minilm", "auto")


@pytest.mark.parametrize("settings", ["{}", '{"embed.model": "sentence:/nowhere"}', '{"embed.model": "nosuch"}'])
def test_a_model_that_is_not_known_any_more_is_one_line(folder: Path, settings: str) -> None:
    warehouse = publish_with(folder, settings)
    chosen = find_question_embedder(warehouse, MINILM)
    assert chosen is open_embedder("minilm", "auto")
    with pytest.raises(BadInput, match=r"the vectors are of hashing@384.*run 'kalends ingest'"):
        find(warehouse, SearchRequest("bitter oranges"), chosen, date(2025, 1, 1))


def test_a_server_that_was_left_is_not_asked(folder: Path) -> None:
    warehouse = publish_with(folder, json.dumps({"embed.model": SERVER}), open_embedder(SERVER).model)
    assert find_question_embedder(warehouse, MINILM) is open_embedder("minilm", "auto")
