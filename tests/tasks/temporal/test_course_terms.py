"""Days and weeks of courses."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.course_terms import find_term
from tasks.temporal.document import find_mentions
from tests.tasks.documents import Draft
from warehouse.records import Document, Kind, Mention

ABOUT = "Lectures and homework are graded by the instructor; the midterm and the final exam are in class."
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def syllabus(heading: str, *rows: tuple[str, str], kind: Kind = Kind.NOTE, text: str = ABOUT) -> Document:
    draft = Draft().heading(heading).paragraph(text)
    draft = draft.table([["Week", "Dates"], *map(list, rows)]) if rows else draft
    return replace(draft.document(), kind=kind)


def mentions(document: Document, anchor: date | None = None) -> dict[str, Mention]:
    return {mention.text: mention for mention in find_mentions(document, anchor)}


@pytest.mark.parametrize(
    ("heading", "day", "expected"),
    [
        ("CS 101, Fall 2023", "December 13", date(2023, 12, 13)),
        ("CS 101, Fall 2023", "January 12", date(2024, 1, 12)),
        ("BIO 220: Genetics (Spring 2024)", "January 16", date(2024, 1, 16)),
        ("Summer 2022 session", "8/15", date(2022, 8, 15)),
        ("Winter Quarter 2024", "March 11", date(2024, 3, 11)),
        ("Academic year 2023-24", "September 5", date(2023, 9, 5)),
        ("Academic year 2023-24", "April 5", date(2024, 4, 5)),
    ],
)
def test_days_without_a_year_are_those_of_the_term(heading: str, day: str, expected: date) -> None:
    document = syllabus(heading, text=f"{ABOUT} The exam is on {day}.")
    # No day of writing is needed, and one years later changes nothing.
    for anchor in (None, date(2026, 11, 1)):
        found = [each for each in find_mentions(document, anchor) if each.text == day]
        assert [each.start_date for each in found] == [expected] * len(found)
        assert found


@pytest.mark.parametrize("heading", ["Fall 9999", "Winter 9999", "Fall 0001", "Wintersemester 9998/99", "Spring 1"])
def test_years_at_the_edge_of_the_calendar_end_no_reading(heading: str) -> None:
    for language in ("en", "de"):
        document = replace(syllabus(heading, ("Week 1", "December 30"), ("Week 99999999", "31/12")), language=language)
        assert isinstance(find_mentions(document, date.max), tuple)
        assert isinstance(find_mentions(document, date.min), tuple)


def test_other_documents_have_no_term() -> None:
    assert find_term(syllabus("Fall 2023", text="The leaves turned red, and we walked to the lake.")) is None
    assert find_term(syllabus("CS 101")) is None
    assert find_term(syllabus("Fall 2023", kind=Kind.PAPER)) is None
    assert find_term(syllabus("Fall 2023")) == (date(2023, 8, 1), date(2024, 2, 1))


@given(st.builds(date, st.integers(2015, 2035), st.just(9), st.integers(1, 30)), st.integers(0, 1))
def test_weeks_are_counted_from_the_days_beside_them(first: date, pause: int) -> None:
    first -= timedelta(first.weekday())
    days = {week: first + timedelta(weeks=week - 1 + (pause if week > 6 else 0)) for week in range(1, 13)}
    shown = {week: f"{MONTHS[day.month - 1]} {day.day}" for week, day in days.items() if week in (1, 2, 7, 8)}
    rows = [(f"Week {week}", day) for week, day in shown.items()]
    document = syllabus(
        f"CS 101, Fall {first.year}", *rows, text=f"{ABOUT} The project is due in week 5, read week 11."
    )
    found = mentions(document)
    for week in (1, 2, 5, 7, 8, 11):
        mention = found.get(f"Week {week}") or found[f"week {week}"]
        assert (mention.start_date, mention.end_date) == (days[week], days[week] + timedelta(weeks=1))
        assert mention.value == f"{days[week].isocalendar()[0]}-W{days[week].isocalendar()[1]:02}"


def test_weeks_that_nothing_dates_are_left_out() -> None:
    document = syllabus("CS 101, Fall 2023", text=f"{ABOUT} The project is due in week 5.")
    assert "week 5" not in mentions(document)


def test_weeks_of_the_calendar_stay() -> None:
    rows = [("Week 12", "18 March 2024"), ("Week 13", "25 March 2024")]
    found = mentions(syllabus("Sprint plan", *rows, text="Ana is away in week 14."), date(2024, 3, 1))
    assert [found[week].value for week in ("Week 12", "week 14")] == ["2024-W12", "2024-W14"]


def test_days_beside_weeks_show_that_they_are_counted() -> None:
    rows = [("Week 1", "4 March 2024"), ("Week 2", "11 March 2024")]
    found = mentions(syllabus("Training plan", *rows, text="The race is in week 4."), date(2024, 3, 1))
    assert found["week 4"].start_date == date(2024, 3, 25)


@given(
    st.integers(1, 12),
    st.lists(st.integers(1, 28), min_size=2, max_size=6, unique=True).map(sorted).filter(lambda days: days[-1] > 12),
    st.sampled_from(["", "T ", "Th ", "M, "]),
    st.booleans(),
)
def test_a_column_of_days_without_a_year_is_dated(month: int, days: list[int], code: str, is_first: bool) -> None:
    shown = [f"{month}/{day}" for day in days]
    rows = [[f"{code}{day}", "Cells"] if is_first else ["Cells", f"{code}{day}"] for day in shown]
    document = Draft().table([["Date", "Topic"], *rows]).document()
    found = find_mentions(document, date(2023, 6, 30))
    if all(day in (2, 4, 8, 16) and month % 2 and month < day for day in days):
        assert not found
        return
    assert [mention.text for mention in found] == shown
    assert [(each.start_date.month, each.start_date.day) for each in found if each.start_date] == [
        (month, day) for day in days
    ]


def test_a_column_of_days_may_hold_ranges_of_them() -> None:
    rows = [["8/28 - 9/1", "Intro"], ["M 9/11", "Cells"], ["9/18–9/22", "Genes"]]
    found = find_mentions(Draft().table([["Date", "Topic"], *rows]).document(), date(2023, 8, 1))
    values = ["2023-08-28/2023-09-01", "2023-09-11", "2023-09-18/2023-09-22"]
    assert [(each.text, each.value) for each in found] == list(
        zip(["8/28 - 9/1", "9/11", "9/18–9/22"], values, strict=True)
    )


@pytest.mark.parametrize(
    "cells", [["1/8", "1/16"], ["3/5", "4/5"], ["8/28", "x", "y", "z"], ["9/20", "9/10"], ["24/7"]]
)
def test_other_columns_of_fractions_have_no_days(cells: list[str]) -> None:
    table = [["Ratio", "Name"], *([cell, "a"] for cell in cells)]
    assert find_mentions(Draft().table(table).document(), date(2023, 6, 30)) == ()
