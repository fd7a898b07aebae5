"""Formulas as text: MathML 3 written on one line, or TeX, and of several forms of a formula only one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tasks.parsers.trees import local, words

if TYPE_CHECKING:
    from lxml.etree import _Element

_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2}")
_ENDS_IN_WORD = re.compile(r"[^\W\d_]{2}\Z")
_ONE_TERM = re.compile(r"[\w.,′'′]*|\([^()]*\)")

Shown = Callable[["_Element", str], str | None]


def formula(node: _Element, inner: str, shown: Shown) -> str | None:
    """What stands for a formula, or for one of several forms of the same thing; `inner` is all of it."""
    tag = local(node)
    if tag == "math":
        return _written(node)
    if tag == "tex-math":
        document = _DOCUMENT.search(inner)
        return (document[1] if document else inner).strip(" $\n")
    forms = sorted((form for form in node if local(form) in ("math", "tex-math")), key=local)  # MathML, then TeX
    if tag == "alternatives":
        others = (text for form in node if (text := words(form, shown)).strip())
        return words(forms[0], shown) if forms else next(others, "")
    if len(forms) < 2:
        return None
    label = words(node.find("label"), shown)
    return f"{label} {words(forms[0], shown)}"


def _written(node: _Element) -> str:
    """MathML on one line: `a/b`, `a_i`, `a^2`, `√(…)`."""
    tag = local(node)
    if tag in ("annotation", "annotation-xml", ""):
        return ""
    if tag == "mspace":
        return " "
    parts = [text for child in node if (text := _written(child)) or local(child) not in ("annotation", "")]
    if tag in _FORMS and len(parts) == len(_FORMS[tag]):
        marks = zip(_FORMS[tag], parts, strict=True)
        return "".join(mark + _term(part) if parts[0] else part for mark, part in marks)
    if tag in ("msqrt", "mfenced"):
        return f"{'√' * (tag == 'msqrt')}({', '.join(parts) if tag == 'mfenced' else ''.join(parts)})"
    if tag in _JOINTS:
        return _JOINTS[tag].join(parts)
    return " ".join((node.text or "").split()) + _joined(parts)


def _joined(parts: list[str]) -> str:
    """Terms side by side, words of several letters apart from other letters."""
    line, before = "", ""
    for part in filter(None, parts):
        letters = before[-1:].isalpha() and part[0].isalpha()
        line += f" {part}" if letters and (_ENDS_IN_WORD.search(before) or _WORD.match(part)) else part
        before = part
    return line


_FORMS = {
    "mfrac": ("", "/"),
    "msub": ("", "_"),
    "msup": ("", "^"),
    "msubsup": ("", "_", "^"),
    "munder": ("", "_"),
    "munderover": ("", "_", "^"),
    "mroot": ("√", "^1/"),
}


_JOINTS = {"mtr": " ", "mlabeledtr": " ", "mtable": "; "}


def _term(text: str) -> str:
    """In brackets where it is more than one term."""
    return text if _ONE_TERM.fullmatch(text) or len(text) == 1 else f"({text})"
