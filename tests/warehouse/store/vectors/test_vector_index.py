from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from warehouse.errors import BadWarehouse
from warehouse.store.publishing import build_base, compute_components
from warehouse.store.vectors import vector_index
from warehouse.store.vectors.vector_index import (
    VectorIndex,
    is_complete,
    matches_digest,
    select_best_rows,
    should_fold,
    write_delta,
)

DIMENSION = 12


def unit(count: int, seed: int, dimension: int = DIMENSION) -> np.ndarray:
    matrix = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True))


def names(count: int, first: int = 0) -> np.ndarray:
    return np.array([f"{number:032x}".encode() for number in range(first, first + count)], "S32")


def base_of(folder: Path, ids: np.ndarray, matrix: np.ndarray, *, graph: bool = False) -> str:
    """A base of vectors that come in two blocks, the later ones first."""
    half = len(ids) // 2
    places = [np.arange(half, len(ids)), np.arange(half)]
    return build_base(folder, ids, lambda: [(each, matrix[each]) for each in places], matrix.shape[1], graph=graph)


def index_of(folder: Path, base: np.ndarray, delta: np.ndarray, *, graph: bool = False) -> VectorIndex:
    """An index whose vectors can be told by their ids: the n-th of both together has the id n."""
    name = base_of(folder, names(len(base)), base, graph=graph)
    write_delta(folder, names(len(delta), len(base)), delta)
    return VectorIndex(folder / name, folder)


@given(
    sizes=st.tuples(st.integers(0, 60), st.integers(0, 20)),
    k=st.integers(0, 100),
    share=st.sampled_from([0.0, 0.05, 0.5, 1.0]),
    copied=st.booleans(),
    seed=st.integers(0, 99),
)
@examples(2)
def test_search_is_brute_force(sizes: tuple[int, int], k: int, share: float, copied: bool, seed: int) -> None:
    matrix, query = unit(sum(sizes), seed), unit(1, seed + 100)[0]
    allowed = np.random.default_rng(seed).random(len(matrix)) < share
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_index, "MAX_SCANNED", 0 if copied else 1000)
        index = index_of(Path(folder), matrix[: sizes[0]], matrix[sizes[0] :])
        rows_of = index.find_rows(names(len(matrix)))
        live = np.zeros(len(index), np.bool_)
        live[rows_of[allowed]] = True
        rows, scores = index.search(query, k, live)
        assert (index.ids[rows_of] == names(len(matrix))).all()
        assert index.find_rows(names(3, len(matrix))).tolist() == [-1] * 3
        assert np.allclose(index.read_vectors(rows_of), matrix)
        assert np.allclose(index.compute_scores(query, rows), scores, atol=1e-6)
    expected = (matrix @ query)[np.argsort(rows_of)]
    there = np.flatnonzero(live)
    best = there[np.lexsort((there, -expected[there]))][:k]
    assert rows.tolist() == best.tolist()
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected[best], atol=1e-5)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorIndex, np.ndarray]:
    """An index with smaller copies, and its vectors in order of row, which vary in some directions more than others."""
    matrix = unit(6_000, 1, 64) * np.linspace(1.0, 0.1, 64, dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_index, "MAX_SCANNED", 500)
        index = index_of(tmp_path_factory.mktemp("large"), matrix[:5_500], matrix[5_500:])
    return index, index.read_vectors(np.arange(6_000))


