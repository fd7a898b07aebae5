from __future__ import annotations

import hashlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warehouse.errors import BadWarehouse
from warehouse.store import keywords
from warehouse.store.keywords import KeywordIndex, publish

DOCUMENTS = [
    ("a", "a1", "Apple revenue rose in the second quarter."),
    ("a", "a2", "The board met in Cupertino."),
    ("b", "b1", "Microsoft revenue fell in the third quarter; revenue of the cloud rose."),
    ("c", "c1", "苹果公司第二季度收入增长百分之十二。"),
]


def ids(hits: list[tuple[str, float]]) -> list[str]:
    return [chunk_id for chunk_id, _ in hits]


def content(folder: Path) -> dict[str, str]:
    files = (file for file in folder.iterdir() if file.suffix != ".lock")
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture
def first(tmp_path: Path) -> Path:
    publish(None, tmp_path / "1", [], DOCUMENTS)
    return tmp_path / "1"


def test_the_passage_with_the_words_is_found(first: Path) -> None:
    index = KeywordIndex.open(first)
    assert len(index) == 4
    assert ids(index.search("Microsoft's revenues", 5)) == ["b1", "a1"]
    assert ids(index.search("苹果收入", 5)) == ["c1"]
    scores = [score for _, score in index.search("revenue quarter apple", 5)]
    assert scores == sorted(scores, reverse=True)
    assert index.search("nothing like it", 0) == []


def test_a_generation_costs_what_changed_and_leaves_the_last_one_as_it_was(first: Path) -> None:
    before, reader = content(first), KeywordIndex.open(first)
    second = first.parent / "2"
    publish(first, second, ["a", "c"], [("a", "a3", "Apple revenue soared."), ("d", "d1", "Tesla revenue.")])
    now = KeywordIndex.open(second)
    assert sorted(ids(now.search("revenue", 9))) == ["a3", "b1", "d1"]
    assert now.search("Cupertino 苹果", 9) == []
    assert content(first) == before
    for old in (reader, KeywordIndex.open(first)):
        assert sorted(ids(old.search("revenue", 9))) == ["a1", "b1"]
        assert len(old) == 4
    shared = {file.stat().st_ino for file in first.iterdir()} & {file.stat().st_ino for file in second.iterdir()}
    assert shared


def test_many_generations_merge_and_lose_nothing(tmp_path: Path) -> None:
    previous = None
    for number in range(20):
        target = tmp_path / str(number)
        publish(previous, target, [f"k{number - 3}"], [(f"k{number}", f"c{number}", f"note number{number} common")])
        previous = target
        live = {f"c{old}" for old in range(max(0, number - 2), number + 1)}
        assert set(ids(KeywordIndex.open(target).search("common", 99))) == live
    assert set(ids(KeywordIndex.open(tmp_path / "9").search("common", 99))) == {"c7", "c8", "c9"}


def test_an_index_of_nothing_answers(tmp_path: Path) -> None:
    publish(None, tmp_path / "empty", ["nobody"], [])
    index = KeywordIndex.open(tmp_path / "empty")
    assert (len(index), index.search("anything", 5), index.search("anything", 5, {"a1"})) == (0, [], [])


def test_no_index_is_named_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(BadWarehouse, match="kalends ingest"):
        KeywordIndex.open(tmp_path)


@given(st.text(max_size=60) | st.sampled_from(['body:"x', "a AND (", "-revenue +", "[a TO b]", "key:a", "*", "\\"]))
@settings(max_examples=40)
def test_any_question_is_safe(text: str) -> None:
    with TemporaryDirectory() as folder:
        publish(None, Path(folder) / "index", [], DOCUMENTS)
        index = KeywordIndex.open(Path(folder) / "index")
        assert set(ids(index.search(text, 9))) <= {"a1", "a2", "b1", "c1"}
        assert ids(index.search(f"{text} Cupertino", 9, {"a2"})) == ["a2"]


@pytest.mark.parametrize("narrow", [0, 10_000])
def test_filters_are_exact(tmp_path: Path, narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "NARROW", narrow)
    texts = [f"{'common ' * (number % 7 + 1)}{'rare ' * (number % 5 == 0)}filler{number}" for number in range(300)]
    publish(None, tmp_path / "index", [], ((f"k{n // 3}", f"c{n:03}", text) for n, text in enumerate(texts)))
    index = KeywordIndex.open(tmp_path / "index")
    everything = index.search("common rare", 300)
    assert len(everything) == 300
    for step in (1, 2, 17, 299):
        allowed = {f"c{number:03}" for number in range(0, 300, step)}
        expected = [hit for hit in everything if hit[0] in allowed]
        for k in (1, 10, 400):
            found = index.search("common rare", k, allowed)
            assert [score for _, score in found] == pytest.approx([score for _, score in expected[:k]])
            assert {chunk_id for chunk_id, _ in found} <= allowed
            assert len(found) == min(k, len(expected))
    assert index.search("common", 5, set()) == []
    assert index.search("common", 5, {"unknown"}) == []
