"""Where in a query a mistake stands: DuckDB points at it with a drawing of several lines, made one line here."""

from __future__ import annotations

import re
from unicodedata import east_asian_width

_DRAWING = re.compile(r"\n\s*LINE (\d+): (.*)\n([ ^~]*\^[ ^~]*)")
_CUT = "..."


def pointed(message: str, sql: str) -> str:
    """DuckDB's message on one line, with the line and the column, from 1, that it points at in `sql`."""
    found = _DRAWING.search(message)
    if found is None:
        return " ".join(message.split())
    said, line = " ".join(message[: found.start()].split()), int(found[1])
    place = _under(found[2], found[3].index("^") - len(f"LINE {line}: "))
    return f"{said} ({_where(found[2], place, sql.split(chr(10)), line)})"


def _under(drawn: str, width: int) -> int:
    """The place of the sign that stands so many columns from the left; Chinese signs take two."""
    place = 0
    while place < len(drawn) and width > 0:
        width -= 2 if east_asian_width(drawn[place]) in "WF" else 1
        place += 1
    return place


def _where(drawn: str, place: int, lines: list[str], line: int) -> str:
    """Of a long line only a part is drawn, and lines are counted without the comments that a query begins with."""
    cut = len(_CUT) if drawn.startswith(_CUT) else 0
    part = drawn[cut:].removesuffix(_CUT)
    for number, text in enumerate(lines[line - 1 :], line):
        if part in text:
            return f"line {number}, column {text.index(part) + place - cut + 1}"
    return f"line {line}"
