"""A passage within a budget: whole where it fits, else from its excerpt on; of a table the rows that are asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from tasks.ask.token_budget import clipped, tokens
from warehouse.records import Hit
from warehouse.store.words import words

_TABLE = re.compile(r"^\[TABLE \d+\]$", re.MULTILINE)
_END = "[END TABLE]"
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_HEAD_LINES = 8
GAP = "…"
LEAD = 0.3
"""The most of a budget that the words above a table may take, where not all of its rows can be shown."""


def shown(hit: Hit, budget: int, asked: Collection[str] = ()) -> str:
    """What is read of a hit in at most `budget` tokens; "…" stands for what is left out.

    `asked` are the words of the question, as they are counted: of a table too long, rows with them are shown first.
    """
    if tokens(hit.text) <= budget:
        return hit.text
    place = hit.excerpt[0] - hit.start if hit.excerpt else 0
    before = f"{GAP}\n" if place else ""
    rest = hit.text[place:]
    table = _TABLE.search(rest)
    lead = before + rest[: table.start()] if table else rest
    if table and tokens(lead) <= LEAD * budget and tokens(rest.partition(_END)[0]) > budget:
        return lead + rows_asked(rest[table.start() :], budget - tokens(lead), asked)
    head = table_head(hit.text, place)
    return clipped(f"{head}\n{before}{rest}" if head else before + rest, budget)


def rows_asked(table: str, budget: int, asked: Collection[str]) -> str:
    """The head of a table and as many of its rows as fit, those with most of the asked words first, in their order."""
    head, lines = _parted(table)
    if not head or tokens(head) > budget // 2:
        return clipped(table, budget)
    # A gap may stand before each row and after the last.
    left = budget - tokens(head) - tokens(GAP) - 2
    chosen: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda place: -len(set(asked) & set(words(lines[place])))):
        cost = tokens(lines[place]) + tokens(GAP) + 2
        if cost <= left:
            chosen.add(place)
            left -= cost
    return "\n".join([head, *_with_gaps(lines, chosen)])


def table_head(text: str, place: int) -> str:
    """The head of the table that a place of a text lies in, its marker and rule too; empty outside of tables."""
    starts = [found.start() for found in _TABLE.finditer(text, 0, place)]
    if not starts or _END in text[starts[-1] : place]:
        return ""
    return _parted(text[starts[-1] : place])[0]


def _parted(table: str) -> tuple[str, list[str]]:
    """A table's lines down to the rule below its header, and those of its rows; no head where it has no rule."""
    lines = table.partition(_END)[0].rstrip().split("\n")
    rule = next((number for number, line in enumerate(lines[:_HEAD_LINES]) if _RULE.fullmatch(line.strip())), None)
    return ("", lines) if rule is None else ("\n".join(lines[: rule + 1]), lines[rule + 1 :])


def _with_gaps(lines: Sequence[str], chosen: Collection[int]) -> list[str]:
    found: list[str] = []
    for place, line in enumerate(lines):
        if place in chosen:
            found.append(line)
        elif not found or found[-1] != GAP:
            found.append(GAP)
    return found
