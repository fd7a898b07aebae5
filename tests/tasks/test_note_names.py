"""Daily, weekly and monthly notes: names read back in the formats of Obsidian's settings, and without them."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.document_date import NameFormat, make_name_pattern, make_note_namer, parse_name_interval
from tasks.parsers.notes import VAULT
from warehouse.records.calendars import DAY, WEEK, Interval, add_months

days = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(days)
def test_usual_names_are_read_without_settings(day: date) -> None:
    year, week, _ = day.isocalendar()
    monday, first = date.fromisocalendar(year, week, 1), day.replace(day=1)
    quarter = (day.month + 2) // 3
    opening = date(day.year, quarter * 3 - 2, 1)
    for name, interval in (
        (f"{day}", (day, day + DAY)),
        (f"{day} - {day:%A}", (day, day + DAY)),
        (f"{day:%Y_%m_%d}", (day, day + DAY)),
        (f"{day:%Y%m%d}", (day, day + DAY)),
        (f"{day:%Y%m%d}1405", (day, day + DAY)),
        (f"{day}.140511+0100CET", (day, day + DAY)),
        (f"{day} 14.05", (day, day + DAY)),
        (f"{day:%Y-%m} {day:%B}", (first, add_months(first, 1))),
        (f"{day:%A}, {day:%B} {day.day}, {day.year}", (day, day + DAY)),
        (f"{day.year}年{day.month}月{day.day}日", (day, day + DAY)),
        (f"{day:%Y/%m/%d}", (day, day + DAY)),
        (f"{year}-W{week:02}", (monday, monday + WEEK)),
        (f"{day:%Y-%m}", (first, add_months(first, 1))),
        (f"{day.year}-Q{quarter}", (opening, add_months(opening, 3))),
    ):
        assert parse_name_interval(f"journal/{name}.md") == interval


@pytest.mark.parametrize(
    "name", ["Tom Baker", "1984", "2025-10-14 Meeting", "Plan for 2025-10-14", "3.10.2", "2025-13-14", "", "May"]
)
def test_other_names_are_of_no_day(name: str) -> None:
    assert parse_name_interval(f"{name}.md") is None


@given(days)
@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("YYYY/MM/DD-dddd", "{d:%Y/%m/%d-%A}"),
        ("YYYY/MM-MMMM/YYYY-MM-DD-dddd", "{d:%Y/%m-%B/%Y-%m-%d-%A}"),
        ("DD.MM.YYYY", "{d:%d.%m.%Y}"),
        ("MM-DD-YYYY", "{d:%m-%d-%Y}"),
        ("YYMMDD", "{d:%y%m%d}"),
        ("dddd, MMMM Do YYYY", "{d:%A}, {d:%B} {d.day}th {d.year}"),
        ("D MMM YYYY (ddd)", "{d.day} {d:%b} {d.year} ({d:%a})"),
        ("YYYY[年]M[月]D[日] dddd", "{d.year}年{d.month}月{d.day}日 星期二"),
        ("YYYY年MMMDo", "{d.year}年{d.month}月{d.day}日"),
        ("YYYY-DDDD", "{d:%Y-%j}"),
        ("GGGG-[W]WW-E", "{d:%G-W%V-%u}"),
        ("[Journal] YYYY-MM-DD", "Journal {d:%Y-%m-%d}"),
        ("YYYY-MM-DD HH.mm", "{d:%Y-%m-%d} 08.15"),
    ],
)
def test_names_are_read_back_in_every_format(form: str, written: str, day: date) -> None:
    formats = (NameFormat("", make_name_pattern(form)),)
    assert parse_name_interval(f"some/{written.format(d=day)}.md", formats) == (day, day + DAY)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_format_is_read(form: str, name: str) -> None:
    found = parse_name_interval(f"{name}.md", (NameFormat("", make_name_pattern(form)),))
    assert found is None or found[0] < found[1]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / VAULT / "plugins" / "periodic-notes").mkdir(parents=True)
    return tmp_path


def put(vault: Path, name: str, settings: object) -> None:
    (vault / VAULT / name).write_text(json.dumps(settings), encoding="utf-8")


def of_week(year: int, week: int) -> Interval:
    monday = date.fromisocalendar(year, week, 1)
    return monday, monday + WEEK


def test_the_settings_of_daily_notes(vault: Path) -> None:
    put(vault, "daily-notes.json", {"folder": "/journal/", "format": "MM-DD-YYYY"})
    named = make_note_namer(vault)
    assert named("journal/10-04-2025.md") == (date(2025, 10, 4), date(2025, 10, 5))
    assert named("other/10-04-2025.md") == (date(2025, 4, 10), date(2025, 4, 11))
    assert make_note_namer(vault / "journal")("10-04-2025.md") == named("journal/10-04-2025.md")
    assert make_note_namer(vault.parent)(f"{vault.name}/journal/10-04-2025.md") == named("journal/10-04-2025.md")


@pytest.mark.parametrize("is_new", [False, True])
def test_the_settings_of_periodic_notes(vault: Path, *, is_new: bool) -> None:
    names = ("week", "month", "year") if is_new else ("weekly", "monthly", "yearly")
    stated = [
        {"enabled": True, "format": "gggg/[Week] w", "folder": "weeks"},
        {"enabled": True, "format": "", "folder": ""},
        {"enabled": True, "format": "", "folder": "years"},
    ]
    periods = dict(zip(names, stated, strict=True))
    put(vault, "plugins/periodic-notes/data.json", {"calendarSets": [periods]} if is_new else periods)
    named = make_note_namer(vault)
    assert named("weeks/2025/Week 43.md") == of_week(2025, 43)
    assert named("2025-10.md") == (date(2025, 10, 1), date(2025, 11, 1))
    assert named("years/2025.md") == (date(2025, 1, 1), date(2026, 1, 1))
    assert named("2025.md") is None


def test_a_period_that_is_off_names_nothing(vault: Path) -> None:
    put(vault, "plugins/periodic-notes/data.json", {"yearly": {"enabled": False, "format": ""}})
    assert make_note_namer(vault)("2025.md") is None


@pytest.mark.parametrize(
    "broken", ["{", "[]", '{"format": 3, "folder": null}', '{"calendarSets": [1], "daily": 2}', ""]
)
def test_settings_that_cannot_be_read_change_nothing(vault: Path, broken: str) -> None:
    for name in ("daily-notes.json", "plugins/periodic-notes/data.json"):
        (vault / VAULT / name).write_text(broken, encoding="utf-8")
    day = date(2025, 10, 14)
    assert make_note_namer(vault)("2025-10-14.md") == (day, day + timedelta(days=1))
