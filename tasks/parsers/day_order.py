"""Whether 3/4/2024 is in March or in April: decided once for a file, by what is possible in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import pairwise

from tasks.parsers.prose import make_date

DAY_FIRST = "day first"
MONTH_FIRST = "month first"
ASSUMED = "day first (assumed)"

_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|(?<=/)\d{2})(?!\d|[-/.]\d)")
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_MONTHS = 12


def day_order(headings: Iterable[str], text: str = "") -> str:
    """The order of the numeric dates of a file, in the words of `Attributes.day_order`.

    It is settled by a number over 12, in the date headings first and then anywhere in the `text`; else by the headings
    following each other in time if they are read one way and not if they are read the other. Else the day comes first,
    which is then an assumption. Nothing where there is no numeric date.
    """
    lines = list(headings)
    ours, all_of_it = [_pairs(part) for part in ("\n".join(lines), text)]
    votes = _votes(ours) or _votes(all_of_it) or _forward(lines)
    if votes:
        return DAY_FIRST if votes > 0 else MONTH_FIRST
    return ASSUMED if ours or all_of_it else ""


def _pairs(text: str) -> list[tuple[int, int]]:
    """The first two numbers of each numeric date that there can be."""
    found = ((int(match[1]), int(match[3])) for match in _NUMERIC.finditer(text))
    return [(a, b) for a, b in found if 0 < min(a, b) <= _MONTHS and max(a, b) <= 31]


def _votes(pairs: Iterable[tuple[int, int]]) -> int:
    """How many dates can only be read day first, less those that can only be read month first."""
    return sum((a > _MONTHS) - (b > _MONTHS) for a, b in pairs)


def _forward(lines: Sequence[str]) -> int:
    """1 where the dates run in one direction only if the day comes first, -1 if only with the month, else 0."""
    return _is_ordered(lines, day_first=True) - _is_ordered(lines, day_first=False)


def _is_ordered(lines: Sequence[str], *, day_first: bool) -> bool:
    days = [day for line in lines if (day := _day(line, day_first=day_first))]
    return all(a <= b for a, b in pairwise(days)) or all(a >= b for a, b in pairwise(days))


def _day(line: str, *, day_first: bool) -> date | None:
    if (iso := _ISO.search(line)) is not None:
        return make_date(int(iso[1]), int(iso[2]), int(iso[3]))
    numeric = _NUMERIC.search(line)
    if numeric is None:
        return None
    first, second, year = int(numeric[1]), int(numeric[3]), int(numeric[4])
    return make_date(year + 2000 * (year < 100), *((second, first) if day_first else (first, second)))
