"""Chapters of books: pages of XHTML with their headings, notes and the descriptions of pictures.

A note follows the paragraph that refers to it. Where a page has no heading at a place that the table of contents names,
the words of that table become its heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from tasks.parsers.assembly import Assembly
from tasks.parsers.book.contents_table import ContentsEntry
from tasks.parsers.picture_words import name_pictures
from tasks.parsers.trees import (
    HEADING_LEVELS,
    collapse_spaces,
    collect_text,
    get_tag,
    is_deeper,
    parse_page,
    read_xml,
    with_xml_characters,
)
from tasks.parsers.web.page_blocks import BLOCKS, add_blocks
from tasks.parsers.web.page_boilerplate import empty_element, empty_unread_elements
from warehouse.errors import UnreadableFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAVIGATION_KINDS = frozenset({"toc", "landmarks", "page-list", "pagebreak", "cover"})
_NOTES = frozenset({"footnote", "endnote", "rearnote", "note"})
_SELF_CLOSED = re.compile(
    rb"<(title|script|style|a|p|div|span|i|b|em|strong|td|th|li|iframe|textarea)\b([^<>]*)/>", re.IGNORECASE
)
_BLOCKS_BEFORE_NOTES = ("p", *HEADING_LEVELS, "ul", "ol", "dl", "table", "blockquote", "pre")
"""Blocks after which a note may be placed."""
_MAX_ELEMENTS_TO_HEADING = 200  # Elements from a place on in which its heading is searched.
_MAX_DEPTH = 180  # Levels of elements; deeper pages are read as HTML, which refuses them.


def add_chapter(assembly: Assembly, data: bytes, entries: Sequence[ContentsEntry]) -> None:
    """Adds the page; `entries` are the lines of the table of contents that refer to it.

    Raises `UnreadableFile` where there is no markup in it or it is nested too deeply.
    """
    root = _parse_chapter(data)
    body = next(root.iter("body"), root)
    _remove_contents_and_covers(body)
    empty_unread_elements(body)
    name_pictures(body)
    _place_notes(body)
    _add_headings(body, entries)
    add_blocks(assembly, body)


def _parse_chapter(data: bytes) -> _Element:
    """The root of a page: as XML, else as browsers read a malformed page."""
    from lxml import etree

    try:
        root = read_xml(data)
    except UnreadableFile:
        # Parsers of HTML leave elements open that XML closes at once.
        return parse_page(_SELF_CLOSED.sub(rb"<\1\2></\1>", data))
    if is_deeper(root, _MAX_DEPTH):
        return parse_page(data)
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
    return root


def _read_kinds(node: _Element) -> frozenset[str]:
    """The kinds of an element in a book, by `epub:type` or the equivalent role (DPUB-ARIA)."""
    texts = [node.get("{http://www.idpf.org/2007/ops}type"), node.get("epub:type")]
    texts.append((node.get("role") or "").replace("doc-", ""))
    return frozenset(word.lower() for text in texts for word in (text or "").split())


def _remove_contents_and_covers(body: _Element) -> None:
    """Empties lists of contents, marks of printed pages and covers."""
    for node in list(body.iter()):
        if node is not body and get_tag(node) and _NAVIGATION_KINDS & _read_kinds(node):
            empty_element(node)


def _place_notes(body: _Element) -> None:
    """Moves each note of the page below the block that refers to it."""
    notes = {
        node.get("id"): node for node in body.iter() if get_tag(node) and _NOTES & _read_kinds(node) and node.get("id")
    }
    last_notes: dict[_Element, _Element] = {}
    for link in [link for link in body.iter("a") if "noteref" in _read_kinds(link)]:
        mark = collapse_spaces(with_xml_characters(collect_text(link))).strip("[]()")
        if mark:
            del link[:]
            link.text = f"[{mark}]"
        note = notes.pop((link.get("href") or "").rpartition("#")[2], None)
        block = _find_outermost_block(link, body)
        if note is None or block is None or note in (block, *block.iterancestors()):
            continue
        _detach(note)
        note.tag = "div"
        _mark_note(note, mark)
        last_notes.get(block, block).addnext(note)
        last_notes[block] = note


def _mark_note(note: _Element, mark: str) -> None:
    """Adds the mark of a note before its first words, unless it is there."""
    first = next((node for node in note.iter() if get_tag(node) and (node.text or "").strip()), None)
    if mark and first is not None and not collapse_spaces(collect_text(note)).lstrip("[(").startswith(mark):
        first.text = f"[{mark}] {with_xml_characters(first.text).lstrip()}"


def _find_outermost_block(node: _Element, body: _Element) -> _Element | None:
    """The outermost block that contains an element: no cell of a table and no item of a list."""
    ancestors = takewhile(lambda ancestor: ancestor is not body, node.iterancestors())
    return next((ancestor for ancestor in reversed(list(ancestors)) if get_tag(ancestor) in _BLOCKS_BEFORE_NOTES), None)


def _detach(node: _Element) -> None:
    """Removes an element; the text after it stays."""
    parent, previous = node.getparent(), node.getprevious()
    if parent is None:
        return
    if node.tail and previous is not None:
        previous.tail = with_xml_characters((previous.tail or "") + node.tail)
    elif node.tail:
        parent.text = with_xml_characters((parent.text or "") + node.tail)
    node.tail = None
    parent.remove(node)


def _add_headings(body: _Element, entries: Sequence[ContentsEntry]) -> None:
    """Sets the levels of the places in the table of contents, with a heading added where a place has none.

    Other headings keep their distance to these levels on the page: sections below chapters, chapters below parts.
    """
    places = {node.get("id") or node.get("name"): node for node in body.iter() if node.get("id") or node.get("name")}
    headings = [node for node in body.iter() if get_tag(node) in HEADING_LEVELS and collapse_spaces(collect_text(node))]
    headings_by_text = {_normalize_text(collect_text(node)): node for node in reversed(headings)}
    labels = {_normalize_text(entry.label) for entry in entries}
    depths: dict[_Element, int] = {}
    added_headings: set[_Element] = set()
    for entry in entries:
        target = places.get(entry.place) if entry.place else body
        heading = headings_by_text.get(_normalize_text(entry.label))
        if heading is None and target is not None:
            heading = _find_first_heading(target, body)
            if heading is not None and _normalize_text(collect_text(heading)) in labels:
                # It belongs to another line: a part begins where its first chapter does.
                heading = None
        if heading is None and target is not None:
            heading = _insert_heading(target, body, entry)
            added_headings.add(heading)
        if heading is not None:
            depths.setdefault(heading, entry.depth)
    highest_level = min((HEADING_LEVELS[get_tag(node)] for node in headings), default=1)
    level_shift = 0
    for node in [element for element in body.iter() if get_tag(element) in HEADING_LEVELS]:
        level = HEADING_LEVELS[get_tag(node)]
        if node in depths:
            level_shift = depths[node] + 1 - highest_level if node in added_headings else depths[node] - level
        node.tag = f"h{min(max(depths.get(node, level + level_shift), 1), 6)}"


def _normalize_text(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _find_first_heading(target: _Element, body: _Element) -> _Element | None:
    """The heading that contains the first words from a place on; None if no heading contains them."""
    for node in islice(_iter_from(target, body), _MAX_ELEMENTS_TO_HEADING):
        if get_tag(node) in HEADING_LEVELS and collapse_spaces(collect_text(node)):
            return node
        has_text = (node.text or "").strip() or (not len(node) and node is not body and (node.tail or "").strip())
        if get_tag(node) and has_text:
            return next(
                (ancestor for ancestor in (node, *node.iterancestors()) if get_tag(ancestor) in HEADING_LEVELS), None
            )
    return None


def _iter_from(target: _Element, body: _Element) -> Iterator[_Element]:
    """The elements from a place on, in the order of the source."""
    yield from target.iter()
    node = target
    while node is not body:
        headings = (ancestor for ancestor in node.iterancestors() if get_tag(ancestor) in HEADING_LEVELS)
        if (heading := next(headings, None)) is not None:
            yield heading
            return
        for sibling in node.itersiblings():
            yield from sibling.iter()
        parent = node.getparent()
        if parent is None:
            return
        node = parent


def _insert_heading(target: _Element, body: _Element, entry: ContentsEntry) -> _Element:
    heading = body.makeelement(f"h{entry.depth}")
    heading.text = entry.label
    if target is body:
        heading.tail, body.text = with_xml_characters(body.text), None
        body.insert(0, heading)
        return heading
    # Before the block of the place: a mark in a paragraph is usually at its beginning.
    place = target
    while (parent := place.getparent()) is not None and parent is not body and get_tag(place) not in BLOCKS:
        place = parent
    place.addprevious(heading)
    return heading
