"""pdfplumber's page, read several times as fast: the same objects, placed on the page as it is shown.

Most of pdfplumber's time goes to pdfminer's tokens and to an object, a dictionary and a copy of the graphics state for
each character. Of a character only text, place, size, font and direction are kept.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from pdfminer.layout import LTCurve, LTItem, LTLine, LTPage, LTRect
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import PDFStream
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from tasks.parsers.pages.content_interpreter import QuickDevice, QuickInterpreter
from tasks.parsers.pages.glyphs import FontManager
from tasks.parsers.pages.lost_glyphs import LostGlyph
from tasks.parsers.pages.paper import Paper, ordered, paper_of

_DRAWN = {LTLine: "line", LTRect: "rect", LTCurve: "curve"}

_LETTER = (0.0, 0.0, 612.0, 792.0)


class QuickPage(Page):
    """A page whose characters have text, place, size, font and direction only.

    Places count from the top left corner of what is shown of the page, its `paper`. pdfplumber's count from another
    point where the media box does not begin at 0, or the crop box leaves some of it out. Once its characters were read,
    `lost` are the glyphs among them of which neither the file nor its fonts say what they show.
    """

    def __init__(self, pdf: PDF, found: PDFPage, number: int) -> None:
        """`found` is pdfminer's page `number`, from 1. Its `doctop` counts from its own top.

        Fonts that an earlier page read are kept by `pdf`.
        """
        super().__init__(pdf, found, page_number=number, initial_doctop=0.0)
        if not isinstance(pdf.rsrcmgr, FontManager):
            pdf.rsrcmgr = FontManager()
        self._fonts = pdf.rsrcmgr
        self.lost: tuple[LostGlyph, ...] = ()
        self.paper: Paper = paper_of(found.mediabox, found.cropbox, self.rotation)
        left, above = -self.paper.left, -self.paper.above
        self.mediabox = self.bbox = (left, above, left + self.width, above + self.height)

    @property
    def layout(self) -> LTPage:
        """What the page holds, characters as dictionaries already. Raises `PdfminerException`."""
        left, above = self.mediabox[:2]
        device = QuickDevice(self._fonts, self.page_number, left, above, self.height)
        try:
            QuickInterpreter(self._fonts, device).process_page(self.page_obj)
        except Exception as error:
            raise PdfminerException(error) from error
        self.lost = tuple(device.lost)
        return device.get_result()

    def iter_layout_objects(self, layout_objects: Sequence[Any]) -> Generator[dict[str, Any], None, None]:
        """The objects in the order in which they are drawn, those of figures in their place."""
        for found in layout_objects:
            if type(found) is dict:
                yield found
            else:
                yield from super().iter_layout_objects([found])

    def process_object(self, obj: LTItem) -> dict[str, Any]:
        """As pdfplumber's, to the same coordinates; what is neither line nor rectangle nor curve is left to it."""
        kind = _DRAWN.get(type(obj))
        return self._drawn(kind, obj) if kind and isinstance(obj, LTCurve) else dict(super().process_object(obj))

    def _drawn(self, kind: str, drawn: LTCurve) -> dict[str, Any]:
        left, above = self.mediabox[:2]
        top = self.height - drawn.y1 + above
        return {
            "object_type": kind,
            "page_number": self.page_number,
            "x0": drawn.x0 + left,
            "y0": drawn.y0,
            "x1": drawn.x1 + left,
            "y1": drawn.y1,
            "top": top,
            "bottom": self.height - drawn.y0 + above,
            "doctop": self.initial_doctop + top,
            "width": drawn.width,
            "height": drawn.height,
            "pts": [self.point2coord(point) for point in drawn.pts],
            "path": [self._part(*part) for part in drawn.original_path or ()],
            "linewidth": drawn.linewidth,
            "stroke": drawn.stroke,
            "fill": drawn.fill,
            "evenodd": drawn.evenodd,
            "stroking_color": drawn.stroking_color,
            "non_stroking_color": drawn.non_stroking_color,
            "dash": drawn.dashing_style,
        }

    def _part(self, command: Any, *points: Any) -> tuple[Any, ...]:
        """A part of a path, its points counted from the top."""
        return (command, *map(self.point2coord, points))

    def close(self) -> None:
        """Lets go what the page holds, and the streams that pdfminer would keep until the file is closed."""
        super().close()
        kept = self.pdf.doc._cached_objs
        for number in [number for number, (found, _) in kept.items() if isinstance(found, PDFStream)]:
            del kept[number]


def quick_pages(pdf: PDF) -> list[PDFPage]:
    """The pages in order, not yet interpreted."""
    return list(PDFPage.create_pages(pdf.doc))


def quick_page(pdf: PDF, found: PDFPage, number: int) -> QuickPage:
    """A page by itself. One that gives no size is US Letter."""
    if "MediaBox" not in found.attrs:
        found.attrs["MediaBox"] = list(_LETTER)
        found.mediabox = found.cropbox = _LETTER
    found.mediabox = ordered(found.mediabox)
    return QuickPage(pdf, found, number)
