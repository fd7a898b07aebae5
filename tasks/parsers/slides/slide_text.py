"""The paragraphs of a shape: words, levels, bullets and numbers (DrawingML, ECMA-376 part 1, 21.1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.numerals import format_numeral, parse_count
from tasks.parsers.office.office_package import get_attribute
from tasks.parsers.slides.slide_package import iter_shown_parts
from tasks.parsers.trees import get_tag
from tasks.parsers.word.word_story import format_equation

if TYPE_CHECKING:
    from lxml.etree import _Element

_LEVEL_COUNT = 9
_BULLET_TAGS = frozenset({"buChar", "buBlip", "buAutoNum"})
_NUMERALS = {
    "arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman",
    "romanUc": "upperRoman", "ea1Chs": "chineseCounting", "ea1Cht": "taiwaneseCounting",
    "circleNum": "decimalEnclosedCircle",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SlideLine:
    """A paragraph: its words, and if it is an item its depth, from 0, and its mark."""

    text: str
    level: int | None = None
    mark: str = ""

    @property
    def line(self) -> str:
        """One line with its mark, indented by its depth."""
        words = " ".join(filter(None, (self.mark, " ".join(self.text.split()))))
        return "  " * (self.level or 0) + words


def read_lines(body: _Element, styles: Sequence[_Element] = ()) -> list[SlideLine]:
    """The paragraphs with words in a text body; `styles` are the lists of levels that it inherits, nearest first."""
    lines: list[SlideLine] = []
    counts: Counter[int] = Counter()
    for paragraph in iter_shown_parts(body):
        if get_tag(paragraph) != "p":
            continue
        text = _read_words(paragraph).strip()
        if not text:
            continue
        properties = paragraph.find("pPr")
        level = min(parse_count(get_attribute(properties, "lvl")), _LEVEL_COUNT - 1)
        bullet = _find_bullet(properties, level, (*body.iterfind("lstStyle"), *styles))
        is_numbered = bullet is not None and get_tag(bullet) == "buAutoNum"
        for counted_level in list(counts):
            if counted_level > level or (counted_level == level and not is_numbered):
                del counts[counted_level]
        if bullet is None:
            lines.append(SlideLine(text))
        elif is_numbered:
            counts[level] += 1
            first = parse_count(get_attribute(bullet, "startAt")) or 1
            lines.append(SlideLine(text, level, _format_mark(get_attribute(bullet, "type"), first + counts[level] - 1)))
        else:
            lines.append(SlideLine(text, level, "-"))
    return lines


def read_text(body: _Element) -> str:
    """All words of a text body, a paragraph a line."""
    return "\n".join(line.text for line in read_lines(body))


def _find_bullet(paragraph_properties: _Element | None, level: int, styles: Sequence[_Element]) -> _Element | None:
    """The bullet of a paragraph by its own properties or those of its level that it inherits; None without one."""
    levels = (style.find(f"lvl{level + 1}pPr") for style in styles)
    for properties in (paragraph_properties, *levels):
        for element in () if properties is None else properties:
            if get_tag(element) in _BULLET_TAGS:
                return element
            if get_tag(element) == "buNone":
                return None
    return None


def _format_mark(kind: str, count: int) -> str:
    """The number of an item: "3.", "(b)", "iv)"."""
    name = next((name for name in _NUMERALS if kind.startswith(name)), "arabic")
    number = format_numeral(count, _NUMERALS[name])
    if kind.endswith("ParenBoth"):
        return f"({number})"
    return f"{number})" if kind.endswith("ParenR") else number if kind.endswith("Plain") else f"{number}."


def _read_words(node: _Element) -> str:
    return "".join(_iter_pieces(node))


def _iter_pieces(node: _Element) -> Iterator[str]:
    for part in iter_shown_parts(node):
        tag = get_tag(part)
        if tag in ("r", "fld"):
            yield "".join(text.text or "" for text in part.iterfind("t"))
        elif tag == "br":
            yield "\n"
        elif tag in ("m", "oMathPara", "oMath"):
            yield format_equation(part)
