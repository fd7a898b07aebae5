"""Long lists of records: every row in one passage, each below its header, in every format and by every chunker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from tasks.chunkers.chunk_builder import make_chunks, make_parents
from tasks.chunkers.chunker import CHUNKERS, Chunker, OverlappingChunker
from tasks.chunkers.packed import DatedChunker, HierarchicalChunker, StructuralChunker
from tasks.chunkers.parts.long_tables import MAX_WHOLE_LIST, MIN_LIST_ROWS, MIN_LONG_TABLE, is_record_list
from tasks.chunkers.semantic import SemanticChunker
from tasks.embedders.embedder import open_embedder
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import RULES, DocumentRule
from tasks.quality.scoring import check_document
from tasks.temporal.document import find_mentions
from tests.examples import examples
from tests.tasks.documents import Draft
from tests.tasks.table_files import FORMATS, Rows
from warehouse.records import Chunk, Document, Mention, Merge
from warehouse.table_notation import BAR, format_row

CUT_TABLE = RULES["split_table"]
assert isinstance(CUT_TABLE, DocumentRule)
HEADER = ("Key", "Ticker", "Close in EUR")


def sized(name: str, size: int) -> Chunker:
    """The chunker at a size in characters, without a model to load."""
    chunker = CHUNKERS[name]
    if isinstance(chunker, SemanticChunker):
        return replace(chunker, size=size, tokens_of="", model="hashing")
    if isinstance(chunker, OverlappingChunker):
        return replace(chunker, size=size, tokens_of="", overlap=size // 4)
    return replace(chunker, size=size, tokens_of="")


def chunked(document: Document, chunker: Chunker, dated: Sequence[Mention] | None = None) -> tuple[Chunk, ...]:
    """The passages of a document; `dated` are its mentions of times, where they are known."""
    return make_chunks(
        document,
        document_id="d",
        title="Prices",
        source="a",
        date_claim=None,
        mentions=find_mentions(document, None) if dated is None else dated,
        entities=(),
        chunker=chunker,
    )


@st.composite
def record_lists(draw: st.DrawFn) -> list[tuple[str, ...]]:
    """A header and more rows than a table has that is read as a whole; the first cell of each is its own."""
    count = draw(st.integers(MIN_LIST_ROWS, MIN_LIST_ROWS + 60))
    words = st.sampled_from(["ACME", "Globex Corporation of the North", "x" * 300, "收入", ""])
    names = draw(st.lists(words, min_size=count, max_size=count))
    return [HEADER, *((f"key{place:05}", name, f"{place * 7}.25") for place, name in enumerate(names))]


@examples(0.2)
@given(rows=record_lists(), size=st.integers(150, 1200))
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_row_of_a_long_table_is_in_one_passage_below_its_header(form: str, rows: Rows, size: int) -> None:
    document = FORMATS[form](rows)
    head, dated = format_row(HEADER), find_mentions(document, None)
    lines = [(key, format_row([key])[:-2]) for key, *_ in rows[1:]]
    for name in sorted(CHUNKERS):
        note(name)
        chunker = sized(name, size)
        chunks = chunked(document, chunker, dated)
        found = [[key for key, line in lines if line in chunk.text] if chunk.has_table else [] for chunk in chunks]
        assert [key for keys in found for key in keys] == [key for key, *_ in rows[1:]], "each once, in order"
        for chunk, keys in zip(chunks, found, strict=True):
            assert document.text[chunk.start : chunk.end] == chunk.text
            assert not keys or head in chunk.embedded_text
            if form != "xlsx":  # Its parser makes tables of ordinary length of a list, which stay whole.
                assert len(chunk.text) <= chunker.max_size or len(keys) == 1
        subject = CheckedDocument(document, chunks, (), None, size, 256)
        assert not list(CUT_TABLE.examine(subject))


@given(rows=st.integers(2, MIN_LIST_ROWS - 1), width=st.integers(1, 60))
def test_ordinary_tables_stay_whole(rows: int, width: int) -> None:
    document = Draft().table([HEADER, *([f"a{row}", "b" * width, "1"] for row in range(rows))]).document()
    assert [chunk.text for chunk in chunked(document, StructuralChunker())] == [document.text]


def test_a_list_is_long_by_its_rows_and_characters_and_any_table_by_its_characters() -> None:
    def is_long(rows: int, width: int) -> bool:
        return is_record_list(Draft().table([["A", "B"], *([["c" * width, "1"]] * rows)]).document().tables[0])

    assert is_long(MIN_LIST_ROWS, MAX_WHOLE_LIST // MIN_LIST_ROWS)
    assert not is_long(MIN_LIST_ROWS - 1, MAX_WHOLE_LIST // MIN_LIST_ROWS)
    assert not is_long(MIN_LIST_ROWS, 4)
    assert is_long(20, MIN_LONG_TABLE // 20)
    assert not is_long(1, MIN_LONG_TABLE)


def prices(count: int = 400) -> Draft:
    days = (date(2021, 1, 1) + timedelta(place) for place in range(count))
    rows = [[day.isoformat(), "ACME", "65.81"] for day in days]
    return Draft().paragraph("What came before.").heading("Prices").table([["Date", "Ticker", "Q3 2024"], *rows])


def test_a_later_part_has_its_head_apart_from_its_text() -> None:
    first, second, *_ = [chunk for chunk in chunked(prices().document(), StructuralChunker()) if chunk.has_table]
    assert first.text.startswith("Prices\n\n[TABLE 1]\n| Date |")
    assert (first.table_head, first.headed_text) == ("", first.text)
    assert second.table_head == "[TABLE 1]\n| Date | Ticker | Q3 2024 |\n| --- | --- | --- |"
    assert second.text.startswith("| 2021-")
    assert second.embedded_text.endswith(second.headed_text)
    assert (second.has_table, second.table_count, second.has_complete_table) == (True, 1, False)
    assert len(second.headed_text) <= 1000


def test_a_part_has_the_days_of_its_rows_and_the_periods_of_its_header() -> None:
    second = [chunk for chunk in chunked(prices().document(), StructuralChunker()) if chunk.has_table][1]
    day = date.fromisoformat(second.text[2:12])
    assert (second.period_start, second.period_end) == (day, date(2024, 10, 1))
    assert "Q3 2024" in second.prefix


def test_no_part_shares_a_passage_with_what_stands_around_the_table() -> None:
    chunks = chunked(prices().paragraph("What comes after.").document(), StructuralChunker())
    assert (chunks[0].text, chunks[-1].text) == ("What came before.", "What comes after.")
    assert all(chunk.text.startswith(("Prices", "|")) for chunk in chunks[1:-1])


def test_a_parent_of_rows_holds_nothing_else() -> None:
    document = prices().paragraph("What comes after.").document()
    parents = make_parents(document, document_id="d", chunker=HierarchicalChunker())
    assert [parent.text[:2] for parent in parents][-2:] == ["| ", "Wh"]
    assert [parent.text.count("ACME") > 20 for parent in parents][1:-2] == [True] * (len(parents) - 3)


def test_rows_that_share_a_cell_stay_together() -> None:
    document = prices().document()
    merges = tuple(Merge(row, 1, 3) for row in range(1, 400, 3))
    document = replace(document, tables=(replace(document.tables[0], merges=merges),))
    rows = [chunk.text.count("ACME") for chunk in chunked(document, DatedChunker()) if chunk.has_table]
    assert {count % 3 for count in rows[:-1]} == {0}


def test_rows_of_one_day_stay_together() -> None:
    days = [date(2021, 1, 1) + timedelta(place // 3) for place in range(600)]
    rows = [[day.isoformat(), "ACME", "65.81"] for day in days]
    chunks = chunked(Draft().table([["Date", "Ticker", "Close"], *rows]).document(), StructuralChunker())
    assert {chunk.text.count("ACME") % 3 for chunk in chunks} == {0}
    assert min(chunk.size for chunk in chunks[:-1]) > 800


def test_a_row_that_is_longer_than_a_passage_stands_alone() -> None:
    rows = [[str(place), "word " * 500 if place == 100 else "short"] for place in range(300)]
    chunks = chunked(Draft().table([["A", "B"], *rows]).document(), StructuralChunker())
    assert [chunk.text.count("\n") for chunk in chunks if chunk.size > 1000] == [0]


def test_a_table_cut_by_accident_is_still_found() -> None:
    document = prices().document()
    start = document.tables[0].row_spans[40][0]
    chunk = chunked(document, StructuralChunker())[3]
    for first, last in ((start + 5, start + 200), (start, start + 200)):
        cut = replace(chunk, start=first, end=last, text=document.text[first:last])
        found = check_document(CheckedDocument(document, (cut,), (), None, 1000, 256))
        assert "TAB001" in {each.finding.code for each in found}


def test_a_long_head_is_repeated_with_shorter_cells() -> None:
    header = [f"Question {number}: how often do you go | sail? " + "Think twice. " * 12 for number in range(60)]
    chunks = chunked(Draft().table([header, *([["1"] * 60] * 400)]).document(), StructuralChunker())
    head = chunks[1].table_head
    assert head.startswith("[TABLE 1]\n| Question 0: how…")
    assert (len(head) < 2_200, head.count("\n"), len(BAR.findall(head)) % 61) == (True, 2, 0)


def test_windows_are_cut_between_rows_below_the_head() -> None:
    chunk = [each for each in chunked(prices().document(), StructuralChunker()) if each.has_table][1]
    windows = open_embedder("hashing").cut_windows(chunk.prefix, chunk.headed_text)
    assert all(chunk.table_head in window and window.endswith("|") for window in windows)
