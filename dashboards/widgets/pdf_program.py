"""Program that draws a page of a PDF, or looks up the box of a table's cell on it.

    python pdf_program.py picture FILE PAGE BOXES [AROUND]
    python pdf_program.py cell FILE PAGE ROW CELLS COLUMN

A process of its own, because PDFium is not safe between threads and a broken file may crash or block it; it imports
nothing of Kalends. Boxes are lists of [left, top, right, bottom], in points from the top left corner of the page as it
is shown; what follows PAGE, which counts from 1, is JSON. The exit code is 2 where the file has no such page.

`picture` writes a PNG with the BOXES drawn. With AROUND only the strip of the page is drawn with the boxes and so
many points above and below them.

`cell` writes the box of one of the texts CELLS, the one with the index COLUMN, in the row of a table whose box is ROW;
null where it is not found: on a turned page, or where the page writes the cell in another way. The text is searched
among the row's characters without white space, from the end, as many times as the cells behind it repeat it: a label
may be wrapped above or below its figures, but it is the first cell of its row.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import PIL.Image

Corners = Sequence[float]  # Left, top, right and bottom, in points from the top left corner of a page.
SCALE = 2.0  # Pixels a point, for pages that stay within `MAX_SIDE_PIXELS`.
MAX_SIDE_PIXELS = 2200  # Pixels of the longer side of a picture.
WHOLE_SHARE = 0.8  # Share of the page's height from which a strip becomes the whole page.
ROW_TOLERANCE = 2.0  # Points by which a character may reach over its row.
_EDGE, _FILL = (158, 47, 38, 255), (224, 165, 38, 70)


def main(command: str, file: str, number: int, *arguments: Any) -> int:
    """Write the result to the standard output, and return the exit code."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    program: Callable[..., bytes] = _draw_page if command == "picture" else _find_cell
    sys.stdout.buffer.write(program(document[number - 1], *arguments))
    return 0


def _draw_page(page: Any, boxes: Sequence[Corners], around: float | None = None) -> bytes:
    scale = min(SCALE, MAX_SIDE_PIXELS / max(page.get_size()))
    above, below = (0.0, 0.0) if around is None else compute_strip_margins(page.get_height(), boxes, around)
    picture = page.render(scale=scale, crop=(0, below, 0, above)).to_pil().convert("RGBA")
    png = BytesIO()
    _draw_boxes(picture, boxes, scale, ceil(above * scale)).save(png, "PNG", compress_level=3)
    return png.getvalue()


def compute_strip_margins(height: float, boxes: Sequence[Corners], around: float) -> tuple[float, float]:
    """Points left out above and below the strip with the boxes, as high near an edge; (0, 0) without a box."""
    tops = [box[1] for box in boxes if box[3] > 0 and box[1] < height]
    if not tops:
        return 0.0, 0.0
    top, bottom = max(0.0, min(tops)), min(height, max(box[3] for box in boxes))
    height_of_strip = bottom - top + 2 * around
    if height_of_strip >= WHOLE_SHARE * height:
        return 0.0, 0.0
    above = min(max(0.0, top - around), height - height_of_strip)
    return above, height - height_of_strip - above


def _draw_boxes(picture: PIL.Image.Image, boxes: Sequence[Corners], scale: float, above: int) -> PIL.Image.Image:
    import PIL.Image
    from PIL import ImageDraw

    overlay = PIL.Image.new("RGBA", picture.size)
    pencil = ImageDraw.Draw(overlay)
    for left, top, right, bottom in boxes:
        edges = (left * scale - 3, top * scale - 2 - above, right * scale + 3, bottom * scale + 2 - above)
        pencil.rounded_rectangle(edges, radius=3, fill=_FILL, outline=_EDGE, width=2)
    return PIL.Image.alpha_composite(picture, overlay).convert("RGB")


def _find_cell(page: Any, row: Corners, cells: Sequence[str], column: int) -> bytes:
    """The box around the characters of a cell; null where the row does not have them in one piece."""
    cell, *behind = ["".join(cell.split()) for cell in cells[column:]]
    # A ligature is one character of the page with two letters.
    letters = [] if page.get_rotation() or not cell else _list_letters_in_row(page, row)
    signs = [(sign, box) for letter, box in letters for sign in "".join(letter.split())]
    text = "".join(sign for sign, _ in signs)
    start = len(text)
    for _ in range("".join(behind).count(cell) + 1 if signs else 0):
        start = text.rfind(cell, 0, start)
        if start < 0:
            break
    if not signs or start < 0:
        return b"null"
    left, top, right, bottom = zip(*(box for _, box in signs[start : start + len(cell)]), strict=True)
    return json.dumps([min(left), min(top), max(right), max(bottom)]).encode()


def _list_letters_in_row(page: Any, row: Corners) -> list[tuple[str, Corners]]:
    """The characters in a row with their boxes, line by line from the left, without white space.

    What reaches above a line's middle is of that line.
    """
    left, _, _, top = page.get_cropbox()
    text = page.get_textpage()
    letters: list[tuple[float, str, Corners]] = []
    for place in range(text.count_chars()):
        letter = text.get_text_range(place, 1)
        if not letter.strip():
            continue
        x0, y0, x1, y1 = text.get_charbox(place, loose=True)
        box = (x0 - left, top - y1, x1 - left, top - y0)
        middle = (box[1] + box[3]) / 2
        if (
            row[1] - ROW_TOLERANCE <= middle <= row[3] + ROW_TOLERANCE
            and row[0] - ROW_TOLERANCE <= box[0] <= row[2] + ROW_TOLERANCE
        ):
            letters.append((middle, letter, box))
    lines: list[list[tuple[str, Corners]]] = []
    for middle, letter, corners in sorted(letters, key=lambda letter: letter[0]):
        if lines and middle < lines[-1][0][1][3]:
            lines[-1].append((letter, corners))
        else:
            lines.append([(letter, corners)])
    return [letter for line in lines for letter in sorted(line, key=lambda placed_letter: placed_letter[1][0])]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], *map(json.loads, sys.argv[3:])))
