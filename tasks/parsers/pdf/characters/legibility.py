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

    from tasks.parsers.pdf.characters.page_interpreter import Paper, QuickPage

Char = dict[str, Any]
"""A character as pdfplumber gives it: `text`, `x0`, `x1`, `top`, `bottom` in points, `size`, `fontname`."""
_MEANINGLESS = frozenset({"Co", "Cn", "Cc"})
"""Private use (where fonts without names put their glyphs), unassigned, control."""
_FONT = "OCR"


def get_quarter_turns(char: Char) -> int:
    """How a character is turned against the page: 0 level, 1 running up, 2 upside down, 3 running down."""
    return int(char.get("turn", 0))


def read_characters(page: QuickPage, data: bytes) -> tuple[list[Char], tuple[Finding, ...]]:
    """The characters of a page of the PDF in `data`, and the findings about them.

    What is off the paper (printers' marks, the rest of a larger sheet) is left out. A page that is a picture is
    read by OCR where that is installed; what its text layer says already is not read twice.
    """
    chars: list[Char] = [char for char in page.chars if _is_on_paper(char, page.paper)]
    visible_texts = [char["text"] for char in chars if not char["text"].isspace()]
    if not _is_picture(page, len(visible_texts)):
        lost_count = sum(
            text == UNKNOWN or (len(text) == 1 and category(text) in _MEANINGLESS) for text in visible_texts
        )
        is_garbled = lost_count >= CHARACTERS.min_garbled_chars and lost_count >= CHARACTERS.garbled_share * len(
            visible_texts
        )
        return chars, (
            refusals.report_garbled_text(page.page_number, lost_count / len(visible_texts)),
        ) if is_garbled else ()
    if not has_ocr():
        return chars, (refusals.report_page_without_text(page.page_number, len(chars)),)
    new_chars = []
    for char in _read_picture(data, page.page_number):
        x, y = (char["x0"] + char["x1"]) / 2, (char["top"] + char["bottom"]) / 2
        if not any(
            text_char["x0"] <= x <= text_char["x1"] and text_char["top"] <= y <= text_char["bottom"]
            for text_char in chars
        ):
            new_chars.append(char)
    return [*chars, *new_chars], (refusals.report_ocr(page.page_number),) if new_chars else ()


def _is_on_paper(char: Char, paper: Paper) -> bool:
    """Whether some of a character may be on the paper: fonts are wrong about their depth by up to a letter's height."""
    is_across = char["x1"] > 0 and char["x0"] < paper.width
    return bool(is_across and -char["size"] < char["bottom"] and char["top"] < paper.height + char["size"])


def _is_picture(page: Page, visible_count: int) -> bool:
    """Whether the text of a page is in pictures or outlines: they fill the page, and it has hardly any characters."""
    if visible_count >= CHARACTERS.text_layer_min_chars:
        return False
    if not visible_count and (page.images or len(page.curves) >= CHARACTERS.outline_min_curves):
        return True
    sides = ((image["x1"] - image["x0"], image["bottom"] - image["top"]) for image in page.images)
    area = sum(float(max(width, 0.0) * max(height, 0.0)) for width, height in sides)
    return bool(area >= CHARACTERS.picture_share * page.width * page.height)


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


