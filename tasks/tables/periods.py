"""Periods of cells: the days that their headers speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import permutations

from tasks.tables.headers import Path
from tasks.temporal.english.lexicon import MONTH_NAMES
from tasks.temporal.tagger import tag
from warehouse.months import Interval
from warehouse.records import Calendar, Grain, Mention, TimexType
from warehouse.records.fiscal import FiscalCalendar

_PARTIAL = (Grain.DAY, Grain.MONTH, Grain.QUARTER, Grain.HALF)
_LONGEST = 300  # In characters; a longer header is prose.
_UNTIL = re.compile(r"\s*(?:[-–—~至到]|to|through|until)\s*", re.IGNORECASE)

_COMPARES = re.compile(
    r"\bv(?:s|ersus)?\b|\b(?:chang|increas|decreas|varianc|growth|compar|through|between)\w*|[%∆Δ–—]|增|减|变动|同比|至",
    re.IGNORECASE,
)
"""A header of several times that is meant so."""


class Periods:
    """Reads the headers of one document; equal headers are read once."""

    def __init__(self, language: str, day_order: str, fiscal: FiscalCalendar | None) -> None:
        """`language`, `day_order` (`Attributes.day_order`) and `fiscal` calendar are the document's."""
        self._language, self._day_order, self._fiscal = language, day_order, fiscal
        self._tag = cache(self._tagged)
        self._column = cache(self._of_column)
        self._row = cache(self._of_row)
        self._both = lru_cache(maxsize=64)(self._together)

    def of_row(self, row: Path) -> Interval | None:
        """The period of a row's labels."""
        return self._row(row)

    def of_cell(self, row: Path, column: Path, corner: Path) -> Interval | None:
        """The period of a cell: its column's; the row's where that lies inside it or the column has none.

        A row and a column may name it together ("Q1" and "2023"). `corner` is the header path of the labels, where
        tables put "Years ended December 31,".
        """
        by_column, by_row = self._column(column, corner), self._row(row)
        whole = by_column or by_row
        if whole is None:
            return None
        finer = self._both(row[-1:], column) or (by_row if by_column else None)
        return finer if finer is not None and _within(finer, whole) else whole

    def doubt(self, row: Path, column: Path, corner: Path) -> str:
        """Why the period of a cell is not sure, or nothing."""
        by_column, by_row = self._column(column, corner), self._row(row)
        if by_column and by_row and not _nested(by_column, by_row):
            return "the row and the column name different times"
        if by_column is None and by_row is None and self._names_several(column):
            return "the column's header names several times"
        return ""

    def _names_several(self, column: Path) -> bool:
        """Whether a header that compares nothing names times apart from each other."""
        text = normalize_dates(" ".join(column), self._day_order)
        if _COMPARES.search(text):
            return False
        times = set(filter(None, map(_days, self._tag(text))))
        return any(not _nested(one, other) for one in times for other in times)

    def _of_column(self, path: Path, corner: Path) -> Interval | None:
        """The period a header path names; its parts are read in every order of two, and after the corner.

        None where it names two ("2019 vs. 2018"), names a thing ("2018 Plan") or an open time ("after 2024").
        """
        path = tuple(normalize_dates(part, self._day_order) for part in path)
        plain = " ".join(path)
        texts = [(plain, 0), *((f"{part} {plain}", len(part) + 1) for part in corner)]
        texts += [(" ".join(pair), 0) for pair in permutations(path, 2)]
        texts += [(" ".join((*path[turn:], *path[:turn])), 0) for turn in range(1, len(path))]
        found = [best for text, first in texts if (best := self._best(text, first)) is not None]
        longest = max(found, key=lambda each: each.end - each.start, default=None)
        return None if longest is None or self._contradicts(plain, longest) else _days(longest)

    def _best(self, text: str, first: int) -> Mention | None:
        """The longest dated mention that reaches beyond `first` and names a time."""
        dated = [
            each for each in self._tag(text) if each.end > first and _days(each) and is_time(each.start, each.end, text)
        ]

        def rank(mention: Mention) -> tuple[bool, int]:
            # The days of a fiscal period are not sure while nobody knows the company's calendar.
            is_sure = self._fiscal is not None or mention.calendar is Calendar.GREGORIAN
            return is_sure, mention.end - mention.start

        return max(dated, key=rank, default=None)

    def _contradicts(self, text: str, best: Mention) -> bool:
        """Whether a header names a time that the best mention does not say, neither holding the other.

        A quarter or day that the best mention has not taken up makes it too coarse to be the header's period.
        """
        whole = _days(best)
        for each in self._tag(text):
            if each.text in best.text:
                continue
            days = _days(each)
            if days is None:
                if each.grain in _PARTIAL and each.type is TimexType.DATE:
                    return True
            elif whole and each.calendar is best.calendar and not _nested(days, whole):
                return True
        return False

    def _of_row(self, path: Path) -> Interval | None:
        """The period of a row: its label, or the nearest section above it, is a date, or from one to another."""
        for end in range(len(path), 0, -1):
            for parts in _orders(path[:end]):
                text = " ".join(parts)
                found = [each for each in self._tag(text) if each.start_date or each.end_date]
                if found and is_label(found[0].start, found[-1].end, text):
                    if len(found) == 1 and (days := _days(found[0])):
                        return days
                    if len(found) == 2 and _UNTIL.fullmatch(text[found[0].end : found[1].start]):
                        return _joined(*found)
        return None

    def _together(self, leaf: Path, column: Path) -> Interval | None:
        """The period of an expression that runs from a row's label into its column's header, or the other way."""
        label, header = " ".join(leaf), " ".join(column)
        if not self._tag(label):
            return None
        for first, second in ((label, header), (header, label)):
            text = f"{first} {second}"
            for each in self._tag(text):
                if each.start < len(first) < each.end and (days := _days(each)):
                    return days
        return None

    def _tagged(self, text: str) -> tuple[Mention, ...]:
        if len(text) > _LONGEST:
            return ()
        return tag(text, None, self._language, day_order=self._day_order, fiscal=self._fiscal)


