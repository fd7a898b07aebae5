"""The words of a Word paragraph as Word shows them: results of fields, insertions, equations, marks of notes.

Equations (OMML, ECMA-376 part 1, 22.1) are one line in the linear form of Unicode Technical Note 28.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from tasks.parsers.numerals import numeral
from tasks.parsers.symbol_fonts import readable, symbol
from tasks.parsers.trees import local
from tasks.parsers.word.word_package import attribute, child, is_on, value, visible_elements

if TYPE_CHECKING:
    from lxml.etree import _Element

_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": ("footnotes", "decimal"), "endnoteReference": ("endnotes", "lowerRoman")}
_ATOM = re.compile(r"[^\W_]*[\u0300-\u036f\u20d0-\u20ff]?|[\d.,]+")
_COMBINING = {"¯": "\u0305", "^": "\u0302", "~": "\u0303", "˙": "\u0307"}


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the text refers to: `story` is "footnotes" or "endnotes", `mark` what stands in the text for it."""

    story: str
    note_id: str
    mark: str


class Words:
    """Reads paragraphs in document order and collects in `notes` those they refer to, each once."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self._known: dict[tuple[str, str], Note] = {}
        self._counted: Counter[str] = Counter()
        self._codes: list[bool] = []

    def of(self, paragraph: _Element) -> str:
        """The words of one paragraph, its text boxes left out.

        A field whose code is not at its end by then is broken, and hides nothing of the next paragraph.
        """
        self._codes.clear()
        return self._text(paragraph)

    def _text(self, node: _Element) -> str:
        tag = local(node)
        if tag == "fldChar":
            # A field begins with its code; from the separator on stands its result.
            place = attribute(node, "fldCharType")
            if place == "begin":
                self._codes.append(True)
            elif self._codes and place == "separate":
                self._codes[-1] = False
            elif self._codes and place == "end":
                self._codes.pop()
            return ""
        if tag == "r":
            return "" if is_on(node, "rPr", "vanish") else self._inside(node)
        if tag == "txbxContent" or (any(self._codes) and not len(node)):
            return ""
        if tag == "ruby":
            words, reading = self._inside(child(node, "rubyBase")), self._inside(child(node, "rt"))
            return f"{words}({reading})" if reading else words
        return self._leaf(node, tag) if not len(node) or tag == "oMath" else self._inside(node)

    def _inside(self, node: _Element | None) -> str:
        if node is None:
            return ""
        between = "\n" if local(node) == "oMathPara" else ""
        return between.join(map(self._text, visible_elements(node)))

    def _leaf(self, node: _Element, tag: str) -> str:
        if tag == "t":
            words, run = node.text or "", node.getparent()
            if words.isascii():
                return words
            # The font that the run names for its characters, nothing where its style does.
            fonts = None if run is None else child(run, "rPr", "rFonts")
            return readable(attribute(fonts, "ascii") or attribute(fonts, "hAnsi"), words)
        if tag == "oMath":
            following = node.getnext()
            return linear(node) + (" " if following is not None and local(following) == "oMath" else "")
        if tag == "sym":
            return symbol(attribute(node, "font"), attribute(node, "char"))
        return self._mark(node, *_NOTES[tag]) if tag in _NOTES else _SIGNS.get(tag, "")

    def _mark(self, node: _Element, story: str, numerals: str) -> str:
        """The mark in brackets, since a raised 1 after 2024 would read 20241; a mark of the author's follows itself."""
        key = (story, attribute(node, "id"))
        if key not in self._known:
            own = attribute(node, "customMarkFollows") in ("1", "true", "on")
            self._counted[story] += not own
            self._known[key] = Note(*key, "" if own else f"[{numeral(self._counted[story], numerals)}]")
            self.notes.append(self._known[key])
        return self._known[key].mark


def linear(node: _Element) -> str:
    """An equation or a part of one: fractions as `a/b`, scripts as `x_i^2`, roots as `√(x)`, matrices as `[a; b]`."""
    match local(node):
        case "t":
            return node.text or ""
        case "f":
            above, below = _part(node, "num"), _part(node, "den")
            stacked = value(node, "fPr", "type") == "noBar"
            return f"({above}¦{below})" if stacked else f"{_grouped(above)}/{_grouped(below)}"
        case "sSup" | "sSub" | "sSubSup" | "limLow" | "limUpp":
            return _grouped(_part(node, "e")) + _scripts(node)
        case "sPre":
            return _scripts(node) + _part(node, "e")
        case "rad":
            degree, under = _part(node, "deg"), _part(node, "e")
            return f"√({degree}&{under})" if degree else f"√({under})"
        case "nary":
            sign = "∫" if child(node, "naryPr", "chr") is None else value(node, "naryPr", "chr")
            return f"{sign}{_scripts(node)} {_part(node, 'e')}"
        case "d":
            begin, between, end = (
                default if child(node, "dPr", tag) is None else value(node, "dPr", tag)
                for tag, default in (("begChr", "("), ("sepChr", "|"), ("endChr", ")"))
            )
            return begin + between.join(_terms(node)) + end
        case "func":
            argument = _part(node, "e")
            space = "" if argument.startswith(("(", "[", "{")) else " "
            return f"{_part(node, 'fName')}{space}{argument}"
        case "acc":
            sign = value(node, "accPr", "chr") or "^"
            return _grouped(_part(node, "e")) + _COMBINING.get(sign, sign)
        case "eqArr":
            return "; ".join(_terms(node))
        case "m":
            return "[" + "; ".join(", ".join(_terms(row)) for row in node if local(row) == "mr") + "]"
        case _:
            return "".join(map(linear, visible_elements(node)))


def _terms(node: _Element) -> Iterator[str]:
    return (linear(part) for part in node if local(part) == "e")


def _part(node: _Element, tag: str) -> str:
    part = child(node, tag)
    return "" if part is None else linear(part)


def _grouped(text: str) -> str:
    """In parentheses where it is more than one name or number and not in parentheses already."""
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in text))
    is_wrapped = text.startswith("(") and 0 in depths and depths.index(0) == len(text) - 1
    return text if is_wrapped or _ATOM.fullmatch(text) else f"({text})"


def _scripts(node: _Element) -> str:
    below, above = _part(node, "sub") or _part(node, "lim"), _part(node, "sup")
    if local(node) == "limUpp":
        below, above = "", below
    return (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