def _read_picture(data: bytes, number: int) -> Iterator[Char]:
    """The characters seen on page `number` (from 1) of the PDF in `data`, as a text layer would give them."""
    pixels, scale = _render(data, number)
    lines, _ = _load_engine()(pixels, return_word_box=True)
    for line in lines or ():
        heights = [y for _, y in line[0]]
        top, bottom = min(heights), max(heights)
        letters = [
            _Letter(text, min(x for x, _ in box), max(x for x, _ in box))
            for text, box in zip(line[4], line[3], strict=True)
        ]
        for letter in _insert_spaces(pixels[int(top) : int(bottom) + 1], letters):
            x0, x1, upper, lower = letter.left / scale, letter.right / scale, top / scale, bottom / scale
            yield {
                "object_type": "char",
                "page_number": number,
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


def _render(data: bytes, number: int) -> tuple[np.ndarray, float]:
    """The page in grey, shape (height, width), and its pixels to the point: 200 dots an inch, fewer where large."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(CHARACTERS.ocr_scale, (CHARACTERS.ocr_max_pixels / max(width * height, 1.0)) ** 0.5)
        pixels = page.render(scale=scale, grayscale=True).to_numpy()
        return pixels.reshape(pixels.shape[:2]).copy(), scale
    finally:
        document.close()


@cache
def _load_engine() -> Any:
    """The models, loaded once a process and run by one thread: pages are read side by side as it is.

    The one that looks for lines upside down is left out: it turned upright lines of clear print over.
    """
    from rapidocr_onnxruntime import RapidOCR

    return RapidOCR(use_cls=False, intra_op_num_threads=1, inter_op_num_threads=1)


def _insert_spaces(strip: np.ndarray, letters: Sequence[_Letter]) -> Iterator[_Letter]:
    """The letters of a line, with a space where a wide blank separates two that need one; others touch."""
    gap_numbers = _find_missing_spaces(strip, letters)
    left = letters[0].left if letters else 0.0
    for number, letter in enumerate(letters[:-1]):
        after = letters[number + 1]
        boundary = (letter.middle + after.middle) / 2
        right, start = (letter.right, max(after.left, letter.right)) if number in gap_numbers else (boundary, boundary)
        yield _Letter(letter.text, left, right)
        if number in gap_numbers:
            yield _Letter(" ", right, start)
        left = start
    if letters:
        yield _Letter(letters[-1].text, left, max(letters[-1].right, left))


def _find_missing_spaces(strip: np.ndarray, letters: Sequence[_Letter]) -> set[int]:
    """The letters after which a space is missing. Each blank parts the two letters whose middle is nearest to its own.

    Blanks between figures are wider: a 1 has much white about it.
    """
    blanks = _find_blanks(strip, letters)
    if len(letters) < 2 or not blanks:
        return set()
    least = CHARACTERS.ocr_space_ratio * median(last - first for first, last in blanks)
    middles = [(before.middle + after.middle) / 2 for before, after in pairwise(letters)]
    gap_numbers = set()
    for first, last in blanks:
        middle = (first + last) / 2
        number = min(range(len(middles)), key=lambda place: abs(middles[place] - middle))
        before, after = letters[number], letters[number + 1]
        space = CHARACTERS.ocr_space
        if before.is_figure and after.is_figure:
            digits = before.text.isdigit() and after.text.isdigit()
            space = CHARACTERS.ocr_digit_space if digits else CHARACTERS.ocr_figure_space
        is_spaced = before.text.isspace() or after.text.isspace() or (before.is_wide and after.is_wide)
        if last - first >= max(least, space * strip.shape[0]) and not is_spaced:
            gap_numbers.add(number)
    return gap_numbers


def _find_blanks(strip: np.ndarray, letters: Sequence[_Letter]) -> list[tuple[int, int]]:
    """The runs of columns without ink within a line, first and last (not included) in pixels."""
    import numpy as np

    if not strip.size or not letters:
        return []
    first, last = max(int(letters[0].middle), 0), min(int(letters[-1].middle) + 1, strip.shape[1])
    difference = np.abs(strip[:, first:last].astype(np.int16) - np.median(strip[:, first:last] if last > first else 0))
    inked = (difference > CHARACTERS.ocr_ink).any(axis=0)
    edges = np.flatnonzero(np.concatenate(([True], inked, [True])))
    return [(int(left) + first, int(right) - 1 + first) for left, right in pairwise(edges) if right - left > 1]


def without_duplicates(chars: Sequence[Char]) -> list[Char]:
    """The characters of a page without those that repeat an equal one less than an eighth of their size away."""
    rounded = [(char["text"], round(char["x0"]), round(char["top"])) for char in chars if not char["text"].isspace()]
    if len(rounded) - len(set(rounded)) < CHARACTERS.min_duplicates:
        return list(chars)
    unique_chars: list[Char] = []
    numbers_by_square: dict[tuple[str, int, int], list[int]] = {}
    for char in chars:
        duplicate = None if char["text"].isspace() else _find_duplicate(char, unique_chars, numbers_by_square)
        if duplicate is not None:
            unique_chars[duplicate] = {**unique_chars[duplicate], "fontname": f"{char['fontname']}-Bold"}
            continue
        numbers_by_square.setdefault(_get_square(char), []).append(len(unique_chars))
        unique_chars.append(char)
    return unique_chars


def _get_square(char: Char) -> tuple[str, int, int]:
    """A character and the square of two points in which it begins."""
    return char["text"], int(char["x0"] // 2), int(char["top"] // 2)


def _find_duplicate(
    char: Char, unique_chars: Sequence[Char], numbers_by_square: dict[tuple[str, int, int], list[int]]
) -> int | None:
    text, column, row = _get_square(char)
    reach = CHARACTERS.duplicate_distance * char["size"]
    for across, down in product((0, -1, 1), repeat=2):
        for number in numbers_by_square.get((text, column + across, row + down), ())[
            -CHARACTERS.max_duplicates_compared :
        ]:
            previous_char = unique_chars[number]
            is_near = (
                abs(previous_char["x0"] - char["x0"]) <= reach and abs(previous_char["top"] - char["top"]) <= reach
            )
            if is_near and abs(previous_char["size"] - char["size"]) <= reach:
                return number
    return None
