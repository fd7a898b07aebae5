"""Times in tables whose meaning depends on their cell: hours, weekdays, and figures that look like years.

An hour is on the day that its row or column names, else on the day that the line above the table gives for all of it.
A day somewhere before the table does not count: the hours of a timetable have no day ("Valid from 4 September").
Weekdays side by side, or below each other, are those of the table's week, or of every week.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import chain

from tasks.parsers.datelines import STATES_START
from tasks.parsers.written_dates import IS_STATED
from tasks.tables.frames import is_count
from tasks.tables.headers import HeaderPath
from tasks.tables.numbers import parse_number
from tasks.tables.reader import OF_YEARS, CellGrid, names_quantity
from tasks.temporal.english.years import NEAR_YEARS
from tasks.temporal.entries import Entry, find_entry
from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType
from warehouse.records.fiscal import DAY, WEEK, Interval

_HOURS = re.compile(
    r"(?!.*\d{3})(?:\d{1,2}(?:[:.h]\d\d){0,2}\s?(?:h|uhr|[ap]\.?\s?m\.?)?|\s?[-–—]\s?|\s(?:to|until|till|bis|à|a|al|alle|tot|às)\s)+",
    re.IGNORECASE,
)
"""An expression that says hours and no day."""
_YEAR = re.compile(r"[12]\d{3}")
_MAY_BE_YEAR = re.compile(r"[1-9]\d\d|1\d{3}|20\d\d")
_FEWEST_WEEKDAYS = 3  # Weekdays side by side, or below each other, that make them the head of a plan.
_WEEKDAY = re.compile(r"XXXX-WXX-[1-7]")
_NUMBERED = re.compile(r"\W{0,3}(\d{1,2})(?:st|nd|rd|th|\.)?(?![\w:/])", re.IGNORECASE)
"""The day of the month behind a weekday: "Mon 3"."""
_FAR = 200 * DAY  # The weekdays of a plan are at most this far from the last day that the text named.
_SHORTEST_HEAD = 27 * DAY  # The shortest period at the head of a row or column in which days without a year are.
_LONGEST_LINE = 100  # Characters of a line that may name the day of the table below it.
_SENTENCE = re.compile(r"[.!?。！？]\W{0,2}\Z")


def settle_table_times(
    mentions: Sequence[Mention], grids: Iterable[CellGrid], entries: Sequence[Entry], language: str
) -> list[Mention]:
    """The mentions of a document, those in its tables corrected by their cells."""
    new_mentions: dict[int, Mention | None] = {}
    for grid in grids:
        start, stop = (
            bisect_left(mentions, offset, key=lambda mention: mention.start)
            for offset in (grid.table.start, grid.table.end)
        )
        spots = [spot for mention in mentions[start:stop] if (spot := _find_spot(mention, grid))]
        if spots:
            table = _TableTimes(grid, spots, mentions[:start], find_entry(entries, grid.table.start), language)
            corrections = (table.iter_figures(), table.iter_days(), table.iter_weekdays(), table.iter_hours())
            for spot, mention in chain.from_iterable(corrections):
                new_mentions.setdefault(id(spot.mention), mention)
    return [new_mention for mention in mentions if (new_mention := new_mentions.get(id(mention), mention)) is not None]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A mention and the cell that it stands in, `text[start:end]` of the document."""

    mention: Mention
    row: int
    column: int
    start: int
    end: int


def _find_spot(mention: Mention, grid: CellGrid) -> _Spot | None:
    row = grid.find_row(mention.start)
    if row is None or mention.end > grid.table.row_spans[row][1]:
        return None
    column = grid.find_column(row, mention.start)
    if column >= len(grid.table.rows[row]):
        return None
    cell = grid.get_cell(row, column)
    return _Spot(mention, row, column, cell.start, cell.end) if mention.end <= cell.end else None


