"""PDFs drawn for a test: text at places counted from the top left, and rules."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.records import Document

HEIGHT = 792.0
Text = tuple[float, float, str]
"""x, y from the top, words. A negative x is the right edge of the words."""
Styled = tuple[float, float, str, str, float]
"""x, y from the top, words, font, size."""
Stroke = tuple[float, float, float, float]
"""From x, y to x, y, from the top."""


class Drawing:
    """A PDF in the making, Letter size."""

    def __init__(self) -> None:
        self._out = BytesIO()
        self._canvas = Canvas(self._out, pagesize=(612, HEIGHT), invariant=1)

    def page(self, texts: Sequence[Text], strokes: Sequence[Stroke] = (), size: float = 10) -> Drawing:
        """Adds a page."""
        self._canvas.setFont("Helvetica", size)
        for x, y, words in texts:
            if x < 0:
                self._canvas.drawRightString(-x, HEIGHT - y, words)
            else:
                self._canvas.drawString(x, HEIGHT - y, words)
        for x0, y0, x1, y1 in strokes:
            self._canvas.line(x0, HEIGHT - y0, x1, HEIGHT - y1)
        self._canvas.showPage()
        return self

    def shade(self, x0: float, y0: float, x1: float, y1: float) -> Drawing:
        """Lays a light shade on the page that is drawn next."""
        self._canvas.setFillGray(0.9)
        self._canvas.rect(x0, HEIGHT - y1, x1 - x0, y1 - y0, stroke=0, fill=1)
        self._canvas.setFillGray(0)
        return self

    def styled(self, *texts: Styled, turned: int = 0, across: Sequence[Styled] = ()) -> Drawing:
        """Adds a page of texts in fonts of their own. Turned by 90 or -90 degrees they run up or down the page.

        Those in `across` are upright all the same.
        """
        self._draw(across, HEIGHT)
        self._canvas.saveState()
        if turned:
            self._canvas.translate(612 if turned > 0 else 0, 0 if turned > 0 else HEIGHT)
            self._canvas.rotate(turned)
        self._draw(texts, 612 if turned else HEIGHT)
        self._canvas.restoreState()
        self._canvas.showPage()
        return self

    def _draw(self, texts: Sequence[Styled], height: float) -> None:
        for x, y, words, font, size in texts:
            self._canvas.setFont(font, size)
            self._canvas.drawString(x, height - y, words)

    def read(self) -> Document:
        """The document as Kalends reads it."""
        return read(Raw("drawn.pdf", self.data()))

    def data(self) -> bytes:
        """The file."""
        self._canvas.save()
        return self._out.getvalue()


def rows(top: float, *lines: Sequence[str], edges: Sequence[float] = (72, -300, -400, -500)) -> list[Text]:
    """Lines of cells 14 points apart: labels from the left edge, figures up to the right edges."""
    return [
        (edge, top + 14 * number, text)
        for number, line in enumerate(lines)
        for edge, text in zip(edges, line, strict=False)
        if text
    ]


def prose(
    top: float, lines: int, x: float = 72, words: str = "The fleet sailed on and nobody wrote it down for weeks"
) -> list[Text]:
    """Lines of running text 13 points apart."""
    return [(x, top + 13 * number, f"{words} {number}") for number in range(lines)]
