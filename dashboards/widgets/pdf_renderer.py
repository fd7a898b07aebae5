"""Renderer of one page of a PDF as PNG, with boxes: `python pdf_renderer.py FILE PAGE BOXES [AROUND]`.

A process of its own, because PDFium is not safe between threads and a broken file may crash or block it. BOXES is a
JSON list of [left, top, right, bottom], in points from the top left corner of the page as it is shown. With AROUND only
the strip of the page is drawn that holds the boxes and so many points above and below them. The exit code is 2 where
the file has no such page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import PIL.Image

SCALE = 2.0
"""Pixels a point, as far as the page then stays within `MOST`."""
MOST = 2200
"""Pixels of the longer side."""
NEARLY = 0.8
"""A strip that is so much of the page is made the page."""
_EDGE, _FILL = (158, 47, 38, 255), (224, 165, 38, 70)


def main(file: str, number: int, boxes: Sequence[Sequence[float]], around: float | None = None) -> int:
    """Write the picture to the standard output."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    page = document[number - 1]
    scale = min(SCALE, MOST / max(page.get_size()))
    above, below = (0.0, 0.0) if around is None else strip_margins(page.get_height(), boxes, around)
    picture = page.render(scale=scale, crop=(0, below, 0, above)).to_pil().convert("RGBA")
    told = BytesIO()
    _boxed(picture, boxes, scale, ceil(above * scale)).save(told, "PNG", compress_level=3)
    sys.stdout.buffer.write(told.getvalue())
    return 0


def strip_margins(height: float, boxes: Sequence[Sequence[float]], around: float) -> tuple[float, float]:
    """How many points of a page are left out above and below the strip that holds the boxes; none without a box on it.

    A strip near an edge of the page is as high as it would be further in.
    """
    tops = [box[1] for box in boxes if box[3] > 0 and box[1] < height]
    if not tops:
        return 0.0, 0.0
    top, bottom = max(0.0, min(tops)), min(height, max(box[3] for box in boxes))
    shown = bottom - top + 2 * around
    if shown >= NEARLY * height:
        return 0.0, 0.0
    above = min(max(0.0, top - around), height - shown)
    return above, height - shown - above


def _boxed(picture: PIL.Image.Image, boxes: Sequence[Sequence[float]], scale: float, above: int) -> PIL.Image.Image:
    import PIL.Image
    from PIL import ImageDraw

    over = PIL.Image.new("RGBA", picture.size)
    pencil = ImageDraw.Draw(over)
    for left, top, right, bottom in boxes:
        edges = (left * scale - 3, top * scale - 2 - above, right * scale + 3, bottom * scale + 2 - above)
        pencil.rounded_rectangle(edges, radius=3, fill=_FILL, outline=_EDGE, width=2)
    return PIL.Image.alpha_composite(picture, over).convert("RGB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), *map(json.loads, sys.argv[3:])))
