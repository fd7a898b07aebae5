"""Lines put together to paragraphs by the white space between them, indents and short last lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from tasks.parsers.pages.labels import is_label_alone, is_statement, label_of
from tasks.parsers.pages.lines import TextLine

_BULLET = r"[•‣▪●◦·■□▫○♦◆►▶➢➤✓✔❖☐☑☒»–—*-]"
_ITEM = re.compile(rf"(?:{_BULLET}|o|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)])\s+\S")
_BULLETED = re.compile(rf"{_BULLET}\s+[^\W\d]")
_ENDS = re.compile(r"[.!?:。！？：][\"”’')\]]*$")
_GOES_ON = re.compile(
    r"(?:[,;&-]|\b(?:condensed|consolidated|combined|interim|and|of|the|in|to|our|see|with|for))$", re.IGNORECASE
)
_SPACED = 1.5
_OWN_LINE = 0.8
_INDENT = 0.7
_FARTHEST = 6.0
_FLUSH = 0.3
_ROOM = 2.0


def group(lines: Sequence[TextLine], right: float = 0.0) -> Iterator[list[TextLine]]:
    """Neighbouring lines that read as one: one font size, weight and slant, no wide gap, new item, indent or end.

    `right` is the right edge of the text of their page, where it is known.
    """
    usual = _usual_gap(lines)
    current: list[TextLine] = []
    for number, line in enumerate(lines):
        below = lines[number + 1] if number + 1 < len(lines) else None
        if current and (_parts(current, line, usual, right) or _begins(current, line, below)):
            yield current
            current = []
        current.append(line)
    if current:
        yield current


def starts_item(line: TextLine) -> bool:
    """Whether the line begins with a bullet or an item's number."""
    return _ITEM.match(line.text) is not None


def starts_bullet(line: TextLine) -> bool:
    """Whether the line begins with a bullet, which makes a list of a single item, and no number after it."""
    return _BULLETED.match(line.text) is not None


def _usual_gap(lines: Sequence[TextLine]) -> float:
    """The usual gap between lines of running text, in points; gaps as tall as a line are between paragraphs."""
    gaps = [_gap(above, below) for above, below in pairwise(lines)]
    small = [gap for gap, line in zip(gaps, lines, strict=False) if 0 <= gap < _OWN_LINE * line.size]
    return median(small) if small else 0.0


def _gap(above: TextLine, below: TextLine) -> float:
    return below.box.top - above.box.bottom


def _parts(current: Sequence[TextLine], below: TextLine, usual: float, right: float) -> bool:
    """Whether white space, size, weight, slant or an item's mark parts a line from those above."""
    above = current[-1]
    gap = _gap(above, below)
    wide = gap > max(_SPACED * usual, usual + 0.15 * above.size) or gap < -above.size
    return wide or abs(above.size - below.size) > 1 or _is_restyled(current, below, right) or starts_item(below)


def _is_restyled(current: Sequence[TextLine], below: TextLine, right: float) -> bool:
    """Whether weight or slant change, or a bold line begins another heading, or heads of columns, below one."""
    above = current[-1]
    if is_statement(below.text) and not _GOES_ON.search(above.text):
        return True
    if label_of(current[0].text) is not None and not is_label_alone(above.text) and _is_next_title(above, below, right):
        return True
    if above.bold != below.bold or (not below.italic and all(line.italic for line in current)):
        return True
    return below.bold and (label_of(below.text) is not None or below.parted != current[-1].parted)


def _is_next_title(above: TextLine, below: TextLine, right: float) -> bool:
    """Whether a line of a labelled heading leaves room for the first word of the next, which is another title."""
    flush = abs(above.box.x0 - below.box.x0) <= _FLUSH * below.size
    if not flush or not below.text[:1].isupper() or _GOES_ON.search(above.text):
        return False
    word = len(below.text.split()[0]) / len(below.text) * (below.box.x1 - below.box.x0)
    return above.bold and below.bold and max(right, below.box.x1) - above.box.x1 > word + _ROOM * below.size


def _begins(current: Sequence[TextLine], line: TextLine, below: TextLine | None) -> bool:
    """Whether a line begins a paragraph by where it and the lines about it stand; centred lines do not."""
    above = current[-1]
    if abs((above.box.x0 + above.box.x1) - (line.box.x0 + line.box.x1)) < 2 * _FLUSH * line.size:
        return _is_short(current, line)
    indented = not starts_item(current[0]) and _is_indented(above, line, below)
    return indented or _is_outdented(current, line) or _is_short(current, line)


def _is_indented(above: TextLine, line: TextLine, below: TextLine | None) -> bool:
    """Whether a line stands right of the end of a sentence, and the next one goes back, stands under it or is far."""
    shift = line.box.x0 - above.box.x0
    if not _INDENT * line.size < shift < _FARTHEST * line.size or not _ENDS.search(above.text):
        return False
    if below is None or _gap(line, below) > line.size:
        return True
    return min(abs(below.box.x0 - above.box.x0), abs(below.box.x0 - line.box.x0)) < _FLUSH * line.size


def _is_outdented(current: Sequence[TextLine], line: TextLine) -> bool:
    """Whether a line stands under the first of a paragraph whose other lines hang right of it."""
    first = current[0].box.x0
    hangs = all(other.box.x0 - first > _INDENT * line.size for other in current[1:])
    return len(current) > 1 and hangs and abs(line.box.x0 - first) < _FLUSH * line.size


def _is_short(current: Sequence[TextLine], line: TextLine) -> bool:
    """Whether a sentence ends above and leaves room for the first word of this line, which begins another."""
    above = current[-1]
    if not _ENDS.search(above.text) or line.text[:1].islower():
        return False
    right = max(other.box.x1 for other in (*current[-4:], line))
    word = len(line.text.split()[0]) / len(line.text) * (line.box.x1 - line.box.x0)
    return right - above.box.x1 > word + _ROOM * line.size
