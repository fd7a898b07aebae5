"""Headings of bounded length, the dates that head entries, and the datelines of releases."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.assembly import MAX_HEADING_LENGTH, MAX_TITLE_LENGTH
from tasks.parsers.document_head import find_datelines
from tasks.parsers.language import EUROPEAN
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.parsers.written_dates import (
    CALENDAR_WORDS,
    DAY_FIRST,
    MONTH_FIRST,
    is_date_heading,
    parse_entry_date,
    parse_entry_interval,
    parse_line_entry,
)
from warehouse.records import BlockKind, DateClaim, DateOrigin
from warehouse.records.calendars import DAY, WEEK, Interval, add_months


@pytest.mark.parametrize(("length", "kind"), [(200, BlockKind.HEADING), (201, BlockKind.PARAGRAPH)])
def test_a_heading_that_is_too_long_is_a_paragraph(length: int, kind: BlockKind) -> None:
    assert MAX_HEADING_LENGTH == 200
    document = read(Raw("a.md", f"# Start\n\n# {'x' * length}\n\nText.".encode()))
    assert document.blocks[1].kind is kind
    assert all(len(part) <= MAX_HEADING_LENGTH for block in document.blocks for part in block.section)


def test_a_line_of_many_hashes_is_not_repeated() -> None:
    document = read(Raw("a.md", b"# " * 5_000 + b"\n\n" + b"Some words.\n\n" * 50))
    assert len(document.title) <= MAX_TITLE_LENGTH
    assert sum(len(part) for block in document.blocks for part in block.section) < len(document.text)


@pytest.mark.parametrize(
    ("paragraph", "day"),
    [
        ("PURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc. today reported", "2023-04-25"),
        ("NEW YORK, NY, May 20, 2022 – Foot Locker, Inc.", "2022-05-20"),
        ("ZURICH – 16 August 2023 – Amcor", "2023-08-16"),
        ("BERGEN, Norway, July 24, 2025 - Northlight", "2025-07-24"),
        ("April 25, 2023", "2023-04-25"),
        ("Filing date: 2021-05-12", "2021-05-12"),
        ("Vale Inc.\nForm 10-K\nFiling date: 2021-05-12", "2021-05-12"),
        ("Date filed: May 12, 2021", "2021-05-12"),
        ("Meeting date: May 12, 2021", "2021-05-12"),
        ("Date of the meeting: May 12, 2021", "2021-05-12"),
        ("**Report date:** 12 May 2021", "2021-05-12"),
        ("Rechnungsdatum: 12.05.2021", "2021-05-12"),
        ("Date d’émission : 12 mai 2021", "2021-05-12"),
        ("Fecha de emisión: 12 de mayo de 2021", "2021-05-12"),
        ("Published: 12 May 2021", "2021-05-12"),
        ("From the board\nDate: 2021-05-12", "2021-05-12"),
        ("发布日期：2021年5月12日", "2021-05-12"),
        ("Hamburg, den 12. August 2021", "2021-08-12"),
        ("Lyon, le 29 juillet 2021", "2021-07-29"),
        ("São Paulo, 3 de maio de 2021", "2021-05-03"),
        ("Washington, D.C., April 5, 2020.", "2020-04-05"),
        ("We met in Rome, 3 May 2021", None),
        ("Note 5, 3 May 2021", None),
        ("Hamburg, 12 August 2021 and later", None),
        ("Published on 12 May 2021 was the report of the year before", None),
        ("Updated: 12 May 2021", "2021-05-12"),
        ("On April 25, 2023 the company", None),
        ("PURCHASE, N.Y. - The quarter that ended on April 25, 2023", None),
        ("Head Chef, March 1, 2020 - Present, at the house by the old mill", None),
        ("Sales Manager, June 12, 2018 – May 1, 2020, in an office with ten others", None),
        ("Total Assets, December 31, 2022 - restated", None),
        ("Concert – May 3, 2023 – Hall of the Guild", None),
        ("Effective, March 4, 2022 - the terms below hold for all orders", None),
        ("Purchase - April 25, 2023", None),
        ("NET SALES 2023 - April 31, 2023", None),
        ("Omaha, Neb., October 26, 2023 – Brightwater Foods, Inc. today announced its results", "2023-10-26"),
        (
            "DAYTON, Ohio--(BUSINESS WIRE)--November 9, 2023--Pinecrest today reported results of its third quarter",
            "2023-11-09",
        ),
        ("New York, NY – May 2, 2024 – Acme Corp. today reported results for the quarter", "2024-05-02"),
        ("Received 4 January 2021; accepted 19 May 2021", "2021-05-19"),
        ("Received: 3 May 2020 / Accepted: 4 June 2020 / Published online: 9 July 2020", "2020-07-09"),
        ("Received on 3 May 2020, the parcel was accepted with thanks", None),
        ("Three Months Ended September 30, 2023 - in millions", None),
        ("Balance, December 31, 2022 – restated", None),
        ("As of March 31, 2024 - total", None),
    ],
)
def test_datelines(paragraph: str, day: str | None) -> None:
    claims = [DateClaim(date.fromisoformat(day), DateOrigin.DATELINE)] if day else []
    assert find_datelines(["Results of the quarter", paragraph]) == claims


WEEKDAYS = ("Monday", "Tues", "Wed.", "thu", "Friday", "SAT", "Sunday")
NUMERALS = "〇一二三四五六七八九"


def chinese(number: int) -> str:
    tens, ones = divmod(number, 10)
    return f"{NUMERALS[tens] if tens > 1 else ''}{'十' if tens else ''}{NUMERALS[ones] if ones else ''}"


def written(day: date) -> list[str]:
    """The day in every form."""
    month = f"{day:%B}"
    year, week, weekday = day.isocalendar()
    return [
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}.{day.month:02}.{day.day:02}",
        f"{day:%Y%m%d}",
        f"{day.day}/{day.month}/{day.year}",
        f"{day:%d.%m.%Y}",
        f"{day.day} {month} {day.year}",
        f"{day.day}. {month} {day.year}",
        f"{day.day}-{month[:3]}-{day.year}",
        f"{day.day}th of {month}, {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]}. {day.day}th {day.year}",
        f"{day.year} {month} {day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.year} 年 {day.month} 月 {day.day} 号",
        f"{''.join(NUMERALS[int(digit)] for digit in str(day.year))}年{chinese(day.month)}月{chinese(day.day)}日",
        f"{year}-W{week:02}-{weekday}",
    ]


def decorated(text: str, day: date) -> list[str]:
    """A date with what people write around it."""
    name, hanzi = WEEKDAYS[day.weekday()], f"星期{'一二三四五六日'[day.weekday()]}"
    return [
        text,
        f"{name}, {text}",
        f"{name} - {text}",
        f"({name}) {text}",
        f"{hanzi} {text}",
        f"{text} - {name}",
        f"{text}, {name}",
        f"{text} ({name})",
        f"{text} [{name}] 10:30",
        f"{text} {hanzi}",
        f"**{text}**",
        f"**{text}:**",
        f"[{text}]:",
        f"<{text} {name}>",
        f"_{text}_",
        f"【{text}】",
        f"{text}：",
    ]


days = st.dates(date(1900, 1, 1), date(2099, 12, 31))


@given(days, st.data())
def test_a_day_heads_an_entry_in_every_form(day: date, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(written(day)).flatmap(lambda each: st.sampled_from(decorated(each, day))))
    interval = day, day + DAY
    assert parse_entry_interval(text, DAY_FIRST) == interval
    assert parse_line_entry(text, DAY_FIRST) == interval
    assert parse_entry_date(text, DAY_FIRST) == day
    assert is_date_heading(text)
    for entry in (f"{text}{data.draw(st.sampled_from([' – ', ': ', chr(9)]))}went home", f"- {text} — went home"):
        assert parse_line_entry(entry, DAY_FIRST) == interval
        assert not is_date_heading(entry)


@pytest.mark.parametrize(
    "head",
    ["[14/05/2023, 11:12:00]", "\u200e[14.05.23, 11:12:00]", "[5/14/23, 11:12:33\u202fPM]", "5/14/23, 11:12 AM -",
     "14.05.23, 11:12 -", "2023-05-14, 11:12 -", "May 14, 2023, 11:12 AM -"],
)  # fmt: skip
def test_the_lines_of_a_chat_are_entries_of_their_days(head: str) -> None:
    for said in ("hello", "12 of us, 3.5 km", "May 2021 was better", "图片"):
        assert parse_line_entry(f"{head} Tom: {said}") == (date(2023, 5, 14), date(2023, 5, 15))
    assert parse_line_entry(f"At {head} Tom left") is None


DATES = {
    "de": "{weekday}, den {day}. {month} {year}",
    "fr": "{weekday} {day} {month} {year}",
    "es": "{weekday}, {day} de {month} de {year}",
    "it": "{weekday} {day} {month} {year}",
    "pt": "{weekday}, {day} de {month} de {year}",
    "nl": "{weekday} {day} {month} {year}",
}


@given(st.sampled_from(EUROPEAN), st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_days_and_months_head_entries_in_european_languages(code: str, day: date) -> None:
    words = CALENDAR_WORDS[code]
    month, weekday = (
        words[kind][index].partition(",")[0] for kind, index in (("months", day.month - 1), ("weekdays", day.weekday()))
    )
    text = DATES[code].format(weekday=weekday.capitalize(), day=day.day, month=month, year=day.year)
    interval = (day, day + timedelta(days=1))
    assert parse_entry_interval(text) == parse_line_entry(f"{text}: much to do") == interval
    assert parse_entry_interval(text.partition(weekday.capitalize())[2].lstrip(", ")) == interval
    first = day.replace(day=1)
    assert parse_entry_interval(f"{month.capitalize()} {day.year}") == (first, add_months(first, 1))


@given(days, st.sampled_from(["{m}/{d}/{y}", "**{m:02}.{d:02}.{y}:**"]))
def test_the_order_of_a_file_decides_numeric_dates(day: date, form: str) -> None:
    text = form.format(y=day.year, m=day.month, d=day.day)
    assert parse_entry_date(text, MONTH_FIRST) == day
    swapped = date(day.year, day.day, day.month) if day.day <= 12 else day
    assert parse_entry_date(text, DAY_FIRST) == parse_entry_date(text) == swapped


@given(days, st.data())
def test_weeks_head_entries(day: date, data: st.DataObject) -> None:
    year, week, _ = day.isocalendar()
    monday = date.fromisocalendar(year, week, 1)
    forms = [f"{year}-W{week:02}", f"W{week} {year}", f"Week {week}, {year}", f"week {week} of {year}"]
    forms += [f"{year} Week {week}", f"KW {week}/{year}", f"{year}年第{week}周", f"{year}年第{chinese(week)}週"]
    text = data.draw(st.sampled_from(forms))
    interval = monday, monday + WEEK
    assert (
        parse_entry_interval(text)
        == parse_line_entry(f"**{text}**")
        == parse_line_entry(f"{text}: much to do")
        == interval
    )
    assert parse_entry_interval(f"{text}: review") == interval
    assert parse_line_entry(f"{text} was good") is None
    assert is_date_heading(text)


@given(days, st.data())
def test_months_quarters_and_years_head_entries_alone(day: date, data: st.DataObject) -> None:
    first, quarter = day.replace(day=1), (day.month + 2) // 3
    month = [
        f"{day:%B} {day.year}",
        f"{day:%b}. {day.year}",
        f"{day.year}-{day.month:02}",
        f"{day.year}年{day.month}月",
    ]
    text = data.draw(st.sampled_from(month))
    assert parse_entry_interval(text) == parse_entry_interval(f"**{text}:**") == (first, add_months(first, 1))
    begin = date(day.year, quarter * 3 - 2, 1)
    for named in (f"{day.year}-Q{quarter}", f"Q{quarter} {day.year}", f"{day.year}年第{chinese(quarter)}季度"):
        assert parse_entry_interval(named) == (begin, add_months(begin, 3))
    assert parse_entry_interval(str(day.year)) == (date(day.year, 1, 1), date(day.year + 1, 1, 1))
    for more in (f"{text} was good", f"{text}: good", f"{day.year} was good", f"{day.year}: good"):
        assert parse_entry_interval(more) is parse_line_entry(more) is None
    assert not is_date_heading(text)


@given(days, st.integers(0, 500), st.sampled_from([" - ", "–", " to ", " 至 "]))
def test_a_short_range_heads_an_entry_and_a_long_one_none(day: date, length: int, joint: str) -> None:
    last = day + timedelta(days=length)
    found: Interval | None = (day, last + DAY) if length < 62 else None
    text = f"{day.isoformat()}{joint}{last.isoformat()}"
    assert parse_entry_interval(text) == parse_line_entry(f"{text}: a journey") == found


@given(days, st.data())
def test_sentences_that_begin_with_a_date_are_no_entries(day: date, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(written(day)))
    more = data.draw(st.sampled_from([" was the day when", ", the day", " | 3 | 4", "\t3\t4", ",3,4", "abc", "; then"]))
    assert parse_line_entry(text + more) is None
    assert parse_line_entry(f"On {text} we met") is None
    assert parse_line_entry(f"1. {text}: met") is None
    assert parse_line_entry(f"| {text} | met |") is None


@pytest.mark.parametrize(
    "line",
    [
        "2019 was a good year", "In October 2025 we met", "October 2025 was warm", "May I ask", "Sunday was warm",
        "2025年10月14日，公司宣布", "2025年10月14日星期二，公司宣布", "1.2.3", "v2.10.2025", "2025-02-30", "W60 2025",
        "12. May", "3.10.2", "192.168.12.2025", "2025-10-14.5", "", "- ", "::", "2048: a game", "Q4 2025: 3.2 million",
    ],
)  # fmt: skip
def test_other_lines_are_no_entries(line: str) -> None:
    assert parse_line_entry(line) is None


@given(st.text(max_size=120))
def test_any_text_is_read_or_not(text: str) -> None:
    for days_of in (parse_entry_interval(text), parse_line_entry(text)):
        assert days_of is None or days_of[0] < days_of[1]


@pytest.mark.parametrize(
    "line",
    ["2025-10-14 Met Tom", "2025-10-14 08:15 met Tom", "2025年10月14日 去了医院", "[2025-10-14] met Tom",
     "**2025-10-14** met Tom", "2025-10-14 Tue met Tom", "* <2025-10-14 Tue> met Tom", "- [x] 2025-10-14: met Tom"],
)  # fmt: skip
def test_dates_that_are_set_off_begin_entries(line: str) -> None:
    assert parse_line_entry(line) == (date(2025, 10, 14), date(2025, 10, 15))


@pytest.mark.parametrize(
    "line",
    [
        "<2023-05-14 Sun 10:00-11:30 +1w>",
        "- [2023-05-14 Sun 10:02] Tom came",
        "<2023-05-14 dim. .+1d/3d -2d>",
        '192.0.2.1 - ann [14/May/2023:13:55:36 -0700] "GET /x HTTP/1.0" 200 1871',
        "2023-05-14T10:00:00.123Z INFO started",
        "2023-05-14 10:00:05,123 [main] WARN queue",
        "[Sun May 14 10:00:00.123456 2023] [core:error] no file",
        "<34>1 2023-05-14T22:14:15.003Z host su - ID47",
        "2023-05-14 10:00-11:00 Meeting with Tom",
    ],
)
def test_lines_of_logs_and_timestamps_begin_entries(line: str) -> None:
    assert parse_line_entry(line) == (date(2023, 5, 14), date(2023, 5, 15))


def test_a_range_of_timestamps_is_one() -> None:
    days = (date(2023, 5, 14), date(2023, 5, 17))
    assert parse_entry_interval("<2023-05-14 Sun>--<2023-05-16 Tue> Trip") == days
    assert parse_line_entry("[2023-05-14 Sun 10:00]--[2023-05-16 Tue 11:00]") == days


@pytest.mark.parametrize("line", ["Oct 11 22:14:15 host sshd[123]: closed", '- - [10/Oct/2000] "GET"', "<2023> x"])
def test_lines_without_a_day_begin_none(line: str) -> None:
    assert parse_line_entry(line) is None
