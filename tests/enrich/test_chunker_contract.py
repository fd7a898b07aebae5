"""What every chunker promises, for every document."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tasks.chunkers.contract import CHUNKERS, Chunker
from tasks.chunkers.making import make_chunks
from tasks.chunkers.runs import is_abstract, lesson_at
from tasks.chunkers.sizes import chunker_for
from tasks.chunkers.structural import Structural
from tasks.temporal.document import mentions
from warehouse.errors import BadInput
from warehouse.records import BlockKind, Chunk, Document, Kind

from .documents import documents

CHECKED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
NAMES = pytest.mark.parametrize("name", sorted(CHUNKERS))


def made(document: Document, chunker: Chunker) -> tuple[Chunk, ...]:
    return make_chunks(
        document,
        document_id="d",
        title="Title",
        source="root/name.txt",
        document_date=None,
        mentions=mentions(document, None),
        entities=(),
        chunker=chunker,
    )


@NAMES
def test_is_named_and_frozen(name: str) -> None:
    chunker = CHUNKERS[name]
    assert (chunker.name, is_dataclass(chunker), isinstance(chunker.version, int)) == (name, True, True)
    with pytest.raises(AttributeError):
        setattr(chunker, fields(chunker)[0].name, 1)


@NAMES
@CHECKED
@given(document=documents())
def test_text_is_reproduced_and_nothing_lost(name: str, document: Document) -> None:
    covered: set[int] = set()
    for chunk in made(document, CHUNKERS[name]):
        assert document.text[chunk.start : chunk.end] == chunk.text == chunk.text.strip() != ""
        covered |= set(range(chunk.start, chunk.end))
    furniture = [block for block in document.blocks if block.kind is BlockKind.FURNITURE]
    set_aside = {place for block in furniture for place in range(block.start, block.end)}
    visible = {place for place, character in enumerate(document.text) if not character.isspace()}
    assert visible - covered == set_aside & visible
    assert not covered & set_aside


@NAMES
@CHECKED
@given(document=documents())
def test_tables_are_whole_and_lessons_apart(name: str, document: Document) -> None:
    for chunk in made(document, CHUNKERS[name]):
        for table in document.tables:
            outside = chunk.end <= table.start or table.end <= chunk.start
            assert outside or (chunk.start <= table.start and table.end <= chunk.end)
        assert len({lesson_at(document, place) for place in (chunk.start, chunk.end - 1)}) == 1
        assert chunk.has_complete_table == chunk.has_table == (chunk.table_count > 0)


@NAMES
@CHECKED
@given(document=documents())
def test_sizes_are_bounded(name: str, document: Document) -> None:
    chunker = CHUNKERS[name]
    for chunk in made(document, chunker):
        abstract = any(
            is_abstract(document, block)
            for block in document.blocks
            if block.start < chunk.end and chunk.start < block.end
        )
        assert chunk.size <= chunker.size or chunk.has_table or abstract


@NAMES
@CHECKED
@given(document=documents())
def test_ids_are_unique_and_repeat(name: str, document: Document) -> None:
    first, second = (made(document, CHUNKERS[name]) for _ in range(2))
    assert first == second
    assert len({chunk.chunk_id for chunk in first}) == len(first)
    assert [chunk.chunk_index for chunk in first] == list(range(len(first)))
    assert all(before.end < after.end and before.start < after.start for before, after in pairwise(first))


@CHECKED
@given(document=documents(), size=st.integers(1, 400), share=st.floats(0, 0.9))
def test_structural_overlaps_only_where_allowed(document: Document, size: int, share: float) -> None:
    chunker = Structural(size=size, overlap=int(size * share), table_overlap=20)
    for before, after in pairwise(made(document, chunker)):
        shared = document.text[after.start : before.end]
        if after.start < before.end:
            near = before.has_table or after.has_table
            assert len(shared) <= (min(20, chunker.overlap) if near else chunker.overlap)
            assert "[TABLE" not in shared
            assert not before.text.endswith("[END TABLE]")
            assert not after.text.startswith("[TABLE")


@CHECKED
@given(document=documents(), size=st.integers(1, 400))
def test_structural_leaves_oversized_tables_alone(document: Document, size: int) -> None:
    chunks = made(document, Structural(size=size, overlap=0))
    for table in document.tables:
        if table.end - table.start > 2 * size:
            assert [(c.start, c.end) for c in chunks if c.start <= table.start < c.end] == [(table.start, table.end)]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_sizes_that_settings_override(kind: Kind) -> None:
    assert chunker_for(kind).size in (800, 900, 1000)
    assert chunker_for(kind, 100).size == 100
    with pytest.raises(BadInput, match="cannot overlap"):
        chunker_for(kind, 100, 100)
