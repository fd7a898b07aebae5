"""Times in tables that only their place dates."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.document import find_mentions
from tests.examples import examples
from tests.tasks.documents import Draft, Rows
from warehouse.records import Document

WRITTEN = date(2024, 6, 14)
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
STOPS = [["Stop", "Trip 1", "Trip 2"], ["Harbour", "06:05", "06:35"], ["Old Town", "06:17", "06:47"]]


def read(document: Document) -> dict[str, str]:
    return {each.text: each.value for each in find_mentions(document, WRITTEN) if each.table}


@pytest.mark.parametrize(
    "above",
    [
        "Valid from 4 September 2023 to 14 June 2024. No service on 25 December and 1 January.",
        "Valid from 9 December 2023",
        "Gültig ab 05.02.2024",
        "Effective 9 December 2023",
        "We met the operator on 3 May 2024.",
    ],
)
def test_hours_of_a_timetable_are_of_no_day(above: str) -> None:
    draft = Draft().paragraph(above).table(STOPS).heading("Saturday").table(STOPS)
    found = find_mentions(draft.document(), WRITTEN)
    hours = [each for each in found if each.table]
    assert {each.value for each in hours} == {f"XXXX-XX-XXT{hour}" for row in STOPS[1:] for hour in row[1:]}
    assert not any(each.start_date or each.end_date or each.anchor for each in hours)


@pytest.mark.parametrize("above", ["Programme of 3 June 2024", "Tuesday, 4 June 2024:"])
def test_hours_are_of_the_day_that_the_line_above_names(above: str) -> None:
    found = read(Draft().heading(above).table([["Time", "Talk"], ["09:00", "Welcome"]]).document())
    assert found["09:00"] == f"2024-06-0{3 if '3' in above else 4}T09:00"


@pytest.mark.parametrize(
    ("rows", "hour", "value"),
    [
        ([["Test", "13/06/24", "15/06/24"], ["", "07:30", "07:05"], ["Sodium", "131", "138"]], "07:30", "2024-06-13"),
        ([["Test", "13/06/24", "15/06/24"], ["", "07:30", "07:05"], ["Sodium", "131", "138"]], "07:05", "2024-06-15"),
        ([["Time", "Day"], ["10:15", "3 May 2024"], ["11:40", "9 May 2024"]], "10:15", "2024-05-03"),
        ([["Day", "Hall"], ["2024-10-03", "11:50"], ["2024-10-10", "11:40"]], "11:40", "2024-10-10"),
        ([["Day", "Hall"], ["03.10.2024", "11:50"], ["17.10.2024", "11:40"]], "11:40", "2024-10-17"),
    ],
)  # fmt: skip
def test_hours_are_of_the_day_of_their_row_or_column(rows: Rows, hour: str, value: str) -> None:
    draft = Draft().paragraph("Printed on 14/06/2024 at the ward, for the file of the patient.")
    assert read(draft.table(rows).document())[hour] == f"{value}T{hour}"


@given(monday=st.dates(date(2019, 1, 1), date(2030, 1, 1)).filter(lambda day: day.weekday() == 0))
@examples(6)
def test_numbered_weekdays_are_days_of_their_week(monday: date) -> None:
    days = [date.fromordinal(monday.toordinal() + number) for number in range(7)]
    header = [f"{name} {day.day}" for name, day in zip(WEEKDAYS, days, strict=True)]
    draft = Draft().paragraph(f"Week commencing {monday:%d %B %Y}").table([["Nurse", *header], ["Borg", *"NNLL---"]])
    assert read(draft.document()) == {head: day.isoformat() for head, day in zip(header, days, strict=True)}


def test_weekdays_of_a_plan_are_of_every_week_unless_one_is_named() -> None:
    names = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag"]
    rows = [["", *names], ["08:00", *("Mathe" for _ in names)]]
    document = replace(Draft().paragraph("Gültig ab 05.02.2024.").table(rows).document(), language="de")
    found = find_mentions(document, date(2024, 2, 5))
    assert [each.value for each in found if each.text in names] == [f"XXXX-WXX-{number}" for number in range(1, 6)]
    assert not any(each.start_date for each in found if each.table)
    table = [["Shift", "Monday", "Tuesday", "Wednesday"], ["Early", *"x--"]]
    named = Draft().paragraph("3 June - 9 June 2024").table(table)
    assert list(read(named.document()).values()) == ["2024-06-03", "2024-06-04", "2024-06-05"]


@pytest.mark.parametrize(
    ("header", "rows", "years"),
    [
        (["Category", "Jan", "Feb"], [["Rent", "1850", "1850"], ["Food", "720", "690"], ["Other", "43", "12"]], set()),
        (["Category", "Jan"], [["Rent", "1850"], ["Food", "720"], ["Fuel", "690"]], set()),
        (["Item", "Qty"], [["Nuts", "2000"], ["Bolts", "150"], ["Washers", "75"]], set()),
        (["Item", "Qty"], [["Nuts", "2000"], ["Bolts", "1950"]], set()),
        (["Item", "Amount"], [["Nuts", "2000 TEUR"], ["Bolts", "1 950 TEUR"], ["Tape", "2010 kWh"]], set()),
        (["Headcount", "Q1", "Q2"], [["Sales", "1950", "2010"]], set()),
        (["Test", "Mon", "Tue"], [["Ferritin (µg/L)", "2010", "1950"], ["Founded", "1998", "1999"]], {"1998", "1999"}),
        (["", "Price"], [["Model year", "2010"], ["Car", "2011"]], {"2010"}),
        (["Item", "On hand"], [["Nuts", "2000"], ["Bolts", "1850"], ["Washers", "42"]], set()),
        (["Battle", "Fought"], [["Hastings", "1066"], ["Waterloo", "1815"]], {"1815"}),
        (["", "2019"], [["", "2020"], ["Sales", "12"]], {"2019", "2020"}),
        (["Firm", "Founded", "Staff"], [["A", "1999", "12"], ["B", "2004", "9"]], {"1999", "2004"}),
        (["", "A", "B"], [["Fiscal year", "2019", "2020"], ["Cost", "12", "13"], ["Tax", "9", "8"]], {"2019", "2020"}),
        (["Year", "Sales"], [["2019", "12"], ["2020", "2021"], ["2021", "13"]], {"2019", "2020", "2021"}),
    ],
)  # fmt: skip
def test_figures_among_others_are_no_years(header: list[str], rows: list[list[str]], years: set[str]) -> None:
    found = find_mentions(Draft().table([header, *rows]).document(), None)
    assert {each.text for each in found if each.text.isdigit() and each.column_header != "Sales"} == years


@pytest.mark.parametrize(
    ("head", "day", "value"),
    [
        ("Summer 2026", "25-29 May", "2026-05-25/2026-05-29"),
        ("Q3 2022", "5 November", "2022-11-05"),
        ("January 2025", "30 December", "2024-12-30"),
        ("Autumn 2025", "Wed 3 September", "2025-09-03"),
    ],
)
@pytest.mark.parametrize("in_column", [False, True])
def test_days_without_a_year_are_near_the_period_of_their_row_or_column(
    head: str, day: str, value: str, *, in_column: bool
) -> None:
    rows = [["Term", "Day"], [head, day]]
    rows = [["Item", head], ["Exam", day]] if in_column else rows
    found = read(Draft().paragraph("Plan").table(rows).document())
    assert found[day] == value


@pytest.mark.parametrize(
    ("year", "part", "value"),
    [("2022", "Q2", "2022-Q2"), ("2023", "Q3", "2023-Q3"), ("FY2022", "Q1", "FY2022-Q1")],
)
def test_a_part_is_of_the_year_of_the_header_or_section_above_it(year: str, part: str, value: str) -> None:
    header = [["Region", year, ""], ["", part, "Plan"], ["North", "12", "14"], ["South", "9", "11"]]
    sections = [["Period", "Sales"], [year, ""], [part, "120"], ["Total", "130"]]
    assert read(Draft().table(header, header_rows=2).document())[part] == value
    assert read(Draft().table(sections).document())[part] == value


@pytest.mark.parametrize(
    ("header", "value"), [("1T 2024", "2024-Q1"), ("T3 2024", "2024-Q3"), ("4T23", "2023-Q4"), ("2S 2024", "2024-H2")]
)
def test_quarters_of_romance_languages_alone_in_a_cell(header: str, value: str) -> None:
    assert read(Draft().table([["KPI", header], ["MRR", "110"]]).document())[header] == value
