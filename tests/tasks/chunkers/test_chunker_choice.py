"""Which chunker a document gets, and what settings change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tasks.chunkers.chunker import choose_chunker, get_identity
from warehouse.errors import BadInput
from warehouse.records import Chunking, Kind
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkChoice, ChunkKinds, ChunkSettings, EmbedSettings

NOTHING = Chunking()


def settings(**chunk: Any) -> Settings:
    return Settings(chunk=ChunkSettings(**chunk), embed=EmbedSettings(model="hashing"))


@pytest.mark.parametrize(
    ("kind", "name", "size"),
    [
        (Kind.REPORT, "structural", 1000),
        (Kind.TEXT, "structural", 1000),
        (Kind.PAPER, "section", 800),
        (Kind.COURSE, "lesson", 800),
        (Kind.NOTE, "dated", 900),
    ],
)
def test_each_kind_has_its_own(kind: Kind, name: str, size: int) -> None:
    chunker = choose_chunker(kind, NOTHING, settings())
    assert (chunker.name, chunker.size, chunker.unit) == (name, size, "characters")


def test_a_folder_outweighs_a_kind_and_a_kind_all_documents() -> None:
    given = settings(size=700, overlap=70, kinds=ChunkKinds(note=ChunkChoice(chunker="sentence", size=600)))
    assert choose_chunker(Kind.REPORT, NOTHING, given) == replace(
        choose_chunker(Kind.REPORT, NOTHING, settings()), size=700, overlap=70
    )
    note = choose_chunker(Kind.NOTE, NOTHING, given)
    assert (note.name, note.size) == ("sentence", 600)
    note = choose_chunker(Kind.NOTE, Chunking(chunker="semantic", size=500, overlap=0), given)
    assert (note.name, note.size) == ("semantic", 500)


def test_another_chunker_brings_its_own_sizes() -> None:
    assert choose_chunker(Kind.REPORT, Chunking(chunker="hierarchical"), settings()).size == 400


def test_an_inherited_overlap_gives_way_to_a_small_size_and_a_stated_one_does_not() -> None:
    assert choose_chunker(Kind.REPORT, Chunking(size=100), settings()) == choose_chunker(
        Kind.REPORT, Chunking(size=100, overlap=25), settings()
    )
    with pytest.raises(BadInput, match="cannot overlap by 100"):
        choose_chunker(Kind.REPORT, Chunking(size=100, overlap=100), settings())


def test_sizes_can_count_tokens_of_the_embedder() -> None:
    chunker = choose_chunker(Kind.REPORT, Chunking(unit="tokens"), settings())
    assert (chunker.size, chunker.tokens_of, chunker.characters) == (250, "hashing", 1000)
    chunker = choose_chunker(Kind.REPORT, Chunking(chunker="fixed", unit="characters"), settings())
    assert (chunker.size, chunker.tokens_of) == (1016, "")


def test_what_a_chunker_does_not_have_is_refused() -> None:
    with pytest.raises(BadInput, match="semantic chunks do not overlap"):
        choose_chunker(Kind.TEXT, Chunking(chunker="semantic", overlap=10), settings())
    with pytest.raises(BadInput, match="no chunker is named 'x': choose from dated, fixed"):
        choose_chunker(Kind.TEXT, Chunking(chunker="x"), settings())


def test_the_model_takes_part_in_the_identity_where_the_spans_depend_on_it() -> None:
    semantic, structural = (
        [
            get_identity(choose_chunker(Kind.TEXT, Chunking(chunker=name), Settings(embed=EmbedSettings(model=model))))
            for model in ("hashing", "minilm")
        ]
        for name in ("semantic", "structural")
    )
    assert semantic[0] != semantic[1]
    assert structural[0] == structural[1]
