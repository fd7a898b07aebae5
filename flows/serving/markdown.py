"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST = 20
"""Rows of a table at most; what there is more is counted."""
_SPECIAL = {ord(each): f"\\{each}" for each in "\\`*_[]<>|"} | {ord("\n"): " "}


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, empty without rows; numbers to the right. Texts of documents stay texts."""
    found = list(rows)
    if not found:
        return ""
    right = [all(isinstance(row[place], int | float) for row in found) for place in range(len(names))]
    lines = [names, ["--:" if each else "---" for each in right], *(map(plain, row) for row in found[:MOST])]
    said = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{said}\n\n… and {len(found) - MOST} more" if len(found) > MOST else said


def plain(value: object) -> str:
    """A number with its thousands apart, or a text that stays text."""
    return f"{value:,}" if isinstance(value, int | float) else str(value).translate(_SPECIAL)
