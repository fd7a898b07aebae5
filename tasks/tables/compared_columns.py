"""Periods of columns by their relation to another: the prior year, a length that ends on a day, the four quarters.

"Vorjahr", "Exercice N-1", "31.12.2024 (12 months)", "Half-year" above "30 June 2025", "First" to "Fourth".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from tasks.tables.headers import HeaderPath
from warehouse.records import Grain, Mention
from warehouse.records.calendars import DAY, WEEK, FiscalCalendar, Interval, add_months

_COMPARISONS = {
    name: re.compile(
        rf"(?:{'|'.join(words)})\.?(?:金[额額]|[余餘][额額]|发生额|累计(?:数|金额)?|数|數)?"
        r"(?:\s?[(（\[][^)）\]]*[)）\]]|\s(?:in\s)?(?:[TM]?(?:EUR|€|CHF|USD)|[kM]€|[€£$][mk]?))?\W{0,2}",
        re.IGNORECASE,
    )
    for name, words in tomllib.loads(Path(__file__).with_name("compared_columns.toml").read_text("utf-8")).items()
}
ONLY_RELATIVE = frozenset(("", "current", "closing"))  # They need another column with another comparison.
_BRACKETED = re.compile(r"\(([^()]{2,20})\)")
_LENGTHS = tuple(
    (re.compile(words, re.IGNORECASE), months)
    for words, months in (
        (r"half[- ]?year|halbjahr|semestre|halfjaar", 6),
        (r"quarter|quartal|trimestre|kwartaal", 3),
        (r"(?:full|whole)[- ]year|gesamtjahr|année complète|año completo|intero anno|volledig jaar", 12),
    )
)
_MONTHS_FIRST = re.compile(r"(?P<count>[1-9]|1[0-8])\s?M(?:\s(?:ended|ending|to))?\s")
_MONTHS_OR_WEEKS = re.compile(r"P(?P<count>\d{1,2})(?P<unit>[MW])")
_MAX_COMPARISON_LENGTH = 50  # Characters of a header that names a period by its relation to another.
_YEAR_WEEKS = 52  # Weeks of the year before, for companies that count weeks.
_ORDINALS = (("first", "second", "third", "fourth"), ("1st", "2nd", "3rd", "4th"))


@cache
def find_comparison(header: str) -> str:
    """The relation of a header to a reported period: "prior", "current", its "closing" or "opening" day; or ""."""
    if len(header) > _MAX_COMPARISON_LENGTH or "%" in header:
        return ""
    return next((name for name, pattern in _COMPARISONS.items() if pattern.fullmatch(header.strip())), "")


def iter_compared_periods(
    comparisons: Sequence[str],
    periods: Sequence[Interval | None],
    table_period: Interval | None,
    calendar: FiscalCalendar | None,
) -> Iterator[Interval | None]:
    """The period of each column by its comparison (`find_comparison`), None for one without.

    "Prior year" is a year before the column beside it, of the columns' `periods`; the others, and one without such a
    column, are those of the `table_period` of the table or its text.
    """
    for index, comparison in enumerate(comparisons):
        neighbours = (*reversed(periods[:index]), *periods[index + 1 :]) if comparison == "prior" else ()
        base = next(filter(None, neighbours), table_period)
        yield _compare_period(comparison, base, calendar) if comparison and base else None


def _compare_period(comparison: str, base: Interval, calendar: FiscalCalendar | None) -> Interval | None:
    if comparison == "closing":
        return base[1] - DAY, base[1]
    if comparison != "opening":
        return base if comparison == "current" else move_by_years(base, -1)
    last = base[1] - DAY
    first = calendar.find_months(calendar.find_year(last), 1, 12)[0] if calendar else date(last.year, 1, 1)
    return first - DAY, first


def move_by_years(days: Interval, years: int) -> Interval | None:
    """The same period some years later; None for days that are neither months nor whole weeks."""
    start, end = days
    if start.day == end.day:
        return add_months(start, 12 * years), add_months(end, 12 * years)
    if end.day == 1 and (start.day == 1 or (end - start).days == 1):
        later_end = add_months(end, 12 * years)
        return (add_months(start, 12 * years) if start.day == 1 else later_end - DAY), later_end
    step = _YEAR_WEEKS * years * WEEK
    return None if (end - start) % WEEK else (start + step, end + step)


def find_length_until(
    path: Sequence[str], last_day: Mention, tag_text: Callable[[str], Sequence[Mention]]
) -> Interval | None:
    """The period of a header that names its last day or month and how long it is: "30/06/2024 (12 months)"."""
    if last_day.grain not in (Grain.DAY, Grain.MONTH) or (end := last_day.end_date) is None:
        return None
    lengths = (months for part in path for words, months in _LENGTHS if words.fullmatch(part.strip()))
    count_match = _MONTHS_FIRST.match(" ".join(path))
    if months := int(count_match["count"]) if count_match else next(lengths, 0):
        return add_months(end, -months), end
    if last_day.grain is Grain.MONTH:
        return None
    for text in (*path, *_BRACKETED.findall(" ".join(path))):
        mentions = tag_text(text)
        match = _MONTHS_OR_WEEKS.fullmatch(mentions[0].value) if len(mentions) == 1 else None
        if match and mentions[0].text == text.strip():
            count = int(match["count"])
            return (end - count * WEEK if match["unit"] == "W" else add_months(end, -count)), end
    return None


def name_quarters(paths: Sequence[HeaderPath]) -> dict[HeaderPath, HeaderPath]:
    """The columns "First", "Second", "Third" and "Fourth", side by side, with the word that their headers leave out."""
    leaves = tuple(path[-1].lower().rstrip(".") if path else "" for path in paths)
    first = next((index for index in range(len(leaves) - 3) if leaves[index : index + 4] in _ORDINALS), None)
    if first is None:
        return {}
    return {path: (*path[:-1], f"{path[-1].rstrip('.')} quarter") for path in paths[first : first + 4]}
