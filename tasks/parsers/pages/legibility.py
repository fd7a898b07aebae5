"""What of a page can be read: its text layer, the words in its picture, and glyphs that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from unicodedata import category

from tasks.parsers import refusals
from tasks.parsers.pages import ocr
from tasks.parsers.pages.lost_glyphs import UNKNOWN
from warehouse.records import Finding

if TYPE_CHECKING:
    from pdfplumber.page import Page

    from tasks.parsers.pages.words import Char

_FEW = 100
_MOSTLY = 0.5
_OUTLINES = 200
_GARBLED = 0.3
_FEWEST_GARBLED = 20
_MEANINGLESS = frozenset({"Co", "Cn", "Cc"})
"""Private use (where fonts without names put their glyphs), unassigned, control."""


def read_characters(page: Page, data: bytes) -> tuple[list[Char], tuple[Finding, ...]]:
    """The characters of a page of the PDF in `data`, and what is to be said of them.

    A page that is a picture is read by OCR where that is installed; what its text layer says already is not read twice.
    """
    chars: list[Char] = list(page.chars)
    if not _is_picture(page, chars):
        return chars, _garbled(chars, page.page_number)
    if not ocr.available():
        return chars, (refusals.page_without_text(page.page_number, len(chars)),)
    seen = ocr.read_picture(data, page.page_number)
    new = [char for char in seen if not any(_stands_on(char, known) for known in chars)]
    return [*chars, *new], (refusals.read_by_ocr(page.page_number),) if new else ()


def _is_picture(page: Page, chars: Sequence[Char]) -> bool:
    """Whether what is to be read stands in pictures or outlines: there is (next to) no text, and they fill the page."""
    if sum(not char["text"].isspace() for char in chars) >= _FEW:
        return False
    area = sum(_area(image) for image in page.images)
    outlines = 0 if chars else len(page.curves)
    if not chars and (page.images or outlines >= _OUTLINES):
        return True
    return bool(area >= _MOSTLY * page.width * page.height)


def _area(box: Char) -> float:
    return float(max(box["x1"] - box["x0"], 0.0) * max(box["bottom"] - box["top"], 0.0))


def _stands_on(char: Char, known: Char) -> bool:
    """Whether the middle of a character lies in another's box."""
    x, y = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
    return bool(known["x0"] <= x <= known["x1"] and known["top"] <= y <= known["bottom"])


def _garbled(chars: Sequence[Char], number: int) -> tuple[Finding, ...]:
    inked = [char["text"] for char in chars if not char["text"].isspace()]
    meaningless = sum(map(_is_meaningless, inked))
    if meaningless < _FEWEST_GARBLED or meaningless < _GARBLED * len(inked):
        return ()
    return (refusals.garbled_text(number, meaningless / len(inked)),)


def _is_meaningless(text: str) -> bool:
    return text == UNKNOWN or (len(text) == 1 and category(text) in _MEANINGLESS)
