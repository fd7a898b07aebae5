from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from warehouse.errors import BadWarehouse, StageError
from warehouse.identity import digest
from warehouse.records import Chunk
from warehouse.store import keywords
from warehouse.store.columns.passage_columns import Passages
from warehouse.store.keywords import KeywordIndex, is_complete, publish

DOCUMENTS = [
    ("a", "a1", "Apple revenue rose in the second quarter."),
    ("a", "a2", "The board met in Cupertino."),
    ("b", "b1", "Microsoft revenue fell in the third quarter; revenue of the cloud rose."),
    ("c", "c1", "苹果公司第二季度收入增长百分之十二。"),
]


def chunk(name: str, text: str) -> Chunk:
    return Chunk(
        chunk_id=digest(name),
        document_id="d",
        chunk_index=0,
        start=0,
        end=len(text),
        text=text,
        prefix="",
        chunker="structural",
        section=("Überblick", "Sales"),
        page=3,
        page_chunk_index=0,
        size=len(text),
        word_count=1,
        sentence_count=1,
        has_table=False,
        table_count=0,
        has_complete_table=False,
    )


def chunks(documents: Iterable[tuple[str, str, str]]) -> Iterable[tuple[str, Chunk]]:
    return ((key, chunk(name, text)) for key, name, text in documents)


def passages_of(names: list[str], documents: list[str], ordinals: np.ndarray) -> Passages:
    """Passages of which an index needs to know no more than their ids and documents."""
    ids = np.array([digest(name).encode() for name in names], "S32")
    numbers = {field.name: np.zeros(len(names), np.int64) for field in fields(Passages)}
    documented = {"document_ids": np.array([name.encode() for name in documents], "S32"), "document": ordinals}
    return Passages(**{**numbers, "ids": ids, **documented})


class Index:
    """An index whose passages are called by names, one document each unless a name is `document.passage`."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self.names = list(names)
        documents = [name.partition(".")[0] for name in self.names]
        keys = sorted(set(documents))
        ordinals = np.array([keys.index(each) for each in documents], np.int64)
        self.opened = KeywordIndex(folder, passages_of(self.names, keys, ordinals), list)

    def search(self, text: str, k: int, allowed: set[str] | None = None) -> list[tuple[str, float]]:
        mask = None if allowed is None else np.array([name in allowed for name in self.names])
        rows, scores = self.opened.search(text, k, mask)
        return [(self.names[row], score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True)]


NAMES = [name for _, name, _ in DOCUMENTS]


def ids(hits: list[tuple[str, float]]) -> list[str]:
    return [name for name, _ in hits]


def content(folder: Path) -> dict[str, str]:
    files = (file for file in folder.iterdir() if file.suffix != ".lock")
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.fixture
def first(tmp_path: Path) -> Path:
    publish(None, tmp_path / "1", [], chunks(DOCUMENTS))
    return tmp_path / "1"


def test_the_passage_with_the_words_is_found(first: Path) -> None:
    index = Index(first, NAMES)
    assert len(index.opened) == 4
    assert ids(index.search("Microsoft's revenues", 5)) == ["b1", "a1"]
    assert ids(index.search("苹果收入", 5)) == ["c1"]
    scores = [score for _, score in index.search("revenue quarter apple", 5)]
    assert scores == sorted(scores, reverse=True)
    assert index.search("nothing like it", 0) == []


def test_neighbours_count_more_than_the_same_words_apart(tmp_path: Path) -> None:
    texts = {"apart": "Income rose where interest and the net fell.", "phrase": "Interest rose where net income fell."}
    publish(None, tmp_path / "1", [], chunks((name, name, text) for name, text in texts.items()))
    assert ids(Index(tmp_path / "1", texts).search("What was the net income?", 2)) == ["phrase", "apart"]


def test_function_words_find_nothing_beside_others(first: Path) -> None:
    assert ids(Index(first, NAMES).search("Who met in the Cupertino?", 5)) == ["a2"]


def test_no_passage_has_more_of_the_words_than_the_most(first: Path) -> None:
    opened = Index(first, NAMES).opened
    _, scores = opened.search("Cupertino", 1)
    assert 0.5 * opened.compute_highest_score("Cupertino") < scores[0] < opened.compute_highest_score("Cupertino")
    assert (
        opened.compute_highest_score("the Cupertino revenue")
        > opened.compute_highest_score("Cupertino")
        > opened.compute_highest_score("revenue")
        > 0
    )
    assert opened.compute_highest_score("") == 0


def test_a_generation_costs_what_changed_and_leaves_the_last_one_as_it_was(first: Path) -> None:
    before, reader = content(first), Index(first, NAMES)
    second = first.parent / "2"
    publish(first, second, ["a", "c"], chunks([("a", "a3", "Apple revenue soared."), ("d", "d1", "Tesla revenue.")]))
    now = Index(second, ["a3", "b1", "d1"])
    assert sorted(ids(now.search("revenue", 9))) == ["a3", "b1", "d1"]
    assert now.search("Cupertino 苹果", 9) == []
    assert content(first) == before
    for old in (reader, Index(first, NAMES)):
        assert sorted(ids(old.search("revenue", 9))) == ["a1", "b1"]
        assert len(old.opened) == 4
    shared = {file.stat().st_ino for file in first.iterdir()} & {file.stat().st_ino for file in second.iterdir()}
    assert shared


def test_many_generations_merge_and_lose_nothing(tmp_path: Path) -> None:
    previous = None
    for number in range(20):
        target = tmp_path / str(number)
        added = [(f"k{number}", f"c{number}", f"note number{number} common")]
        publish(previous, target, [f"k{number - 3}"], chunks(added))
        previous = target
        live = {f"c{old}" for old in range(max(0, number - 2), number + 1)}
        assert set(ids(Index(target, live).search("common", 99))) == live
    assert set(ids(Index(tmp_path / "9", ["c7", "c8", "c9"]).search("common", 99))) == {"c7", "c8", "c9"}


def test_the_highest_score_is_above_0_while_passages_that_were_replaced_are_counted(tmp_path: Path) -> None:
    added = [("a", "a1", "The lighthouse was built."), ("b", "b1", "Another lighthouse.")]
    publish(None, tmp_path / "1", [], chunks(added))
    publish(tmp_path / "1", tmp_path / "2", ["a"], chunks([("a", "a2", "The lighthouse was sold.")]))
    now = Index(tmp_path / "2", ["a2", "b1"])
    assert now.opened.count_passages("lighthous") == 3 > len(now.opened)
    assert now.opened.compute_highest_score("lighthouse") > 0
    assert sorted(ids(now.search("lighthouse", 2))) == ["a2", "b1"]


def test_an_index_of_nothing_answers(tmp_path: Path) -> None:
    publish(None, tmp_path / "empty", ["nobody"], [])
    index = Index(tmp_path / "empty", [])
    assert (len(index.opened), index.search("anything", 5), index.search("anything", 5, {"a1"})) == (0, [], [])
    assert (index.opened.match_all_words("anything").tolist(), index.opened.read_chunks(np.array([], np.int64))) == (
        [],
        [],
    )


def test_no_index_is_named_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(BadWarehouse, match="kalends ingest"):
        Index(tmp_path, [])


def test_an_index_of_other_fields_is_not_whole(tmp_path: Path) -> None:
    import tantivy

    tantivy.Index(tantivy.SchemaBuilder().add_text_field("body").build(), path=str(tmp_path))
    assert not is_complete(tmp_path)
    with pytest.raises(BadWarehouse, match="kalends ingest"):
        Index(tmp_path, [])


def test_passages_come_back_as_they_were_in_the_order_asked(first: Path) -> None:
    index = Index(first, NAMES).opened
    expected = [chunk(name, text) for _, name, text in DOCUMENTS]
    assert index.read_chunks(np.array([3, 0, 1])) == [expected[3], expected[0], expected[1]]


def test_the_passages_that_hold_every_word(first: Path) -> None:
    index = Index(first, NAMES).opened
    assert index.match_all_words("Quarter REVENUE").tolist() == [True, False, True, False]
    assert index.match_all_words("revenue Cupertino").tolist() == [False] * 4
    assert index.match_all_words("?!").tolist() == [False] * 4


def test_a_failure_leaves_no_thread_that_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a publication that failed is removed at once, and nothing may come back into it."""
    written = keywords._chunks.dump_json

    def failing(given: Chunk) -> bytes:
        if given.document_id == "broken":
            raise KeyError("Grain.MONTH")
        return written(given)

    monkeypatch.setattr(keywords._chunks, "dump_json", failing)
    broken = replace(chunk("b9", "Marmalade keeps for years."), document_id="broken")
    for attempt in range(20):
        folder = tmp_path / str(attempt)
        with pytest.raises(StageError, match="KeyError") as failure:
            publish(None, folder, (), [*chunks(DOCUMENTS * 5), ("b", broken)])
        shutil.rmtree(folder)
        # The failure is held until here, as a thread's result holds it, and with it the writer.
        assert failure.value.document == "broken"
        assert not folder.exists()


