"""The words of a Word paragraph as Word shows them: results of fields, insertions, equations, marks of notes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.word.elements import attribute, child, is_on, name, visible_elements
from tasks.parsers.word.math import linear
from tasks.parsers.word.numerals import numeral
from tasks.parsers.word.symbols import readable, symbol

if TYPE_CHECKING:
    from lxml.etree import _Element

_SIGNS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": ("footnotes", "decimal"), "endnoteReference": ("endnotes", "lowerRoman")}


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
