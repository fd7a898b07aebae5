"""The figures of a table: each body cell's number, read as its neighbours and the whole table show it is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tasks.tables.currencies import MONEY, code_of
from tasks.tables.digits import has_decimal_comma
from tasks.tables.labels import first_body_row
from tasks.tables.numbers import Number, number
from warehouse.records import Table

_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_LARGE = re.compile(r"(?<![0-9.,])(?!(?:19|20)[0-9]{2}(?![0-9]))[1-9][0-9]{3,}(?![0-9])")
_GROUPED = re.compile(r"[0-9][,'’ .][0-9]{3}(?![0-9])")
_MONEY_ALONE = re.compile(MONEY, re.IGNORECASE)
_CLOSING = {")", ")%", "%", ") %", "%)"}

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How the table writes: `comma` decimals, ¥ for the `yuan`, and whether it sets thousands apart."""

    comma: bool
    yuan: bool
    ungrouped: bool


def figures(table: Table, language: str) -> Mapping[tuple[int, int], Number]:
    """The numbers of the body by row and column.

    A bracket, percent or currency sign that stands in the next or last column belongs to the number. A bare 1900 to
    2099 is a year, unless the table prints other thousands without setting them apart.
    """
    first = first_body_row(table)
    body = table.rows[first:]
    every = [cell for row in body for cell in row]
    ungrouped = any(map(_LARGE.search, every)) and not any(map(_GROUPED.search, every))
    reading = NumberStyle(has_decimal_comma(every), language == "zh", ungrouped)
    return {(row, column): found for row, cells in enumerate(body, first) for column, found in _in_row(cells, reading)}


def _in_row(cells: Sequence[str], reading: NumberStyle) -> Iterator[tuple[int, Number]]:
    for column, cell in enumerate(cells):
        after = cells[column + 1] if column + 1 < len(cells) and cells[column + 1] in _CLOSING else ""
        found = _number(f"{cell} {after}" if after and cell not in _CLOSING else cell, reading)
        if found is None:
            continue
        before = cells[column - 1] if column else ""
        if before and not found.currency and _MONEY_ALONE.fullmatch(before):
            found = replace(found, currency=code_of(before, yuan=reading.yuan), marked=True)
        yield column, found


def _number(text: str, reading: NumberStyle) -> Number | None:
    if _YEAR.fullmatch(text) and not reading.ungrouped:
        return None
    return number(text, comma=reading.comma, yuan=reading.yuan)
