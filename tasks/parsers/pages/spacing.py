"""Which gaps and blanks between characters part words, where a page spaces its letters out or its blanks astray.

Programs set titles with room between all letters, leave blanks of rows that hold nothing else among the letters of the
row below, and put a blank down where the next letter follows at once. A blank parts words where there is a gap that it
fills; a gap without one parts words where it is wider than those between the other letters of its line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter
from statistics import median
from typing import Any

Char = dict[str, Any]

_LINE = 3.0
"""Points that tops may differ within a line: pdfplumber's `y_tolerance`, by which it puts characters in order."""
_BASELINE = 0.25
"""How far feet of letters may differ on one line, in heights of the larger: raised figures stand a third higher."""
_TOUCHING = 0.03
"""The widest gap, in heights of the letters, that no blank fills: kerning leaves less, a thin space is 0.1 to 0.2."""
_LEAST_BLANK = 0.12
"""What blanks of a line must usually fill before one that fills nothing counts as astray: a font whose widths are wrong
has none that do."""
_SPACED = 0.06
"""The usual gap between the letters of a line that is set spaced out, in their heights; kerning leaves less."""
_WORD_GAP = 0.15
"""How much wider than those a gap without a blank must be to part words."""
_WIDEST_ALONE = 0.5
"""The widest spacing of letters in a line that shows no gap between words: columns of letters are further apart."""
_RUN = 2.5
"""A gap of so many heights parts columns, whatever stands in them."""
_FEWEST = 4
"""Gaps of which a usual one is told."""
_LETTERS = 0.6
"""The share of letters in what is set spaced out: rows of figures in narrow columns are not."""


def lines_of(chars: Sequence[Char]) -> list[list[Char]]:
    """The characters of each line from left to right, as pdfplumber puts them in order."""
    found: list[list[Char]] = []
    last = -inf
    for char in sorted(chars, key=itemgetter("top")):
        if char["top"] - last > _LINE:
            found.append([])
        found[-1].append(char)
        last = char["top"]
    for line in found:
        line.sort(key=itemgetter("x0"))
    return found


def stray_blanks(lines: Sequence[Sequence[Char]]) -> set[int]:
    """The `id` of each blank that stands on another line than the letters around it, or fills no gap."""
    return {id(char) for line in lines if _is_touched(line) for char in _astray(line)}


def joins(lines: Sequence[Sequence[Char]]) -> set[tuple[int, int]]:
    """The pairs of characters, by `id`, between which no word ends although the gap would say so."""
    return {pair for line in lines if _is_loose(line) for run in _runs(line) for pair in _joined(run)}


def _is_touched(line: Sequence[Char]) -> bool:
    """Whether letters on both sides of a blank, or of a row of them, come close to each other."""
    before: Char | None = None
    parted = False
    for char in line:
        if char["text"].isspace():
            parted = True
            continue
        if parted and before is not None and char["x0"] - before["x1"] < _TOUCHING * before["size"]:
            return True
        before, parted = char, False
    return False


def _is_loose(line: Sequence[Char]) -> bool:
    """Whether several letters of a line have a gap before the next, and no blank."""
    loose: int = sum(
        _SPACED * left["size"] < right["x0"] - left["x1"] < _RUN * left["size"]
        for left, right in pairwise(line)
        if left["text"] != " " and right["text"] != " "
    )
    return loose >= _FEWEST - 1


def _between(line: Sequence[Char]) -> Iterator[tuple[Char, Char, list[Char]]]:
    """Neighbouring letters, and the blanks between them."""
    before: Char | None = None
    blanks: list[Char] = []
    for char in line:
        if char["text"].isspace():
            blanks.append(char)
            continue
        if before is not None:
            yield before, char, blanks
        before, blanks = char, []


def _astray(line: Sequence[Char]) -> Iterator[Char]:
    pairs = [(left, right, blanks) for left, right, blanks in _between(line) if blanks and _same_line(left, right)]
    filled = [_gap(left, right) for left, right, blanks in pairs if _same_line(left, blanks[0])]
    usual = median(filled) if filled else 0.0
    for left, right, blanks in pairs:
        gap = _gap(left, right)
        for blank in blanks:
            own = _same_line(left, blank)
            if gap < _TOUCHING and (not own or usual > _LEAST_BLANK):
                yield blank


def _same_line(one: Char, two: Char) -> bool:
    """Whether two characters of about one size stand on one baseline."""
    small, large = sorted((one["size"], two["size"]))
    return bool(abs(one["bottom"] - two["bottom"]) <= _BASELINE * large and small > large / 2)


def _gap(left: Char, right: Char) -> float:
    """In heights of the letters."""
    return float((right["x0"] - left["x1"]) / max(left["size"], 0.01))


def _runs(line: Sequence[Char]) -> Iterator[list[tuple[Char, Char, bool]]]:
    """The pairs of neighbours of one size on one baseline, and whether a blank stands between, as far as columns go."""
    pairs = ((left, right, bool(blanks)) for left, right, blanks in _between(line))
    for goes_on, run in groupby(pairs, key=lambda pair: _same_line(pair[0], pair[1]) and _gap(*pair[:2]) < _RUN):
        same = list(run)
        if goes_on and len(same) >= _FEWEST:
            yield same


def _joined(run: Sequence[tuple[Char, Char, bool]]) -> Iterator[tuple[int, int]]:
    """The pairs of a run whose letters are spaced out and do not end a word."""
    tight = [_gap(left, right) for left, right, parted in run if not parted]
    if len(tight) < _FEWEST or (usual := median(tight)) <= _SPACED:
        return
    if sum(left["text"].isalpha() for left, _, _ in run) < _LETTERS * len(run):
        return
    parting = [_gap(left, right) for left, right, parted in run if parted]
    widest = (usual + median(parting)) / 2 if parting else usual + _WORD_GAP
    if not parting and usual > _WIDEST_ALONE and max(tight) < widest:
        return
    yield from ((id(left), id(right)) for left, right, parted in run if not parted and _gap(left, right) < widest)


def cuts(lines: Sequence[Sequence[Char]]) -> set[int]:
    """The `id` of each letter that ends a word of a line without blanks, where a gap stands out among its letters."""
    return {
        id(left)
        for line in lines
        if not any(char["text"].isspace() for char in line)
        for run in _runs(line)
        for usual in [median(_gap(left, right) for left, right, _ in run)]
        for left, right, _ in run
        if right["text"].isalpha() and not left["text"].isdigit() and _gap(left, right) > max(usual, 0.0) + _WORD_GAP
    }


def chained(
    words: Sequence[tuple[str, Sequence[Char]]], pairs: Collection[tuple[int, int]], ends: Collection[int] = ()
) -> Iterator[tuple[str, list[Char]]]:
    """Words with their characters, in order; those that a pair ties together are one, one with an end inside is two."""
    text, own = "", list[Char]()
    for said, chars in _cut(words, ends) if ends else words:
        if own and (id(own[-1]), id(chars[0])) in pairs:
            text, own = text + said, [*own, *chars]
            continue
        if own:
            yield text, own
        text, own = said, list(chars)
    if own:
        yield text, own


def _cut(words: Sequence[tuple[str, Sequence[Char]]], ends: Collection[int]) -> Iterator[tuple[str, Sequence[Char]]]:
    for text, chars in words:
        places = [place for place, char in enumerate(chars[:-1], 1) if id(char) in ends]
        if not places or len(text) != len(chars):
            yield text, chars
            continue
        for start, end in pairwise([0, *places, len(chars)]):
            yield text[start:end], chars[start:end]