@dataclass(frozen=True)
class _TableTimes:
    """The mentions of one table, in the order of the text, those `before` it, and the entry that it stands in."""

    grid: CellGrid
    spots: Sequence[_Spot]
    before: Sequence[Mention]
    entry: Entry | None
    language: str

    def iter_figures(self) -> Iterator[tuple[_Spot, None]]:
        """Years that are figures: alone in their cells, in a column of figures, and not called years by a header."""
        for spot in self.spots:
            text, grid = self.grid.text[spot.start : spot.end], self.grid
            if spot.row < grid.body or not _YEAR.fullmatch(spot.mention.text):
                continue
            if spot.mention.text != text:
                number = parse_number(text)
                if number is not None and (number.currency or number.unit or number.scaled):
                    yield spot, None
                continue
            label = grid.get_row_path(spot.row)
            heads: HeaderPath = (*grid.get_column_path(spot.column, spot.row), *label)
            if names_quantity((*heads, *filter(is_count, grid.get_column_path(0)))):
                yield spot, None
                continue
            numbers_of_row = _list_numbers(grid.table.rows[spot.row])
            is_row_of_years = len(set(numbers_of_row)) > 1 and all(map(_is_year, numbers_of_row))
            is_figure = bool(label) and spot.column in self._columns_of_figures and not is_row_of_years
            if is_figure and not any(map(OF_YEARS.search, heads)):
                yield spot, None

    def iter_days(self) -> Iterator[tuple[_Spot, Mention]]:
        """Days without a year in the season, quarter or month that heads their row or column, or nearest to it."""
        periods: dict[tuple[str, int], Interval] = {}
        for spot in self.spots:
            days = spot.mention.days if not spot.mention.relative else None
            if days and _SHORTEST_HEAD <= days[1] - days[0] <= _FAR:
                lines = (("row", spot.row, spot.column == 0), ("column", spot.column, spot.row < self.grid.body))
                periods |= {(line, number): days for line, number, is_head in lines if is_head}
        for spot in self.spots if periods else ():
            period = periods.get(("row", spot.row)) or periods.get(("column", spot.column))
            if period and spot.mention.relative and spot.mention.grain is Grain.DAY:
                for found in tag(spot.mention.text, None, self.language, period=period)[:1]:
                    if found.start_date and found.text == spot.mention.text:
                        offset = spot.mention.start
                        yield spot, replace(found, start=offset, end=offset + len(found.text))

    @cached_property
    def _columns_of_figures(self) -> frozenset[int]:
        """The columns with a figure that cannot be a year, or with fewer than half of the figures in `NEAR_YEARS`."""
        body = self.grid.table.rows[self.grid.body :]
        columns = ((column, _list_numbers(cells)) for column, cells in enumerate(zip(*body, strict=True)))
        return frozenset(
            column
            for column, cells in columns
            if 2 * sum(map(_is_year, cells)) < len(cells) or not all(map(_MAY_BE_YEAR.fullmatch, cells))
        )

    def iter_hours(self) -> Iterator[tuple[_Spot, Mention]]:
        """Hours on the day of their row or column, or of the table; else without a day."""
        for spot in self.spots:
            mention = spot.mention
            day = mention.anchor
            if not _is_hour(mention) or not mention.relative or day is None:
                continue
            day_beside = self._find_day_beside(spot)
            if day_beside is None and self._is_day_of_table(day):
                continue
            name = day_beside.isoformat() if day_beside else "XXXX-XX-XX"
            shift = day_beside - day if day_beside else timedelta()
            start, end = (day + shift if day_beside and day else None for day in (mention.start_date, mention.end_date))
            value = mention.value.replace(day.isoformat(), name)
            yield spot, replace(mention, value=value, start_date=start, end_date=end, anchor=day_beside)

    def _find_day_beside(self, spot: _Spot) -> date | None:
        """The nearest day in the cells of the row, else the last one above the cell in its column."""
        of_row = self._days_of_lines["row", spot.row]
        of_column = self._days_of_lines["column", spot.column]
        index = bisect_left(of_column, spot.row, key=lambda other_spot: other_spot.row)
        nearest_in_row = min(of_row, key=lambda other_mention: abs(other_mention.start - spot.start), default=None)
        nearest_spot = nearest_in_row or (of_column[index - 1] if index else None)
        return nearest_spot.mention.start_date if nearest_spot else None

    @cached_property
    def _days_of_lines(self) -> Mapping[tuple[str, int], Sequence[_Spot]]:
        """The spots of days that are named in full, or counted from such days, by row and by column."""
        lines: defaultdict[tuple[str, int], list[_Spot]] = defaultdict(list)
        for spot in self.spots:
            if _is_day(spot.mention) and not _is_hour(spot.mention) and self._find_weekday(spot) is None:
                lines["row", spot.row].append(spot)
                lines["column", spot.column].append(spot)
        return lines

    def _is_day_of_table(self, day: date) -> bool:
        """Whether the entry has the day, or the last day before the table is this one and only labels the table."""
        if self.entry and self.entry.days and self.entry.days[0] <= day < self.entry.days[1]:
            return True
        days = (
            mention
            for mention in reversed(self.before)
            if (mention.start_date or mention.end_date) and not _is_hour(mention)
        )
        last_mention = next(days, None)
        if (
            last_mention is None
            or last_mention.start_date != day
            or not _is_day(last_mention)
            or self._is_weekday(last_mention)
        ):
            return False
        text = self.grid.text
        start, end = text.rfind("\n", 0, last_mention.start) + 1, text.find("\n", last_mention.end)
        line = text[start:end]
        lead = text[start : last_mention.start]
        is_day_of_state = STATES_START.search(lead) or IS_STATED.search(lead)
        return len(line) <= _LONGEST_LINE and not _SENTENCE.search(line) and not is_day_of_state

    def _is_weekday(self, mention: Mention) -> bool:
        return mention.relative and _parse_weekday(mention.text, self.language) is not None

    def iter_weekdays(self) -> Iterator[tuple[_Spot, Mention]]:
        """Weekdays that head a plan, on the days of its week; in every week if the week is not known.

        Weekdays beside a day are left as they are.
        """
        lines: defaultdict[tuple[str, int], list[tuple[_Spot, int]]] = defaultdict(list)
        for spot in self.spots:
            number = self._find_weekday(spot)
            if number is not None and not self._days_of_lines["row", spot.row]:
                lines["row", spot.row].append((spot, number))
                lines["column", spot.column].append((spot, number))
        for line in lines.values():
            if len({number for _, number in line}) < _FEWEST_WEEKDAYS:
                continue
            days = self._find_numbered_days(line) or self._find_days_of_week(line)
            for spot, number in line:
                start, end = days.get(id(spot), (None, 0))
                end = max(spot.mention.end, end)
                yield (
                    spot,
                    replace(
                        spot.mention,
                        end=end,
                        text=self.grid.text[spot.mention.start : end],
                        value=start.isoformat() if start else f"XXXX-WXX-{number + 1}",
                        start_date=start,
                        end_date=start + DAY if start else None,
                        anchor=spot.mention.anchor if start else None,
                    ),
                )

    def _find_weekday(self, spot: _Spot) -> int | None:
        """The weekday that a cell begins with, Monday 0; None for anything else."""
        mention = spot.mention
        is_day = mention.grain is Grain.DAY and mention.relative and mention.start == spot.start
        return _parse_weekday(self.grid.text[spot.start : spot.end], self.language) if is_day else None

    def _find_numbered_days(self, line: Sequence[tuple[_Spot, int]]) -> dict[int, tuple[date, int]]:
        """The day of each weekday that is followed by its number in the month, and the offset at which the number ends.

        The first day is the one nearest to the last time before the table; the others follow it.
        """
        numbers = [_NUMBERED.match(self.grid.text, spot.mention.end, spot.end) for spot, _ in line]
        anchor, weekday = line[0][0].mention.anchor, line[0][1]
        last_days = self._last_days or ((anchor, anchor) if anchor else None)
        if last_days is None or numbers[0] is None:
            return {}
        start, end = last_days
        candidates = [start + timedelta(days=step) for step in range(-_FAR.days, _FAR.days + (end - start).days)]
        matching_days = [
            candidate
            for candidate in candidates
            if candidate.day == int(numbers[0][1]) and candidate.weekday() == weekday
        ]
        if not matching_days:
            return {}
        first_day = min(matching_days, key=lambda candidate: max((start - candidate).days, (candidate - end).days, 0))
        days: dict[int, tuple[date, int]] = {}
        for (spot, number), match in zip(line, numbers, strict=True):
            day = first_day + timedelta(days=(number - weekday) % WEEK.days)
            if match is None or day.day != int(match[1]):
                return {}
            days[id(spot)] = day, match.end()
        return days

    @cached_property
    def _last_days(self) -> Interval | None:
        """The days of the last time before the table."""
        intervals = (mention.days for mention in reversed(self.before) if mention.type is not TimexType.SET)
        return next(filter(None, intervals), None)

    def _find_days_of_week(self, line: Sequence[tuple[_Spot, int]]) -> dict[int, tuple[date, int]]:
        """The days of the weekdays in the entry's week, or in the week that is the last time before the table."""
        spans = (self.entry.days if self.entry else None, self._last_days)
        week = next((span for span in spans if span and WEEK - 3 * DAY <= span[1] - span[0] <= WEEK), None)
        if week is None:
            return {}
        return {
            id(spot): (week[0] + timedelta(days=(number - week[0].weekday()) % WEEK.days), 0) for spot, number in line
        }


@lru_cache(maxsize=256)
def _parse_weekday(cell: str, language: str) -> int | None:
    first = next((mention.value for mention in tag(cell, None, language) if mention.start == 0), "")
    return int(first[-1]) - 1 if _WEEKDAY.fullmatch(first) else None


def _list_numbers(cells: Iterable[str]) -> list[str]:
    return [cell.strip() for cell in cells if parse_number(cell) is not None]


def _is_year(number: str) -> bool:
    return bool(_YEAR.fullmatch(number)) and NEAR_YEARS[0] <= int(number) <= NEAR_YEARS[1]


def _is_hour(mention: Mention) -> bool:
    return mention.type is TimexType.TIME and _HOURS.fullmatch(mention.text) is not None


def _is_day(mention: Mention) -> bool:
    """Whether it is of one day of the calendar."""
    return mention.days is not None and mention.modifier is None and mention.days[1] - mention.days[0] == DAY
