"""The periods of a table's cells, by its headers and captions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import permutations

from tasks.parsers.language import EUROPEAN
from tasks.parsers.written_dates import CALENDAR_WORDS, DAY_FIRST
from tasks.tables.compared_columns import (
    ONLY_RELATIVE,
    find_comparison,
    find_length_until,
    iter_compared_periods,
    move_by_years,
    name_quarters,
)
from tasks.tables.frames import FigureKind, classify_measure
from tasks.tables.headers import HeaderContext, HeaderPath, is_named_time, is_time_label
from tasks.tables.numbers import MONEY, PREFIX
from tasks.tables.reader import CellGrid
from tasks.tables.split_years import find_first_month, find_month_of_split_year, find_split_year
from tasks.temporal.english.lexicon import MONTH_NAMES, MONTHS
from tasks.temporal.european.lexicon import UNACCENTED
from tasks.temporal.readings import (
    LONGEST_QUARTER,
    find_only_month,
    find_part_period,
    make_years_interval,
)
from tasks.temporal.reported_periods import find_own_period, list_ended_periods
from tasks.temporal.row_dates import find_days_of_rows
from tasks.temporal.tagger import normalize_dates, tag
from warehouse.records import Calendar, Document, Grain, Mention, TimexType
from warehouse.records.calendars import DAY, FiscalCalendar, Interval, add_months

_PARTIAL = (Grain.DAY, Grain.MONTH, Grain.QUARTER, Grain.HALF)
_MAX_HEADER_LENGTH = 300  # In characters; a longer header is prose.
_UNTIL = re.compile(r"\s*(?:[-–—~至到]|to|through|until)\s*", re.IGNORECASE)
_COMPARISON = re.compile(
    r"\bv(?:s|ersus)?\b|\b(?:chang|increas|decreas|varianc|growth|compar|through|between)\w*|[%∆Δ–—]|增|减|变动|同比|至",
    re.IGNORECASE,
)
"""A header that names several times on purpose."""
_CHANGE = re.compile(
    r"\W*(?:chang|varianc|increas|decreas|differenc|growth)\w*(?:\s?\(?%\)?)?(?:[,:]|\s(?:vs?\.?|versus|from|over|since|on|against))\s",
    re.IGNORECASE,
)
"""The beginning of a header whose figures belong to no time that it names: "Change vs. 2023"."""
_ENGLISH_WORDS = frozenset(["set", "out", "ago"])  # English words that abbreviate months in other languages.
_MONTH_BEFORE_YEAR = re.compile(r"\b([^\W\d_]{3,10})\.?[ -](?=(?:19|20)\d\d(?!\d))")
_MIN_YEAR_DAYS, _MAX_YEAR_DAYS = 357, 371  # Days of years of 51 and 53 weeks.
_TITLE_LINES = 3  # The caption and two lines above a table: further lines are of the page, as a cover's.
_MAX_MONTH_LENGTH = 12  # Characters of a month's name.
_MONTHS_OF_LANGUAGES = {
    language: frozenset(", ".join(words["months"]).translate(UNACCENTED).split(", "))
    for language, words in CALENDAR_WORDS.items()
}
"""The names of months, by which it is known of what language a header may be before its grammar is compiled."""
_ANY_YEAR = 2000  # With a year beside it, a month's, a quarter's or a half's name is read in any language.
_PART_VALUE = re.compile(rf"(?:FY)?{_ANY_YEAR}-(?P<unit>[QH]?)(?P<number>\d{{1,2}})")
_YEAR_NUMBER = re.compile(r"\d{4}|(?<=FY)\d\d", re.IGNORECASE)
_MONEY_BEHIND = re.compile(rf"(?<=\b[12]\d\d\d)\s?(?:{PREFIX})?(?:{MONEY})(?![A-Za-z])", re.IGNORECASE)
_FOREIGN_PART = re.compile(r"semestr|trimestr|halbj|quartal|halfja|kwarta", re.IGNORECASE)
"""Words of quarters and halves that English has not: "1er semestre 2024" in a file of too few words to tell."""
_DOTTED_DAY = re.compile(r"[0-3]?\d\.\s?[01]?\d\.")


class HeaderPeriods:
    """Reads the headers of one document; equal headers are read once."""

    def __init__(self, document: Document, fiscal: FiscalCalendar | None) -> None:
        """`fiscal` is the document's calendar."""
        self._language, self._fiscal = document.language, fiscal
        self._day_order = document.attributes.day_order or (DAY_FIRST if document.language in EUROPEAN else "")
        self._whole_period = period = find_own_period(document)
        self._reported_year = period if period and (period[1] - period[0]).days >= _MIN_YEAR_DAYS else None
        self._own_period = period if period and period[1] - period[0] <= LONGEST_QUARTER else None
        self._tag = cache(self._tag_header)
        self._by_column = cache(self._find_column_period)
        self._by_caption = cache(self._find_caption_period)
        self._ended = cache(partial(list_ended_periods, language=self._language, day_order=self._day_order))
        self._read_month = cache(self._find_month_of_name)
        self.find_row_period = cache(self._find_row_period)
        self._has_several_times = cache(self._names_several_times)
        self._is_time = cache(self._names_time)
        self._read_plain_year = cache(self._find_plain_year)
        self._by_both = lru_cache(maxsize=64)(self._find_joint_period)

    def find_cell_period(
        self, row: HeaderPath, column: HeaderPath, corner: HeaderPath, context: HeaderContext
    ) -> Interval | None:
        """The period of a cell: its column's; the row's if that lies inside it or if the column has none.

        A row and a column may name it together ("Q1" and "2023"). `corner` is the header path of the labels, where
        tables put "Years ended December 31,", and the titles may give the year of a column "First Quarter" or "Jan",
        or of a row with such a label, or the end of a column's year. A title "as of" a day or of a period "ended" gives
        its time to a table in which no header names one.
        """
        titles, parts = context.titles, context.parts
        column_period = self._by_column(column, corner)
        texts = (column,) if column_period else (column, row, (*corner, *titles))
        if year := find_split_year(texts):
            first_month = self._fiscal.first_month if self._fiscal else context.first_month
            if month := find_month_of_split_year(year, (*column, *reversed(row)), first_month, self._read_month):
                return month
        if year := self._read_plain_year(column, column_period) if context.last_year else 0:
            column_period = self._find_year_ended(year, (*corner, *titles), context.last_year) or column_period
        column_period = column_period or parts.get(column) or self._by_caption(column, titles)
        label_periods = (self._by_caption((label,), titles, exact=True) for label in reversed(row))
        row_period = self.find_row_period(row)
        if year := self._read_plain_year(row[-1:], row_period) if context.last_year and not column_period else 0:
            row_period = self._find_year_ended(year, (*corner, *titles), context.last_year) or row_period
        row_period = row_period or parts.get(row) or next(filter(None, label_periods), None)
        period = column_period or row_period
        if period is None:
            return None
        joint_period = self._by_both(row[-1:], column) if self._is_time(" ".join(row[-1:])) else None
        joint_period = joint_period or (row_period if column_period else None)
        return joint_period if joint_period is not None and _is_within(joint_period, period) else period

    def make_context(self, grid: CellGrid, titles: HeaderPath) -> HeaderContext:
        """The context of a table's headers; `titles` are the texts above it, the nearest first."""
        rows, columns = grid.iter_paths()
        corner = grid.get_column_path(0)
        periods = [self._by_column(path, corner) for path in columns]
        years = list(map(self._read_plain_year, columns, periods))
        row_periods = list(map(self.find_row_period, rows))
        years_of_rows = map(self._read_plain_year, (row[-1:] for row in rows), row_periods)
        last_year = max(years, default=0) or max(years_of_rows, default=0)
        quarters = name_quarters(columns)
        part_columns = [quarters.get(path, path) for path in columns]
        parts = dict(self._iter_part_periods(part_columns, periods)) | dict(self._iter_part_periods(rows, row_periods))
        times = next(filter(None, map(self._list_times, titles)), {})
        own_period = next(iter(times)) if len(times) == 1 else None
        # A day alone may be that of the publication, unless a title says that it is the last.
        is_day = own_period is not None and own_period[1] - own_period[0] == DAY
        if own_period is None or (is_day and not any(self._ended(title, own_period[0].year) for title in titles)):
            own_period = self._whole_period or own_period
        if own_period is None and len(sections := {*filter(None, row_periods)}) == 1:
            (own_period,) = sections
        if self._fiscal and own_period and own_period == make_years_interval(own_period[0].year):
            own_period = self._fiscal.find_months(own_period[0].year, 1, 12)
        parts |= find_days_of_rows(grid, own_period, self._language, self._day_order)
        for path, quarter in quarters.items():
            if days := parts.get(quarter) or self._by_column(quarter, corner) or self._by_caption(quarter, titles):
                parts[path] = days
        comparisons = [find_comparison(path[-1]) if path else "" for path in columns]
        if not ONLY_RELATIVE.issuperset(comparisons):
            years_ended = [year and self._find_year_ended(year, (*corner, *titles), last_year) for year in years]
            column_periods = [end or days for end, days in zip(years_ended, periods, strict=True)]
            compared_periods = iter_compared_periods(comparisons, column_periods, own_period, self._fiscal)
            parts |= {path: days for path, days in zip(columns, compared_periods, strict=True) if days}
        is_undated = not parts and not any(periods) and not any(row_periods)
        if is_undated and (title_period := self._find_title_period(titles, (*columns, *rows))):
            parts = {path: title_period for path in columns if path and _may_be_of_title(path)}
        return HeaderContext(titles, find_first_month(grid, self._read_month), last_year, parts)

    def _find_title_period(self, titles: HeaderPath, headers: Iterable[HeaderPath]) -> Interval | None:
        """The period that the nearest title with a time names by its last day; None if any header names a date."""
        times, title = next(
            ((times, text) for text in titles[:_TITLE_LINES] if (times := self._list_times(text))), ({}, "")
        )
        ended_periods = self._ended(title, max((end - DAY).year for _, end in times)) if len(times) == 1 else {}
        texts = {self._normalize(" ".join(path)) for path in headers} if len(ended_periods) == 1 else set()
        if not texts or any(mention.type is TimexType.DATE for text in texts for mention in self._tag(text)):
            return None
        return next(iter(ended_periods.values()))

    def _iter_part_periods(
        self, paths: Sequence[HeaderPath], periods: Sequence[Interval | None]
    ) -> Iterator[tuple[HeaderPath, Interval]]:
        """The periods of quarters, halves and months without a year that continue, or sum up, those before them.

        A quarter or half behind its months is these months, else of the one year that all others are in.
        """
        known_periods = [days for days in periods if days]
        years = {day.year for start, end in known_periods for day in (start, end - DAY)}
        last: dict[int, Interval] = {}
        run: list[Interval] = []
        for path, own_days in zip(paths, periods, strict=True):
            part = self.find_undated_part(path) if known_periods and own_days is None else None
            if part and part[1] > 1 and self._fiscal and self._fiscal.first_month > 1:
                fiscal_years = {self._fiscal.find_year(start) for start, _ in known_periods}
                days = self._fiscal.find_months(fiscal_years.pop(), *part) if len(fiscal_years) == 1 else None
            else:
                days = find_part_period(*part, last, run, years) if part else own_days
            if days is None:
                continue
            if part:
                yield path, days
            months = next((count for count in (1, 3, 6) if add_months(days[0], count) == days[1]), 0)
            last[months] = days
            run = [*run, days] if months == 1 else run

    def find_undated_part(self, path: HeaderPath) -> tuple[int, int] | None:
        """The first month and the months of a quarter, half or month that a header names without a year."""
        header = self._normalize(" ".join(path)).strip(" .,:")
        mentions = self._tag(f"{header} {_ANY_YEAR}")
        match = _PART_VALUE.fullmatch(mentions[0].value) if len(mentions) == 1 else None
        if match is None or mentions[0].text != f"{header} {_ANY_YEAR}":
            month = self._read_month(path[-1]) if path else 0
            return (month, 1) if month else None
        months = {"Q": 3, "H": 6}.get(match["unit"], 1)
        return months * int(match["number"]) - months + 1, months

    def _find_plain_year(self, path: HeaderPath, days: Interval | None) -> int:
        """The year of a header that names it, its `days`, and no other time; else 0."""
        if days is None:
            return 0
        mentions = self._tag(self._normalize(" ".join(path)))
        numbers = _YEAR_NUMBER.findall(mentions[0].text) if len(mentions) == 1 else []
        is_year = len(numbers) == 1 and days == make_years_interval(days[0].year) and mentions[0].grain is Grain.YEAR
        return days[0].year if is_year and sum(map(str.isdigit, mentions[0].text)) == len(numbers[0]) else 0

    def _find_year_ended(self, year: int, titles: HeaderPath, last_year: int) -> Interval | None:
        """The period of a column "2023" below "For the year ended 31 March 2024", the `last_year` of the columns.

        The nearest title with such a period decides: it may name one, one for each year, or the day without a year.
        Without one it is the year that the document reports on, which ended before that calendar year was over.
        """
        periods = next(filter(None, (self._ended(title, last_year) for title in titles)), {})
        if not periods and (own := self._reported_year) and (own[1] - DAY).year == last_year:
            if not all(_is_within(days, own) for title in titles for days in self._list_times(title)):
                return None
            if self._fiscal and own == self._fiscal.find_months(fiscal_year := self._fiscal.find_year(own[0]), 1, 12):
                return self._fiscal.find_months(fiscal_year + year - last_year, 1, 12)
            periods = {last_year: own}
        return periods.get(year) or (move_by_years(periods[last_year], year - last_year) if periods else None)

    def describe_doubt(self, row: HeaderPath, column: HeaderPath, corner: HeaderPath) -> str:
        """Why the period of a cell is not sure, or nothing."""
        column_period, row_period = self._by_column(column, corner), self.find_row_period(row)
        if column_period and row_period and not _are_nested(column_period, row_period):
            return "the row and the column name different times"
        is_undated = not column_period and not row_period
        return "the column's header names several times" if is_undated and self._has_several_times(column) else ""

    def _names_several_times(self, path: HeaderPath) -> bool:
        """Whether a header names several times that it does not compare."""
        text = self._normalize(" ".join(path))
        if _COMPARISON.search(text):
            return False
        periods = set(filter(None, map(_get_days, self._tag(text))))
        return any(not _are_nested(first, second) for first in periods for second in periods)

    def _find_column_period(self, path: HeaderPath, corner: HeaderPath) -> Interval | None:
        """The period that a header path names; its parts are read in pairs in both orders, and after the corner.

        None if it names two ("2019 vs. 2018"), a change ("Change from 2018"), a thing ("2018 Plan") or an open time
        ("after 2024").
        """
        path = tuple(self._normalize(part) for part in path)
        header = " ".join(path)
        if _CHANGE.match(header):
            return None
        candidates = [(header, 0), *((f"{part} {header}", len(part) + 1) for part in corner)]
        candidates += [(" ".join(pair), 0) for pair in permutations(path, 2)]
        candidates += [(" ".join((*path[turn:], *path[:turn])), 0) for turn in range(1, len(path))]
        mentions = (self._find_best_mention(text, least_end) for text, least_end in candidates)
        longest_mention = max(filter(None, mentions), key=lambda mention: mention.end - mention.start, default=None)
        if longest_mention is None or self._contradicts(header, longest_mention):
            return None
        return find_length_until(path, longest_mention, self._tag) or _get_days(longest_mention)

    def _find_caption_period(self, path: HeaderPath, titles: HeaderPath, *, exact: bool = False) -> Interval | None:
        """The period of a header that names a quarter, half, month or day without a year, in a title's only time.

        Or that time, if it is the same quarter, half or month of a year. The nearest title with a time decides. Without
        one, a day or month is in the month or quarter of the document. `exact` says that the header may contain nothing
        else.
        """
        caption_mentions = self._list_times(titles[0])
        if not caption_mentions:  # Of the other titles one with several times says nothing.
            nearest_times = next(filter(None, map(self._list_times, titles[1:])), {})
            caption_mentions = nearest_times if len(nearest_times) == 1 else {}
        outer_period = next(iter(caption_mentions), self._whole_period)
        if len(caption_mentions) == 1 and outer_period and (outer_period[1] - outer_period[0]).days > _MAX_YEAR_DAYS:
            return None
        months = [month for part in path if (month := self._read_month(part))] if outer_period else []
        if months and (len(path) == 1 or not exact):
            return find_only_month(months, outer_period) if outer_period and len(caption_mentions) <= 1 else None
        header = self._normalize(" ".join(path))
        if outer_period and outer_period[0].year == (outer_period[1] - DAY).year and _DOTTED_DAY.fullmatch(header):
            header = f"{header}{outer_period[0].year}"
            return next((days for named in self._tag(header) if (days := _get_days(named))), None)
        unit = self.find_undated_part(path) if len(caption_mentions) == 1 else None
        if exact and not unit and not any(is_time_label(named.start, named.end, header) for named in self._tag(header)):
            return None
        undated_values = {
            named.value for named in self._tag(header) if named.grain in _PARTIAL and named.value.startswith("XXXX")
        }
        is_undated = len(undated_values) == 1 or unit
        if not is_undated or len(caption_mentions) > 1 or any(map(_get_days, self._tag(header))):
            return None
        if outer_days := next(iter(caption_mentions), self._own_period):
            parts = map(_get_days, tag(header, None, self._language, period=outer_days))
            is_day = outer_days[1] - outer_days[0] == DAY  # Other days are near it: "12 May" in a table of 31 May 2024.
            if part := next((part for part in parts if part and (is_day or _is_within(part, outer_days))), None):
                return part
        if not caption_mentions:
            return None
        ((days, caption_mention),) = caption_mentions.items()
        if caption_mention.grain is Grain.YEAR:
            mention = self._find_best_mention(f"{header} {caption_mention.text}", 0)
            return _get_days(mention) if mention is not None and mention.grain is not Grain.YEAR else None
        parts_named = {value.partition("-")[2] for value in undated_values}
        return days if parts_named == {caption_mention.value.partition("-")[2]} else None

    def _list_times(self, title: str) -> dict[Interval, Mention]:
        """The times that a title names, not those in names of things or at the end of open times."""
        text = self._normalize(title)
        return {
            days: mention
            for mention in self._tag(text)
            if (days := _get_days(mention)) and is_named_time(mention.start, mention.end, text)
        }

    def _find_best_mention(self, text: str, first: int) -> Mention | None:
        """The longest dated mention that reaches beyond `first` and names a time."""
        mentions = [
            mention
            for mention in self._tag(text)
            if mention.end > first and _get_days(mention) and is_named_time(mention.start, mention.end, text)
        ]
        # The days of a fiscal period are not sure if the company's calendar is not known.
        sure_mentions = [mention for mention in mentions if self._fiscal or mention.calendar is Calendar.GREGORIAN]
        return max(sure_mentions or mentions, key=lambda mention: mention.end - mention.start, default=None)

    def _contradicts(self, text: str, best: Mention) -> bool:
        """Whether a header names another time than its best mention, and neither contains the other.

        A quarter or day that is not part of the best mention makes that too coarse to be the header's period.
        """
        best_days = _get_days(best)
        for mention in self._tag(text):
            if mention.text in best.text:
                continue
            days = _get_days(mention)
            if days is None:
                if mention.grain in _PARTIAL and mention.type is TimexType.DATE:
                    return True
            elif best_days and mention.calendar is best.calendar and not _are_nested(days, best_days):
                return True
        return False

    def _find_row_period(self, path: HeaderPath) -> Interval | None:
        """The period of a row whose label, or the nearest section above it, is a date or a range of two dates.

        The last label is read with the one above it in both orders ("Q1" stands under "2023"), then alone.
        """
        for end in range(len(path), 0, -1):
            pair = path[max(0, end - 2) : end]
            for parts in (pair, pair[::-1], pair[-1:]):
                text = self._normalize(" ".join(parts))
                mentions = [mention for mention in self._tag(text) if mention.start_date or mention.end_date]
                if any(named.grain in _PARTIAL and named.value.startswith("XXXX") for named in self._tag(text)):
                    continue  # "2023 marzo" is a year beside a month; "marzo 2023" is the month.
                if not mentions or not is_time_label(mentions[0].start, mentions[-1].end, text):
                    continue
                if len(mentions) == 1 and (days := _get_days(mentions[0])):
                    return days
                if len(mentions) == 2 and _UNTIL.fullmatch(text[mentions[0].end : mentions[1].start]):
                    # The last may be an open time that ends with it ("through May 27").
                    start, stop = mentions[0].start_date, mentions[1].end_date
                    return (start, stop) if start and stop and start < stop else None
        return None

    def _names_time(self, label: str) -> bool:
        return bool(self._tag(label)) or label.lower().rstrip(".") in MONTHS

    def _find_joint_period(self, leaf: HeaderPath, column: HeaderPath) -> Interval | None:
        """The period of an expression that runs from a row's label into its column's header, or the other way round.

        The label names a time.

        "At year end" in a column 2023 says when a thing was counted, as "end of period" does, not in which months.
        """
        label, header = " ".join(leaf), " ".join(column)
        for first, second in ((label, header), (header, label)):
            for mention in self._tag(f"{first} {second}"):
                is_moment = mention.grain is Grain.YEAR and mention.modifier is not None
                if mention.start < len(first) < mention.end and not is_moment and (days := _get_days(mention)):
                    return days
        return None

    def _normalize(self, header: str) -> str:
        """A header with its numeric days as its language reads them, and with months of other languages in English.

        A file of figures has too few words to detect its language: "Okt 2023" and "gen 2024" would mean the whole year.
        """
        header = _MONEY_BEHIND.sub("", normalize_dates(header, self._day_order, self._language))
        return header if self._language in EUROPEAN else _MONTH_BEFORE_YEAR.sub(self._translate_month, header)

    def _translate_month(self, match: re.Match[str]) -> str:
        month = 0 if match[1].lower() in MONTHS or match[1].lower() in _ENGLISH_WORDS else self._read_month(match[1])
        return f"{MONTH_NAMES[month - 1].title()} " if month else match[0]

    def _find_month_of_name(self, header: str) -> int:
        """The month whose full or short name is the whole header; 0 for any other header."""
        if len(header) > _MAX_MONTH_LENGTH or not header[:1].isalpha():
            return 0
        dated_header = f"{header} {_ANY_YEAR}"
        is_foreign = self._language not in EUROPEAN and header.lower() not in _ENGLISH_WORDS
        name = header.lower().translate(UNACCENTED).rstrip(".")
        languages = [code for code in EUROPEAN if is_foreign and name in _MONTHS_OF_LANGUAGES[code]]
        foreign_mentions = (mention for language in languages for mention in tag(dated_header, None, language))
        mentions = (*self._tag(dated_header), *foreign_mentions)
        match = next((_PART_VALUE.fullmatch(code.value) for code in mentions if code.text == dated_header), None)
        return int(match["number"]) if match and not match["unit"] else 0

    def _tag_header(self, text: str) -> tuple[Mention, ...]:
        if len(text) > _MAX_HEADER_LENGTH:
            return ()
        is_foreign = self._language not in EUROPEAN and _FOREIGN_PART.search(text) is not None
        language = "und" if is_foreign else self._language
        return tag(text, None, language, day_order=self._day_order, fiscal=self._fiscal)


def _may_be_of_title(path: HeaderPath) -> bool:
    """Whether the figures below a header may be of the time of the table: no numbers of notes, no changes."""
    is_compared = _COMPARISON.search(" ".join(path)) is not None or bool(find_comparison(path[-1]))
    return not is_compared and classify_measure(path[-1]) is not FigureKind.REFERENCE


def _get_days(mention: Mention) -> Interval | None:
    """A mention's days if it names a time with a start and an end, not an open time, a length or a time that recurs.

    An hour of a day, as below days that head hours, has the days of that day.
    """
    return mention.days if mention.type in (TimexType.DATE, TimexType.TIME) else None


def _are_nested(first: Interval, second: Interval) -> bool:
    return _is_within(first, second) or _is_within(second, first)


def _is_within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
