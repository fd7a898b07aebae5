"""Weekdays that come again together, and timetables."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal.tagger import tag
from warehouse.records import TimexType

ANCHOR = date(2024, 3, 13)
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CODES = ("M", "T", "W", "Th", "F")
DAYS = st.lists(st.integers(0, 6), min_size=2, max_size=4, unique=True).map(sorted)
TIMED = "XXXX-WXX-{0}T15:00/XXXX-WXX-{0}T16:30"


def sets(text: str) -> list[str]:
    found = tag(text, ANCHOR, "en")
    assert all(mention.type is TimexType.SET for mention in found), text
    return [mention.value for mention in found]


@pytest.mark.parametrize(("first", "other"), [("Monday to Friday", "Saturday"), ("Mon\u2013Fri", "Sunday")])
def test_weekdays_that_are_lines_of_a_timetable_come_again(first: str, other: str) -> None:
    found = sets(f"# {first}\n\nA bus passes.\n\n**{other}:**\n\nNo service.")
    assert found == ["XXXX-WXX-1/XXXX-WXX-5", f"XXXX-WXX-{NAMES.index(other) + 1}"]
    assert tag(f"I am away {first}.\n\n{other}\n", ANCHOR, "en")[-1].type is TimexType.DATE


def test_a_day_below_the_days_of_a_week_may_lie_outside_them() -> None:
    found = tag("11 March to 15 March 2024\n- Saturday: party", ANCHOR, "en")
    assert [each.value for each in found] == ["2024-03-11/2024-03-15", "2024-03-16"]


def list_names(names: list[str], word: str) -> str:
    *before, last = names
    return f"{', '.join(before)} {word} {last}"


@given(DAYS, st.sampled_from(["and", "or", "&"]))
def test_days_of_a_list_share_what_is_said_once(days: list[int], word: str) -> None:
    names = [NAMES[day] for day in days]
    plain, timed = [f"XXXX-WXX-{day + 1}" for day in days], [TIMED.format(day + 1) for day in days]
    assert sets(f"We meet every {list_names(names, word)}.") == plain
    assert sets(f"Office hours: {list_names([f'{name}s' for name in names], word)} 3-4:30pm.") == timed
    assert sets(f"Open every {list_names(names, word)}, 3:00-4:30 pm.") == timed
    assert sets(f"{list_names(names, word)} mornings") == [f"{day}TMO" for day in plain]
    assert sets(f"{'/'.join(names)} 15:00-16:30") == timed
    assert sets(f"{'/'.join(name[:3] for name in names)} 3:00 pm - 4:30 pm") == timed
    assert sets(f"{list_names([name[:3] for name in names], word)} from 3 to 4:30 pm") == timed


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=2, unique=True).map(sorted),
    st.sampled_from([" to ", " through ", "-", " – "]),
    st.sampled_from([" 9am-5pm", ", 9:00 a.m. to 5 p.m.", " from 9 am to 5 pm", ": 9:00-17:00"]),
)
def test_days_from_one_to_another_with_hours_come_again(days: list[int], to: str, hours: str) -> None:
    first, last = (f"XXXX-WXX-{day + 1}" for day in days)
    same = {(0, 4): "XXXX-WXX-WD", (5, 6): "XXXX-WXX-WE"}.get((days[0], days[1]))
    expected = f"{same or first}T09:00/{same or last}T17:00"
    assert sets(f"Open {NAMES[days[0]]}{to}{NAMES[days[1]]}{hours}.") == [expected]
    assert sets(f"Open {NAMES[days[0]]}{to}{NAMES[days[1]]}{hours}, and Monday 1pm-2pm")[0] == expected
    this_week = tag(f"We are open this {NAMES[days[0]]}, {hours.strip(' ,:')}", ANCHOR, "en")
    assert all(mention.type is not TimexType.SET for mention in this_week)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=5, unique=True).map(sorted))
def test_codes_of_timetables(days: list[int]) -> None:
    expected = "{" + ",".join(TIMED.format(day + 1) for day in days) + "}"
    codes = [CODES[day] for day in days]
    for code in ("".join(codes), "/".join(codes), ", ".join(codes)):
        assert sets(f"CS 101 meets {code} 3:00-4:30pm in Room 204.") == [expected]
        # MT is a time zone as well.
        assert code == "MT" or sets(f"15:00-16:30 {code}") == [expected]


def test_each_day_of_a_timetable_has_its_hours() -> None:
    found = sets("Mon-Fri 9am-5pm, Sat 10am-2pm; Sun 11am-1pm")
    assert found == [
        *("XXXX-WXX-WDT09:00/XXXX-WXX-WDT17:00", "XXXX-WXX-6T10:00/XXXX-WXX-6T14:00"),
        "XXXX-WXX-7T11:00/XXXX-WXX-7T13:00",
    ]
    assert sets("M-Th: 8am-8pm") == ["XXXX-WXX-1T08:00/XXXX-WXX-4T20:00"]
    assert sets("Mon-Fri 9-5") == ["XXXX-WXX-WDT09:00/XXXX-WXX-WDT17:00"]


@pytest.mark.parametrize(
    "text",
    [
        "On Monday and Wednesday at 3pm the board met.",
        "It rained on Monday, Tuesday and Wednesday.",
        "The plant delivers 3 MW 3-5 pm.",
        "Mr. F. and M. Smith met at 10:30",
        "TR 11 and MF 3-5",
    ],
)
def test_other_days_and_letters_do_not_come_again(text: str) -> None:
    assert not [mention for mention in tag(text, ANCHOR, "en") if mention.type is TimexType.SET]
