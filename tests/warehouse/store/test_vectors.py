from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.errors import BadWarehouse
from warehouse.store import vectors
from warehouse.store.vectors import Graph, VectorIndex, best_rows, build_base, build_graph, should_fold, write_vectors

DIMENSION = 12


def unit(count: int, seed: int, dimension: int = DIMENSION) -> np.ndarray:
    matrix = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True))


def names(count: int, first: int = 0) -> list[str]:
    return [f"{number:032x}" for number in range(first, first + count)]


def index_of(folder: Path, base: np.ndarray, delta: np.ndarray) -> VectorIndex:
    name = build_base(folder, names(len(base)), base)
    write_vectors(folder, "delta", names(len(delta), len(base)), delta)
    return VectorIndex(folder / name, folder)


@given(
    sizes=st.tuples(st.integers(0, 60), st.integers(0, 20)),
    k=st.integers(0, 100),
    share=st.sampled_from([None, 0.0, 0.05, 0.5, 1.0]),
    graph=st.booleans(),
    seed=st.integers(0, 99),
)
@settings(max_examples=60)
def test_search_is_brute_force(sizes: tuple[int, int], k: int, share: float | None, graph: bool, seed: int) -> None:
    matrix, query = unit(sum(sizes), seed), unit(1, seed + 100)[0]
    allowed = None if share is None else np.random.default_rng(seed).random(len(matrix)) < share
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if graph:
            patch.setattr(vectors, "SCAN", 0)
        index = index_of(Path(folder), matrix[: sizes[0]], matrix[sizes[0] :])
        there = np.arange(len(matrix)) if allowed is None else np.flatnonzero(allowed)
        rows, scores = index.search(query, k, there)
        again, _ = index.search(query, k, there)
        assert index.ids == names(len(matrix))
    expected = matrix @ query
    best = there[np.argsort(-expected[there], kind="stable")][:k]
    assert rows.tolist() == best.tolist() == again.tolist()
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected[best], atol=1e-5)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorIndex, np.ndarray]:
    matrix = unit(6_000, 1)
    folder = tmp_path_factory.mktemp("large")
    return index_of(folder, matrix[:5_500], matrix[5_500:]), matrix


@pytest.mark.parametrize("share", [1.0, 0.9, 0.5, 0.25, 0.1, 0.001])
def test_the_graph_finds_what_a_scan_finds_under_every_filter(
    large: tuple[VectorIndex, np.ndarray], share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "SCAN", 0)
    index, matrix = large
    allowed = np.random.default_rng(2).random(len(matrix)) < share
    right = 0
    for query in unit(50, 3):
        there = np.flatnonzero(allowed)
        rows, _ = index.search(query, 10, there)
        assert len(rows) == min(10, len(there))
        assert allowed[rows].all()
        best = there[np.argsort(-(matrix[there] @ query))][:10]
        right += len(set(rows) & set(best))
    assert right >= 0.99 * 50 * min(10, allowed.sum())


def test_allowed_rows_that_are_the_farthest_are_found(
    large: tuple[VectorIndex, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "SCAN", 0)
    index, matrix = large
    query = unit(1, 4)[0]
    farthest = np.argsort(matrix @ query)[:1500]
    rows, scores = index.search(query, 20, np.sort(farthest))
    assert rows.tolist() == farthest[::-1][:20].tolist()
    assert np.all(np.diff(scores) <= 0)


def test_equal_scores_come_in_order_of_row(tmp_path: Path) -> None:
    index = index_of(tmp_path, np.repeat(unit(1, 0), 9, axis=0), np.repeat(unit(1, 0), 3, axis=0))
    assert index.search(unit(1, 0)[0], 5, np.arange(12))[0].tolist() == [0, 1, 2, 3, 4]


def test_of_equal_scores_at_the_end_the_lower_row_is_kept() -> None:
    rows, scores = best_rows(np.array([2, 5, 7, 9]), np.array([0.1, 0.1, 0.1, 0.9], np.float32), 2)
    assert rows.tolist() == [9, 2]
    assert scores.tolist() == pytest.approx([0.9, 0.1])


def test_a_graph_that_reaches_fewer_rows_than_asked_for_gives_those_it_reaches(tmp_path: Path) -> None:
    matrix = unit(10, 0)
    build_graph(tmp_path / "graph", matrix)
    found = Graph(tmp_path / "graph", 40, DIMENSION).nearest(matrix[3], 40)
    assert found[0] == 3
    assert len(found) == len(set(found)) == 10


def test_a_base_is_named_by_its_content_and_never_written_twice(tmp_path: Path) -> None:
    first = build_base(tmp_path, names(5), unit(5, 0))
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / first).iterdir()}
    assert build_base(tmp_path, names(5), unit(5, 0)) == first
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / first).iterdir()} == before
    assert build_base(tmp_path, names(5), unit(5, 1)) != first
    assert build_base(tmp_path, names(5, 9), unit(5, 0)) != first
    assert not list(tmp_path.glob("*.partial"))


def test_a_base_half_written_by_a_killed_run_is_written_anew(tmp_path: Path) -> None:
    name = build_base(tmp_path / "whole", names(5), unit(5, 0))
    left = tmp_path / f"{name}.partial"
    left.mkdir()
    (left / "base.npy").write_bytes(b"half")
    assert build_base(tmp_path, names(5), unit(5, 0)) == name
    write_vectors(tmp_path, "delta", [], np.empty((0, 0), np.float32))
    assert len(VectorIndex(tmp_path / name, tmp_path)) == 5


def test_an_empty_index_answers(tmp_path: Path) -> None:
    index = index_of(tmp_path, np.empty((0, 0), np.float32), np.empty((0, 0), np.float32))
    rows, scores = index.search(unit(1, 0)[0], 5, np.arange(0))
    assert (len(index), index.ids, rows.tolist(), scores.tolist()) == (0, [], [], [])


def test_missing_files_are_named_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(BadWarehouse, match="kalends ingest"):
        VectorIndex(tmp_path / "nothing", tmp_path)


def test_when_a_delta_is_folded() -> None:
    assert not should_fold(0, 10, 10)
    assert should_fold(0, 5_000, 5_000)
    assert not should_fold(100_000, 15_000, 110_000)
    assert should_fold(100_000, 25_000, 125_000)
    assert should_fold(100_000, 0, 40_000)
    assert not should_fold(10, 5, 8)
