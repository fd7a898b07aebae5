"""The words of a JATS element on one line: formulas once, raised numbers told from citations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.trees import local, squeezed, words

if TYPE_CHECKING:
    from lxml.etree import _Element

_SILENT = frozenset(["graphic", "inline-graphic", "media", "object-id", "label-alternatives"])
_TEX = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def text_of(node: _Element | None) -> str:
    """The words of an element, or nothing for None."""
    return squeezed(words(node, shown))


def shown(node: _Element, inner: str) -> str | None:
    """What stands for an element inside a line."""
    tag = local(node)
    if tag in _SILENT:
        return ""
    if tag == "sup" and node.find("xref") is not None and not inner.strip().startswith(("[", "(")):
        return f" [{inner.strip()}]"
    if tag == "sup" and re.fullmatch(r"\s*[−–-]?\d+\s*", inner) and _follows_digit(node):
        return f"^{inner.strip()}"
    if tag == "label":
        return f"{inner} "
    if tag == "alternatives":
        return _alternative(node)
    if tag == "tex-math":
        document = _TEX.search(inner)
        return document[1].strip(" $\n") if document else inner
    return "\n" if tag == "break" else None


def _follows_digit(node: _Element) -> bool:
    previous, parent = node.getprevious(), node.getparent()
    before = previous.tail if previous is not None else parent.text if parent is not None else ""
    return bool(before) and (before or "")[-1:].isdigit()


def _alternative(node: _Element) -> str:
    """One of several forms of the same thing: MathML's letters, else TeX, else the first with words."""
    for tag in ("math", "tex-math"):
        if (form := node.find(tag)) is not None:
            return words(form, shown)
    return next((text for form in node if (text := words(form, shown)).strip()), "")
