"""Legible characters of a page: its text layer, or OCR where it is a picture, and letters printed twice kept once.

Pictures are read by PP-OCRv4 through rapidocr, if the extra `ocr` is installed; its wheel has the models. The model
drops many of the spaces between Latin words, so they are found again where the picture is blank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from statistics import median
from typing import TYPE_CHECKING, Any
from unicodedata import category, east_asian_width

from tasks.parsers import refusals
from tasks.parsers.pdf import has_ocr
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.lost_glyphs import UNKNOWN
from warehouse.records import Finding

if TYPE_CHECKING:
    import numpy as np
    from pdfplumber.page import Page

Char = dict[str, Any]
"""A character as pdfplumber gives it: `text`, `x0`, `x1`, `top`, `bottom` in points, `size`, `fontname`."""
_MEANINGLESS = frozenset({"Co", "Cn", "Cc"})
"""Private use (where fonts without names put their glyphs), unassigned, control."""
_FONT = "OCR"


def read_characters(page: Page, data: bytes) -> tuple[list[Char], tuple[Finding, ...]]:
    """The characters of a page of the PDF in `data`, and what is to be said of them.

    A page that is a picture is read by OCR where that is installed; what its text layer says already is not read twice.
    """
    chars: list[Char] = list(page.chars)
    if not _is_picture(page, chars):
        return chars, _garbled(chars, page.page_number)
    if not has_ocr():
        return chars, (refusals.page_without_text(page.page_number, len(chars)),)
    seen = read_picture(data, page.page_number)
    new = [char for char in seen if not any(_stands_on(char, known) for known in chars)]
    return [*chars, *new], (refusals.read_by_ocr(page.page_number),) if new else ()


def _is_picture(page: Page, chars: Sequence[Char]) -> bool:
    """Whether what is to be read stands in pictures or outlines: there is (next to) no text, and they fill the page."""
    if sum(not char["text"].isspace() for char in chars) >= CHARACTERS.text_layer_from:
        return False
    sides = ((image["x1"] - image["x0"], image["bottom"] - image["top"]) for image in page.images)
    area = sum(float(max(wide, 0.0) * max(high, 0.0)) for wide, high in sides)
    outlines = 0 if chars else len(page.curves)
    if not chars and (page.images or outlines >= CHARACTERS.outlined_from):
        return True
    return bool(area >= CHARACTERS.picture_share * page.width * page.height)


def _stands_on(char: Char, known: Char) -> bool:
    """Whether the middle of a character lies in another's box."""
    x, y = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
    return bool(known["x0"] <= x <= known["x1"] and known["top"] <= y <= known["bottom"])


def _garbled(chars: Sequence[Char], number: int) -> tuple[Finding, ...]:
    inked = [char["text"] for char in chars if not char["text"].isspace()]
    meaningless = sum(text == UNKNOWN or (len(text) == 1 and category(text) in _MEANINGLESS) for text in inked)
    if meaningless < CHARACTERS.fewest_garbled or meaningless < CHARACTERS.garbled_share * len(inked):
        return ()
    return (refusals.garbled_text(number, meaningless / len(inked)),)


@dataclass(frozen=True, slots=True)
class _Picture:
    """A page in grey, shape (height, width), `scale` pixels to the point."""

    pixels: np.ndarray
    scale: float
    number: int


@dataclass(frozen=True, slots=True)
class _Letter:
    """A character and its left and right edge in pixels."""

    text: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Half way across, in pixels."""
        return (self.left + self.right) / 2

    @property
    def is_figure(self) -> bool:
        """Whether it is part of a number."""
        return self.text.isdigit() or self.text in ".,%"

    @property
    def is_wide(self) -> bool:
        """Whether it is of a script that writes no spaces."""
        return east_asian_width(self.text) in "WF"


def read_picture(data: bytes, number: int) -> list[Char]:
    """The characters seen on page `number` (from 1) of the PDF in `data`, as a text layer would give them."""
    picture = _render(data, number)
    found, _ = _engine()(picture.pixels, return_word_box=True)
    return [char for line in found or () for char in _line(picture, line[0], line[3], line[4])]


def _render(data: bytes, number: int) -> _Picture:
    """The page in about 200 dots an inch, fewer where it would have too many."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(CHARACTERS.ocr_scale, (CHARACTERS.ocr_most_pixels / max(width * height, 1.0)) ** 0.5)
        pixels = page.render(scale=scale, grayscale=True).to_numpy()
        return _Picture(pixels.reshape(pixels.shape[:2]).copy(), scale, number)
    finally:
        document.close()


@cache
def _engine() -> Any:
    """The models, loaded once a process and run by one thread: pages are read side by side as it is.

    The one that looks for lines upside down is left out: it turned upright lines of clear print over.
    """
    from rapidocr_onnxruntime import RapidOCR

    return RapidOCR(use_cls=False, intra_op_num_threads=1, inter_op_num_threads=1)


def _line(
    picture: _Picture, corners: Sequence[Sequence[float]], boxes: Sequence[Any], texts: Sequence[str]
) -> Iterator[Char]:
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    letters = [
        _Letter(text, min(x for x, _ in box), max(x for x, _ in box)) for text, box in zip(texts, boxes, strict=True)
    ]
    for letter in _spaced(picture.pixels[int(top) : int(bottom) + 1], letters):
        yield _char(picture, letter, top, bottom)


