"""Bands between the level rules that run across a table."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.parsers.pages.rules import RuledLine
from tasks.parsers.pages.table_lines import TableLine

_WHOLE = 0.6


def bands_between(lines: Sequence[TableLine], level: Sequence[RuledLine]) -> list[float]:
    """The heights of the rules that run across the table between its lines."""
    left = min(span.x0 for line in lines for span in line.spans)
    right = max(span.x1 for line in lines for span in line.spans)
    across: dict[int, float] = {}
    for rule in level:
        across[round(rule.at)] = across.get(round(rule.at), 0.0) + min(rule.end, right) - max(rule.start, left)
    return [at for at, length in across.items() if length >= _WHOLE * (right - left)]
