"""Finds a cell in its row on a page of a PDF: `python cells_finding.py FILE PAGE ROW CELLS COLUMN`.

A process of its own, because PDFium is not safe between threads and a broken file may crash or detain it. ROW is the
row's box as a JSON list of [left, top, right, bottom], in points from the top left corner of the page as it is shown;
CELLS are the texts of the row's cells, as JSON, COLUMN is the place of the wanted one. Writes its box, as JSON, or null
where it is not found: on a turned page, or where the page writes it otherwise.

The text is looked for among the row's characters without white space, as many times from the end as the cells behind
it repeat it: a label may be wrapped and stand above or below its figures, but it is the first of its row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

SLACK = 2.0
"""Points by which a character may reach over its row."""

Box = tuple[float, float, float, float]


def main(file: str, number: int, row: Box, cells: Sequence[str], column: int) -> int:
    """Write the box to the standard output."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    page = document[number - 1]
    letters = [] if page.get_rotation() else _letters(page, row)
    sys.stdout.write(json.dumps(_box(letters, [_bare(cell) for cell in cells], column)))
    return 0


def _letters(page: Any, row: Box) -> list[tuple[str, Box]]:
    """The characters in a row, line by line from the left, without white space."""
    left, _, _, top = page.get_cropbox()
    text = page.get_textpage()
    found = []
    for place in range(text.count_chars()):
        letter = text.get_text_range(place, 1)
        if not letter.strip():
            continue
        x0, y0, x1, y1 = text.get_charbox(place, loose=True)
        box = (x0 - left, top - y1, x1 - left, top - y0)
        middle = (box[1] + box[3]) / 2
        if row[1] - SLACK <= middle <= row[3] + SLACK and row[0] - SLACK <= box[0] <= row[2] + SLACK:
            found.append((letter, box))
    return _in_lines(found)


def _in_lines(letters: list[tuple[str, Box]]) -> list[tuple[str, Box]]:
    """From the top line to the last, each from the left; what reaches above a line's middle is of that line."""
    lines: list[list[tuple[str, Box]]] = []
    for letter in sorted(letters, key=lambda each: (each[1][1] + each[1][3]) / 2):
        middle = (letter[1][1] + letter[1][3]) / 2
        if lines and middle < lines[-1][0][1][3]:
            lines[-1].append(letter)
        else:
            lines.append([letter])
    return [letter for line in lines for letter in sorted(line, key=lambda each: each[1][0])]


def _box(letters: Sequence[tuple[str, Box]], cells: Sequence[str], column: int) -> Box | None:
    wanted, behind = cells[column], "".join(cells[column + 1 :])
    if not wanted:
        return None
    # A ligature is one place with two letters.
    said = [(sign, box) for letter, box in letters for sign in _bare(letter)]
    text = "".join(sign for sign, _ in said)
    start = len(text)
    for _ in range(behind.count(wanted) + 1):
        start = text.rfind(wanted, 0, start)
        if start < 0:
            return None
    left, top, right, bottom = zip(*(box for _, box in said[start : start + len(wanted)]), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _bare(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    told = sys.argv[1:]
    sys.exit(main(told[0], int(told[1]), json.loads(told[2]), json.loads(told[3]), int(told[4])))
