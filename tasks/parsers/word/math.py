"""Equations of Word (OMML, ECMA-376 part 1, 22.1) as one line, in the linear form of Unicode Technical Note 28."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tasks.parsers.word.elements import child, name, value, visible_elements

if TYPE_CHECKING:
    from lxml.etree import _Element

_ATOM = re.compile(r"[^\W_]*[\u0300-\u036f\u20d0-\u20ff]?|[\d.,]+")
_COMBINING = {"¯": "\u0305", "^": "\u0302", "~": "\u0303", "˙": "\u0307"}


def linear(node: _Element) -> str:
    """An equation or a part of one: fractions as `a/b`, scripts as `x_i^2`, roots as `√(x)`, matrices as `[a; b]`."""
    form = _FORMS.get(name(node))
    if form is not None:
        return form(node)
    if name(node) == "t":
        return node.text or ""
    return "".join(map(linear, visible_elements(node)))


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


def _scripted(node: _Element) -> str:
    return _grouped(_part(node, "e")) + _scripts(node)


def _fraction(node: _Element) -> str:
    above, below = _part(node, "num"), _part(node, "den")
    if value(node, "fPr", "type") == "noBar":
        return f"({above}¦{below})"
    return f"{_grouped(above)}/{_grouped(below)}"


def _root(node: _Element) -> str:
    degree, under = _part(node, "deg"), _part(node, "e")
    return f"√({degree}&{under})" if degree else f"√({under})"


def _nary(node: _Element) -> str:
    sign = "∫" if child(node, "naryPr", "chr") is None else value(node, "naryPr", "chr")
    return f"{sign}{_scripts(node)} {_part(node, 'e')}"


def _delimited(node: _Element) -> str:
    parts = [linear(part) for part in node if name(part) == "e"]
    begin, between, end = (
        default if child(node, "dPr", tag) is None else value(node, "dPr", tag)
        for tag, default in (("begChr", "("), ("sepChr", "|"), ("endChr", ")"))
    )
    return begin + between.join(parts) + end


def _function(node: _Element) -> str:
    argument = _part(node, "e")
    space = "" if argument.startswith(("(", "[", "{")) else " "
    return f"{_part(node, 'fName')}{space}{argument}"


def _accented(node: _Element) -> str:
    sign = value(node, "accPr", "chr") or "^"
    return _grouped(_part(node, "e")) + _COMBINING.get(sign, sign)


def _lines(node: _Element) -> Iterator[str]:
    return (linear(part) for part in node if name(part) == "e")


def _matrix(node: _Element) -> str:
    return "[" + "; ".join(", ".join(_lines(row)) for row in node if name(row) == "mr") + "]"


_FORMS: dict[str, Callable[[_Element], str]] = {
    "f": _fraction,
    "sSup": _scripted,
    "sSub": _scripted,
    "sSubSup": _scripted,
    "limLow": _scripted,
    "limUpp": _scripted,
    "sPre": lambda node: _scripts(node) + _part(node, "e"),
    "rad": _root,
    "nary": _nary,
    "d": _delimited,
    "func": _function,
    "acc": _accented,
    "eqArr": lambda node: "; ".join(_lines(node)),
    "m": _matrix,
}
