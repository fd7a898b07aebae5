"""Pages as pdfplumber gives them, several times as fast: pdfminer's interpreter and device with our own tokens.

Most of pdfplumber's time goes to pdfminer's tokens and to an object, a dictionary and a copy of the graphics state for
each character. Only the text, place, size, font and direction of a character are kept.

Two private attributes of pdfminer are used, here and nowhere else, each because no public way does the same.
`LTContainer._objs` is the list that `add` appends to, in a call for each of the hundreds of thousands of characters of
a filing. `PDFDocument._cached_objs` are the objects read so far, by number: pdfminer keeps them as long as the
document, and with them the streams of every page. pdfplumber pins the version of pdfminer exactly;
`test_private_attributes_of_pdfminer` tells when a new one changes their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTChar, LTCurve, LTImage, LTItem, LTLine, LTPage, LTRect
from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdfdevice import PDFTextSeq
from pdfminer.pdffont import PDFFont
from pdfminer.pdfinterp import PDFGraphicState, PDFPageInterpreter
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import PDFStream, stream_value
from pdfminer.psexceptions import PSException
from pdfminer.psparser import LIT, PSKeyword, keyword_name
from pdfminer.utils import MATRIX_IDENTITY, Matrix, PathSegment, Point, Rect, apply_matrix_rect, mult_matrix
from pdfplumber.page import Page, fix_fontname_bytes
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from tasks.parsers.pdf.characters.annotations import Appearance, TypedLine, read_annotations
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.content_tokens import has_inline_image, iter_tokens
from tasks.parsers.pdf.characters.font_glyphs import FontManager, Glyphs
from tasks.parsers.pdf.characters.lost_glyphs import LostGlyph, make_mark

DAMAGES = (ArithmeticError, AttributeError, LookupError, PSException, TypeError, ValueError)
"""What pdfminer raises for objects that are damaged."""
_DRAWING_KINDS = {LTLine: "line", LTRect: "rect", LTCurve: "curve"}
_APPEARANCE = "Appearance"  # The name under which an annotation's drawing is called.
_LETTER_SIZE = (0.0, 0.0, 612.0, 792.0)  # The size of a page that gives none: US Letter in points.
Corners = tuple[float, float, float, float]  # Left, low, right, high in the page's own space, in points.


class QuickInterpreter(PDFPageInterpreter):
    """Does what pdfminer's does, operator by operator, then draws the letters that the annotations of a page show."""

    _page: PDFPage | None = None

    @property
    def _device(self) -> QuickDevice:
        return cast("QuickDevice", self.device)

    def process_page(self, page: PDFPage) -> None:
        """As pdfminer's, annotations included."""
        self._page = page
        super().process_page(page)

    def render_contents(
        self, resources: dict[object, object], streams: Sequence[object], ctm: Matrix = MATRIX_IDENTITY
    ) -> None:
        """As pdfminer's; after the content of a page, what its annotations show."""
        page, self._page = self._page, None
        super().render_contents(resources, streams, ctm)
        if page is not None:
            self._device.is_annotating = True
            for drawing in read_annotations(page, ctm):
                if isinstance(drawing, TypedLine):
                    self._device.type_letters(drawing)
                else:
                    self._draw(drawing, ctm)
            self._device.is_annotating = False

    def _draw(self, appearance: Appearance, ctm: Matrix) -> None:
        """Draws an annotation; one that is damaged ends where the damage is, and the page is whole without it."""
        self.init_state(mult_matrix(appearance.matrix, ctm))
        self.xobjmap[_APPEARANCE] = appearance.stream
        with suppress(*DAMAGES):
            self.do_Do(LIT(_APPEARANCE))

    def execute(self, streams: Sequence[object]) -> None:
        """Runs the content streams, which count as one; one that is being run already is left out."""
        self.stream_ids.clear()
        contents = []
        for stream in map(stream_value, streams):
            if stream.objid is not None and stream.objid not in self.parent_stream_ids:
                self.stream_ids.add(stream.objid)
                contents.append(stream.get_data())
        data = b"\n".join(contents)
        if has_inline_image(data):
            super().execute(streams)
            return
        # For each operator its method, None if it has none, and how many operands it takes.
        operations: dict[PSKeyword, tuple[Callable[..., None] | None, int]] = {}
        for token in iter_tokens(data):
            if type(token) is not PSKeyword:
                self.argstack.append(token)  # type: ignore[arg-type]
                continue
            if token not in operations:
                name = keyword_name(token).replace("*", "_a").replace('"', "_w").replace("'", "_q")
                method = getattr(self, f"do_{name}", None)
                operations[token] = method, method.__code__.co_argcount - 1 if method is not None else 0
            method, count = operations[token]
            if method is not None and len(operands := self.pop(count)) == count:
                try:
                    method(*operands)
                except DAMAGES:
                    self._device.is_damaged = True

    def do_Do(self, xobjid_arg: Any) -> None:  # noqa: N802
        """Draws an image or form, after which the page goes on as before, also where the form is damaged."""
        try:
            super().do_Do(xobjid_arg)
        finally:
            self.device.set_ctm(self.ctm)  # pdfminer leaves the matrix of the form

    def do_TJ(self, seq: Any) -> None:  # noqa: N802
        """Shows text, without a copy of the graphics state for each string."""
        if self.textstate.font is not None:
            self.device.render_string(self.textstate, seq, self.graphicstate.ncs, self.graphicstate)


