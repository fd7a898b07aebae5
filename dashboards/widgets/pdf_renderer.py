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
"""Pixels a point, for pages that stay within `LONGEST_SIDE`."""
LONGEST_SIDE = 2200
"""Pixels of the longer side of a picture."""
WHOLE_SHARE = 0.8
"""Share of the page's height from which a strip becomes the whole page."""
_EDGE, _FILL = (158, 47, 38, 255), (224, 165, 38, 70)


def main(file: str, number: int, boxes: Sequence[Sequence[float]], around: float | None = None) -> int:
    """Write the picture to the standard output, and return the exit code."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    page = document[number - 1]
    scale = min(SCALE, LONGEST_SIDE / max(page.get_size()))
    above, below = (0.0, 0.0) if around is None else strip_margins(page.get_height(), boxes, around)
    picture = page.render(scale=scale, crop=(0, below, 0, above)).to_pil().convert("RGBA")
    png = BytesIO()
    _draw_boxes(picture, boxes, scale, ceil(above * scale)).save(png, "PNG", compress_level=3)
    sys.stdout.buffer.write(png.getvalue())
    return 0


def strip_margins(height: float, boxes: Sequence[Sequence[float]], around: float) -> tuple[float, float]:
    """Points of a page left out above and below the strip that holds the boxes; (0, 0) without a box on the page.

    A strip near an edge of the page is as high as one in the middle.
    """
    tops = [box[1] for box in boxes if box[3] > 0 and box[1] < height]
    if not tops:
        return 0.0, 0.0
    top, bottom = max(0.0, min(tops)), min(height, max(box[3] for box in boxes))
    height_of_strip = bottom - top + 2 * around
    if height_of_strip >= WHOLE_SHARE * height:
        return 0.0, 0.0
    above = min(max(0.0, top - around), height - height_of_strip)
    return above, height - height_of_strip - above


def _draw_boxes(
    picture: PIL.Image.Image, boxes: Sequence[Sequence[float]], scale: float, above: int
) -> PIL.Image.Image:
    import PIL.Image
    from PIL import ImageDraw

    overlay = PIL.Image.new("RGBA", picture.size)
    pencil = ImageDraw.Draw(overlay)
    for left, top, right, bottom in boxes:
        edges = (left * scale - 3, top * scale - 2 - above, right * scale + 3, bottom * scale + 2 - above)
        pencil.rounded_rectangle(edges, radius=3, fill=_FILL, outline=_EDGE, width=2)
    return PIL.Image.alpha_composite(picture, overlay).convert("RGB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), *map(json.loads, sys.argv[3:])))
