"""Draws a page of a PDF as PNG, with boxes: `python rendering.py FILE PAGE BOXES`.

A process of its own, because PDFium is not safe between threads and a broken file may crash or detain it. BOXES is a
JSON list of [left, top, right, bottom], in points from the top left corner of the page as it is shown. The exit code is
2 where the file has no such page.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from io import BytesIO

SCALE = 2.0
"""Pixels a point, as far as the page then stays within `MOST`."""
MOST = 2200
"""Pixels of the longer side."""
_EDGE, _FILL = (158, 47, 38, 255), (224, 165, 38, 70)


def main(file: str, number: int, boxes: Sequence[Sequence[float]]) -> int:
    """Write the picture to the standard output."""
    import pypdfium2
    from PIL import Image, ImageDraw

    document = pypdfium2.PdfDocument(file)
    if not 0 < number <= len(document):
        return 2
    page = document[number - 1]
    scale = min(SCALE, MOST / max(page.get_size()))
    picture = page.render(scale=scale).to_pil().convert("RGBA")
    over = Image.new("RGBA", picture.size)
    pencil = ImageDraw.Draw(over)
    for left, top, right, bottom in boxes:
        around = (left * scale - 3, top * scale - 2, right * scale + 3, bottom * scale + 2)
        pencil.rounded_rectangle(around, radius=3, fill=_FILL, outline=_EDGE, width=2)
    told = BytesIO()
    Image.alpha_composite(picture, over).convert("RGB").save(told, "PNG")
    sys.stdout.buffer.write(told.getvalue())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])))