def _spaced(strip: np.ndarray, letters: Sequence[_Letter]) -> Iterator[_Letter]:
    """The letters of a line with a space wherever a wide blank parts two that want one; others touch."""
    parted = _parted(strip, letters)
    left = letters[0].left if letters else 0.0
    for number, letter in enumerate(letters[:-1]):
        after = letters[number + 1]
        joint = (letter.middle + after.middle) / 2
        right, start = (letter.right, max(after.left, letter.right)) if number in parted else (joint, joint)
        yield _Letter(letter.text, left, right)
        if number in parted:
            yield _Letter(" ", right, start)
        left = start
    if letters:
        yield _Letter(letters[-1].text, left, max(letters[-1].right, left))


def _parted(strip: np.ndarray, letters: Sequence[_Letter]) -> set[int]:
    """The letters after which a space is missing. Each blank parts the two letters whose middle is nearest to its own.

    Blanks between figures are wider: a 1 has much white about it.
    """
    blanks = _blanks(strip, letters)
    if len(letters) < 2 or not blanks:
        return set()
    height = strip.shape[0]
    least = CHARACTERS.ocr_wider * median(last - first for first, last in blanks)
    middles = [(before.middle + after.middle) / 2 for before, after in pairwise(letters)]
    parted = set()
    for first, last in blanks:
        middle = (first + last) / 2
        number = min(range(len(middles)), key=lambda place: abs(middles[place] - middle))
        before, after = letters[number], letters[number + 1]
        wanted = max(least, _space(before, after) * height)
        spaced = before.text.isspace() or after.text.isspace() or (before.is_wide and after.is_wide)
        if last - first >= wanted and not spaced:
            parted.add(number)
    return parted


def _space(before: _Letter, after: _Letter) -> float:
    """How wide the space between two letters is at least, in heights of the line."""
    if before.text.isdigit() and after.text.isdigit():
        return CHARACTERS.ocr_digit_space
    return CHARACTERS.ocr_figure_space if before.is_figure and after.is_figure else CHARACTERS.ocr_space


def _blanks(strip: np.ndarray, letters: Sequence[_Letter]) -> list[tuple[int, int]]:
    """The runs of columns without ink within a line, first and last (not included) in pixels."""
    import numpy as np

    if not strip.size or not letters:
        return []
    first, last = max(int(letters[0].middle), 0), min(int(letters[-1].middle) + 1, strip.shape[1])
    difference = np.abs(strip[:, first:last].astype(np.int16) - np.median(strip[:, first:last] if last > first else 0))
    inked = (difference > CHARACTERS.ocr_ink).any(axis=0)
    edges = np.flatnonzero(np.concatenate(([True], inked, [True])))
    return [(int(a) + first, int(b) - 1 + first) for a, b in pairwise(edges) if b - a > 1]


def _char(picture: _Picture, letter: _Letter, top: float, bottom: float) -> Char:
    x0, x1 = letter.left / picture.scale, letter.right / picture.scale
    upper, lower = top / picture.scale, bottom / picture.scale
    return {
        "object_type": "char",
        "page_number": picture.number,
        "text": letter.text,
        "fontname": _FONT,
        "size": lower - upper,
        "upright": True,
        "x0": x0,
        "x1": x1,
        "top": upper,
        "bottom": lower,
        "doctop": upper,
        "width": x1 - x0,
        "height": lower - upper,
    }


def without_doubles(chars: Sequence[Char]) -> list[Char]:
    """The characters of a page without those that stand on their equal, no further off than an eighth of their size."""
    if not _are_likely(chars):
        return list(chars)
    kept: list[Char] = []
    places: dict[tuple[str, int, int], list[int]] = {}
    for char in chars:
        twin = None if char["text"].isspace() else _twin(char, kept, places)
        if twin is not None:
            kept[twin] = {**kept[twin], "fontname": f"{char['fontname']}-Bold"}
            continue
        places.setdefault(_cell(char), []).append(len(kept))
        kept.append(char)
    return kept


def _are_likely(chars: Sequence[Char]) -> bool:
    """Whether several characters stand on their equal, to a rounded point."""
    seen: set[tuple[str, int, int]] = set()
    twins = 0
    for char in chars:
        key = (char["text"], round(char["x0"]), round(char["top"]))
        twins += key in seen and not char["text"].isspace()
        seen.add(key)
    return twins >= CHARACTERS.fewest_duplicates


def _cell(char: Char) -> tuple[str, int, int]:
    """A character and the square of two points in which it begins."""
    return char["text"], int(char["x0"] // 2), int(char["top"] // 2)


def _twin(char: Char, kept: Sequence[Char], places: dict[tuple[str, int, int], list[int]]) -> int | None:
    text, column, row = _cell(char)
    reach = CHARACTERS.duplicate_distance * char["size"]
    for across, down in product((0, -1, 1), repeat=2):
        for number in places.get((text, column + across, row + down), ())[-CHARACTERS.most_duplicates_compared :]:
            other = kept[number]
            near = abs(other["x0"] - char["x0"]) <= reach and abs(other["top"] - char["top"]) <= reach
            if near and abs(other["size"] - char["size"]) <= reach:
                return number
    return None
