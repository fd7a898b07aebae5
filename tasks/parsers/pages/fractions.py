"""Fractions built of a small raised number, a slash and a small lowered one: "1²/₃¢"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.parsers.pages.words import Char

_SLASHES = "/\u2044"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_MOST_DIGITS = 3
_HIGHER = 0.3
_NEAR = 0.4
_ALIKE = 0.1


def with_fractions(chars: Sequence[Char]) -> list[Char]:
    """The characters of a page, the digits of built fractions written as raised and lowered ones on their slash's line.

    The number before the slash stands higher than the one behind it by a third of their common size; without that
    "1²/₃" reads as twelve thirds, and the lowered digits fall out of the line.
    """
    found = list(chars)
    for place, char in enumerate(chars):
        if char["text"] in _SLASHES:
            above = list(_digits(chars, range(place - 1, -1, -1)))
            below = list(_digits(chars, range(place + 1, len(chars))))
            if above and below and _is_built(chars[above[-1]], chars[above[0]], char, chars[below[0]]):
                found[above[-1] : place] = [_level(chars[n], char, _RAISED) for n in reversed(above)]
                found[below[0] : below[-1] + 1] = [_level(chars[n], char, _LOWERED) for n in below]
    return found


def _digits(chars: Sequence[Char], places: range) -> Iterator[int]:
    """The places of the digits of one size on one line that begin a run; at most three."""
    first = None
    for place in places[:_MOST_DIGITS]:
        char = chars[place]
        first = first or char
        same = abs(char["top"] - first["top"]) + abs(char["size"] - first["size"]) < _ALIKE * first["size"]
        if not (char["text"].isdecimal() and char["text"].isascii() and same):
            return
        yield place


def _is_built(first: Char, above: Char, slash: Char, below: Char) -> bool:
    """Whether a number from `first` to `above` stands over the one that `below` begins, a slash between them."""
    size = above["size"]
    alike = abs(below["size"] - size) < _ALIKE * size
    near = max(abs(slash["x0"] - above["x1"]), abs(below["x0"] - slash["x1"])) < _NEAR * size
    return bool(alike and near and first["x0"] < below["x0"] and below["top"] - above["top"] > _HIGHER * size)


def _level(char: Char, slash: Char, digits: dict[int, int]) -> Char:
    line = {side: slash[side] for side in ("top", "bottom", "doctop")}
    return {**char, **line, "text": char["text"].translate(digits)}
