"""Text from right to left in the order in which it is read (a short form of Unicode's bidirectional algorithm, UAX 9).

A page has its letters where they are seen. Hebrew and Arabic read from the right, numbers and foreign words among them
from the left. Arabic letters come in the shape that their neighbours give them, brackets as seen or as meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from unicodedata import normalize

_LEFTWARD = re.compile(r"[\u0590-\u05ff\u0608-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters and marks of the scripts that run to the left; the digits of Arabic do not."""
_SHAPED_LETTER = re.compile(r"[\ufb1d-\ufdff\ufe70-\ufefc]")
_OPENING, _CLOSING = "([{«", ")]}»"
_MIRRORED = str.maketrans(_OPENING + _CLOSING, _CLOSING + _OPENING)
_TO_LEFT, _TO_RIGHT, _NEUTRAL = -1, 1, 0


def join_words(words: Sequence[str]) -> str:
    """The words of a line, which stand there from left to right, in the order in which they are read."""
    line = " ".join(words)
    if line.isascii() or not (leftward := len(_LEFTWARD.findall(line))):
        return line
    directions = [_find_direction(word, any(map(str.isalpha, word))) for word in words]
    return " ".join(
        _order_parts(words, directions, _TO_LEFT if 2 * leftward > sum(map(str.isalpha, line)) else _TO_RIGHT)
    )


def read_letters(text: str, letters: Sequence[str]) -> str:
    """A word whose letters stand from left to right, in the order in which they are read; a ligature is one of them."""
    if text.isascii() or not _LEFTWARD.search(text):
        return text
    directions = [_find_direction(letter, letter.isalnum()) for letter in letters]
    word = "".join(_SHAPED_LETTER.sub(_remove_shape, letter) for letter in _order_parts(letters, directions, _TO_LEFT))
    is_mirrored = word.startswith(tuple(_CLOSING)) or (
        word.endswith(tuple(_OPENING)) and not word.startswith(tuple(_OPENING))
    )
    return word.translate(_MIRRORED) if is_mirrored else word


def _remove_shape(shaped: re.Match[str]) -> str:
    """A letter without its shape. Marks that stand alone come with a blank."""
    return normalize("NFKC", shaped[0]).strip()


def _find_direction(part: str, is_rightward: bool) -> int:  # noqa: FBT001
    """The direction of a part of a text; `is_rightward` where it is not leftward and has one."""
    return _TO_LEFT if _LEFTWARD.search(part) else _TO_RIGHT if is_rightward else _NEUTRAL


def _order_parts(parts: Sequence[str], directions: Sequence[int], base_direction: int) -> list[str]:
    """The parts as read. Those without a direction have that of both neighbours, or else the `base_direction` one."""
    runs = [
        (direction, [part for _, part in run])
        for direction, run in groupby(zip(directions, parts, strict=True), key=_get_direction)
    ]
    sides = [base_direction, *(direction for direction, _ in runs), base_direction]
    settled_runs = [
        (direction or (sides[place] if sides[place] == sides[place + 2] else base_direction), run)
        for place, (direction, run) in enumerate(runs)
    ]
    groups = [
        (direction, [part for _, run in equal_runs for part in run])
        for direction, equal_runs in groupby(settled_runs, key=_get_direction)
    ]
    ordered = reversed(groups) if base_direction == _TO_LEFT else groups
    return [part for direction, run in ordered for part in (reversed(run) if direction == _TO_LEFT else run)]


def _get_direction(pair: tuple[int, object]) -> int:
    return pair[0]
