"""The setting `embed.index` decides whether a large base has a graph, from the next generation on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.building import build_warehouse
from warehouse.reader import Warehouse
from warehouse.store.generations import compute_next_number, find_current
from warehouse.store.publishing import publish
from warehouse.store.vectors import vector_index


def publish_with(warehouse: Warehouse, index: str) -> None:
    before = find_current(warehouse.layout)
    assert before is not None
    run = before.read_runs()[-1]
    chosen = json.dumps({**json.loads(run.settings), "embed.index": index})
    run = replace(run, generation=compute_next_number(warehouse.layout), settings=chosen, published=None)
    publish(warehouse.layout, before, before.read_entries(), {}, before.manifest.roots, run, before.manifest.dimension)


def test_the_index_follows_the_setting_and_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_index, "MAX_SCANNED", 30)
    monkeypatch.setattr(vector_index, "MIN_NEIGHBOURS", 4)
    monkeypatch.setattr(vector_index, "MIN_COMPARED", 4)
    (tmp_path / "docs").mkdir()
    for number in range(60):
        text = f"Obelisk {number} stands in harbour {number * 7} since {1700 + number}.\n"
        (tmp_path / "docs" / f"note{number}.txt").write_text(text, encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "house", tmp_path / "docs")
    found, graphs = [], []
    for index in ("scan", "hnsw", "hnsw", "scan"):
        publish_with(warehouse, index)
        vectors = warehouse.snapshot.vectors
        query = vectors.read_vectors(np.array([5]))[0]
        rows, scores = vectors.search(query, 1, np.ones(len(vectors), np.bool_))
        found.append((vectors.ids[rows[0]], round(float(scores[0]), 5)))
        graphs.append(vectors.base.has_graph)
        base, generation = warehouse.layout.indexes / warehouse.snapshot.generation.manifest.base, warehouse.generation
        assert vector_index.matches_digest(base), generation
    assert graphs == [False, True, True, False]
    assert found == [found[0]] * 4
