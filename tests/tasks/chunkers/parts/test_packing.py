"""Courses of many lessons."""

from __future__ import annotations

from time import process_time

from tasks.chunkers.chunker import Ruler
from tasks.chunkers.parts.document_spans import lesson_at
from tasks.chunkers.parts.packing import runs
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
    assert len(list(runs(document, ruler, 800))) == len(document.blocks)
    return process_time() - started


def test_lessons_are_found_by_place() -> None:
    document = Draft(Kind.COURSE).paragraph("Before.").lesson(0, "One.").lesson(7, "Two.", "More.").document()
    places = [lesson_at(document, block.start) for block in document.blocks]
    assert places == [None, 0, 7, 7]
    assert lesson_at(document, len(document.text)) is None


def test_twice_the_lessons_take_about_twice_the_time() -> None:
    small, large = course(2_000), course(4_000)
    assert min(seconds(large) for _ in range(3)) < 3 * min(seconds(small) for _ in range(3))
