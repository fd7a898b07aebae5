"""Course transcripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from warehouse.records import Document, Kind

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def course(text: str) -> Document:
    return read(Raw("x.txt", text.encode()))


def test_a_course_has_lessons_from_zero_with_and_without_links() -> None:
    found = read(Raw("x.txt", (SAMPLES / "courses/ocean-time-series.txt").read_bytes()))
    assert found.kind is Kind.COURSE
    assert found.attributes.instructor == "Tuva Brekke"
    assert [lesson.number for lesson in found.attributes.lessons] == [0, 1, 2, 3]
    assert [bool(lesson.link) for lesson in found.attributes.lessons] == [True, True, False, True]
    gaps = found.attributes.lessons[2]
    assert found.text[gaps.start : gaps.end].startswith("Lesson 2: Gaps, clocks and time zones\n\nEvery mooring")
    assert found.text[gaps.start : gaps.end].endswith("only at the very end.")


def test_a_course_needs_no_more_than_its_title() -> None:
    found = course("\n  COURSE TITLE : A\nprologue\n\nlesson 12 : B\nwords\nLesson link: https://l\n")
    assert (found.title, found.attributes.instructor, found.authors) == ("A", "", ())
    (lesson,) = found.attributes.lessons
    assert (lesson.number, lesson.title, lesson.link) == (12, "B", "https://l")
    assert "prologue" in found.text[: lesson.start]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_and_line_ends_of_windows_do_not_matter(encoding: str) -> None:
    text = "Course Title: A\r\nCourse Link:\r\nCourse Instructor: I\r\n\r\nLesson 0: B\r\nwords\r\nLesson 7:\r\nmore"
    found = read(Raw("x.txt", text.encode(encoding)))
    assert (found.title, found.attributes.link, found.attributes.instructor) == ("A", "", "I")
    assert [(lesson.number, lesson.title) for lesson in found.attributes.lessons] == [(0, "B"), (7, "")]


def test_a_course_without_lessons_is_all_transcript() -> None:
    found = course("Course Title: A\nCourse Instructor: I\n\nOne.\n\nTwo.")
    assert found.attributes.lessons == ()
    assert found.text == "A\n\nCourse Instructor: I\n\nOne.\n\nTwo."


def test_a_table_of_contents_is_not_taken_for_lessons() -> None:
    found = course("Course Title: A\n\nLesson 1: B\nLesson 2: C\n\nLesson 1: B\nfirst\n\nLesson 2: C\nsecond\n")
    assert [found.text[lesson.start : lesson.end] for lesson in found.attributes.lessons] == [
        "Lesson 1: B\n\nfirst",
        "Lesson 2: C\n\nsecond",
    ]
    assert found.text.startswith("A\n\nLesson 1: B\nLesson 2: C\n\n")


def test_headings_of_markdown_and_long_lines() -> None:
    long = f"Lesson 2: {'word ' * 80}"
    found = course(f"# Course Title: A\n**Course Instructor:** I\n\n## Lesson 1: B\n{long}\n")
    assert found.attributes.instructor == "I"
    assert [lesson.title for lesson in found.attributes.lessons] == ["B"]
    assert long.strip() in found.text


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\n\nCourse title: Maths is the one I mean.\n\nYours\n",
        "Lesson 1: never do that.\nLesson 2: nor that.\n",
        "The course title: A\n",
    ],
)
def test_ordinary_text_is_no_course(text: str) -> None:
    assert choose_parser(Raw("x.txt", text.encode())) != "course"