class QuickDevice(PDFPageAggregator):
    """Collects characters as the dictionaries that pdfplumber would make of them, among pdfminer's other objects.

    A glyph of unknown text is one of `lost`, and its mark stands for it.
    """

    def __init__(self, resources: FontManager, number: int, left: float, above: float, height: float) -> None:
        """`left` and `above` are the page's origin, `height` its height, all in points."""
        super().__init__(resources, pageno=number)
        self._number, self._left, self._above, self._height = number, left, above, height
        self._resources = resources
        self._fonts: dict[PDFFont, Glyphs] = {}
        self._glyphs: dict[tuple[PDFFont, int], tuple[str, float]] = {}
        self.lost_glyphs: list[LostGlyph] = []
        self.is_annotating = False
        """Whether an annotation is drawn: of it letters alone are kept, since its lines would look like a table's."""
        self.is_damaged = False
        """Whether an operator failed; it is left out."""

    def begin_figure(self, name: str, bbox: Rect, matrix: Matrix) -> None:
        """Does nothing: the drawings of a form count as drawings of the page."""

    def end_figure(self, _: str) -> None:
        """See `begin_figure`."""

    def render_image(self, name: str, stream: PDFStream) -> None:
        """Adds an image, which fills the unit square, but for those of annotations."""
        if not self.is_annotating:
            self.cur_item.add(LTImage(name, stream, apply_matrix_rect(self.ctm, (0, 0, 1, 1))))

    def paint_path(
        self,
        gstate: PDFGraphicState,
        stroke: bool,  # noqa: FBT001
        fill: bool,  # noqa: FBT001
        evenodd: bool,  # noqa: FBT001
        path: Sequence[PathSegment],
    ) -> None:
        """As pdfminer's, but for drawings of annotations."""
        if not self.is_annotating:
            super().paint_path(gstate, stroke, fill, evenodd, path)

    def type_letters(self, line: TypedLine) -> None:
        """Adds the letters of a field's value."""
        shared_values = {
            "object_type": "char",
            "page_number": self._number,
            "fontname": "Helvetica",
            "upright": True,
            "turn": 0,
        }
        for char, corners in line.letters:
            self.cur_item._objs.append(self._make_char(char, corners, shared_values))  # type: ignore[arg-type]

    def render_char(
        self,
        matrix: Matrix,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: PDFColorSpace,
        graphicstate: PDFGraphicState,
    ) -> float:
        """As pdfminer's, which calls it for vertical text, but with our text of the glyph."""
        text, width = self._read_glyph(font, cid)
        displacement = font.char_disp(cid)
        char = LTChar(matrix, font, fontsize, scaling, rise, text, width, displacement, ncs, graphicstate)
        if text:
            self.cur_item.add(char)
        return char.adv

    def render_string_horizontal(
        self,
        seq: PDFTextSeq,
        matrix: Matrix,
        pos: Point,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        charspace: float,
        wordspace: float,
        rise: float,
        dxscale: float,
        ncs: PDFColorSpace,
        graphicstate: PDFGraphicState,
    ) -> Point:
        """Adds the characters of a string as pdfminer does. Returns where the string ends."""
        x, y = pos
        a, b, c, d, e, f = matrix
        descent = font.get_descent() * fontsize + rise
        is_level = b == 0 == c
        name = font.fontname
        forward = fontsize * scaling
        turn = _compute_quarter_turns(a * forward, b * forward)
        shared_values = {
            "object_type": "char",
            "page_number": self._number,
            "fontname": fix_fontname_bytes(name) if isinstance(name, bytes) else name,
            "upright": not turn,
            "turn": turn,
        }
        if min(abs(a), abs(b)) > CHARACTERS.min_slope * max(abs(a), abs(b)):
            shared_values["slanted"] = True
        has_spacing = False
        append_char = self.cur_item._objs.append
        for part in seq:
            if isinstance(part, (int, float)):
                x -= part * dxscale
                has_spacing = True
            elif isinstance(part, bytes):
                for cid in font.decode(part):
                    if has_spacing:
                        x += charspace
                    text, width = self._read_glyph(font, cid)
                    advance = width * fontsize * scaling
                    right, up = x * a + y * c + e, x * b + y * d + f
                    if is_level:
                        box = (right, d * descent + up, a * advance + right, d * (descent + fontsize) + up)
                    else:
                        box = apply_matrix_rect((a, b, c, d, right, up), (0, descent, advance, descent + fontsize))
                    if text:
                        append_char(self._make_char(text, box, shared_values))  # type: ignore[arg-type]
                    x += advance
                    if cid == 32 and wordspace:
                        x += wordspace
                    has_spacing = True
        return x, y

    def _read_glyph(self, font: PDFFont, cid: int) -> tuple[str, float]:
        """A character's text, or the mark of one that is lost, and its width."""
        glyph = self._glyphs.get((font, cid))
        if glyph is None:
            glyphs = self._fonts.get(font)
            if glyphs is None:
                glyphs = self._fonts[font] = Glyphs(font, self._resources.specs.get(font, {}))
            width = glyphs.get_width(cid)
            text, is_sure = glyphs.read_glyph(cid, width)
            mark = None if is_sure else make_mark(len(self.lost_glyphs))
            if mark is not None:
                self.lost_glyphs.append(LostGlyph(mark, str(font.fontname), cid, round(width, 3), text))
            glyph = self._glyphs[font, cid] = (mark or text, width)
        return glyph

    def _make_char(
        self, text: str, box: tuple[float, float, float, float], shared_values: dict[str, Any]
    ) -> dict[str, Any]:
        x0, y0, x1, y1 = box
        if x1 < x0:
            x0, x1 = x1, x0
        if y1 < y0:
            y0, y1 = y1, y0
        top = self._height - y1 + self._above
        return {
            **shared_values,
            "text": text,
            "size": y1 - y0,
            "x0": x0 + self._left,
            "x1": x1 + self._left,
            "top": top,
            "bottom": self._height - y0 + self._above,
            "doctop": top,
            "width": x1 - x0,
            "height": y1 - y0,
        }


