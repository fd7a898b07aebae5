"""The words of inline JATS, and formulas (MathML, TeX) as one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.trees import local, squeezed, words

if TYPE_CHECKING:
    from lxml.etree import _Element

SILENT = frozenset(
    {"graphic", "inline-graphic", "media", "object-id", "alt-text", "long-desc", "index-term", "permissions"}
    | {"sec-meta", "institution-id", "contrib-id", "processing-meta"}
)
"""What is not part of the words a reader of the page sees."""
_FORMULAS = frozenset(["alternatives", "inline-formula", "disp-formula", "math", "tex-math"])
_APART = frozenset(["label", "p", "title", "verse-line", "speaker", "td", "th", "def", "mixed-citation", "fn"])
_PARTS_OF_NAMES = frozenset(
    {"name", "string-name", "surname", "given-names", "prefix", "suffix", "institution", "country", "addr-line"}
)
_MARK = re.compile(r"\s*(?:\d+[a-z]?(?:\s*[,;–—-]\s*\d+[a-z]?)*|[*†‡§¶]+)\s*")
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2}")
_ENDS_IN_WORD = re.compile(r"[^\W\d_]{2}\Z")
_ONE_TERM = re.compile(r"[\w.,′'′]*|\([^()]*\)")
_FORMS = {
    "mfrac": ("", "/"), "msub": ("", "_"), "msup": ("", "^"), "msubsup": ("", "_", "^"), "munder": ("", "_"),
    "munderover": ("", "_", "^"), "mroot": ("√", "^1/"),
}  # fmt: skip
_JOINTS = {"mtr": " ", "mlabeledtr": " ", "mtable": "; "}


def jats_text(node: _Element | None) -> str:
    """The words of an element, or nothing for None."""
    return squeezed(words(node, inline_text))


def inline_text(node: _Element, inner: str) -> str | None:
    """What stands for an element inside a line."""
    tag = local(node)
    if tag in SILENT:
        return ""
    if tag in _FORMULAS:
        return _formula(node, inner)
    if tag in ("sup", "xref"):
        return _raised(node, tag, inner)
    if tag in _APART:
        return f" {inner} "
    if tag in _PARTS_OF_NAMES:
        return inner if node.getnext() is None or (node.tail or "").strip() else f"{inner} "
    return "\n" if tag == "break" else None


def _raised(node: _Element, tag: str, inner: str) -> str | None:
    """A citation stands in brackets and apart from its word; a power after a number has its sign."""
    parent = node.getparent()
    cites = node.find("xref") is not None or (parent is not None and local(parent) == "xref")
    if tag == "sup" and cites:
        return None if inner.strip().startswith(("[", "(")) or not inner.strip(" ,;") else f" [{inner.strip()}]"
    if tag == "sup" and re.fullmatch(r"\s*[−–-]?\d+\s*", inner) and _before(node)[-1:].isdigit():
        return f"^{inner.strip()}"
    if tag == "xref" and _MARK.fullmatch(inner) and not (parent is not None and local(parent) == "sup"):
        return f" [{inner.strip()}]" if _before(node)[-1:].isalpha() else None
    return None


def _before(node: _Element) -> str:
    """The text that an element follows immediately."""
    previous, parent = node.getprevious(), node.getparent()
    if previous is not None:
        return previous.tail or "".join(map(str, previous.itertext()))[-1:]
    return (parent.text or "") if parent is not None else ""


def _formula(node: _Element, inner: str) -> str | None:
    """What stands for a formula, or for one of several forms of the same thing; `inner` is all of it."""
    tag = local(node)
    if tag == "math":
        return _written(node)
    if tag == "tex-math":
        document = _DOCUMENT.search(inner)
        return (document[1] if document else inner).strip(" $\n")
    forms = sorted((form for form in node if local(form) in ("math", "tex-math")), key=local)  # MathML, then TeX
    if tag == "alternatives":
        others = (text for form in node if (text := words(form, inline_text)).strip())
        return words(forms[0], inline_text) if forms else next(others, "")
    if len(forms) < 2:
        return None
    label = words(node.find("label"), inline_text)
    return f"{label} {words(forms[0], inline_text)}"


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


def _term(text: str) -> str:
    """In brackets where it is more than one term."""
    return text if _ONE_TERM.fullmatch(text) or len(text) == 1 else f"({text})"
