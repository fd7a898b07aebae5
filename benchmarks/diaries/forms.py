"""Forms in which people keep a diary: a file a day, one long log, a Chinese log, a file a week with dated lines."""

from __future__ import annotations

import calendar
import zlib
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from struct import pack

from benchmarks.diaries.world import Entry

_TIMES = ("08:40", "13:15", "19:30")


def write_daily_notes(entries: Sequence[Entry], folder: Path) -> None:
    """A vault: a note a day, notes on people and projects that only mention days, and pictures."""
    (folder / "img").mkdir(parents=True)
    (folder / "journal").mkdir()
    for number, entry in enumerate(entries):
        name = f"{entry.day}" if number % 3 else f"{entry.day} - {entry.day:%A}"
        front = "---\ntags: [daily]\n---\n" if number % 2 else ""
        heading = f"# {entry.day:%A}\n\n" if number % 4 else ""
        lines = [f"- {time} {item.text}" for time, item in zip(_TIMES, entry.items, strict=False)]
        (folder / "journal" / f"{name}.md").write_text(front + heading + "\n".join(lines) + "\n", encoding="utf-8")
    for name in sorted({item.person for entry in entries for item in entry.items if item.person}):
        text = (
            f"# {name}\n\nWe were at school together; the reunion of 4 May 1998 was at the lake. Likes strong coffee.\n"
        )
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    for name in sorted({item.project for entry in entries for item in entry.items if item.project}):
        text = f"# {name}\n\nThe idea goes back to a talk in June 2003. Notes on {name} stand in the journal.\n"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    for number in range(12):
        (folder / "img" / f"sketch {number}.png").write_bytes(_picture(number))


def write_log(entries: Sequence[Entry], folder: Path) -> None:
    """One file with headings for years, months and days."""
    folder.mkdir(parents=True)
    lines = ["# Work log", ""]
    for year, of_year in groupby(entries, key=lambda entry: entry.day.year):
        lines += [f"## {year}", ""]
        for month, of_month in groupby(of_year, key=lambda entry: entry.day.month):
            lines += [f"### {calendar.month_name[month]} {year}", ""]
            for entry in of_month:
                lines += [f"#### {entry.day:%A, %B} {entry.day.day}, {year}", "", *_paragraphs(entry)]
    (folder / "worklog.md").write_text("\n".join(lines), encoding="utf-8")


def write_chinese_log(entries: Sequence[Entry], folder: Path) -> None:
    """One file with a Chinese date as the heading of each day, under an English remark."""
    folder.mkdir(parents=True)
    lines = ["# 日记", "", "Please return this diary to the front desk if you find it.", ""]
    for entry in entries:
        weekday = "一二三四五六日"[entry.day.weekday()]
        lines += [f"## {entry.day.year}年{entry.day.month}月{entry.day.day}日 星期{weekday}", "", *_paragraphs(entry)]
    (folder / "日记.md").write_text("\n".join(lines), encoding="utf-8")


def write_weekly_notes(entries: Sequence[Entry], folder: Path) -> None:
    """A file an ISO week, in it a line a day that begins with its date, the day before the month."""
    folder.mkdir(parents=True)
    for (year, week), of_week in groupby(entries, key=lambda entry: tuple(entry.day.isocalendar())[:2]):
        lines = [f"# {year}-W{week:02}", ""]
        for entry in of_week:
            lines += [f"**{entry.day:%d/%m/%Y}:** {' '.join(item.text for item in entry.items)}", ""]
        (folder / f"{year}-W{week:02}.md").write_text("\n".join(lines), encoding="utf-8")


FORMS: Mapping[str, Callable[[Sequence[Entry], Path], None]] = {
    "daily notes": write_daily_notes,
    "log": write_log,
    "chinese log": write_chinese_log,
    "weekly notes": write_weekly_notes,
}


def _paragraphs(entry: Entry) -> list[str]:
    return [line for item in entry.items for line in (item.text, "")]


def _picture(number: int) -> bytes:
    """A PNG of one grey pixel."""

    def part(kind: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))

    pixel = zlib.compress(bytes([0, number]))
    header = pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", pixel) + part(b"IEND", b"")
