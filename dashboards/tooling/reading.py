"""A place of a document read within a budget: cut at a line's end, below its table's head where it begins in one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dashboards.tooling.passages import Place
from tasks.ask.token_budget import CUT, clipped, head_of, tokens
from warehouse.reader import Warehouse

_AROUND = """
    SELECT start, row_spans[header_rows + 1][1] FROM tables
    WHERE document_id = $id AND start < $place AND "end" > $place AND header_rows > 0 AND len(row_spans) > header_rows
"""
HEAD = 0.3
"""The most of a budget that a repeated head may take."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What is shown, and the span of it that is the place's own text; `left` is where it goes on, None at its end."""

    text: str
    place: Place
    left: int | None = None


def read(warehouse: Warehouse, text: str, place: Place, budget: int) -> Reading:
    """As much of a place as fits the budget, from its start; `text` is the document's."""
    head = _head(warehouse, text, place, int(budget * HEAD))
    own = text[place.start : place.end]
    length = head_of(own, max(1, budget - tokens(head) - 1))
    if length >= len(own):
        return Reading(head + own, place)
    left = place.start + length
    return Reading(f"{head}{own[:length]}{CUT}", replace(place, end=left), left)


def before(text: str, place: Place, budget: int) -> str:
    """The end of what stands before something, as much as fits."""
    own = text[place.start : place.end].strip()
    if tokens(own) <= budget:
        return own
    length = head_of(own[::-1], max(1, budget - 2))
    return f"{CUT.strip()} {own[-length:].lstrip()}" if budget > 2 else ""


def after(text: str, place: Place, budget: int) -> str:
    """The beginning of what stands after something, as much as fits."""
    return clipped(text[place.start : place.end].strip(), budget) if budget > 2 else ""


def _head(warehouse: Warehouse, text: str, place: Place, budget: int) -> str:
    rows = warehouse.snapshot.rows(_AROUND, {"id": place.document_id, "place": place.start})
    if not rows or place.start < rows[0][1]:
        return ""
    head = text[rows[0][0] : rows[0][1]].rstrip()
    return f"{head}\n{CUT.strip()}\n" if tokens(head) <= budget else ""
