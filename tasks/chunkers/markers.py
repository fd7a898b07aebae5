"""The markers of tables in a text, and whether they pair up."""

from __future__ import annotations

import re

OPENING = re.compile(r"\[TABLE \d+\]")
CLOSING = "[END TABLE]"

_EITHER = re.compile(r"\[TABLE \d+\]|\[END TABLE\]")


def has_table(text: str) -> bool:
    """Whether a text holds any table marker."""
    return _EITHER.search(text) is not None


def table_count(text: str) -> int:
    """How many tables open in a text."""
    return len(OPENING.findall(text))


def tables_are_whole(text: str) -> bool:
    """Whether the markers of a text are pairs of an opening and a closing one, none missing and none left over."""
    closes = [mark == CLOSING for mark in _EITHER.findall(text)]
    return closes == [False, True] * (len(closes) // 2)
