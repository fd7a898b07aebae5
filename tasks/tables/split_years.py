"""Years over two calendar years, "2023/24", and the months of such a year that the headers of a table name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache
from itertools import groupby, pairwise

from tasks.tables.headers import HeaderPath
from tasks.tables.reader import CellGrid
from tasks.temporal.readings import make_months_interval
from warehouse.records.calendars import Interval

_LATE, _EARLY = 10, 3  # From the first month on, one of "2023/24" is sure to be in 2023, up to the second in 2024.
_SPLIT_YEAR = re.compile(r"(?<![\d/–-])((?:19|20)\d\d)\s?[/–-]\s?((?:20)?\d\d)(?![\d/–-])")
_MONTHS, _MIN_MONTHS = 12, 3  # Months of a year, and the fewest month headers that show where a year begins.

MonthReader = Callable[[str], int]
"""Gives the month whose name is the whole text; 0 for any other text."""


def find_split_year(texts: Iterable[HeaderPath]) -> int:
    """The first calendar year of the one year over two calendar years in the first of the texts that name any; or 0."""
    years = next(filter(None, map(_list_split_years, texts)), frozenset[int]())
    return min(years) if len(years) == 1 else 0


def find_month_of_split_year(
    year: int, labels: Iterable[str], first_month: int, read_month: MonthReader
) -> Interval | None:
    """The month that a label names, in the year that begins in the `first_month` of one calendar year.

    The first and last months of a calendar year are in the second and the first year; a month between them is in both
    if it is not known when such years begin (`first_month` is 0 or 1).
    """
    month = next(filter(None, (read_month(_cut_split_year(label)) for label in labels)), 0)
    if not month:
        return None
    if first_month <= 1 and _EARLY < month < _LATE:
        return date(year, 1, 1), date(year + 2, 1, 1)
    return make_months_interval(year + (month < (first_month if first_month > 1 else _LATE)), month, 1)


def find_first_month(grid: CellGrid, read_month: MonthReader) -> int:
    """The first month of a table whose rows or columns run once through a year and into the next; else 0.

    Only a table that names such a year, "2023/24", is read.
    """
    table = grid.table
    if not _list_split_years((f"{table.caption} {grid.text[table.start : table.end]}",)):
        return 0
    for run in ([path[-1] for path in paths if path] for paths in grid.iter_paths()):
        months = [month for text in run if (month := read_month(_cut_split_year(text)))]
        months = [month for month, _ in groupby(months)]
        steps = [(after - before) % _MONTHS for before, after in pairwise(months)]
        if len(months) >= _MIN_MONTHS and months[0] > 1 and sum(steps) < _MONTHS:
            return months[0]
    return 0


def _cut_split_year(label: str) -> str:
    return _SPLIT_YEAR.sub("", label).strip(" ,.")


@lru_cache(maxsize=1024)
def _list_split_years(texts: HeaderPath) -> frozenset[int]:
    """The first calendar years of the years that the texts name by two."""
    pairs = ((int(match[1]), int(match[2])) for text in texts for match in _SPLIT_YEAR.finditer(text))
    return frozenset(year for year, end in pairs if (year + 1) % 100 == end % 100)
