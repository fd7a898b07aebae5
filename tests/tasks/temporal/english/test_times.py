"""Times of day, alone and with their days."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.temporal import english
from tasks.temporal.holidays import read_holidays
from tasks.temporal.tagger import tag
from tests.examples import examples
from warehouse.records import Mention, TimexType

ANCHOR = date(2016, 11, 7)

TIMES = [
    ("0600 hours", "2016-11-07T06:00"),
    ("1430 BST", "2016-11-07T14:30"),
    ("13:25 +1 day", "2016-11-08T13:25"),
    ("13:25+1", "2016-11-08T13:25"),
    ("06:10 (+1)", "2016-11-08T06:10"),
    ("Mon 23 Sep 2024 05:45 CEST (+1 day)", "2024-09-23T05:45"),
    ("9/19 @ 2pm PT", "2016-09-19T14:00"),
    ("14h30", "2016-11-07T14:30"),
    ("8 a.m. local time", "2016-11-07T08:00"),
    ("3:30 p.m.", "2016-11-07T15:30"),
    ("12 a.m.", "2016-11-07T00:00"),
    ("1140 a.m.", "2016-11-07T11:40"),
    ("18:00 UTC", "2016-11-07T18:00Z"),
    ("0800 GMT", "2016-11-07T08:00Z"),
    ("6:40 p.m. (GMT +8)", "2016-11-07T18:40+08:00"),
    ("10 a.m. EST", "2016-11-07T10:00"),
    ("noon", "2016-11-07T12:00"),
    ("half past seven", "2016-11-07T07:30"),
    ("a quarter to five", "2016-11-07T04:45"),
    ("twenty minutes past five", "2016-11-07T05:20"),
    ("seven o'clock", "2016-11-07T07:00"),
    ("this morning", "2016-11-07TMO"),
    ("last night", "2016-11-06TNI"),
    ("tonight", "2016-11-07TNI"),
    ("the next evening", "2016-11-08TEV"),
    ("yesterday afternoon", "2016-11-06TAF"),
    ("Friday morning", "2016-11-04TMO"),
    ("the night of 5 March 2016", "2016-03-05TNI"),
    ("3:30 pm on March 5, 2016", "2016-03-05T15:30"),
    ("8am tomorrow", "2016-11-08T08:00"),
    ("tomorrow at 8:45", "2016-11-08T08:45"),
    ("tomorrow morning at 8", "2016-11-08T08:00"),
    ("this evening at seven", "2016-11-07T19:00"),
    ("10 in the evening", "2016-11-07T22:00"),
    ("2016-11-08T16:12:30Z", "2016-11-08T16:12:30Z"),
    ("2016-11-08 16:12", "2016-11-08T16:12"),
    ("Oct 26 15:50:06 2016", "2016-10-26T15:50:06"),
]
SPANS = [
    ("3pm to 4pm tomorrow", "2016-11-08T15:00/2016-11-08T16:00"),
    ("between 9:30 and 3 pm", "2016-11-07T09:30/2016-11-07T15:00"),
    ("from 5 to 6pm", "2016-11-07T17:00/2016-11-07T18:00"),
    ("8am-3", "2016-11-07T08:00/2016-11-07T15:00"),
    ("9am-5pm", "2016-11-07T09:00/2016-11-07T17:00"),
    ("2-3:30pm", "2016-11-07T14:00/2016-11-07T15:30"),
    ("7 a.m.–3 p.m.", "2016-11-07T07:00/2016-11-07T15:00"),
    ("16:30-18:00", "2016-11-07T16:30/2016-11-07T18:00"),
    ("22:00-05:00", "2016-11-07T22:00/2016-11-07T05:00"),
    ("2016-11-08 09:00-10:00", "2016-11-08T09:00/2016-11-08T10:00"),
    ("between 3 and 5 on 1/2/2015", "2015-01-02T03:00/2015-01-02T05:00"),
    ("five to seven today", "2016-11-07T05:00/2016-11-07T07:00"),
    ("from 7 to 9:30 last night", "2016-11-06T19:00/2016-11-06T21:30"),
    ("from 2pm until tomorrow 4:30pm", "2016-11-07T14:00/2016-11-08T16:30"),
]


def only(text: str) -> Mention:
    (mention,) = tag(text, ANCHOR, "en")
    return mention


@pytest.mark.parametrize(("text", "value"), TIMES + SPANS, ids=lambda each: each)
def test_a_time_has_its_value_and_the_interval_of_its_day(text: str, value: str) -> None:
    mention = only(f"They met {text}.")
    assert (mention.text, mention.value, mention.type) == (text, value, TimexType.TIME)
    days = [date.fromisoformat(each[:10]) for each in value.split("/")]
    assert (mention.start_date, mention.end_date) == (days[0], date.fromordinal(days[-1].toordinal() + 1))


DAYS = {
    "": "2016-11-07",
    "Meeting ": "2016-11-07",
    "2016-11-09 ": "2016-11-09",
    "9 November 2016, ": "2016-11-09",
    "Friday ": "2016-11-04",
    "tomorrow from ": "2016-11-08",
    "every Monday ": "XXXX-WXX-1",
    "Tuesdays, ": "XXXX-WXX-2",
    "Mon-Fri ": "XXXX-WXX-WD",
    "daily ": "XXXX-XX-XX",
}
DASHES = ["-", "–", " - ", " – ", " to "]


def write_hour(quarters: int, *, halves: bool) -> str:
    hour, minute = divmod(15 * quarters, 60)
    if not halves:
        return f"{hour:02}:{minute:02}"
    return f"{hour % 12 or 12}{f':{minute}' if minute else ''}{'am' if hour < 12 else 'pm'}"


@given(
    lead=st.sampled_from(sorted(DAYS)),
    dash=st.sampled_from(DASHES),
    quarters=st.lists(st.integers(1, 95), min_size=2, max_size=2, unique=True).map(sorted),
    halves=st.booleans(),
)
@examples(6)
def test_from_one_hour_to_another_of_every_day(lead: str, dash: str, quarters: list[int], halves: bool) -> None:
    first, last = (write_hour(each, halves=halves) for each in quarters)
    mention = only(f"{lead}{first}{dash}{last} with Ann")
    bounds = [f"{DAYS[lead]}T{write_hour(each, halves=False)}" for each in quarters]
    assert mention.text == f"{lead.removeprefix('Meeting ')}{first}{dash}{last}"
    assert mention.value == "/".join(bounds)


def test_a_zone_is_no_end() -> None:
    assert only("2016-11-08 18:00-05:00").value == "2016-11-08T18:00-05:00"
    assert only("2016-11-08 00:00-05:00").value == "2016-11-08T00:00-05:00"
    assert only("2016-11-08 09:00:00-10:00").value == "2016-11-08T09:00:00-10:00"


def test_at_is_no_part_of_a_time() -> None:
    assert only("They met at 3 p.m. and left.").text == "3 p.m."


def test_a_time_is_of_the_day_last_spoken_of() -> None:
    day, clock = tag("He came on March 5, 2015. The talk began at 3 p.m. and was short.", ANCHOR, "en")
    assert (day.value, clock.value) == ("2015-03-05", "2015-03-05T15:00")


def test_a_bound_of_a_time_keeps_the_side_of_its_day() -> None:
    before, since = only("Come before 5pm."), only("We wait since 3 p.m.")
    assert (before.start_date, before.end_date) == (None, date(2016, 11, 8))
    assert (since.start_date, since.end_date) == (date(2016, 11, 7), None)


@pytest.mark.parametrize(
    "text",
    [
        "Good morning, Paul",
        "see John 3:16",
        "see John 3:16-4:10",
        "a score of 10:20-30:10",
        "a ratio of 10:20-10:35",
        "a ratio of 10:20",
        "a 4:3 screen",
        "from 3 to 5 people",
        "rose at 22 percent",
        "the evening news",
        "overnight rates",
        "25:10 and 12:75",
        "13 pm",
    ],
)
def test_no_time(text: str) -> None:
    assert tag(text, ANCHOR, "en") == ()


PIECES = [text for text, _ in TIMES + SPANS] + [
    *("every Monday at 4pm", "twice a month", "the summer of 2009", "the '80s", "the 19th century", "500 BC"),
    *(
        "Thanksgiving 2010",
        "Labor Day weekend",
        "March 4-22, 2023",
        "the 15th",
        "week 12 of 2023",
        "the week of March 5",
    ),
    *("the last Monday in May", "nine months ended September 30, 2023 and 2022", "year to date", "1Q-3Q 2023", "FY24"),
    *("from", "to", "between", "and", "until", "at", "5", "12", "31", "-", "–", ":", ",", "of", "the", "\n", "2023"),
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join),
    st.dates(date(1, 1, 1), date(9999, 12, 31)) | st.none(),
)
def test_whatever_stands_beside_them_spans_are_exact_and_intervals_real(text: str, anchor: date | None) -> None:
    found = tag(text, anchor, "en")
    for mention in found:
        assert text[mention.start : mention.end] == mention.text
        assert mention.start_date is None or mention.end_date is None or mention.start_date < mention.end_date
    assert all(left.end <= right.start for left, right in pairwise(found))


def test_easter_is_the_gregorian_one() -> None:
    known = [date(1818, 3, 22), date(1943, 4, 25), date(2000, 4, 23), date(2024, 3, 31), date(2038, 4, 25)]
    easter, _ = read_holidays(Path(english.__file__).with_name("holidays.tsv"))["easter"]
    assert [easter(day.year) for day in known] == known


def test_a_length_that_is_called_one_is_no_time() -> None:
    assert [each.value for each in tag("arr 13:25, Duration 8h20", ANCHOR, "en")] == ["2016-11-07T13:25", "PT8H20M"]


def test_the_day_in_the_next_line_is_of_what_follows() -> None:
    found = tag("Monday\n9:00 registration\n17:00\nTuesday\n9:00 Talks", ANCHOR, "en")
    assert "17:00" in [each.text for each in found]
    assert [each.text for each in tag("at 10:30 am\non Monday", ANCHOR, "en")] == ["10:30 am\non Monday"]


def test_a_time_of_four_digits_with_a_zero() -> None:
    assert [each.text for each in tag("Vitals at 0600: T 37, closed at 2150", ANCHOR, "en")] == ["0600"]
