"""What every chunker promises, for every document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tasks.chunkers.chunk_builder import make_chunks, make_parents
from tasks.chunkers.chunker import CHUNKERS, Chunker, OverlappingChunker
from tasks.chunkers.packed import StructuralChunker
from tasks.chunkers.parts.document_spans import find_lesson, is_abstract
from tasks.chunkers.semantic import SemanticChunker
from tasks.temporal.document import find_mentions
from tests.examples import examples
from tests.tasks.documents import documents
from warehouse.records import BlockKind, Chunk, Document, Mention

SIZES = st.integers(8, 400)
UNITS = st.sampled_from(["", "hashing"])


def sized(name: str, size: int, tokens_of: str) -> Chunker:
    """The chunker at any size, in characters or tokens, and without a model to load."""
    chunker = CHUNKERS[name]
    if isinstance(chunker, SemanticChunker):
        return replace(chunker, size=size, tokens_of=tokens_of, model="hashing")
    if isinstance(chunker, OverlappingChunker):
        return replace(chunker, size=size, tokens_of=tokens_of, overlap=size // 4)
    return replace(chunker, size=size, tokens_of=tokens_of)


def made(document: Document, chunker: Chunker, times: tuple[Mention, ...] = ()) -> tuple[Chunk, ...]:
    return make_chunks(
        document,
        document_id="d",
        title="Title",
        source="root/name.txt",
        date_claim=None,
        mentions=times,
        entities=(),
        chunker=chunker,
    )


@pytest.mark.parametrize("name", sorted(CHUNKERS))
def test_is_named_and_frozen(name: str) -> None:
    chunker = CHUNKERS[name]
    assert (chunker.name, is_dataclass(chunker), isinstance(chunker.version, int)) == (name, True, True)
    with pytest.raises(AttributeError):
        setattr(chunker, fields(chunker)[0].name, 1)


@examples(0.6)
@given(document=documents(), size=SIZES, tokens_of=UNITS)
def test_every_chunker_keeps_its_promises(document: Document, size: int, tokens_of: str) -> None:
    times = find_mentions(document, None)
    for name in sorted(CHUNKERS):
        note(name)
        check_promises(document, sized(name, size, tokens_of), times)


def check_promises(document: Document, chunker: Chunker, times: tuple[Mention, ...]) -> None:
    """All that `Chunker.spans` and `Chunker.parents` promise."""
    chunks = made(document, chunker, times)
    assert made(document, chunker, times) == chunks, "they repeat"
    check_text_is_reproduced_and_nothing_lost(document, chunks)
    check_tables_are_whole_and_lessons_apart(document, chunks)
    check_sizes_are_bounded(document, chunks, chunker)
    check_ids_are_unique_and_ordered(chunks)
    check_neighbours_share_what_is_allowed_and_no_table(document, chunker)
    check_parents_hold_whole_chunks(document, chunks, chunker)


def check_text_is_reproduced_and_nothing_lost(document: Document, chunks: Sequence[Chunk]) -> None:
    covered: set[int] = set()
    for chunk in chunks:
        assert document.text[chunk.start : chunk.end] == chunk.text == chunk.text.strip() != ""
        covered |= set(range(chunk.start, chunk.end))
    furniture = [block for block in document.blocks if block.kind is BlockKind.FURNITURE]
    set_aside = {place for block in furniture for place in range(block.start, block.end)}
    visible = {place for place, character in enumerate(document.text) if not character.isspace()}
    assert visible - covered == set_aside & visible
    assert not covered & set_aside


def check_tables_are_whole_and_lessons_apart(document: Document, chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        for table in document.tables:
            outside = chunk.end <= table.start or table.end <= chunk.start
            assert outside or (chunk.start <= table.start and table.end <= chunk.end)
        assert len({find_lesson(document, place) for place in (chunk.start, chunk.end - 1)}) == 1
        assert chunk.has_complete_table == chunk.has_table == (chunk.table_count > 0)


def check_sizes_are_bounded(document: Document, chunks: Sequence[Chunk], chunker: Chunker) -> None:
    ruler = chunker.make_ruler(document)
    for chunk in chunks:
        abstract = any(
            is_abstract(document, block)
            for block in document.blocks
            if block.start < chunk.end and chunk.start < block.end
        )
        assert ruler.measure(chunk.start, chunk.end) <= chunker.max_size or chunk.has_table or abstract


def check_ids_are_unique_and_ordered(chunks: Sequence[Chunk]) -> None:
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    assert all(before.end < after.end and before.start < after.start for before, after in pairwise(chunks))


def check_neighbours_share_what_is_allowed_and_no_table(document: Document, chunker: Chunker) -> None:
    ruler, allowed = chunker.make_ruler(document), getattr(chunker, "overlap", 0)
    for before, after in pairwise(chunker.spans(document)):
        if after[0] < before[1]:
            assert ruler.measure(after[0], before[1]) <= allowed
            assert "[TABLE" not in document.text[after[0] : before[1]]


def check_parents_hold_whole_chunks(document: Document, chunks: Sequence[Chunk], chunker: Chunker) -> None:
    parents = make_parents(document, document_id="d", chunker=chunker)
    assert len({parent.parent_id for parent in parents}) == len(parents)
    assert all(before.end <= after.start for before, after in pairwise(parents))
    held = {parent.parent_id: parent for parent in parents}
    for chunk in chunks:
        assert (chunk.parent_id is None) == (not parents)
        if chunk.parent_id:
            parent = held[chunk.parent_id]
            assert parent.start <= chunk.start < chunk.end <= parent.end
            assert parent.text == document.text[parent.start : parent.end]


@given(document=documents(), size=st.integers(1, 400), share=st.floats(0, 0.9))
def test_structural_overlaps_only_where_allowed(document: Document, size: int, share: float) -> None:
    chunker = StructuralChunker(size=size, overlap=int(size * share), table_overlap=20)
    for before, after in pairwise(made(document, chunker)):
        shared = document.text[after.start : before.end]
        if after.start < before.end:
            near = before.has_table or after.has_table
            assert len(shared) <= (min(20, chunker.overlap) if near else chunker.overlap)
            assert "[TABLE" not in shared
            assert not before.text.endswith("[END TABLE]")
            assert not after.text.startswith("[TABLE")


@given(document=documents(), size=st.integers(1, 400))
def test_structural_leaves_oversized_tables_alone(document: Document, size: int) -> None:
    chunks = made(document, StructuralChunker(size=size, overlap=0))
    for table in document.tables:
        if table.end - table.start > 2 * size:
            assert [(c.start, c.end) for c in chunks if c.start <= table.start < c.end] == [(table.start, table.end)]
