"""Columns that only hold the sign of a number, as filings set them: `$ | 1,204 | )` is the one cell `$ 1,204)`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container
from dataclasses import replace

from tasks.parsers.spans import Laid

_BEFORE = frozenset(["$", "€", "£", "¥", "(", "$(", "$ (", "US$", "C$", "A$", "HK$", "RMB"])
_AFTER = frozenset([")", "%", ")%", ") %", "*", "†"])


def join_signs(laid: Laid) -> Laid:
    """The table with every such column joined to the one whose numbers it belongs to.

    A currency stands before its number, a closing parenthesis or a percent sign behind it. A column with any other
    text stays, unless that is a header over both columns.
    """
    width = max(map(len, laid.rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in laid.rows]
    wide = {(merge.row, merge.column) for merge in laid.merges if merge.columns > 1}
    gone: list[int] = []
    for column in range(width):
        headed = {number for number in range(len(rows)) if (number, column) in wide}
        if column + 1 < width and _is_sign_of(rows, column, column + 1, _BEFORE, headed):
            for row in rows:
                row[column + 1] = " ".join(filter(None, (row[column].strip(), row[column + 1].strip())))
            gone.append(column)
        elif column and column - 1 not in gone and _is_sign_of(rows, column, column - 1, _AFTER, ()):
            for row in rows:
                row[column - 1] = row[column - 1].strip() + row[column].strip()
            gone.append(column)
    return _without(replace(laid, rows=rows), gone) if gone else laid


def _is_sign_of(rows: list[list[str]], signs: int, numbers: int, known: frozenset[str], headed: Container[int]) -> bool:
    """Whether a column holds signs, each beside a number or alone, and else nothing but headers over both columns."""
    found = False
    for place, row in enumerate(rows):
        sign, text = row[signs].strip(), row[numbers].strip()
        if sign in known and (not text or _is_number(text)):
            found = True
        elif sign and not (place in headed and not text):
            return False
    return found


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) or text in ("-", "—", "–")


def _without(laid: Laid, gone: list[int]) -> Laid:
    """The table less some columns; their merged cells keep what is left of them."""

    def moved(column: int) -> int:
        return column - bisect_left(gone, column)

    spans = [(merge, moved(merge.column), moved(merge.column + merge.columns)) for merge in laid.merges]
    merges = [
        replace(merge, column=first, columns=last - first)
        for merge, first, last in spans
        if last - first > 1 or (last > first and merge.rows > 1)
    ]
    kept = [column for column in range(len(laid.rows[0])) if column not in gone]
    rows = [[row[column] for column in kept] for row in laid.rows]
    return Laid(rows, laid.header_rows, merges)
