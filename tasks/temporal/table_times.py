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

from tasks.parsers.document_head import VALIDITY_LEAD
from tasks.parsers.written_dates import PUBLICATION_LEAD
from tasks.tables.frames import is_count
from tasks.tables.headers import HeaderPath
from tasks.tables.numbers import parse_number
from tasks.tables.reader import YEARS_HEADER, CellGrid, names_quantity
from tasks.temporal.english.years import NEAR_YEARS
from tasks.temporal.entries import Entry, find_entry
from tasks.temporal.tagger import tag
from warehouse.records import Grain, Mention, TimexType
from warehouse.records.calendars import DAY, WEEK, FiscalCalendar, Interval

_HOURS = re.compile(
    r"(?!.*\d{3})(?:\d{1,2}(?:[:.h]\d\d){0,2}\s?(?:h|uhr|[ap]\.?\s?m\.?)?|\s?[-–—]\s?|\s(?:to|until|till|bis|à|a|al|alle|tot|às)\s)+",
    re.IGNORECASE,
)
"""An expression that says hours and no day."""
_YEAR = re.compile(r"[12]\d{3}")
_POSSIBLE_YEAR = re.compile(r"[1-9]\d\d|1\d{3}|20\d\d")
_PARTS_OF_YEAR = (Grain.MONTH, Grain.QUARTER, Grain.HALF)
_FEWEST_WEEKDAYS = 3  # Weekdays side by side, or below each other, that make them the head of a plan.
_WEEKDAY = re.compile(r"XXXX-WXX-[1-7]")
_NUMBERED = re.compile(r"\W{0,3}(\d{1,2})(?:st|nd|rd|th|\.)?(?![\w:/])", re.IGNORECASE)
"""The day of the month after a weekday: "Mon 3"."""
_MAX_DISTANCE = 200 * DAY  # The weekdays of a plan are at most this far from the last day that the text named.
_SHORTEST_HEAD = 27 * DAY  # The shortest period at the head of a row or column in which days without a year are.
_LONGEST_LINE = 100  # Characters of a line that may name the day of the table below it.
_SENTENCE = re.compile(r"[.!?。！？]\W{0,2}\Z")


def correct_table_times(
    mentions: Sequence[Mention],
    grids: Iterable[CellGrid],
    entries: Sequence[Entry],
    language: str,
    fiscal: FiscalCalendar | None = None,
) -> list[Mention]:
    """The mentions of a document with a fiscal calendar, those in its tables corrected by their cells."""
    new_mentions: dict[int, Mention | None] = {}
    for grid in grids:
        start, stop = (
            bisect_left(mentions, offset, key=lambda mention: mention.start)
            for offset in (grid.table.start, grid.table.end)
        )
        cell_mentions = [
            cell_mention for mention in mentions[start:stop] if (cell_mention := _find_cell(mention, grid))
        ]
        if cell_mentions:
            entry = find_entry(entries, grid.table.start)
            table = _TableTimes(grid, cell_mentions, mentions[:start], entry, language, fiscal)
            corrections = (
                table.iter_figures(),
                table.iter_days(),
                table.iter_parts_of_years(),
                table.iter_weekdays(),
                table.iter_hours(),
            )
            for cell_mention, mention in chain.from_iterable(corrections):
                new_mentions.setdefault(id(cell_mention.mention), mention)
    return [new_mention for mention in mentions if (new_mention := new_mentions.get(id(mention), mention)) is not None]


@dataclass(frozen=True, slots=True)
class _CellMention:
    """A mention and its cell, `text[start:end]` of the document."""

    mention: Mention
    row: int
    column: int
    start: int
    end: int


def _find_cell(mention: Mention, grid: CellGrid) -> _CellMention | None:
    row = grid.find_row(mention.start)
    if row is None or mention.end > grid.table.row_spans[row][1]:
        return None
    column = grid.find_column(row, mention.start)
    if column >= len(grid.table.rows[row]):
        return None
    cell = grid.get_cell(row, column)
    return _CellMention(mention, row, column, cell.start, cell.end) if mention.end <= cell.end else None


