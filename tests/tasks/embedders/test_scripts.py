"""Scripts that a model reads: found in its vocabulary; passages in others have no vectors and are found by words."""

from __future__ import annotations

import string
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.ask.excerpts import with_excerpts
from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.embedder import LATIN, find_main_script, find_scripts, is_written_in, open_embedder
from tasks.evaluate.cached_embedder import CachedEmbedder
from tasks.query.retrieval import UNREAD_NOTE, find
from tests.building import build_warehouse
from tests.tasks.embedders.conftest import CHINESE, ENGLISH
from warehouse.reader import Warehouse
from warehouse.records import Mode, Ranking, SearchRequest

TODAY = date(2026, 1, 1)


def test_the_default_model_reads_latin_script_alone() -> None:
    installed = open_embedder("minilm")
    assert isinstance(installed, BertEmbedder)
    assert find_scripts(list(installed._tokenizer.get_vocab())) == LATIN


def test_a_vocabulary_tells_the_scripts() -> None:
    latin = [f"##{first}{second}" for first in string.ascii_lowercase for second in string.ascii_lowercase]
    cyrillic = [chr(code) for code in range(0x430, 0x450)]
    han = [chr(0x4E00 + number) for number in range(2500)]
    assert find_scripts([*latin, *cyrillic, *han[:400]]) == {"LATIN", "CJK"}
    assert find_scripts([*latin * 40, *cyrillic, *han[:400]]) == LATIN
    assert find_scripts([*latin * 40, *cyrillic, *han]) == {"LATIN", "CJK"}
    assert find_scripts([]) == frozenset()


@given(st.text(), st.text())
def test_a_text_is_written_in_all_scripts_or_its_main_one(one: str, other: str) -> None:
    main = find_main_script(one + other)
    assert is_written_in(one, {find_main_script(letter) for letter in one})
    assert is_written_in(one + other, frozenset()) == (not main)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "in").mkdir()
    (folder / "in" / "chinese.md").write_text(f"# 收入\n\n{CHINESE}\n", encoding="utf-8")
    (folder / "in" / "english.md").write_text(f"# Zeppelin\n\n{ENGLISH}\n", encoding="utf-8")
    return build_warehouse(folder / "w", folder / "in")


def test_a_hit_without_a_vector_has_no_cosine(mixed: Warehouse) -> None:
    found = find(mixed, SearchRequest("上海的办事处 zeppelin"), open_embedder("hashing"), TODAY)
    cosines = {hit.citation.source: hit.dense for hit in found.hits}
    assert cosines["in/chinese.md"] is None
    assert cosines["in/english.md"] is not None


def test_excerpts_of_what_is_not_read_embed_nothing(mixed: Warehouse) -> None:
    model = CachedEmbedder(open_embedder("hashing"), {})
    found = find(mixed, SearchRequest("上海的办事处"), model, TODAY)
    hits = [hit for hit in found.hits if hit.citation.source == "in/chinese.md"]
    known = set(model.vectors)
    (shown,) = with_excerpts(found.question, hits, model)
    assert set(model.vectors) == known
    assert "上海" in shown.excerpt_text


def _sources(warehouse: Warehouse, text: str, mode: Mode) -> tuple[list[str], tuple[str, ...]]:
    found = find(warehouse, SearchRequest(text, ranking=Ranking(mode=mode)), open_embedder("hashing"), TODAY)
    return [hit.citation.source for hit in found.hits], found.notes


def test_a_passage_that_the_model_does_not_read_has_no_vector(mixed: Warehouse) -> None:
    rows = mixed.snapshot.query_rows("SELECT DISTINCT d.source FROM embeddings JOIN documents d USING (document_id)")
    assert rows == [("in/english.md",)]


@pytest.mark.parametrize("mode", list(Mode))
def test_it_is_found_by_its_words_in_every_mode(mixed: Warehouse, mode: Mode) -> None:
    sources, notes = _sources(mixed, "上海的办事处", mode)
    assert sources[0] == "in/chinese.md"
    assert (UNREAD_NOTE in notes) == (mode is Mode.DENSE)
    assert _sources(mixed, "When did the zeppelin leave?", mode)[0][0] == "in/english.md"


def test_a_warehouse_may_have_no_vectors_at_all(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(CHINESE, encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "w", tmp_path / "in")
    assert _sources(warehouse, "上海", Mode.HYBRID)[0] == ["in/a.txt"]
    assert _sources(warehouse, "zeppelin", Mode.DENSE)[0] == []
    assert warehouse.snapshot.query_rows("SELECT count(*) FROM embeddings") == [(0,)]


@pytest.mark.filterwarnings("ignore")
def test_a_multilingual_model_gives_chinese_passages_vectors(small_model: Path, tmp_path: Path) -> None:
    place = f"sentence:{small_model}"
    multilingual = open_embedder(place)
    assert multilingual.can_read(CHINESE)
    assert multilingual.can_read(ENGLISH)
    assert not multilingual.can_read("выручка выросла")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(CHINESE, encoding="utf-8")
    warehouse = build_warehouse(tmp_path / "w", tmp_path / "in", embed={"model": place})
    wanted = SearchRequest("上海的办事处", ranking=Ranking(mode=Mode.DENSE))
    found = find(warehouse, wanted, multilingual, TODAY)
    assert [hit.citation.source for hit in found.hits] == ["in/a.txt"]
    assert found.notes == ()
    assert found.hits[0].dense
