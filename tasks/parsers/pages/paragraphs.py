"""Lines put together to paragraphs by the white space between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.lines import TextLine

_ITEM = re.compile(r"(?:[•‣▪●◦·–—*-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s+\S")
_SPACED = 1.5
_OWN_LINE = 0.8


def group(lines: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    """Neighbouring lines that read as one: no wide gap between them, one font size, one weight, no new item."""
    usual = _usual_gap(lines)
    current: list[TextLine] = []
    for line in lines:
        if current and _parts(current[-1], line, usual):
            yield current
            current = []
        current.append(line)
    if current:
        yield current


def starts_item(line: TextLine) -> bool:
    """Whether the line begins with a bullet or an item's number."""
    return _ITEM.match(line.text) is not None


def _usual_gap(lines: Sequence[TextLine]) -> float:
    """The usual gap between lines of running text, in points; gaps as tall as a line are between paragraphs."""
    gaps = [_gap(above, below) for above, below in pairwise(lines)]
    small = [gap for gap, line in zip(gaps, lines, strict=False) if 0 <= gap < _OWN_LINE * line.size]
    return median(small) if small else 0.0


def _gap(above: TextLine, below: TextLine) -> float:
    return below.box.top - above.box.bottom


def _parts(above: TextLine, below: TextLine, usual: float) -> bool:
    gap = _gap(above, below)
    wide = gap > max(_SPACED * usual, usual + 0.15 * above.size) or gap < -above.size
    return wide or abs(above.size - below.size) > 1 or above.bold != below.bold or starts_item(below)
