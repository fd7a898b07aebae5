"""Reading the picture of a page: PP-OCRv4 through rapidocr, if the extra `ocr` is installed. Its wheel has the models.

The model drops many of the spaces between Latin words, so they are found again where the picture is blank.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

if TYPE_CHECKING:
    import numpy as np

    from tasks.parsers.pages.words import Char

_VERSION = 1
_SCALE = 200 / 72
_MOST_PIXELS = 6_000_000
_INK = 48
_SPACE = 0.16
_FIGURE_SPACE = 0.28
_DIGIT_SPACE = 0.4
_WIDER = 1.6
_FONT = "OCR"


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


@cache
def available() -> bool:
    """Whether the extra is installed. Kept: it does not change while a program runs."""
    return find_spec("rapidocr_onnxruntime") is not None


def version() -> int:
    """0 without the extra; else rises whenever the same picture would give another text."""
    return _VERSION if available() else 0


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
        scale = min(_SCALE, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
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
    least = _WIDER * median(last - first for first, last in blanks)
    middles = [(before.middle + after.middle) / 2 for before, after in pairwise(letters)]
    parted = set()
    for first, last in blanks:
        number = _nearest(middles, (first + last) / 2)
        before, after = letters[number], letters[number + 1]
        wanted = max(least, _space(before, after) * height)
        spaced = before.text.isspace() or after.text.isspace() or (before.is_wide and after.is_wide)
        if last - first >= wanted and not spaced:
            parted.add(number)
    return parted


def _space(before: _Letter, after: _Letter) -> float:
    """How wide the space between two letters is at least, in heights of the line."""
    if before.text.isdigit() and after.text.isdigit():
        return _DIGIT_SPACE
    return _FIGURE_SPACE if before.is_figure and after.is_figure else _SPACE


def _nearest(places: Sequence[float], place: float) -> int:
    """The number of the nearest of some ascending places."""
    number = bisect_left(places, place)
    nearby = [other for other in (number - 1, number) if 0 <= other < len(places)]
    return min(nearby, key=lambda other: abs(places[other] - place))


def _blanks(strip: np.ndarray, letters: Sequence[_Letter]) -> list[tuple[int, int]]:
    """The runs of columns without ink within a line, first and last (not included) in pixels."""
    import numpy as np

    if not strip.size or not letters:
        return []
    first, last = max(int(letters[0].middle), 0), min(int(letters[-1].middle) + 1, strip.shape[1])
    difference = np.abs(strip[:, first:last].astype(np.int16) - np.median(strip[:, first:last] if last > first else 0))
    inked = (difference > _INK).any(axis=0)
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
