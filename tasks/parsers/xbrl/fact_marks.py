"""Marks at both ends of each piece of a page that shows a fact, by which it is found in the text of the document."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tasks.parsers.parser_contract import LOOKS_MARKED, MAX_PIECES, make_mark
from tasks.parsers.trees import get_tag
from tasks.parsers.xbrl.inline_facts import PIECE

if TYPE_CHECKING:
    from lxml.etree import _Element

_VISIBLE_CHARACTER = re.compile(r"[^\s\x00-\x1f\x7f\u00ad\u200b\u2060\ufeff]")
"""A character that remains in a text without white space and characters of no width (`assembly.clean`)."""
_FORBIDDEN_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that libxml2 reads in HTML but refuses in text that is set."""
_Slot = tuple["_Element", bool]  # The text of an element, or with True its tail.


def mark_pieces(root: _Element) -> None:
    """Put a mark before the first and after the last visible character of each piece; one without any has no mark.

    Characters that look like marks become U+FFFD.
    """
    from lxml import etree

    marks: defaultdict[_Slot, list[tuple[int, str]]] = defaultdict(list)
    open_pieces: list[int] = []  # Pieces without a visible character so far.
    last_visible: tuple[_Slot, int] | None = None
    for event, node in etree.iterwalk(root, events=("start", "end")):
        piece = int(node.get(PIECE) or MAX_PIECES) if isinstance(node.tag, str) else MAX_PIECES
        if event == "start" and piece < MAX_PIECES:
            open_pieces.append(piece)
        elif event == "end" and piece < MAX_PIECES:
            if piece in open_pieces:
                open_pieces.remove(piece)
            elif last_visible is not None:
                slot, place = last_visible
                marks[slot].append((place, make_mark(piece, is_end=True)))
        is_tail = event == "end"
        text = node.tail if is_tail else node.text
        if not text or not get_tag(node) or (not is_tail and get_tag(node) == "template"):
            continue
        if not text.isascii() and LOOKS_MARKED.search(text):
            text = LOOKS_MARKED.sub("\ufffd", text)
            _write_slot((node, is_tail), text)
        first = _VISIBLE_CHARACTER.search(text)
        if first is None:
            continue
        slot = (node, is_tail)
        marks[slot] += ((first.start(), make_mark(piece, is_end=False)) for piece in open_pieces)
        open_pieces.clear()
        last_visible = (slot, _find_end(text))
    for slot, slot_marks in marks.items():
        _write_slot(slot, _with_marks(_read_slot(slot), slot_marks))


def _find_end(text: str) -> int:
    """The place after the last visible character."""
    return next(place for place in range(len(text), 0, -1) if _VISIBLE_CHARACTER.match(text[place - 1]))


def _with_marks(text: str, marks: list[tuple[int, str]]) -> str:
    pieces, copied_to = list[str](), 0
    for place, mark in sorted(marks, key=lambda mark: mark[0]):
        pieces += (text[copied_to:place], mark)
        copied_to = place
    return "".join((*pieces, text[copied_to:]))


def _read_slot(slot: _Slot) -> str:
    node, is_tail = slot
    return (node.tail if is_tail else node.text) or ""


def _write_slot(slot: _Slot, text: str) -> None:
    node, is_tail = slot
    text = _FORBIDDEN_CHARACTER.sub(" ", text)
    if is_tail:
        node.tail = text
    else:
        node.text = text