@pytest.fixture
def few_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the rows to compare are chosen from among 5,500."""
    monkeypatch.setattr(vector_index, "MAX_SCANNED", 500)
    monkeypatch.setattr(vector_index, "MIN_SHORTLIST", 400)
    monkeypatch.setattr(vector_index, "MIN_COMPARED", 50)


@pytest.mark.usefixtures("few_compared")
@pytest.mark.parametrize("share", [1.0, 0.9, 0.5, 0.25, 0.1, 0.01, 0.001])
def test_the_copies_find_what_a_scan_finds_under_every_filter(
    large: tuple[VectorIndex, np.ndarray], share: float
) -> None:
    index, matrix = large
    live = np.random.default_rng(2).random(len(matrix)) < share
    there, right = np.flatnonzero(live), 0
    for query in matrix[:50]:
        rows, scores = index.search(query, 10, live)
        assert len(rows) == min(10, len(there))
        assert live[rows].all()
        assert np.all(np.diff(scores) <= 0)
        right += len(set(rows) & set(there[np.argsort(-(matrix[there] @ query))][:10]))
    assert right >= 0.99 * 50 * min(10, len(there))


@pytest.fixture
def graphed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[VectorIndex, np.ndarray]:
    """An index with a graph, and its vectors in order of row."""
    monkeypatch.setattr(vector_index, "MAX_SCANNED", 500)
    monkeypatch.setattr(vector_index, "MIN_NEIGHBOURS", 100)
    matrix = unit(2_500, 1, 64) * np.linspace(1.0, 0.1, 64, dtype=np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    index = index_of(tmp_path, matrix[:2_000], matrix[2_000:], graph=True)
    return index, index.read_vectors(np.arange(2_500))


def graph_of(folder: Path) -> Path:
    (graph,) = folder.rglob(vector_index.GRAPH)
    return graph


def test_a_graph_finds_what_a_scan_finds(graphed: tuple[VectorIndex, np.ndarray]) -> None:
    index, matrix = graphed
    for live in (np.ones(2_500, np.bool_), np.arange(2_500) % 2 == 0):
        there, right = np.flatnonzero(live), 0
        for query in matrix[:50]:
            rows, scores = index.search(query, 10, live)
            assert np.all(np.diff(scores) <= 0)
            assert live[rows].all()
            right += len(set(rows) & set(there[np.argsort(-(matrix[there] @ query))][:10]))
        assert right >= 0.99 * 500
    assert len(index.search(matrix[0], 2_400, np.ones(2_500, np.bool_))[0]) == 2_400
    assert "_graph" in index.base.__dict__


@pytest.mark.parametrize("graph", [False, True])
def test_only_a_large_base_has_a_graph_and_only_where_one_is_wanted(tmp_path: Path, graph: bool) -> None:
    index = index_of(tmp_path, unit(600, 1, 16), unit(10, 2, 16), graph=graph)
    assert not index.base.has_graph


@pytest.mark.usefixtures("graphed")
def test_a_graph_that_is_lost_or_cut_off_is_seen_at_once(tmp_path: Path) -> None:
    graph = graph_of(tmp_path)
    assert vector_index.matches_digest(graph.parent)
    graph.write_bytes(graph.read_bytes()[:-100])
    assert not vector_index.is_complete(graph.parent)
    graph.unlink()
    assert not vector_index.is_complete(graph.parent)
    assert not vector_index.matches_digest(graph.parent)


def test_a_damaged_graph_is_found_and_named_with_the_cure(
    graphed: tuple[VectorIndex, np.ndarray], tmp_path: Path
) -> None:
    index, matrix = graphed
    graph = graph_of(tmp_path)
    graph.write_bytes(b"\xff" * 96 + graph.read_bytes()[96:])
    assert vector_index.is_complete(graph.parent)
    assert not vector_index.matches_digest(graph.parent)
    with pytest.raises(BadWarehouse, match="kalends ingest"):
        index.search(matrix[0], 5, np.ones(2_500, np.bool_))


def test_an_array_whose_head_has_a_bit_turned_over_is_read_or_named(tmp_path: Path) -> None:
    file = tmp_path / "array.npy"
    np.save(file, unit(3, 1, 16))
    whole, refused = file.read_bytes(), list[str]()
    for bit in range(0, 128 * 8, 3):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        file.write_bytes(damaged)
        try:
            vector_index.load_array(file)
        except BadWarehouse as error:
            refused.append(str(error))
    assert len(refused) > 300
    assert not any("\n" in line for line in refused)


@pytest.mark.usefixtures("few_compared")
def test_live_rows_that_are_the_farthest_are_found(large: tuple[VectorIndex, np.ndarray]) -> None:
    index, matrix = large
    query, live = matrix[7], np.zeros(len(matrix), np.bool_)
    farthest = np.argsort(matrix @ query)[:1500]
    live[farthest] = True
    rows, _ = index.search(query, 20, live)
    assert rows.tolist() == farthest[::-1][:20].tolist()


@pytest.mark.usefixtures("few_compared")
def test_many_equal_scores_leave_enough_to_choose_from(tmp_path: Path) -> None:
    matrix = np.repeat(unit(2, 0), [1_900, 100], axis=0)
    index = index_of(tmp_path, matrix, matrix[:0])
    rows, _ = index.search(matrix[0], 10, np.ones(2_000, np.bool_))
    assert (rows < 1_900).all()
    assert len(set(rows.tolist())) == 10


def test_equal_scores_come_in_order_of_row(tmp_path: Path) -> None:
    index = index_of(tmp_path, np.repeat(unit(1, 0), 9, axis=0), np.repeat(unit(1, 0), 3, axis=0))
    assert index.search(unit(1, 0)[0], 5, np.ones(12, np.bool_))[0].tolist() == [0, 1, 2, 3, 4]


def test_of_equal_scores_at_the_end_the_lower_row_is_kept() -> None:
    rows, scores = select_best_rows(np.array([2, 5, 7, 9]), np.array([0.1, 0.1, 0.1, 0.9], np.float32), 2)
    assert rows.tolist() == [9, 2]
    assert scores.tolist() == pytest.approx([0.9, 0.1])


def test_a_base_is_named_by_its_content_and_never_written_twice(tmp_path: Path) -> None:
    first = base_of(tmp_path, names(5), unit(5, 0))
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / first).iterdir()}
    assert base_of(tmp_path, names(5), unit(5, 0)) == first
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / first).iterdir()} == before
    assert base_of(tmp_path, names(5), unit(5, 1)) != first
    assert base_of(tmp_path, names(5, 9), unit(5, 0)) != first
    assert not list(tmp_path.glob("*.partial"))


def test_a_base_half_written_by_a_killed_run_is_written_anew(tmp_path: Path) -> None:
    def killed() -> list[tuple[np.ndarray, np.ndarray]]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_base(tmp_path, names(5), killed, DIMENSION)
    assert list(tmp_path.glob("*.partial"))
    assert is_complete(tmp_path / base_of(tmp_path, names(5), unit(5, 0)))
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize("file", [*vector_index.FILES, vector_index.BASIS, *vector_index.COPY_FILES])
def test_what_goes_bad_in_a_base_is_found(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_index, "MAX_SCANNED", 100)
    base = tmp_path / base_of(tmp_path, names(200), unit(200, 0))
    assert matches_digest(base)
    content = (base / file).read_bytes()
    (base / file).write_bytes(content[:-9] + bytes([content[-9] ^ 16]) + content[-8:])
    assert is_complete(base)
    assert not matches_digest(base)
    (base / file).write_bytes(content[: len(content) // 2])
    assert not is_complete(base)
    (base / file).unlink()
    assert not is_complete(base)


@pytest.mark.parametrize(("dimension", "count"), [(12, 12), (64, 64), (384, 64)])
def test_components_are_those_that_tell_most(dimension: int, count: int) -> None:
    strengths = np.where(np.arange(dimension) < 70, 1.0, 0.15).astype(np.float32)
    found = compute_components(unit(2_000, 3, dimension) * strengths)
    assert found.shape == (dimension, count)
    assert np.allclose(found.T @ found, np.eye(count), atol=1e-4)


def test_an_empty_index_answers(tmp_path: Path) -> None:
    index = index_of(tmp_path, np.empty((0, DIMENSION), np.float32), np.empty((0, DIMENSION), np.float32))
    rows, scores = index.search(unit(1, 0)[0], 5, np.zeros(0, np.bool_))
    assert (len(index), index.ids.tolist(), rows.tolist(), scores.tolist()) == (0, [], [], [])
    assert index.find_rows(names(1)).tolist() == [-1]


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
