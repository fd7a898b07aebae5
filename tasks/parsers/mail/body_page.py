"""Bodies that are web pages, in lines and blocks: what programs mark as quoted, and signatures.

Gmail, Outlook, Apple Mail, Thunderbird, Yahoo and Proton mark what a reply quotes, each in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly, BlockContent
from tasks.parsers.mail.quotations import BodyLine
from tasks.parsers.office.office_pages import restore_structure
from tasks.parsers.trees import get_tag, parse_page, with_xml_characters
from tasks.parsers.web.page_blocks import add_blocks
from tasks.parsers.web.page_boilerplate import empty_unread_elements
from warehouse.records import BlockKind

if TYPE_CHECKING:
    from lxml.etree import _Element

_QUOTES = re.compile(
    r"(?:^|\s)(?:gmail_quote|yahoo_quoted|protonmail_quote|zmail_extra|moz-forward-container|forwarded-message)(?=\s|$)",
    re.IGNORECASE,
)
_SIGNATURES = re.compile(
    r"(?:^|\s)(?:gmail_signature|moz-signature|protonmail_signature_block\S*|Signature|ms-outlook-mobile-signature)(?=\s|$)"
)
_OPENED = frozenset(["body", "div", "center", "span", "font", "article", "main", "section", "form", "html"])
"""Elements that are cut if a quotation or signature is inside: tables and lists stay whole."""
_MAX_NAMES_LENGTH, _MAX_DEPTH = 400, 50


@dataclass(slots=True)
class _Stretch:
    """Neighbouring elements of one depth, in a division of their own."""

    depth: int
    is_signature: bool
    root: _Element


def read_page_lines(data: bytes) -> list[BodyLine]:
    """The lines and blocks of a page. Raises `UnreadableFile` where it has no markup or is nested too deeply."""
    root = parse_page(data)
    restore_structure(root)
    empty_unread_elements(root)
    body = root.find("body")
    cutter = _PageSplitter(root if body is None else body)
    lines: list[BodyLine] = []
    paragraph = 0
    for stretch in cutter.stretches:
        assembly = Assembly()
        add_blocks(assembly, stretch.root)
        for block in assembly.contents:
            paragraph += 1
            lines += _iter_block_lines(block, stretch, paragraph)
    return lines


def _iter_block_lines(block: BlockContent, stretch: _Stretch, paragraph: int) -> Iterator[BodyLine]:
    if block.kind is not BlockKind.PARAGRAPH:
        yield BodyLine(stretch.depth, block.text, block, is_signature=stretch.is_signature)
        return
    for line in block.text.split("\n"):
        yield BodyLine(stretch.depth, line, None, paragraph, stretch.is_signature)


class _PageSplitter:
    """Splits a page into stretches; a new one begins where a quotation or signature begins or ends."""

    def __init__(self, body: _Element) -> None:
        special_nodes = [node for node in body.iter() if _is_quote(node) or _is_signature(node)]
        self._quote_ancestors = {above for node in special_nodes for above in node.iterancestors()}
        self.stretches: list[_Stretch] = []
        self._cut_node(body, 0, is_signature=False)

    def _cut_node(self, node: _Element, depth: int, *, is_signature: bool) -> None:
        root = self._find_root(depth, is_signature=is_signature)
        _append_text(root, node.text)
        for child in list(node):
            tail, child.tail = child.tail, None
            is_quote, is_signed = _is_quote(child), _is_signature(child)
            root = self._find_root(depth, is_signature=is_signature)
            if is_quote or is_signed or (get_tag(child) in _OPENED and child in self._quote_ancestors):
                # The text next to it is another paragraph.
                root.append(root.makeelement("p"))
                self._cut_node(child, min(depth + is_quote, _MAX_DEPTH), is_signature=is_signature or is_signed)
                root = self._find_root(depth, is_signature=is_signature)
                root.append(root.makeelement("p"))
            else:
                root.append(child)
            _append_text(root, tail)

    def _find_root(self, depth: int, *, is_signature: bool) -> _Element:
        from lxml.etree import Element

        last = self.stretches[-1] if self.stretches else None
        if last is None or (last.depth, last.is_signature) != (depth, is_signature):
            self.stretches.append(_Stretch(depth, is_signature, Element("div")))
        return self.stretches[-1].root


def _append_text(root: _Element, text: str | None) -> None:
    valid_text = with_xml_characters(text)
    if valid_text and len(root):
        root[-1].tail = (root[-1].tail or "") + valid_text
    elif valid_text:
        root.text = (root.text or "") + valid_text


def _get_names(node: _Element) -> str:
    return f"{node.get('class') or ''} {node.get('id') or ''}"[:_MAX_NAMES_LENGTH]


def _is_quote(node: _Element) -> bool:
    is_cited = get_tag(node) == "blockquote" and (node.get("type") or "").lower() == "cite"
    return is_cited or _QUOTES.search(_get_names(node)) is not None


def _is_signature(node: _Element) -> bool:
    return _SIGNATURES.search(_get_names(node)) is not None or node.get("data-smartmail") == "gmail_signature"
