"""pdfminer's interpreter of page contents, fed by our tokens, and its device without an object for each character."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTChar
from pdfminer.pdfcolor import PDFColorSpace
from pdfminer.pdfdevice import PDFTextSeq
from pdfminer.pdffont import PDFFont
from pdfminer.pdfinterp import PDFGraphicState, PDFPageInterpreter
from pdfminer.pdftypes import PDFStream, stream_value
from pdfminer.psparser import PSKeyword, keyword_name
from pdfminer.utils import Matrix, Point, apply_matrix_rect
from pdfplumber.page import fix_fontname_bytes

from tasks.parsers.pages.content import has_inline_image, tokens
from tasks.parsers.pages.glyphs import FontManager, Glyph, Glyphs
from tasks.parsers.pages.lost_glyphs import LostGlyph, mark_of

Operation = tuple[Callable[..., None] | None, int]


class QuickInterpreter(PDFPageInterpreter):
    """Does what pdfminer's does, operator by operator."""

    def execute(self, streams: Sequence[object]) -> None:
        """Runs the content streams, which count as one; one that is being run already is left out."""
        self.stream_ids.clear()
        found = [stream for stream in map(stream_value, streams) if self._enters(stream)]
        data = b"\n".join(stream.get_data() for stream in found)
        if has_inline_image(data):
            super().execute(streams)
            return
        operations: dict[PSKeyword, Operation] = {}
        for token in tokens(data):
            if type(token) is not PSKeyword:
                self.argstack.append(token)  # type: ignore[arg-type]
                continue
            if token not in operations:
                operations[token] = self._operation(token)
            run, count = operations[token]
            if run is not None:
                operands = self.pop(count)
                if len(operands) == count:
                    run(*operands)

    def _enters(self, stream: PDFStream) -> bool:
        if stream.objid is None or stream.objid in self.parent_stream_ids:
            return False
        self.stream_ids.add(stream.objid)
        return True

    def _operation(self, keyword: PSKeyword) -> Operation:
        """The method of an operator, None if it has none, and how many operands it takes."""
        name = keyword_name(keyword).replace("*", "_a").replace('"', "_w").replace("'", "_q")
        run = getattr(self, f"do_{name}", None)
        return run, run.__code__.co_argcount - 1 if run is not None else 0

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
        self.lost: list[LostGlyph] = []

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
        """As pdfminer's, which draws vertical text by it, with our text of the glyph."""
        text, width = self._glyph(font, cid)
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
        """As pdfminer's, and where the string ends."""
        x, y = pos
        a, b, c, d, e, f = matrix
        low = font.get_descent() * fontsize + rise
        level = b == 0 == c
        shared = self._shared(font, upright=a * d * scaling > 0 and b * c <= 0)
        spaced = False
        add = self.cur_item._objs.append
        for part in seq:
            if isinstance(part, (int, float)):
                x -= part * dxscale
                spaced = True
            elif isinstance(part, bytes):
                for cid in font.decode(part):
                    if spaced:
                        x += charspace
                    text, width = self._glyph(font, cid)
                    advance = width * fontsize * scaling
                    right, up = x * a + y * c + e, x * b + y * d + f
                    if level:
                        box = (right, d * low + up, a * advance + right, d * (low + fontsize) + up)
                    else:
                        box = apply_matrix_rect((a, b, c, d, right, up), (0, low, advance, low + fontsize))
                    if text:
                        add(self._char(text, box, shared))  # type: ignore[arg-type]
                    x += advance
                    if cid == 32 and wordspace:
                        x += wordspace
                    spaced = True
        return x, y

    def _glyph(self, font: PDFFont, cid: int) -> tuple[str, float]:
        """A character's text, or the mark of one that is lost, and its width."""
        found = self._glyphs.get((font, cid))
        if found is None:
            known = self._fonts.get(font)
            if known is None:
                known = self._fonts[font] = Glyphs(font, self._resources.specs.get(font, {}))
            width = font.char_width(cid)
            glyph = known.glyph(cid, width)
            found = self._glyphs[font, cid] = (self._text(glyph, font, cid, width), width)
        return found

    def _text(self, glyph: Glyph, font: PDFFont, cid: int, width: float) -> str:
        mark = None if glyph.is_sure else mark_of(len(self.lost))
        if mark is None:
            return glyph.text
        self.lost.append(LostGlyph(mark, str(font.fontname), cid, round(width, 3), glyph.text))
        return mark

    def _shared(self, font: PDFFont, *, upright: bool) -> dict[str, Any]:
        """What all characters of a string have."""
        name = font.fontname
        return {
            "object_type": "char",
            "page_number": self._number,
            "fontname": fix_fontname_bytes(name) if isinstance(name, bytes) else name,
            "upright": upright,
        }

    def _char(self, text: str, box: tuple[float, float, float, float], shared: dict[str, Any]) -> dict[str, Any]:
        x0, y0, x1, y1 = box
        if x1 < x0:
            x0, x1 = x1, x0
        if y1 < y0:
            y0, y1 = y1, y0
        top = self._height - y1 + self._above
        return {
            **shared,
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
