"""The words of a Word paragraph as Word shows them: results of fields, insertions, equations, marks of notes.

Equations (OMML, ECMA-376 part 1, 22.1) are one line in the linear form of Unicode Technical Note 28.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.numerals import numeral
from tasks.parsers.symbol_fonts import readable, symbol
from tasks.parsers.word.word_package import attribute, child, is_on, name, value, visible_elements

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
        tag = name(node)
        if tag == "fldChar":
            self._turn(attribute(node, "fldCharType"))
        elif tag == "r":
            return "" if is_on(node, "rPr", "vanish") else self._inside(node)
        elif tag == "txbxContent" or (any(self._codes) and not len(node)):
            return ""
        elif tag == "ruby":
            return self._ruby(node)
        else:
            return self._leaf(node, tag) if not len(node) or tag == "oMath" else self._inside(node)
        return ""

    def _inside(self, node: _Element) -> str:
        between = "\n" if name(node) == "oMathPara" else ""
        return between.join(map(self._text, visible_elements(node)))

    def _turn(self, place: str) -> None:
        """A field begins with its code; from the separator on stands its result."""
        if place == "begin":
            self._codes.append(True)
        elif self._codes and place == "separate":
            self._codes[-1] = False
        elif self._codes and place == "end":
            self._codes.pop()

    def _leaf(self, node: _Element, tag: str) -> str:
        if tag == "t":
            words = node.text or ""
            return words if words.isascii() else readable(_font(node), words)
        if tag == "oMath":
            following = node.getnext()
            return linear(node) + (" " if following is not None and name(following) == "oMath" else "")
        if tag == "sym":
            return symbol(attribute(node, "font"), attribute(node, "char"))
        return self._mark(node, *_NOTES[tag]) if tag in _NOTES else _SIGNS.get(tag, "")

    def _ruby(self, node: _Element) -> str:
        base, above = child(node, "rubyBase"), child(node, "rt")
        words = "" if base is None else self._inside(base)
        reading = "" if above is None else self._inside(above)
        return f"{words}({reading})" if reading else words

    def _mark(self, node: _Element, story: str, numerals: str) -> str:
        """The mark in brackets, since a raised 1 after 2024 would read 20241; a mark of the author's follows itself."""
        key = (story, attribute(node, "id"))
        if key not in self._known:
            own = attribute(node, "customMarkFollows") in ("1", "true", "on")
            self._counted[story] += not own
            self._known[key] = Note(*key, "" if own else f"[{numeral(self._counted[story], numerals)}]")
            self.notes.append(self._known[key])
        return self._known[key].mark


def _font(text: _Element) -> str:
    """The font that the run of a text names for its characters, nothing where its style does."""
    run = text.getparent()
    fonts = None if run is None else child(run, "rPr", "rFonts")
    return "" if fonts is None else attribute(fonts, "ascii") or attribute(fonts, "hAnsi")


def linear(node: _Element) -> str:
    """An equation or a part of one: fractions as `a/b`, scripts as `x_i^2`, roots as `√(x)`, matrices as `[a; b]`."""
    match name(node):
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
            return "[" + "; ".join(", ".join(_terms(row)) for row in node if name(row) == "mr") + "]"
        case _:
            return "".join(map(linear, visible_elements(node)))


def _terms(node: _Element) -> Iterator[str]:
    return (linear(part) for part in node if name(part) == "e")


def _part(node: _Element, tag: str) -> str:
    part = child(node, tag)
    return "" if part is None else linear(part)


def _grouped(text: str) -> str:
    """In parentheses where it is more than one name or number."""
    return text if _ATOM.fullmatch(text) or _is_wrapped(text) else f"({text})"


def _is_wrapped(text: str) -> bool:
    """Whether the first parenthesis is closed by the last character."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return place == len(text) - 1
    return False


def _scripts(node: _Element) -> str:
    below, above = _part(node, "sub") or _part(node, "lim"), _part(node, "sup")
    if name(node) == "limUpp":
        below, above = "", below
    shown_below = f"_{_grouped(below)}" if below else ""
    return shown_below + (f"^{_grouped(above)}" if above else "")
