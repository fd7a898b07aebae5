"""Course transcripts in PDF and Word files."""

from __future__ import annotations

import pytest

from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_docx import p, read_word, style, table
from warehouse.records import BlockKind, Document, Kind

HEAD = ["Course Title: Ocean Data", "Course Link: https://o.org/c", "Course Instructor: Tuva Brekke"]


def written(top: float, *lines: str) -> list[Text]:
    return [(72, top + 13 * number, words) for number, words in enumerate(lines)]


def in_pdf() -> Document:
    first = written(60, *HEAD, "Lesson 0: Moorings", "Lesson Link: https://o.org/0", "We begin.")
    second = written(60, "so it ends.", "LESSON 7 : Gaps", "The last.")
    return Drawing().page([*first, *prose(140, 40), (72, 660, "It goes on and")]).page(second).read()


def in_word() -> Document:
    lessons = ["Lesson 0: Moorings", "Lesson Link: https://o.org/0", "We begin.", "so it ends."]
    return read_word("".join(map(p, [*HEAD, *lessons, "LESSON 7 : Gaps", "The last."])))


@pytest.mark.parametrize("found", [in_pdf(), in_word()], ids=["pdf", "docx"])
def test_a_course_is_known_by_its_lines_in_any_format(found: Document) -> None:
    keeps_its_promises(found)
    assert (found.kind, found.title, found.authors) == (Kind.COURSE, "Ocean Data", ("Tuva Brekke",))
    assert (found.attributes.instructor, found.attributes.link) == ("Tuva Brekke", "https://o.org/c")
    first, last = found.attributes.lessons
    assert (first.number, first.title, first.link) == (0, "Moorings", "https://o.org/0")
    assert found.text[first.start : first.end].startswith("Lesson 0: Moorings")
    assert found.text[first.start : first.end].endswith("so it ends.")
    assert (last.number, last.title, last.link) == (7, "Gaps", "")
    headings = [(block.level, block.section[-1]) for block in found.blocks if block.kind is BlockKind.HEADING]
    assert headings == [(1, HEAD[0]), (2, "Lesson 0: Moorings"), (2, "LESSON 7 : Gaps")]


def test_lessons_that_are_only_listed_are_none() -> None:
    lines = [HEAD[0], "Lesson 1: A", "Lesson 2: B", "Lesson 1: A", "words", "Lesson 2: B", "more"]
    found = read_word("".join(map(p, lines)))
    assert [found.text[lesson.start : lesson.end] for lesson in found.attributes.lessons] == [
        "Lesson 1: A\n\nwords",
        "Lesson 2: B\n\nmore",
    ]


def test_headings_of_a_course_stand_below_its_lessons_and_tables_stay() -> None:
    body = p(HEAD[0]) + p("Lesson 1: A") + p("Aside", "Heading1") + table(["a", "b"], ["1", "2"])
    found = read_word(body, styles=style("Heading1", "heading 1"))
    keeps_its_promises(found)
    assert found.blocks[-1].section == (HEAD[0], "Lesson 1: A", "Aside")
    assert found.blocks[-1].table == 1


@pytest.mark.parametrize("first", ["Lesson 1: never do that", "We teach. Course Title: A", "Our course title: A"])
def test_a_report_that_speaks_of_lessons_is_no_course(first: str) -> None:
    assert read_word(p(first) + p("Lesson 1: A") + p("words")).kind is Kind.REPORT
