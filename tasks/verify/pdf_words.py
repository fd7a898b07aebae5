"""The words in boxes of a PDF's pages, read by PDFium: another reader than the one that made the document.

PDFium (https://pdfium.googlesource.com) has no code in common with pdfminer, so words that both read in the same box
are there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from ctypes import byref
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from warehouse.records import Box

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MARGIN = 0.5  # Points by which the middle of a character may be outside a box, which is rounded to a hundredth.


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The characters of a page in PDFium's order, including white space, and the middle of each.

    `x` and `y` in points from the left and the top, shape (characters,), NaN for white space.
    """

    text: str
    x: np.ndarray
    y: np.ndarray

    def read_box(self, box: Box) -> str:
        """The characters of a box in PDFium's order, with a space for others, or white space, between them."""
        return self._join(np.flatnonzero(self._mask_box(box)))

    def read_box_from_left(self, box: Box) -> str:
        """The characters of a box from left to right."""
        indexes = np.flatnonzero(self._mask_box(box))
        return "".join(self.text[index] for index in indexes[np.argsort(self.x[indexes], kind="stable")])

    def _mask_box(self, box: Box) -> np.ndarray:
        is_within_width = (self.x >= box.x0 - MARGIN) & (self.x <= box.x1 + MARGIN)
        return np.asarray(is_within_width & (self.y >= box.top - MARGIN) & (self.y <= box.bottom + MARGIN))

    def _join(self, indexes: Sequence[int] | np.ndarray) -> str:
        previous = [*indexes[:1], *indexes[:-1]]
        return "".join(
            self.text[index] if index - previous_index <= 1 else f" {self.text[index]}"
            for previous_index, index in zip(previous, indexes, strict=True)
        )


class ReopenedPdf:
    """An open PDF, each page read once, including the contents of form fields.

    Raises `pypdfium2.PdfiumError` for bytes that PDFium cannot open.
    """

    def __init__(self, data: bytes) -> None:
        """`data` are the file's bytes."""
        import pypdfium2

        logging.getLogger("pypdfium2").setLevel(logging.ERROR)  # It warns of forms that scripts fill in (XFA).
        self._document = pypdfium2.PdfDocument(data)
        self._document.init_forms()
        self._letters_by_page: dict[int, Letters] = {}

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._document.close()

    def read_letters(self, number: int) -> Letters:
        """Page `number`, from 1; one that the file does not have is empty."""
        if number not in self._letters_by_page:
            exists = 0 < number <= len(self._document)
            self._letters_by_page[number] = (
                _read_letters(self._load_page(number)) if exists else Letters("", *np.empty((2, 0)))
            )
        return self._letters_by_page[number]

    def _load_page(self, number: int) -> PdfPage:
        """A page, with the contents of its annotations as part of its text."""
        import pypdfium2.raw as pdfium

        page = self._document[number - 1]
        if page.formenv is None or not pdfium.FPDFPage_GetAnnotCount(page):
            return page
        page.flatten()
        return self._document[number - 1]


def _read_letters(page: PdfPage) -> Letters:
    text = page.get_textpage()
    letters = list(_iter_placed_letters(text, page))
    text.close()
    x, y = np.array([position for _, position in letters], np.float64).reshape(-1, 2).T
    return Letters("".join(char for char, _ in letters), x, y)


def _iter_placed_letters(text: Any, page: PdfPage) -> Iterator[tuple[str, tuple[float, float]]]:
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    edges, rotation = page.get_bbox(), page.get_rotation()
    for index in range(text.count_chars()):
        char = chr(pdfium.FPDFText_GetUnicode(text, index))
        if char.isspace() or not pdfium.FPDFText_GetLooseCharBox(text, index, byref(box)):
            yield char, (np.nan, np.nan)
        else:
            middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
            yield char, _convert_to_shown_page(middle, edges, rotation)


def _convert_to_shown_page(
    point: tuple[float, float], edges: tuple[float, float, float, float], rotation: int
) -> tuple[float, float]:
    """A point of the page's coordinates, relative to the left and the top of the page as it is shown.

    `edges` are the left, low, right and high edge of the shown part: the crop box within the media box.
    """
    (x, y), (left, low, right, high) = point, edges
    if rotation == 90:
        return y - low, x - left
    if rotation == 180:
        return right - x, y - low
    if rotation == 270:
        return high - y, right - x
    return x - left, high - y