@dataclass(frozen=True)
class _TableTimes:
    """The mentions of one table, in the order of the text, the `mentions_before` it, and its entry."""

    grid: CellGrid
    cell_mentions: Sequence[_CellMention]
    mentions_before: Sequence[Mention]
    entry: Entry | None
    language: str
    fiscal: FiscalCalendar | None

    def iter_figures(self) -> Iterator[tuple[_CellMention, None]]:
        """Years that are figures: alone in their cells, in a column of figures, and not called years by a header."""
        for cell_mention in self.cell_mentions:
            text, grid = self.grid.text[cell_mention.start : cell_mention.end], self.grid
            if cell_mention.row < grid.body or not _YEAR.fullmatch(cell_mention.mention.text):
                continue
            if cell_mention.mention.text != text:
                number = parse_number(text)
                if number is not None and (number.currency or number.unit or number.scaled):
                    yield cell_mention, None
                continue
            label = grid.get_row_path(cell_mention.row)
            headers: HeaderPath = (*grid.get_column_path(cell_mention.column, cell_mention.row), *label)
            if names_quantity((*headers, *filter(is_count, grid.get_column_path(0)))):
                yield cell_mention, None
                continue
            numbers_of_row = _list_numbers(grid.table.rows[cell_mention.row])
            is_row_of_years = len(set(numbers_of_row)) > 1 and all(map(_is_year, numbers_of_row))
            is_figure = bool(label) and cell_mention.column in self._columns_of_figures and not is_row_of_years
            if is_figure and not any(map(YEARS_HEADER.search, headers)):
                yield cell_mention, None

    def iter_days(self) -> Iterator[tuple[_CellMention, Mention]]:
        """Days without a year in the season, quarter or month that heads their row or column, or nearest to it."""
        periods: dict[tuple[str, int], Interval] = {}
        for cell_mention in self.cell_mentions:
            days = cell_mention.mention.days if not cell_mention.mention.relative else None
            if days and _SHORTEST_HEAD <= days[1] - days[0] <= _MAX_DISTANCE:
                lines = (
                    ("row", cell_mention.row, cell_mention.column == 0),
                    ("column", cell_mention.column, cell_mention.row < self.grid.body),
                )
                periods |= {(line, number): days for line, number, is_head in lines if is_head}
        for cell_mention in self.cell_mentions if periods else ():
            period = periods.get(("row", cell_mention.row)) or periods.get(("column", cell_mention.column))
            if period and cell_mention.mention.relative and cell_mention.mention.grain is Grain.DAY:
                for found in tag(cell_mention.mention.text, None, self.language, period=period)[:1]:
                    if found.start_date and found.text == cell_mention.mention.text:
                        offset = cell_mention.mention.start
                        yield cell_mention, replace(found, start=offset, end=offset + len(found.text))

    def iter_parts_of_years(self) -> Iterator[tuple[_CellMention, Mention]]:
        """Months, quarters and halves in the year of the header or section above them: "Q1" below "2023"."""
        years = [
            cell_mention
            for cell_mention in self.cell_mentions
            if cell_mention.mention.grain is Grain.YEAR and not cell_mention.mention.relative
        ]
        for part in self.cell_mentions if years else ():
            if part.mention.relative and part.mention.grain in _PARTS_OF_YEAR:
                above = self._list_labels_above(part)
                heads = (
                    year
                    for year in reversed(years)
                    if year.row < part.row and year.column <= part.column and self._get_text(year) in above
                )
                if (head := next(heads, None)) and (found := self._join_year(part.mention, head.mention)):
                    yield part, found

    def _list_labels_above(self, part: _CellMention) -> HeaderPath:
        """The headers above a header, or the sections above the label of a row."""
        if part.row < self.grid.body:
            return self.grid.get_column_path(part.column)
        return self.grid.get_row_path(part.row)[:-1] if part.column < self.grid.labels else ()

    def _get_text(self, cell_mention: _CellMention) -> str:
        return self.grid.text[cell_mention.start : cell_mention.end]

    def _join_year(self, part: Mention, year: Mention) -> Mention | None:
        """The part of that year, with its place in the text."""
        text = f"{part.text} {year.text}"
        found = next(iter(tag(text, None, self.language, fiscal=self.fiscal)), None)
        if found is None or found.text != text or found.grain is not part.grain or found.relative:
            return None
        return replace(found, start=part.start, end=part.end, text=part.text)

    @cached_property
    def _columns_of_figures(self) -> frozenset[int]:
        """The columns with a figure that cannot be a year, or with fewer than half of the figures in `NEAR_YEARS`."""
        body = self.grid.table.rows[self.grid.body :]
        columns = ((column, _list_numbers(cells)) for column, cells in enumerate(zip(*body, strict=True)))
        return frozenset(
            column
            for column, cells in columns
            if 2 * sum(map(_is_year, cells)) < len(cells) or not all(map(_POSSIBLE_YEAR.fullmatch, cells))
        )

    def iter_hours(self) -> Iterator[tuple[_CellMention, Mention]]:
        """Hours on the day of their row or column, or of the table; else without a day."""
        for cell_mention in self.cell_mentions:
            mention = cell_mention.mention
            day = mention.anchor
            if not _is_hour(mention) or not mention.relative or day is None:
                continue
            cell_day = self._find_cell_day(cell_mention)
            if cell_day is None and self._is_day_of_table(day):
                continue
            name = cell_day.isoformat() if cell_day else "XXXX-XX-XX"
            shift = cell_day - day if cell_day else timedelta()
            start, end = (day + shift if cell_day and day else None for day in (mention.start_date, mention.end_date))
            value = mention.value.replace(day.isoformat(), name)
            yield cell_mention, replace(mention, value=value, start_date=start, end_date=end, anchor=cell_day)

    def _find_cell_day(self, cell_mention: _CellMention) -> date | None:
        """The nearest day in the cells of the row, else the last one above the cell in its column."""
        row_days = self._days_of_lines["row", cell_mention.row]
        column_days = self._days_of_lines["column", cell_mention.column]
        index = bisect_left(column_days, cell_mention.row, key=lambda day_mention: day_mention.row)
        nearest_in_row = min(
            row_days, key=lambda day_mention: abs(day_mention.start - cell_mention.start), default=None
        )
        nearest_mention = nearest_in_row or (column_days[index - 1] if index else None)
        return nearest_mention.mention.start_date if nearest_mention else None

    @cached_property
    def _days_of_lines(self) -> Mapping[tuple[str, int], Sequence[_CellMention]]:
        """The cell_mentions of days that are named in full, or counted from such days, by row and by column."""
        lines: defaultdict[tuple[str, int], list[_CellMention]] = defaultdict(list)
        for cell_mention in self.cell_mentions:
            if (
                _is_day(cell_mention.mention)
                and not _is_hour(cell_mention.mention)
                and self._find_weekday(cell_mention) is None
            ):
                lines["row", cell_mention.row].append(cell_mention)
                lines["column", cell_mention.column].append(cell_mention)
        return lines

    def _is_day_of_table(self, day: date) -> bool:
        """Whether the entry has the day, or the last day before the table is this one and only labels the table."""
        if self.entry and self.entry.days and self.entry.days[0] <= day < self.entry.days[1]:
            return True
        days = (
            mention
            for mention in reversed(self.mentions_before)
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
        is_day_of_state = VALIDITY_LEAD.search(lead) or PUBLICATION_LEAD.search(lead)
        return len(line) <= _LONGEST_LINE and not _SENTENCE.search(line) and not is_day_of_state

    def _is_weekday(self, mention: Mention) -> bool:
        return mention.relative and _parse_weekday(mention.text, self.language) is not None

    def iter_weekdays(self) -> Iterator[tuple[_CellMention, Mention]]:
        """Weekdays that head a plan, on the days of its week; in every week if the week is not known.

        Weekdays beside a day are left as they are.
        """
        lines: defaultdict[tuple[str, int], list[tuple[_CellMention, int]]] = defaultdict(list)
        for cell_mention in self.cell_mentions:
            number = self._find_weekday(cell_mention)
            if number is not None and not self._days_of_lines["row", cell_mention.row]:
                lines["row", cell_mention.row].append((cell_mention, number))
                lines["column", cell_mention.column].append((cell_mention, number))
        for line in lines.values():
            if len({number for _, number in line}) < _FEWEST_WEEKDAYS:
                continue
            days = self._find_numbered_days(line) or self._find_days_of_week(line)
            for cell_mention, number in line:
                start, end = days.get(id(cell_mention), (None, 0))
                end = max(cell_mention.mention.end, end)
                yield (
                    cell_mention,
                    replace(
                        cell_mention.mention,
                        end=end,
                        text=self.grid.text[cell_mention.mention.start : end],
                        value=start.isoformat() if start else f"XXXX-WXX-{number + 1}",
                        start_date=start,
                        end_date=start + DAY if start else None,
                        anchor=cell_mention.mention.anchor if start else None,
                    ),
                )

    def _find_weekday(self, cell_mention: _CellMention) -> int | None:
        """The weekday that a cell begins with, Monday 0; None for anything else."""
        mention = cell_mention.mention
        is_day = mention.grain is Grain.DAY and mention.relative and mention.start == cell_mention.start
        return _parse_weekday(self.grid.text[cell_mention.start : cell_mention.end], self.language) if is_day else None

    def _find_numbered_days(self, line: Sequence[tuple[_CellMention, int]]) -> dict[int, tuple[date, int]]:
        """The day of each weekday that is followed by its number in the month, and the offset at which the number ends.

        The first day is the one nearest to the last time before the table; the others follow it.
        """
        numbers = [
            _NUMBERED.match(self.grid.text, cell_mention.mention.end, cell_mention.end) for cell_mention, _ in line
        ]
        anchor, weekday = line[0][0].mention.anchor, line[0][1]
        last_days = self._last_days or ((anchor, anchor) if anchor else None)
        if last_days is None or numbers[0] is None:
            return {}
        start, end = last_days
        candidates = [
            start + timedelta(days=step) for step in range(-_MAX_DISTANCE.days, _MAX_DISTANCE.days + (end - start).days)
        ]
        matching_days = [
            candidate
            for candidate in candidates
            if candidate.day == int(numbers[0][1]) and candidate.weekday() == weekday
        ]
        if not matching_days:
            return {}
        first_day = min(matching_days, key=lambda candidate: max((start - candidate).days, (candidate - end).days, 0))
        days: dict[int, tuple[date, int]] = {}
        for (cell_mention, number), match in zip(line, numbers, strict=True):
            day = first_day + timedelta(days=(number - weekday) % WEEK.days)
            if match is None or day.day != int(match[1]):
                return {}
            days[id(cell_mention)] = day, match.end()
        return days

    @cached_property
    def _last_days(self) -> Interval | None:
        """The days of the last time before the table."""
        intervals = (mention.days for mention in reversed(self.mentions_before) if mention.type is not TimexType.SET)
        return next(filter(None, intervals), None)

    def _find_days_of_week(self, line: Sequence[tuple[_CellMention, int]]) -> dict[int, tuple[date, int]]:
        """The days of the weekdays in the entry's week, or in the week that is the last time before the table."""
        spans = (self.entry.days if self.entry else None, self._last_days)
        week = next((span for span in spans if span and WEEK - 3 * DAY <= span[1] - span[0] <= WEEK), None)
        if week is None:
            return {}
        return {
            id(cell_mention): (week[0] + timedelta(days=(number - week[0].weekday()) % WEEK.days), 0)
            for cell_mention, number in line
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
