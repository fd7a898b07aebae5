"""The fields of chunks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tasks.chunkers.chunk_builder import make_chunks
from tasks.chunkers.packed import StructuralChunker
from tasks.temporal.document import find_mentions
from tests.tasks.documents import Draft
from warehouse.records import Box, Chunk, DateClaim, DateOrigin, Document, Entity, Kind, Region

ROWS = [["Quarter", "Revenue"], ["Q1 2023", "100"], ["Q2 2023", "120"]]


def made(document: Document, *, size: int = 1000, entities: tuple[Entity, ...] = ()) -> tuple[Chunk, ...]:
    return make_chunks(
        document,
        document_id="d",
        title="My title",
        source="vault/a.md",
        date_claim=DateClaim(date(2023, 12, 31), DateOrigin.PROPERTIES),
        mentions=find_mentions(document, date(2023, 12, 31)),
        entities=entities,
        chunker=StructuralChunker(size=size, overlap=0),
    )


def test_counts_and_flags() -> None:
    document = Draft().heading("Sales").paragraph("Sales grew. They did!", page=2).table(ROWS).document()
    (chunk,) = made(document)
    assert (chunk.has_table, chunk.table_count, chunk.has_complete_table) == (True, 1, True)
    assert (chunk.size, chunk.sentence_count, chunk.section) == (len(document.text), 2, ("Sales",))
    assert (chunk.period_start, chunk.period_end) == (date(2023, 1, 1), date(2023, 7, 1))
    assert chunk.chunker == "structural"
    assert made(Draft().paragraph("收入 rose 5%").document())[0].word_count == 4


def test_page_ordinals_count_on_the_page() -> None:
    draft = Draft()
    for page in (1, 1, 2):
        draft.paragraph("A sentence of some length here.", page=page)
    assert [(c.page, c.page_chunk_index) for c in made(draft.document(), size=40)] == [(1, 0), (1, 1), (2, 0)]


def test_a_chunk_of_a_block_that_runs_over_pages_has_the_page_it_starts_on() -> None:
    document = Draft().paragraph("First sentence here. Second sentence here.", page=1).document()
    regions = (Region(0, 20, 1, Box(0, 0, 1, 1)), Region(21, 42, 2, Box(0, 0, 1, 1)))
    document = replace(document, blocks=(replace(document.blocks[0], regions=regions),))
    assert [(c.page, c.page_chunk_index) for c in made(document, size=30)] == [(1, 0), (2, 0)]


def test_ids_survive_edits_elsewhere_and_tell_repeats_apart() -> None:
    same = "The same sentence twice."
    before = made(Draft().paragraph(same).paragraph(same).document(), size=30)
    after = made(Draft().paragraph("New words come first.").paragraph(same).paragraph(same).document(), size=30)
    assert before[0].chunk_id != before[1].chunk_id
    assert [chunk.chunk_id for chunk in after[1:]] == [chunk.chunk_id for chunk in before]


def test_prefix_follows_the_kind() -> None:
    report = Draft(Kind.REPORT).table(ROWS).document()
    assert made(report)[0].prefix == (
        "[TEMPORAL_CONTEXT: Document Date: 2023-12-31 | Contains Table Data "
        "| Fiscal Quarters (Tabular): Q1 2023, Q2 2023]"
    )
    paper = Draft(Kind.PAPER).heading("Results").paragraph("It worked.").document()
    assert made(paper)[0].prefix == "Paper: My title | Section: Results"
    course = Draft(Kind.COURSE).lesson(3, "Welcome.").document()
    assert (made(course)[0].prefix, made(course)[0].lesson) == ("Course: My title | Lesson 3 content:", 3)


def test_notes_are_dated_by_their_headings() -> None:
    document = Draft(Kind.NOTE).heading("2025-10-11").paragraph("Met Ada.").document()
    names = (Entity(16, 19, "Ada", "PERSON", "Ada"),)
    assert document.text[16:19] == "Ada"
    assert made(document, entities=names)[0].prefix == (
        "[title: My title] [entities: PERSON:Ada] [source: vault/a.md] [date: 2025-10-11]"
    )


def test_embedded_text_never_changes_the_shown_text() -> None:
    (chunk,) = made(Draft(Kind.REPORT).paragraph("In 2022 we grew.").document())
    assert chunk.text == "In 2022 we grew."
    assert chunk.embedded_text.endswith("Years: 2022]\nIn 2022 we grew.")
