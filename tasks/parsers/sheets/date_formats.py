"""Dates and times as formats of spreadsheets show them (ECMA-376 part 1, 18.8.31), from serial numbers (18.17.4).

Ambiguous dates are written out, since a passage is read without its file: a date in numbers alone is in the order of
ISO 8601 (2025-03-04), as 3/4/25 and 4/3/25 cannot be distinguished, and so is one whose months are named in a language
that Kalends does not read. A date with the name of its month is as Excel shows it, with its year in four digits, also
where the format omits the year.
"""

from __future__ import annotations

from calendar import day_name, month_name
from collections.abc import Sequence
from datetime import datetime, timedelta

DATE_TOKEN = r"y+|m+|d+|h+|s+|e+|g+|b{2,4}|AM/PM|A/P|上午/下午"  # noqa: S105
_SUPPORTED_LANGUAGES = frozenset({0, 0x04, 0x09})
"""Languages of months' names that stay: those of the machine, Chinese, English ([MS-LCID], primary languages)."""
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 31), datetime(1904, 1, 1)  # noqa: DTZ001
_MISSING_LEAP_DAY = 60  # February 29, 1900, which Excel counts though there was none.
_SERIAL_LIMIT = 2_958_466  # The first serial number after the year 9999.
_DAY = 86_400_000  # Milliseconds.
_HALF_DAY_TOKENS = ("am/pm", "a/p", "上午/下午")


def to_datetime(serial: float, *, date1904: bool = False) -> datetime | None:
    """The time that a serial number counts, to the millisecond; None where Excel shows none."""
    if not 0 <= serial < _SERIAL_LIMIT:
        return None
    days, milliseconds = divmod(round(serial * _DAY), _DAY)
    if not date1904 and days >= _MISSING_LEAP_DAY:
        days -= 1
    try:
        return (_EPOCH_1904 if date1904 else _EPOCH_1900) + timedelta(days=days, milliseconds=milliseconds)
    except OverflowError:
        return None