def _compute_quarter_turns(across: float, up: float) -> int:
    """How text is turned that goes on in this direction: 0 level, 1 running up, 2 upside down, 3 running down."""
    if abs(across) >= abs(up):
        return 2 if across < 0 else 0
    return 1 if up > 0 else 3


class QuickPage(Page):
    """A page whose characters have text, place, size, font and direction only.

    Places count from the top left corner of what is shown of the page, its `paper`. pdfplumber's count from another
    point where the media box does not begin at 0, or the crop box leaves some of it out. Once its characters were read,
    `lost` are the glyphs among them of which neither the file nor its fonts say what they show; it `is_damaged` where
    some of its content could not be drawn.
    """

    def __init__(self, pdf: PDF, page: PDFPage, number: int) -> None:
        """`page` is pdfminer's page `number`, from 1. Its `doctop` counts from its own top.

        Fonts that an earlier page read are kept by `pdf`.
        """
        super().__init__(pdf, page, page_number=number, initial_doctop=0.0)
        if not isinstance(pdf.rsrcmgr, FontManager):
            pdf.rsrcmgr = FontManager()
        self._fonts = pdf.rsrcmgr
        self.lost_glyphs: tuple[LostGlyph, ...] = ()
        self.is_damaged = False
        self.paper: Paper = measure_paper(page.mediabox, page.cropbox, self.rotation)
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
        self.lost_glyphs, self.is_damaged = tuple(device.lost_glyphs), device.is_damaged
        return device.get_result()

    def iter_layout_objects(self, layout_objects: Sequence[Any]) -> Generator[dict[str, Any], None, None]:
        """The objects in the order in which they are drawn, those of figures in their place."""
        for item in layout_objects:
            if type(item) is dict:
                yield item
            else:
                yield from super().iter_layout_objects([item])

    def process_object(self, obj: LTItem) -> dict[str, Any]:
        """As pdfplumber's, to the same coordinates; what is neither line nor rectangle nor curve is left to it."""
        if isinstance(obj, LTChar):  # of vertical text
            turn = _compute_quarter_turns(*obj.matrix[:2])
            return {**super().process_object(obj), "upright": not turn, "turn": turn}
        kind = _DRAWING_KINDS.get(type(obj))
        if not kind or not isinstance(obj, LTCurve):
            return dict(super().process_object(obj))
        left, above = self.mediabox[:2]
        top = self.height - obj.y1 + above
        path: Any = obj.original_path or ()
        return {
            "object_type": kind,
            "page_number": self.page_number,
            "x0": obj.x0 + left,
            "y0": obj.y0,
            "x1": obj.x1 + left,
            "y1": obj.y1,
            "top": top,
            "bottom": self.height - obj.y0 + above,
            "doctop": self.initial_doctop + top,
            "width": obj.width,
            "height": obj.height,
            "pts": [self.point2coord(point) for point in obj.pts],
            "path": [(command, *map(self.point2coord, points)) for command, *points in path],
            "linewidth": obj.linewidth,
            "stroke": obj.stroke,
            "fill": obj.fill,
            "evenodd": obj.evenodd,
            "stroking_color": obj.stroking_color,
            "non_stroking_color": obj.non_stroking_color,
            "dash": obj.dashing_style,
        }

    def close(self) -> None:
        """Releases the page's caches, and the streams that pdfminer would keep until the file is closed."""
        super().close()
        cached_objects = self.pdf.doc._cached_objs
        for number in [number for number, (value, _) in cached_objects.items() if isinstance(value, PDFStream)]:
            del cached_objects[number]


