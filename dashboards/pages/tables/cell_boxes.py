"""Box of a table cell on a page of a PDF, of which a parsed table knows only the row's box.

The module is also the program that looks the cell up: `python cell_boxes.py FILE PAGE ROW CELLS COLUMN`. It runs as a
process of its own because PDFium is not safe between threads and a broken file may crash or block it; then it imports
nothing of Kalends. ROW is the row's box as a JSON list of [left, top, right, bottom], in points from the top left
corner of the page as it is shown; CELLS are the texts of the row's cells, as JSON, and COLUMN is the index of one of
them. The program writes the box of that cell as JSON, or null where it is not found: on a turned page, or where the
page writes the cell in another way.

The text is searched among the row's characters without white space, from the end, as many times as the cells behind it
repeat it: a label may be wrapped above or below its figures, but it is the first cell of its row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warehouse.records import Box, Region

SECONDS = 10
"""Seconds that the search may take; after that the box of the row is drawn."""
SLACK = 2.0
"""Points by which a character may reach over its row."""

Corners = tuple[float, float, float, float]
"""Left, top, right and bottom, in points from the top left corner of a page."""


def cell_box(file: Path, row: Region, cells: Sequence[str], column: int) -> Box:
    """The box of one of a row's `cells` in a PDF; that of the whole row where the cell is not found."""
    from warehouse.child_process import ChildDied, ChildLate, run_script
    from warehouse.records import Box

    arguments = json.dumps(astuple(row.box)), json.dumps(list(cells)), str(column)
    try:
        printed = run_script(Path(__file__).absolute(), [str(file.absolute()), str(row.page), *arguments], SECONDS)
    except (ChildLate, ChildDied):
        return row.box
    corners = json.loads(printed) if printed else None
    return Box(*corners) if corners else row.box


def main(file: str, number: int, row: Corners, cells: Sequence[str], column: int) -> int:
    """Write the box to the standard output; returns the exit status, 2 for a page that the file does not have."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    page = document[number - 1]
    letters = [] if page.get_rotation() else _letters_in_row(page, row)
    sys.stdout.write(json.dumps(_find_box(letters, [_without_spaces(cell) for cell in cells], column)))
    return 0


def _letters_in_row(page: Any, row: Corners) -> list[tuple[str, Corners]]:
    """The characters in a row with their boxes, line by line from the left, without white space."""
    left, _, _, top = page.get_cropbox()
    text = page.get_textpage()
    letters = []
    for place in range(text.count_chars()):
        letter = text.get_text_range(place, 1)
        if not letter.strip():
            continue
        x0, y0, x1, y1 = text.get_charbox(place, loose=True)
        box = (x0 - left, top - y1, x1 - left, top - y0)
        middle = (box[1] + box[3]) / 2
        if row[1] - SLACK <= middle <= row[3] + SLACK and row[0] - SLACK <= box[0] <= row[2] + SLACK:
            letters.append((letter, box))
    return _in_lines(letters)


def _in_lines(letters: list[tuple[str, Corners]]) -> list[tuple[str, Corners]]:
    """From the top line to the last, each from the left; what reaches above a line's middle is of that line."""
    lines: list[list[tuple[str, Corners]]] = []
    for letter in sorted(letters, key=lambda each: (each[1][1] + each[1][3]) / 2):
        middle = (letter[1][1] + letter[1][3]) / 2
        if lines and middle < lines[-1][0][1][3]:
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return [letter for line in lines for letter in sorted(line, key=lambda each: each[1][0])]


def _find_box(letters: Sequence[tuple[str, Corners]], cells: Sequence[str], column: int) -> Corners | None:
    """The box around the characters of a cell; None where the row does not have them in one piece."""
    cell, behind = cells[column], "".join(cells[column + 1 :])
    if not cell:
        return None
    # A ligature is one character of the page with two letters.
    signs = [(sign, box) for letter, box in letters for sign in _without_spaces(letter)]
    text = "".join(sign for sign, _ in signs)
    start = len(text)
    for _ in range(behind.count(cell) + 1):
        start = text.rfind(cell, 0, start)
        if start < 0:
            return None
    left, top, right, bottom = zip(*(box for _, box in signs[start : start + len(cell)]), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _without_spaces(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(
        main(arguments[0], int(arguments[1]), json.loads(arguments[2]), json.loads(arguments[3]), int(arguments[4]))
    )