def _orders(path: Path) -> Iterator[Path]:
    """The last label, then the last two in both orders: "Q1" stands under "2023"."""
    if len(path) > 1:
        yield path[-2:]
        yield path[:-3:-1]
    yield path[-1:]


def _joined(first: Mention, last: Mention) -> Interval | None:
    """From one to the other; the last may be one that is open before it ("through May 27")."""
    if first.start_date is None or last.end_date is None or first.start_date >= last.end_date:
        return None
    return first.start_date, last.end_date


def _days(mention: Mention) -> Interval | None:
    """Its days where it names a time with both its sides, not an open one, a length or a time that recurs."""
    if mention.start_date is None or mention.end_date is None or mention.type is not TimexType.DATE:
        return None
    return mention.start_date, mention.end_date


def _nested(one: Interval, other: Interval) -> bool:
    return _within(one, other) or _within(other, one)


def _within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


_THING = re.compile(
    r"\s*(?:senior|convertible|notes?|bonds?|plans?|acts?|program(?:me)?s?|agreements?|facilit|debentures?|term loan"
    r"|credit|indenture|awards?|grants?|series|tranche|repurchase|acquisitions?|restructuring|equity|directors?)\b",
    re.IGNORECASE,
)
"""After a year: what it names is then a thing, not a time ("2018 Plan")."""
_OPEN_BEFORE = re.compile(
    r"\b(?:after|before|beyond|since|until|through|prior to|due|expir\w+)(?: in)?[\s:(]*$", re.IGNORECASE
)
_OPEN_AFTER = re.compile(
    r"\s*(?:(?:and|or|&)\s(?:thereafter|beyond|after|later|earlier|prior|before|subsequent)|\+|[及和]?以[后後前]"
    r"|[0-9]{1,2}\s?[-–~至]|止)",
    re.IGNORECASE,
)
"""After a date: it is the end of an open time, or only the beginning of an expression that is not understood."""
_LEADS_IN = re.compile(
    r"(?:|.*(?:\b(?:at|as of|on|ended|ending|for|in|during)|[:,(–—-]))\s*(?:the )?"
    r"(?:(?:total|fiscal|calendar|balances?|years?|quarter|period|month|actual|forecast)\s?)*",
    re.IGNORECASE,
)
"""What may stand before a date in a row's label for the row to be of that date."""
_LEADS_OUT = re.compile(r"(?:[\s)*†‡:,.;¹²³⁴⁵⁶⁷⁸⁹]|\([^)]{0,30}\)|\[[^\]]{0,9}\]|年?[末底]|余额|合计)*")
_LOOSE = ("three", "six", "nine", "twelve", "months", "weeks", "ended")
_LETTERSPACED = tuple((re.compile(r"\b" + r"\s?".join(word) + r"\b", re.IGNORECASE), word) for word in _LOOSE)
_NUMERIC_DAY = re.compile(r"(?<![0-9/])([0-9]{1,2})/([0-9]{1,2})/((?:19|20)[0-9]{2})(?![0-9/])")
_SPACED_YEAR = re.compile(r"(?<![0-9] )(?<![0-9])([12]) ([0-9]) ([0-9]) ([0-9])(?! ?[0-9])")


def normalize_dates(part: str, day_order: str) -> str:
    """A header as the tagger reads it: letters that stand apart together again, numeric days with their month's name.

    "2 0 1 9", "Three M on ths E nded" and "3/25/2023" become 2019, "three months ended" and "March 25, 2023"; the last
    is read month first unless `day_order` (`Attributes.day_order`) says otherwise.
    """
    for pattern, word in _LETTERSPACED:
        part = pattern.sub(word, part)
    day, month = (1, 2) if day_order.startswith("day") else (2, 1)

    def named(match: re.Match[str]) -> str:
        number = int(match[month])
        return f"{MONTH_NAMES[number - 1].title()} {int(match[day])}, {match[3]}" if 1 <= number <= 12 else match[0]

    return _NUMERIC_DAY.sub(named, _SPACED_YEAR.sub(r"\1\2\3\4", part))


def is_time(start: int, end: int, text: str) -> bool:
    """Whether what stands from `start` to `end` is a time, and not part of a name or an open time."""
    after = text[end:]
    return not (_THING.match(after) or _OPEN_AFTER.match(after) or _OPEN_BEFORE.search(text[:start]))


def is_label(start: int, end: int, text: str) -> bool:
    """Whether there is nothing else in a row's label."""
    fills = _LEADS_IN.fullmatch(text[:start]) and _LEADS_OUT.fullmatch(text[end:])
    return bool(fills) and is_time(start, end, text)