def test_chunks_that_are_no_passage_of_the_generation_are_not_found(first: Path) -> None:
    assert ids(Index(first, ["b1"]).search("revenue", 9)) == ["b1"]


@given(st.text(max_size=60) | st.sampled_from(['body:"x', "a AND (", "-revenue +", "[a TO b]", "key:a", "*", "\\"]))
@examples(2)
def test_any_question_is_safe(text: str) -> None:
    with TemporaryDirectory() as folder:
        publish(None, Path(folder) / "index", [], chunks(DOCUMENTS))
        index = Index(Path(folder) / "index", NAMES)
        assert set(ids(index.search(text, 9))) <= {"a1", "a2", "b1", "c1"}
        assert ids(index.search(f"{text} Cupertino", 9, {"a2"})) == ["a2"]


@pytest.mark.parametrize("named", [0, 40, 10_000])
def test_filters_are_exact(tmp_path: Path, named: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether no passage is named in the query, its document where those are few, or each."""
    monkeypatch.setattr(keywords, "MIN_LISTED", named)
    monkeypatch.setattr(keywords, "READING_COST", 0.0)
    names = [f"k{number // 10:02}.{number:03}" for number in range(300)]
    texts = [f"{'common ' * (number % 7 + 1)}{'rare ' * (number % 5 == 0)}filler{number}" for number in range(300)]
    entries = [(name.partition(".")[0], name, text) for name, text in zip(names, texts, strict=True)]
    publish(None, tmp_path / "index", [], chunks(entries))
    index = Index(tmp_path / "index", names)
    everything = index.search("common rare", 300)
    assert len(everything) == 300
    for step in (1, 2, 17, 299):
        allowed = set(names[::step])
        expected = [hit for hit in everything if hit[0] in allowed]
        for k in (1, 10, 400):
            found = index.search("common rare", k, allowed)
            assert [score for _, score in found] == pytest.approx([score for _, score in expected[:k]])
            assert {name for name, _ in found} <= allowed
            assert len(found) == min(k, len(expected))
    assert index.search("common", 5, set()) == []
