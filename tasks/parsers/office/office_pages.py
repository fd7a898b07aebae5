"""Structure of web pages by word processors, in which only classes and styles mark titles and lists.

Word, and Outlook in mails, writes an item as a paragraph with its mark in it; Google Docs writes a list for each depth
and each item that follows a deeper one. Here they become headings and lists of HTML. LibreOffice sets the blank between
the mark of a note and its words in its style sheet.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tasks.parsers.trees import collapse_spaces, collect_text, get_tag

if TYPE_CHECKING:
    from lxml.etree import _Element

MARK_ATTRIBUTE = "mark"
"""The attribute of an item with the sign or number that its program wrote."""
_WORD_TITLE, _GOOGLE_TITLE, _GOOGLE_PAGE = "MsoTitle", "title", "doc-content"
_WORD_ITEM = re.compile(r"(?:^|\s)MsoListParagraph", re.IGNORECASE)
_LEVEL = re.compile(r"mso-list:\s*\S+\s+level(\d)", re.IGNORECASE)
_MARGIN = re.compile(r"margin-left:\s*(\d{1,3})(?:\.\d+)?(pt|cm|in)", re.IGNORECASE)
_WORD_INDENTS = {"pt": 36.0, "cm": 1.27, "in": 0.5}  # Indentation of a list in Word for each depth.
_IGNORED_STYLE = re.compile(r"mso-list:\s*ignore", re.IGNORECASE)
_MARK_GAP_STYLE = re.compile(r"font:\s*7\.0pt", re.IGNORECASE)
"""The style of the blanks after a mark."""
_GOOGLE_LIST = re.compile(r"(?:^|\s)lst-[\w.]+-(\d)(?=\s|$)")
_NOTE_MARK = re.compile(r"(?:^|\s)sd(?:foot|end)notesym(?=\s|$)")
_MAX_DEPTH = 8


def restore_structure(root: _Element) -> None:
    """Changes titles into headings and items into lists, in place."""
    body = root.find("body")
    is_google = _GOOGLE_PAGE in _list_classes(root if body is None else body)
    items: list[tuple[_Element, int]] = []
    for node in list(root.iter("p", "ul", "ol")):
        if get_tag(node) == "p" and (level := _extract_item_mark(node)):
            items.append((node, level))
        elif get_tag(node) == "p" and (_WORD_TITLE if not is_google else _GOOGLE_TITLE) in _list_classes(node):
            node.tag = "h1"
        elif get_tag(node) != "p" and (match := _GOOGLE_LIST.search(node.get("class") or "")):
            _join_list(node, int(match[1]))
    for node, level in items:
        _make_item(node, level)
    for node in root.iter("a"):
        if _NOTE_MARK.search(node.get("class") or ""):
            mark, tail = collect_text(node).strip(), node.tail
            node.clear()
            node.text, node.tail = f"[{mark}] ", tail


def _list_classes(node: _Element) -> list[str]:
    return (node.get("class") or "").split()


def _extract_item_mark(node: _Element) -> int:
    """The depth of an item of Word, from 1, whose mark becomes its attribute; 0 for other paragraphs."""
    style = node.get("style") or ""
    level = _LEVEL.search(style)
    if level is None and not _WORD_ITEM.search(node.get("class") or ""):
        return 0
    spans = list(node.iter("span"))
    mark_span = next((span for span in spans if _IGNORED_STYLE.search(span.get("style") or "")), None)
    gap = next((span for span in spans if _MARK_GAP_STYLE.search(span.get("style") or "")), None)
    mark_span = gap.getparent() if mark_span is None and gap is not None else mark_span
    if mark_span is None or mark_span is node:
        return 0
    mark = collapse_spaces(collect_text(mark_span))
    del mark_span[:]
    mark_span.text = None
    node.set(MARK_ATTRIBUTE, mark if any(map(str.isalnum, mark)) and len(mark) > 1 else "-")
    margin = _MARGIN.search(style)
    depth = int(level[1]) if level else round(float(margin[1]) / _WORD_INDENTS[margin[2].lower()]) if margin else 1
    return min(max(depth, 1), _MAX_DEPTH)


def _make_item(node: _Element, level: int) -> None:
    """Changes a paragraph into an item, of the list right before it or of a new one."""
    previous = node.getprevious()
    if previous is None or get_tag(previous) != "ul" or (previous.tail or "").strip():
        previous = node.makeelement("ul")
        node.addprevious(previous)
    _find_last(previous, level - 1).append(node)
    previous.tail, node.tail, node.tag = node.tail, None, "li"


def _join_list(node: _Element, level: int) -> None:
    """Moves a list of Google Docs into the one right before it, at its depth."""
    start = node.get("start") or ""
    first = next(node.iterchildren("li"), None)
    if first is not None and start.isdecimal():
        first.set("value", start)
    previous = node.getprevious()
    if previous is None or not _GOOGLE_LIST.search(previous.get("class") or "") or (previous.tail or "").strip():
        return
    target = _find_last(previous, level, get_tag(node))
    for item in list(node):
        target.append(item)
    previous.tail = node.tail
    parent = node.getparent()
    if parent is not None:
        parent.remove(node)


def _find_last(outer: _Element, depth: int, tag: str = "ul") -> _Element:
    """The last list at this depth inside another, created if there is none."""
    for _ in range(depth):
        inner = outer[-1] if len(outer) else None
        if inner is None or get_tag(inner) not in ("ul", "ol"):
            inner = outer.makeelement(tag)
            outer.append(inner)
        outer = inner
    return outer
