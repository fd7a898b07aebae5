"""The rules of the default chunker, one small document each."""

from __future__ import annotations

from tasks.chunkers.packed import StructuralChunker
from tests.tasks.documents import Draft
from warehouse.records import BlockKind, Document, Kind

SENTENCE = "The quick brown fox jumps over the lazy dog near the river. "
ROWS = [["Quarter", "Revenue"], ["Q1 2023", "100"], ["Q2 2023", "120"]]


def texts(document: Document, **settings: int) -> list[str]:
    return [document.text[start:end] for start, end in StructuralChunker(**settings).spans(document)]


def test_short_text_is_one_chunk() -> None:
    document = Draft().heading("Intro").paragraph(SENTENCE.strip()).document()
    assert texts(document) == [document.text]


def test_overlap_begins_at_a_sentence() -> None:
    first, second, *_ = texts(Draft().paragraph(SENTENCE * 40).document(), size=300, overlap=100)
    assert second.startswith("The quick")
    assert first.endswith(second[:59])


def test_small_table_keeps_the_text_around_it() -> None:
    document = Draft().paragraph("Revenue by quarter:").table(ROWS).paragraph("It grew.").document()
    assert texts(document) == [document.text]


def test_no_overlap_across_a_table() -> None:
    document = Draft().paragraph(SENTENCE * 8).table(ROWS * 5).paragraph(SENTENCE * 8).document()
    before, table, after = texts(document, size=600, overlap=200)
    assert not before.endswith("]")
    assert table.startswith("[TABLE 1]")
    assert table.endswith("[END TABLE]")
    assert after.count("The quick") == 8


def test_overlap_is_small_where_a_table_is_near() -> None:
    document = Draft().paragraph(SENTENCE * 12).table(ROWS).document()
    (_, end), (start, _) = StructuralChunker(size=600, overlap=200, table_overlap=100).spans(document)
    assert document.text[start:end] == SENTENCE.strip()


def test_oversized_table_stands_alone_and_its_heading_stays_with_the_text_before() -> None:
    document = Draft().paragraph(SENTENCE * 3).heading("Balance sheet").table(ROWS * 40).document()
    before, table = texts(document, size=400, overlap=50)
    assert before.endswith("Balance sheet")
    assert (document.tables[0].start, document.tables[0].end) == (document.text.index(table), len(document.text))


def test_consecutive_tables_are_each_whole() -> None:
    document = Draft().table(ROWS * 4).table(ROWS * 4).document()
    assert [text[:9] for text in texts(document, size=400, overlap=50)] == ["[TABLE 1]", "[TABLE 2]"]


def test_heading_stays_with_what_follows() -> None:
    document = Draft().paragraph(SENTENCE * 5).heading("Outlook").paragraph(SENTENCE * 5).document()
    before, after = texts(document, size=330, overlap=50)
    assert "Outlook" not in before
    assert after.startswith("Outlook\n\nThe quick")


def test_a_section_begins_a_chunk_unless_the_one_before_is_tiny() -> None:
    document = Draft().heading("A").paragraph("Short.").heading("B").paragraph(SENTENCE * 6).heading("C").document()
    assert [text[0] for text in texts(document)] == ["A", "C"]


def test_paragraph_ends_are_preferred_to_sentence_ends() -> None:
    document = Draft().paragraph(SENTENCE * 4).paragraph(SENTENCE * 4).document()
    assert [len(text) for text in texts(document, size=400, overlap=0)] == [239, 239]


def test_list_items_and_chinese_sentences_are_not_cut() -> None:
    items = "\n".join(f"- item number {number} of the list" for number in range(20))
    assert all(
        text.startswith("- item") for text in texts(Draft().add(BlockKind.LIST, items).document(), size=200, overlap=0)
    )
    chinese = texts(
        Draft(language="zh").paragraph("公司收入增长了百分之十，利润也增加了。" * 20).document(), size=100, overlap=30
    )
    assert all(text.startswith("公司") and text.endswith("。") for text in chinese)


def test_furniture_parts_chunks() -> None:
    document = Draft().paragraph("One.").furniture("Page 1").paragraph("Two.").document()
    assert texts(document) == ["One.", "Two."]


def test_abstract_of_a_paper_is_whole() -> None:
    draft = Draft(Kind.PAPER).heading("Title").heading("Abstract").paragraph(SENTENCE * 30)
    document = draft.heading("Results").paragraph(SENTENCE).document()
    assert [text.split("\n")[0] for text in texts(document, size=800, overlap=100)] == ["Title", "Results"]


def test_lessons_do_not_mix() -> None:
    document = Draft(Kind.COURSE).lesson(1, "Welcome.").lesson(2, "Goodbye.").document()
    assert texts(document) == ["Welcome.", "Goodbye."]


def test_words_without_spaces_are_cut_anywhere() -> None:
    assert [len(text) for text in texts(Draft().paragraph("x" * 100).document(), size=40, overlap=0)] == [40, 40, 20]
