"""The body cells of a document's tables as facts: where each stands, what heads it, what it is worth and when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from tasks.tables.numbers import Number, number, worded_currency, worded_scale
from tasks.tables.places import Grid, Place, grids
from tasks.temporal.tagger import tag
from warehouse.records import Cell, Document

Period = tuple[date | None, date | None]

_NO_PERIOD: Period = (None, None)
_PER_SHARE = re.compile(r"\bper\s+(?:\w+\s+){0,2}share\b", re.IGNORECASE)


def cells(document: Document) -> tuple[Cell, ...]:
    """Every body cell that is not empty, in reading order, the row headers among them.

    The period comes from the column's headers, else from the row's. A scale ("in millions") comes from the cell, else
    from its headers, else from the caption; it never touches percentages nor, where the caption exempts them ("except
    per share data"), amounts per share.
    """
    return tuple(cell for grid in grids(document) for cell in _Reader(grid, document.language).cells())


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a cell's surroundings say about its number."""

    scale: float
    currency: str
    percent: bool


class _Reader:
    """Reads the cells of one table; what headers say is worked out once a header."""

    def __init__(self, grid: Grid, language: str) -> None:
        self._grid = grid
        self._language = language
        self._period = cache(self._find_period)

    def cells(self) -> Iterator[Cell]:
        for row in range(self._grid.table.header_rows, len(self._grid.table.row_spans)):
            for place in self._grid.places(row):
                if place.end > place.start:
                    yield self._cell(place)

    def _cell(self, place: Place) -> Cell:
        text = self._grid.text[place.start : place.end]
        row_header, column_header = self._grid.row_header(place.row), self._grid.column_header(place.column)
        found = number(text)
        frame = self._frame(row_header, column_header)
        plain = place.column == 0 or found is None or found.scaled or bool(found.unit) or frame.percent
        scale = 1.0 if plain else frame.scale
        since, until = self._when(row_header, column_header)
        return Cell(
            table=self._grid.table.number,
            row=place.row,
            column=place.column,
            text=text,
            start=place.start,
            end=place.end,
            row_header=row_header,
            column_header=column_header,
            value=None if found is None else found.value * scale,
            unit=_unit(found, frame, place),
            scale=scale,
            currency="" if found is None else _currency(found, frame, place),
            period_start=since,
            period_end=until,
        )

    def _frame(self, row_header: str, column_header: str) -> _Frame:
        caption = self._grid.table.caption
        around = (column_header, row_header, caption, self._corner)
        scales = [found for text in around if (found := worded_scale(text)) is not None]
        codes = [code for text in around if (code := worded_currency(text))]
        exempt = _PER_SHARE.search(row_header) and "except" in f"{caption} {self._corner} {column_header}".lower()
        scale = scales[0] if scales and not exempt else 1.0
        currency = codes[0] if codes else ""
        return _Frame(scale, currency, percent="%" in column_header or "%" in row_header)

    @property
    def _corner(self) -> str:
        """The header of the first column, where reports put "(in millions)"."""
        return self._grid.column_header(0)

    def _when(self, row_header: str, column_header: str) -> Period:
        by_column = self._period(column_header)
        return by_column if by_column != _NO_PERIOD else self._period(row_header)

    def _find_period(self, header: str) -> Period:
        """The longest expression in a header path; "Three Months Ended March 31, / 2023" is one expression."""
        found = [mention for mention in tag(header.replace(" / ", " "), None, self._language) if mention.start_date]
        longest = max(found, key=lambda mention: mention.end - mention.start, default=None)
        return (longest.start_date, longest.end_date) if longest else _NO_PERIOD


def _unit(found: Number | None, frame: _Frame, place: Place) -> str:
    if found is None:
        return ""
    return found.unit or ("%" if frame.percent and place.column else "")


def _currency(found: Number, frame: _Frame, place: Place) -> str:
    """A cell's own symbol, else that of its surroundings, unless it is a share or stands among the row headers."""
    if found.currency or found.unit or frame.percent or place.column == 0:
        return found.currency
    return frame.currency
