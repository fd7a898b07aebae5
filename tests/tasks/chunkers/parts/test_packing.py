"""Courses of many lessons."""

from __future__ import annotations

from time import process_time

from tasks.chunkers.chunker import Ruler
from tasks.chunkers.packed import StructuralChunker
from tasks.chunkers.parts.document_spans import find_lesson
from tasks.chunkers.parts.packing import iter_runs
from tests.tasks.documents import Draft
from warehouse.records import Document, Kind


def course(count: int) -> Document:
    draft = Draft(Kind.COURSE)
    for number in range(count):
        draft.lesson(number, "Plankton drifts.")
    return draft.document()


def seconds(document: Document) -> float:
    ruler = Ruler(range(len(document.text)), len(document.text))
    started = process_time()
    assert len(list(iter_runs(document, ruler, 800))) == len(document.blocks)
    return process_time() - started


def test_lessons_are_found_by_place() -> None:
    document = Draft(Kind.COURSE).paragraph("Before.").lesson(0, "One.").lesson(7, "Two.", "More.").document()
    places = [find_lesson(document, block.start) for block in document.blocks]
    assert places == [None, 0, 7, 7]
    assert find_lesson(document, len(document.text)) is None


def test_a_long_paragraph_of_lines_is_cut_between_them() -> None:
    lines = [
        f'10.0.0.{number % 9} - - [{number:02d}/Jul/2023:21:00:00] "GET /page, {number} HTTP/1.1"'
        for number in range(1, 29)
    ]
    document = Draft().paragraph("\n".join(lines)).document()
    for start, end in StructuralChunker(size=400).spans(document):
        assert set(document.text[start:end].split("\n")) <= set(lines)


def test_twice_the_lessons_take_about_twice_the_time() -> None:
    small, large = course(2_000), course(4_000)
    assert min(seconds(large) for _ in range(3)) < 3 * min(seconds(small) for _ in range(3))