def list_pages(pdf: PDF) -> list[PDFPage]:
    """The pages in order, not yet interpreted."""
    return list(PDFPage.create_pages(pdf.doc))


def make_page(pdf: PDF, page: PDFPage, number: int) -> QuickPage:
    """A page by itself. One that gives no size, or none that is one, is US Letter."""
    x0, y0, x1, y1 = page.mediabox
    if "MediaBox" not in page.attrs or x0 == x1 or y0 == y1:
        page.attrs["MediaBox"] = list(_LETTER_SIZE)
        page.mediabox = page.cropbox = _LETTER_SIZE
    page.mediabox = order_corners(page.mediabox)
    return QuickPage(pdf, page, number)


@dataclass(frozen=True, slots=True)
class Paper:
    """What is shown of a page, as it is shown: `width` by `height` points, upright.

    `left` and `above` are the widths in points that are cut off the media box on the left and at the top.
    """

    left: float
    above: float
    width: float
    height: float


def measure_paper(media: Sequence[float], crop: Sequence[float] | None, rotation: int) -> Paper:
    """The part of a page that is shown; all of its media box where the crop box leaves nothing of that."""
    outer = inner = order_corners(media)
    if crop:
        box = order_corners(crop)
        left, low = max(outer[0], box[0]), max(outer[1], box[1])
        right, high = min(outer[2], box[2]), min(outer[3], box[3])
        inner = (left, low, right, high) if left < right and low < high else outer
    left, low, right, high = (abs(one - two) for one, two in zip(inner, outer, strict=True))
    width, height = inner[2] - inner[0], inner[3] - inner[1]
    turned = {0: (left, high, width, height), 90: (low, left, height, width), 180: (right, low, width, height)}
    return Paper(*turned.get(rotation % 360, (high, right, height, width)))


def order_corners(box: Sequence[float]) -> Corners:
    """Any two opposite corners may be given."""
    x0, y0, x1, y1 = box
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
