"""Letters printed twice, a hair apart, to look bold: one of the two is kept, its font named bold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tasks.parsers.pages.words import Char

_APART = 0.12
_FEWEST = 2
_MOST = 16


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
    return twins >= _FEWEST


def _cell(char: Char) -> tuple[str, int, int]:
    """A character and the square of two points in which it begins."""
    return char["text"], int(char["x0"] // 2), int(char["top"] // 2)


def _twin(char: Char, kept: Sequence[Char], places: dict[tuple[str, int, int], list[int]]) -> int | None:
    text, column, row = _cell(char)
    reach = _APART * char["size"]
    for across, down in product((0, -1, 1), repeat=2):
        for number in places.get((text, column + across, row + down), ())[-_MOST:]:
            other = kept[number]
            near = abs(other["x0"] - char["x0"]) <= reach and abs(other["top"] - char["top"]) <= reach
            if near and abs(other["size"] - char["size"]) <= reach:
                return number
    return None
