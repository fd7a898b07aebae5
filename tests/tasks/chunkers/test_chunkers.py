"""What sets each chunker apart, one small document each; `test_structural.py` has the default."""

from __future__ import annotations

from itertools import pairwise

from tasks.chunkers.chunker import Chunker
from tasks.chunkers.fixed import FixedChunker
from tasks.chunkers.packed import DatedChunker, HierarchicalChunker, LessonChunker, SectionChunker, SentenceChunker
from tasks.chunkers.recursive import RecursiveChunker
from tasks.chunkers.semantic import SemanticChunker
from tasks.embedders.embedder import open_embedder
from tests.tasks.documents import Draft
from warehouse.records import Document, Kind

SENTENCE = "The quick brown fox jumps over the lazy dog near the river. "
ROWS = [["Quarter", "Revenue"], ["Q1 2023", "100"], ["Q2 2023", "120"]]


def texts(document: Document, chunker: Chunker) -> list[str]:
    return [document.text[start:end] for start, end in chunker.spans(document)]


def test_fixed_counts_tokens_and_ignores_sentences() -> None:
    document = Draft().paragraph(SENTENCE * 8).document()
    found = texts(document, FixedChunker(size=20, tokens_of="hashing", overlap=0))
    tokens = [len(open_embedder("hashing").split_words(text)) for text in found]
    assert tokens == [20, 20, 20, 20, 20, 4]
    assert not found[0].endswith(".")
    assert " ".join(found) == SENTENCE.strip() + f" {SENTENCE.strip()}" * 7


def test_fixed_windows_share_whole_words() -> None:
    found = texts(Draft().paragraph(SENTENCE * 4).document(), FixedChunker(size=60, tokens_of="", overlap=20))
    for before, after in pairwise(found):
        shared = next(length for length in range(20, 0, -1) if before.endswith(after[:length]))
        assert after[shared] == " "


def test_recursive_parts_at_paragraphs_before_sentences_and_clauses_before_words() -> None:
    document = Draft().paragraph(SENTENCE * 3).paragraph(SENTENCE * 3).document()
    assert [len(text) for text in texts(document, RecursiveChunker(size=260, overlap=0))] == [179, 179]
    chinese = Draft(language="zh").paragraph("公司收入增长了百分之十，利润也增加了。" * 4).document()
    assert all(text.endswith("。") for text in texts(chinese, RecursiveChunker(size=40, overlap=0)))
    clauses = Draft().paragraph("alpha beta gamma delta, " * 12).document()
    assert all(text.endswith("delta,") for text in texts(clauses, RecursiveChunker(size=100, overlap=0)))


def test_recursive_overlap_repeats_whole_atoms() -> None:
    first, second, *_ = texts(Draft().paragraph(SENTENCE * 9).document(), RecursiveChunker(size=300, overlap=70))
    assert second.startswith(SENTENCE.strip())
    assert first.endswith(SENTENCE.strip())
    assert len(second) <= 300


def test_sentence_fills_chunks_across_paragraphs() -> None:
    document = Draft().paragraph(SENTENCE * 2).heading("Next").paragraph(SENTENCE * 2).document()
    assert len(texts(document, SentenceChunker(size=300, overlap=0))) == 1
    assert len(texts(document, SectionChunker(size=300, overlap=0))) == 2


def test_sections_do_not_mix_and_abstracts_are_whole() -> None:
    draft = Draft(Kind.PAPER).heading("Title").heading("Abstract").paragraph(SENTENCE * 30)
    draft.heading("Methods").paragraph(SENTENCE).heading("Results").paragraph(SENTENCE)
    found = texts(draft.document(), SectionChunker(size=800, overlap=100))
    assert [text.split("\n")[0] for text in found] == ["Title", "Methods", "Results"]
    assert len(found[0]) > 800


def test_dated_entries_do_not_mix() -> None:
    draft = Draft(Kind.NOTE)
    for day in ("2025-10-11", "11 October 2025", "October 12, 2025"):
        draft.heading(day).paragraph("Met Ada.")
    assert [text.split("\n")[0] for text in texts(draft.document(), DatedChunker())] == [
        "2025-10-11",
        "11 October 2025",
        "October 12, 2025",
    ]


def test_dated_keeps_a_long_sentence_whole_and_cuts_a_longer_one() -> None:
    long, longer = ("word " * count + "end." for count in (24, 40))
    assert texts(Draft(Kind.NOTE).paragraph(long).document(), DatedChunker(size=100, smallest=10)) == [long]
    assert len(texts(Draft(Kind.NOTE).paragraph(longer).document(), DatedChunker(size=100, smallest=10))) == 2


def test_dated_joins_a_small_piece_with_the_next_of_its_section() -> None:
    draft = Draft(Kind.NOTE).paragraph(f"Short one. {'word ' * 22}end. {'more ' * 18}done.")
    found = texts(draft.document(), DatedChunker(size=115, smallest=30))
    assert found[0].startswith("Short one. word")
    assert len(found) == 2


def test_lessons_are_cut_evenly() -> None:
    document = Draft(Kind.COURSE).lesson(1, SENTENCE * 15).document()
    even, greedy = (texts(document, chunker) for chunker in (LessonChunker(800, "", 0), SentenceChunker(800, "", 0)))
    assert len(even) == len(greedy) == 2
    assert len(even[0]) - len(even[1]) < 70 < len(greedy[0]) - len(greedy[1])


def test_parents_hold_several_leaves() -> None:
    document = Draft().paragraph(SENTENCE * 40).document()
    chunker = HierarchicalChunker(size=200, leaves=4)
    parents, leaves = chunker.parents(document), chunker.spans(document)
    held = [sum(start <= leaf[0] and leaf[1] <= end for leaf in leaves) for start, end in parents]
    assert held[0] > 2
    assert sum(held) == len(leaves)


def test_semantic_cuts_where_the_subject_changes() -> None:
    fish = "Herring and cod swim in the cold sea. Cod and herring swim in the deep cold sea."
    cars = "Engines burn petrol under the bonnet. Petrol engines burn oil under the bonnet."
    document = Draft().paragraph(f"{fish} {cars}").document()
    assert texts(document, SemanticChunker(size=1000, model="hashing")) == [fish, cars]


def test_semantic_keeps_a_heading_with_its_text() -> None:
    document = Draft().paragraph(SENTENCE * 2).heading("Cod").paragraph("Herring swim. Herring dive.").document()
    assert any(
        text.startswith("Cod\n\nHerring") for text in texts(document, SemanticChunker(size=150, model="hashing"))
    )


def test_tables_stand_whole_in_every_window() -> None:
    document = Draft().paragraph(SENTENCE * 3).table(ROWS).paragraph(SENTENCE).document()
    assert (
        sum(
            text.startswith("[TABLE 1]")
            for text in texts(document, FixedChunker(size=8, tokens_of="hashing", overlap=2))
        )
        == 1
    )
