"""The body cells of a document's tables as facts: where each stands, what heads it, what it is worth and when."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import permutations

from tasks.parsers.language import EUROPEAN
from tasks.parsers.written_dates import DAY_FIRST
from tasks.tables.frames import FigureKind, Frame
from tasks.tables.headers import HeaderPath
from tasks.tables.line_items import find_statement_kinds
from tasks.tables.reader import PATH_SEPARATOR, CellSpan, TableReader, make_readers
from tasks.tables.tagged_figures import TaggedFigures, with_fact
from tasks.temporal.english.lexicon import MONTHS
from tasks.temporal.fiscal_inference import infer_document_calendar
from tasks.temporal.readings import LONGEST_QUARTER, make_months_interval
from tasks.temporal.reported_periods import find_own_period
from tasks.temporal.tagger import normalize_dates, tag
from warehouse.records import (
    NO_CORRECTIONS,
    Calendar,
    Cell,
    Document,
    DocumentCorrections,
    Grain,
    Mention,
    TimexType,
    Total,
    TotalOf,
)
from warehouse.records.fiscal import FiscalCalendar, Interval

_PARTIAL = (Grain.DAY, Grain.MONTH, Grain.QUARTER, Grain.HALF)
_LONGEST = 300  # In characters; a longer header is prose.
_UNTIL = re.compile(r"\s*(?:[-–—~至到]|to|through|until)\s*", re.IGNORECASE)

_COMPARES = re.compile(
    r"\bv(?:s|ersus)?\b|\b(?:chang|increas|decreas|varianc|growth|compar|through|between)\w*|[%∆Δ–—]|增|减|变动|同比|至",
    re.IGNORECASE,
)
"""A header of several times that is meant so."""


_CHANGE = re.compile(
    r"\W*(?:chang|varianc|increas|decreas|differenc|growth)\w*(?:\s?\(?%\)?)?\s(?:vs?\.?|versus|from|over|since|on|against)\s",
    re.IGNORECASE,
)
"""How a header begins whose figures are of no time that it names: "Change vs. 2023"."""
_UNMISTAKABLE = ("de", "fr", "nl")  # Whose short names of months are no English words, as "set", "out", "ago" are.
_YEAR_GOES_ON = re.compile(r"[/–-]\d")
_LATE = 10  # The month from which on a month of "2023/24" is sure to be of its first year.
_LONGEST_MONTH = 12  # Characters of a month's name.
_MONTH_VALUE = re.compile(r"2000-(\d\d)")
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


class HeaderPeriods:
    """Reads the headers of one document; equal headers are read once."""

    def __init__(self, document: Document, fiscal: FiscalCalendar | None) -> None:
        """`fiscal` is the document's calendar."""
        self._language, self._fiscal = document.language, fiscal
        self._day_order = document.attributes.day_order or (DAY_FIRST if document.language in EUROPEAN else "")
        self._whole_period = period = find_own_period(document)
        self._own_period = period if period and period[1] - period[0] <= LONGEST_QUARTER else None
        self._tag = cache(self._tag_header)
        self._by_column = cache(self._find_column_period)
        self._by_caption = cache(self._find_caption_period)
        self.find_row_period = cache(self._find_row_period)
        self._by_both = lru_cache(maxsize=64)(self._find_joint_period)

    def find_cell_period(
        self, row: HeaderPath, column: HeaderPath, corner: HeaderPath, caption: str
    ) -> Interval | None:
        """The period of a cell: its column's; the row's where that lies inside it or the column has none.

        A row and a column may name it together ("Q1" and "2023"). `corner` is the header path of the labels, where
        tables put "Years ended December 31,", and the `caption` may give the year of a column "First Quarter" or "Jan",
        and of a row that is labelled so.
        """
        by_column = self._by_column(column, corner) or self._by_caption(column, caption)
        labels = (self._by_caption((label,), caption, whole=True) for label in reversed(row))
        by_row = self.find_row_period(row) or next(filter(None, labels), None)
        whole = by_column or by_row
        if whole is None:
            return None
        finer = self._by_both(row[-1:], column) or (by_row if by_column else None)
        return finer if finer is not None and _is_within(finer, whole) else whole

    def describe_doubt(self, row: HeaderPath, column: HeaderPath, corner: HeaderPath) -> str:
        """Why the period of a cell is not sure, or nothing."""
        by_column, by_row = self._by_column(column, corner), self.find_row_period(row)
        if by_column and by_row and not _are_nested(by_column, by_row):
            return "the row and the column name different times"
        text = self._normalize(" ".join(column))
        if by_column or by_row or _COMPARES.search(text):
            return ""
        times = set(filter(None, map(_get_days, self._tag(text))))
        several = any(not _are_nested(one, other) for one in times for other in times)
        return "the column's header names several times" if several else ""

    def _find_column_period(self, path: HeaderPath, corner: HeaderPath) -> Interval | None:
        """The period a header path names; its parts are read in every order of two, and after the corner.

        None where it names two ("2019 vs. 2018"), a change ("Change from 2018"), a thing ("2018 Plan") or an open time
        ("after 2024").
        """
        path = tuple(self._normalize(part) for part in path)
        plain = " ".join(path)
        if _CHANGE.match(plain):
            return None
        texts = [(plain, 0), *((f"{part} {plain}", len(part) + 1) for part in corner)]
        texts += [(" ".join(pair), 0) for pair in permutations(path, 2)]
        texts += [(" ".join((*path[turn:], *path[:turn])), 0) for turn in range(1, len(path))]
        found = [best for text, first in texts if (best := self._find_best_mention(text, first)) is not None]
        longest = max(found, key=lambda each: each.end - each.start, default=None)
        return None if longest is None or self._contradicts(plain, longest) else _get_days(longest)

    def _find_caption_period(self, path: HeaderPath, caption: str, *, whole: bool = False) -> Interval | None:
        """The period of a header that names a quarter, half, month or day of no year: in the only time of a caption.

        Or that time, where it is the same quarter, half or month of a year. Without one, a day or month is in the month
        or quarter that the document is of. `whole` where nothing else may stand in the header.
        """
        times = {_get_days(each): each for each in self._tag(self._normalize(caption)) if _get_days(each)}
        outer = next(iter(times), self._whole_period)
        months = [month for part in path if (month := self._read_month(part))] if outer else []
        if months and (len(path) == 1 or not whole):
            return _find_only_month(months, outer) if outer and len(times) <= 1 else None
        header = self._normalize(" ".join(path))
        if whole and not any(_is_label(each.start, each.end, header) for each in self._tag(header)):
            return None
        open_parts = {
            each.value for each in self._tag(header) if each.grain in _PARTIAL and each.value.startswith("XXXX")
        }
        if len(open_parts) != 1 or len(times) > 1 or any(map(_get_days, self._tag(header))):
            return None
        if within := next(iter(times), self._own_period):
            parts = map(_get_days, tag(header, None, self._language, period=within))
            if part := next((part for part in parts if part and _is_within(part, within)), None):
                return part
        if not times:
            return None
        ((days, named),) = times.items()
        if named.grain is Grain.YEAR:
            best = self._find_best_mention(f"{header} {named.text}", 0)
            return _get_days(best) if best is not None and best.grain is not Grain.YEAR else None
        return days if open_parts.pop().partition("-")[2] == named.value.partition("-")[2] else None

    def _find_best_mention(self, text: str, first: int) -> Mention | None:
        """The longest dated mention that reaches beyond `first` and names a time."""
        dated = [
            each
            for each in self._tag(text)
            if each.end > first and _get_days(each) and _is_time(each.start, each.end, text)
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
        whole = _get_days(best)
        for each in self._tag(text):
            if each.text in best.text:
                continue
            days = _get_days(each)
            if days is None:
                if each.grain in _PARTIAL and each.type is TimexType.DATE:
                    return True
            elif whole and each.calendar is best.calendar and not _are_nested(days, whole):
                return True
        return False

    def _find_row_period(self, path: HeaderPath) -> Interval | None:
        """The period of a row: its label, or the nearest section above it, is a date, or from one to another.

        The last label is read with the one above it in both orders ("Q1" stands under "2023"), then alone.
        """
        for end in range(len(path), 0, -1):
            pair = path[max(0, end - 2) : end]
            for parts in (pair, pair[::-1], pair[-1:]):
                text = " ".join(parts)
                found = [each for each in self._tag(text) if each.start_date or each.end_date]
                if not found or not _is_label(found[0].start, found[-1].end, text):
                    continue
                if len(found) == 1 and (days := _get_days(found[0])):
                    return days
                if len(found) == 2 and _UNTIL.fullmatch(text[found[0].end : found[1].start]):
                    # The last may be one that is open before it ("through May 27").
                    start, stop = found[0].start_date, found[1].end_date
                    return (start, stop) if start and stop and start < stop else None
        return None

    def _find_joint_period(self, leaf: HeaderPath, column: HeaderPath) -> Interval | None:
        """The period of an expression that runs from a row's label into its column's header, or the other way.

        "At year end" of a column 2023 says when a thing was counted, as "end of period" does, not in which months.
        """
        label, header = " ".join(leaf), " ".join(column)
        if not self._tag(label) and label.lower().rstrip(".") not in MONTHS:
            return None
        for first, second in ((label, header), (header, label)):
            for each in self._tag(f"{first} {second}"):
                is_moment = each.grain is Grain.YEAR and each.modifier is not None
                if each.start < len(first) < each.end and not is_moment and (days := _get_days(each)):
                    is_cut = days[0].month < _LATE and _YEAR_GOES_ON.match(f"{first} {second}", each.end)
                    return None if is_cut else days
        return None

    def _normalize(self, header: str) -> str:
        """A header with its numeric days as its language reads them."""
        return normalize_dates(header, self._day_order, self._language)

    def _read_month(self, header: str) -> int:
        """The month whose name, short or not, is all of a header; 0 for any other."""
        if len(header) > _LONGEST_MONTH or not header[:1].isalpha():
            return 0
        dated = f"{header} 2000"  # Beside a year any language reads the names of months.
        languages = () if self._language in EUROPEAN else _UNMISTAKABLE
        found = (
            each for each in (*self._tag(dated), *(mention for one in languages for mention in tag(dated, None, one)))
        )
        match = next((_MONTH_VALUE.fullmatch(each.value) for each in found if each.text == dated), None)
        return int(match[1]) if match else 0

    def _tag_header(self, text: str) -> tuple[Mention, ...]:
        if len(text) > _LONGEST:
            return ()
        return tag(text, None, self._language, day_order=self._day_order, fiscal=self._fiscal)


def _find_only_month(months: Sequence[int], within: Interval) -> Interval | None:
    """The month of which there is one in an interval."""
    if len(months) > 1:
        return None
    years = range(within[0].year, within[1].year + 1)
    found = [days for year in years if _is_within(days := make_months_interval(year, months[0], 1), within)]
    return found[0] if len(found) == 1 else None


def _get_days(mention: Mention) -> Interval | None:
    """Its days where it names a time with both its sides, not an open one, a length or a time that recurs."""
    if mention.start_date is None or mention.end_date is None or mention.type is not TimexType.DATE:
        return None
    return mention.start_date, mention.end_date


def _are_nested(one: Interval, other: Interval) -> bool:
    return _is_within(one, other) or _is_within(other, one)


def _is_within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _is_time(start: int, end: int, text: str) -> bool:
    """Whether what stands from `start` to `end` is a time, and not part of a name or an open time."""
    after = text[end:]
    return not (_THING.match(after) or _OPEN_AFTER.match(after) or _OPEN_BEFORE.search(text[:start]))


def _is_label(start: int, end: int, text: str) -> bool:
    """Whether there is nothing else in a row's label."""
    fills = _LEADS_IN.fullmatch(text[:start]) and _LEADS_OUT.fullmatch(text[end:])
    return bool(fills) and _is_time(start, end, text)


Spot = tuple[int, int, int]  # A cell by table, row and column.

_MOST_ROUNDS = 8  # Grand totals hold subtotals hold parts: so deep is no table.


_FINE = re.compile(r"(?<![0-9,.])[0-9]{0,3}\.[0-9]{2,}(?![0-9])")
_FEWEST_WHOLE, _MOSTLY = 3, 0.7
"""How many rows of a table are of whole amounts, and what share of all, for one with two decimals to stand out."""
_OTHER_DECIMALS = "printed with decimals, the table's other amounts without"


def read_cells(
    document: Document,
    checked: Sequence[Total],
    year_end: str = "",
    corrections: DocumentCorrections = NO_CORRECTIONS,
) -> tuple[Cell, ...]:
    """Every body cell that is not empty, in reading order, the row headers among them.

    The period comes from the column's headers, else from the row's, or from both together. A scale ("in millions")
    comes from the cell, else from its headers, else from what stands around the table; it does not touch percentages,
    amounts per share, years and head counts. A currency comes the same way, or from a figure that is added with this
    one: `checked` are the document's totals. Dashes, "nil" and "n/a" have no value. What is not sure says why in
    `doubt`. `year_end` (MM-DD) is the end of fiscal years that is declared for the document, if any, as in
    `infer_document_calendar`. What people corrected comes before all this: a scale that they gave is not in doubt.

    A figure that the filer tags (`Document.facts`) has the tag's value, unit, scale, currency and period; its doubt
    then is that the printed table reads otherwise.
    """
    calendar = infer_document_calendar(document, year_end, corrections.fiscal_year_end)
    periods = HeaderPeriods(document, calendar)
    every, tagged = list(make_readers(document, corrections.tables)), TaggedFigures(document.facts)
    found = [
        _make_cell(place, reader, periods, tagged)
        for reader in every
        for row in range(reader.grid.body, len(reader.grid.table.row_spans))
        for place in reader.grid.iter_cells(row)
        if place.end > place.start
    ]
    sure = {each.grid.table.number for each in every if each.correction and each.correction.scale is not None}
    currencies = {(cell.table, cell.row, cell.column): cell.currency for cell in found if cell.currency}
    shared = _find_shared_currencies(checked, currencies)
    odd = _find_rows_of_other_decimals([cell for cell in found if cell.table not in sure])
    kinds = find_statement_kinds(document, found)

    def settle_cell(cell: Cell) -> Cell:
        if cell.concept:
            return replace(cell, statement=kinds[cell.table]) if cell.table in kinds else cell
        spot = cell.table, cell.row, cell.column
        if spot in shared and not cell.currency and cell.value is not None and not cell.unit:
            cell = replace(cell, currency=shared[spot])
        if spot[:2] in odd and not cell.doubt and _is_scaled(cell):
            cell = replace(cell, doubt=_OTHER_DECIMALS)
        return replace(cell, statement=kinds[cell.table]) if cell.table in kinds else cell

    return tuple(map(settle_cell, found))


def _find_rows_of_other_decimals(found: Sequence[Cell]) -> set[tuple[int, int]]:
    """Rows (table, row) of scaled amounts with two decimals or more among rows of whole amounts.

    They may be amounts per share that no word says to be such.
    """
    tables: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cell in filter(_is_scaled, found):
        tables[cell.table][cell.row].append(cell.text)
    odd: set[tuple[int, int]] = set()
    for table, rows in tables.items():
        fine = {row for row, texts in rows.items() if all(map(_FINE.search, texts))}
        whole = sum(not any("." in text for text in texts) for texts in rows.values())
        if whole >= max(_FEWEST_WHOLE, _MOSTLY * len(rows)):
            odd |= {(table, row) for row in fine}
    return odd


def _is_scaled(cell: Cell) -> bool:
    """Whether a scale of its surroundings was applied to an amount."""
    return cell.value is not None and cell.scale > 1 and not cell.unit


def _make_cell(place: CellSpan, reader: TableReader, periods: HeaderPeriods, tagged: TaggedFigures) -> Cell:
    grid = reader.grid
    row, column = grid.get_row_path(place.row), grid.get_column_path(place.column, place.row)
    found, doubts = reader.get_number(place.row, place.column), list[str]()
    dated = grid.get_dated_path(place.row)
    if place.column < grid.labels:  # headers say nothing of a label
        period, frame = periods.find_row_period(dated), Frame(FigureKind.AMOUNT, 0, 0, "")
    else:
        corner = grid.get_column_path(0, place.row)
        period, frame = (
            periods.find_cell_period(dated, column, corner, grid.table.caption),
            reader.get_frame(place.row, place.column),
        )
        if found is not None:
            unheaded = (
                not period and not column and any(map(periods.find_row_period, grid.headers.get_paths(place.row)))
            )
            timing = "the column has no header" if unheaded else periods.describe_doubt(dated, column, corner)
            doubts = [frame.describe_doubt(found), timing]
    power = None if found is None else frame.get_power(found)
    currency = "" if found is None or power is None else frame.get_currency(found)
    unit = "" if found is None or power is None else frame.get_unit(found)
    if found is not None and not unit and not currency and place.column >= grid.labels:
        unit = reader.get_row_unit(place.row, place.column, is_dated=period is not None)
    cell = Cell(
        table=grid.table.number,
        row=place.row,
        column=place.column,
        text=grid.text[place.start : place.end],
        start=place.start,
        end=place.end,
        row_header=PATH_SEPARATOR.join(row),
        column_header=PATH_SEPARATOR.join(column),
        value=None if found is None or power is None else float(found.printed.scaleb(found.power + power)),
        unit=unit,
        scale=10.0 ** (power or 0),
        currency=currency,
        period_start=period[0] if period else None,
        period_end=period[1] if period else None,
        doubt="; ".join(filter(None, doubts)),
    )
    fact = tagged.find_fact(cell.text, cell.start, is_figure=found is not None) if tagged else None
    if fact is None:
        return cell
    return with_fact(cell, fact, found, frame.get_measure(found) if found else frame.measure, reader.correction)


def _find_shared_currencies(totals: Sequence[Total], printed: Mapping[Spot, str]) -> dict[Spot, str]:
    """The currency of each spot that is added up with one of a known currency, none of the sum having another.

    Only amounts of one currency can be added, so what holds for a part or for the total holds for all of the sum.
    """
    known = dict(printed)
    sums = []
    for total in totals:
        if total.adds_up:
            of_rows = total.of is TotalOf.ROWS
            parts = [(part, total.column) if of_rows else (total.row, part) for part in (*total.parts, *total.less)]
            sums.append([(total.table, *spot) for spot in ((total.row, total.column), *parts)])
    for _ in range(_MOST_ROUNDS):
        before = len(known)
        for spots in sums:
            codes = {known[spot] for spot in spots if spot in known}
            if len(codes) == 1:
                known.update(dict.fromkeys(spots, codes.pop()))
        if len(known) == before:
            break
    return known