class DatePattern:
    """A format that shows a date, a time or a length of time."""

    def __init__(self, pieces: Sequence[tuple[str, str]], language: int = 0) -> None:
        """`pieces` are kinds and texts: "date" and "text", or a sign; `language` that of the names, by its number."""
        self._pieces = list(_with_minutes(pieces))
        tokens = [text for kind, text in self._pieces if kind == "date"]
        self._has_year = any(text[0] in "yeb" for text in tokens)
        self._has_month = any(text[0] == "m" for text in tokens)
        self._has_day = any(text in ("d", "dd") for text in tokens)
        self.has_date = self._has_year or self._has_month or any(text[0] == "d" for text in tokens)
        self._has_half_day = any(text in _HALF_DAY_TOKENS for text in tokens)
        has_names = any(text.startswith("mmm") for text in tokens)
        has_signs = any(mark in text for kind, text in self._pieces if kind == "text" for mark in "年月日")
        self._has_month_names = (has_names and language in _SUPPORTED_LANGUAGES) or has_signs

    def format_value(self, serial: float, *, date1904: bool = False) -> str | None:
        """The serial number as text; None for one that is no date."""
        time = to_datetime(serial, date1904=date1904)
        if time is None:
            return None
        elapsed = round(serial * _DAY)
        if not self._has_month or (self._has_month_names and self._has_year):
            return self._format_pieces(self._pieces, time, elapsed)
        if self._has_month_names:
            if any("月" in text for kind, text in self._pieces if kind == "text"):
                return f"{time.year}年{self._format_pieces(self._pieces, time, elapsed)}"
            date_places = self._list_date_places()
            before, after = self._pieces[: date_places[-1] + 1], self._pieces[date_places[-1] + 1 :]
            joint = "-" if ("text", "-") in before else ", " if before[-1][1][0] == "d" else " "
            start = self._format_pieces(before, time, elapsed)
            return f"{start}{joint}{time.year}{self._format_pieces(after, time, elapsed)}"
        if not (self._has_day or self._has_year):
            return self._format_pieces(self._pieces, time, elapsed)
        return self._format_in_numbers(time, elapsed)

    def _list_date_places(self) -> list[int]:
        """The places of year, month and day."""
        return [place for place, (kind, text) in enumerate(self._pieces) if kind == "date" and text[0] in "yebmd"]

    def _format_in_numbers(self, time: datetime, elapsed: int) -> str:
        """The weekday, the date in the order of ISO 8601 and the time of day, as far as the format has them."""
        weekday = next((text for kind, text in self._pieces if kind == "date" and text.startswith("ddd")), "")
        date = time.strftime("%Y-%m-%d") if self._has_day or weekday else time.strftime("%Y-%m")
        if time.year < 1000:
            date = f"{time.year:04d}{date[-6:]}"
        clock = [
            place
            for place, (kind, text) in enumerate(self._pieces)
            if kind == "date" and (text[0] in "hsn[" or text in _HALF_DAY_TOKENS)
        ]
        words = [self._format_token(weekday, time, elapsed)] if weekday else []
        words.append(date)
        if clock:
            words.append(self._format_pieces(self._pieces[clock[0] : clock[-1] + 1], time, elapsed))
        return " ".join(words)

    def _format_pieces(self, pieces: Sequence[tuple[str, str]], time: datetime, elapsed: int) -> str:
        text = "".join(self._format_token(text, time, elapsed) if kind == "date" else text for kind, text in pieces)
        return " ".join(text.split())

    def _format_token(self, text: str, time: datetime, elapsed: int) -> str:
        first, width = text[0], len(text)
        if text.startswith("["):
            unit = {"h": 3_600_000, "n": 60_000, "m": 60_000, "s": 1_000}[text[1]]
            return f"{elapsed // unit:0{width - 2}d}"
        if text in _HALF_DAY_TOKENS:
            halves = {"am/pm": ("AM", "PM"), "a/p": ("A", "P")}.get(text, ("上午", "下午"))
            return halves[time.hour >= 12]
        if first == ".":
            return f".{time.microsecond // 1000:03d}"[:width]
        if first == "g":  # The name of an era, whose years are not counted here.
            return ""
        if first in "ye":
            return f"{time.year:04d}"
        if first == "b":
            return f"{time.year + 543:04d}"
        if first == "m":
            name = month_name[time.month]
            return {1: str(time.month), 2: f"{time.month:02d}", 3: name[:3], 5: name[0]}.get(width, name)
        if first == "d":
            name = day_name[time.weekday()]
            return {1: str(time.day), 2: f"{time.day:02d}", 3: name[:3]}.get(width, name)
        hour = (time.hour - 1) % 12 + 1 if self._has_half_day else time.hour
        number = {"h": hour, "n": time.minute, "s": time.second}[first]
        return f"{number:02d}" if width > 1 else str(number)


def _with_minutes(pieces: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pieces with minutes, which formats write as months, as `n`, and parts of seconds as one token."""
    result: list[tuple[str, str]] = []
    for kind, text in pieces:
        if kind == "0" and result and result[-1][0] == "date" and result[-1][1][0] == ".":
            result[-1] = ("date", f"{result[-1][1]}0")
        elif kind == ".":
            result.append(("date", "."))
        elif kind in ("date", "text"):
            result.append((kind, text))
        else:
            result.append(("text", kind))
    result = [("text", ".") if piece == ("date", ".") else piece for piece in result]
    date_places = [place for place, (kind, text) in enumerate(result) if kind == "date" and text[0] != "."]
    for number, place in enumerate(date_places):
        text = result[place][1]
        if text not in ("m", "mm"):
            continue
        before = result[date_places[number - 1]][1].strip("[") if number else ""
        after = result[date_places[number + 1]][1] if number + 1 < len(date_places) else ""
        if before.startswith("h") or after.startswith(("s", "[s")):
            result[place] = ("date", "n" * len(text))
    return result
