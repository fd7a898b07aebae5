"""What the documents say to a question, word for word: the figure that it asks for, then sentences and table rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboards.chat.leading import Lead, lead
from dashboards.tools.contract import Desk
from tasks.ask.extracts import Extract, extracts
from warehouse.records import Found, Hit, Wanted

MOST = 3
"""Quotations that an answer consists of."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotations, best first, and the passages that they are from by number.

    The passages are the hits in their order, after them that of the figure where it is none of them.
    """

    hits: tuple[Hit, ...]
    extracts: tuple[Extract, ...]


def quoted(desk: Desk, wanted: Wanted, found: Found) -> Quoted:
    """The best of what was found for a question, the figure first where the tables surely have it."""
    others = extracts(found.question, found.hits, desk.embedder, MOST)
    return _led(lead(desk, wanted), found.hits, others)


def _led(leading: Lead | None, hits: Sequence[Hit], others: Sequence[Extract]) -> Quoted:
    """The figure before all others, where there is one; no row is quoted twice."""
    if leading is None:
        return Quoted(tuple(hits), tuple(others))
    held = next((place for place, hit in enumerate(hits) if hit.chunk_id == leading.hit.chunk_id), len(hits))
    known = (*hits, leading.hit) if held == len(hits) else tuple(hits)
    rest = (each for each in others if each.text != leading.text)
    return Quoted(known, (leading.extract(held), *rest)[:MOST])
