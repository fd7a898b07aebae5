"""The table rows with the figures that a question asks for, as a lookup of figures finds them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dashboards.assistant.tools.contract import ToolContext
from dashboards.tooling.figures.asked import asked_for
from dashboards.tooling.figures.candidates import Figure
from dashboards.tooling.figures.drawing import SCALES
from dashboards.tooling.figures.finding import Fit, found
from dashboards.tooling.limits import limited
from dashboards.tooling.passages import Place, first_hits_at, with_row
from tasks.ask.asking import without_frame
from tasks.ask.certainty import AnswerType, answer_type
from tasks.ask.extracts import RowFit
from tasks.ask.pieces import pieces
from warehouse.errors import BadInput
from warehouse.records import Filters, Hit, SearchRequest

MOST = 3
"""Rows that are looked at: further ones are seldom what was asked for."""
_NO_FIGURE = re.compile(
    r"\W*(?:and |but |so )?(?:why|who|whose|where|when)\b|.*(?:为什么|为何|谁|哪里|何时)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Lead:
    """A row: its passage, whose excerpt it is, the quotation of its table's head and itself, and how well it fits."""

    hit: Hit
    text: str
    fit: RowFit


def leads(context: ToolContext, wanted: SearchRequest) -> list[Lead]:
    """The rows that may have the figure, best first. None where no figure is asked for, or of whom nothing is held."""
    wordy = answer_type(wanted.text) in (AnswerType.REASON, AnswerType.MEANING, AnswerType.NAME)
    if _demands_of_passages(wanted.filters) or wordy or _NO_FIGURE.match(wanted.text):
        return []
    warehouse = context.warehouse.at()
    try:
        asked = asked_for(warehouse, without_frame(wanted.text), "", (), context.today)
        inside = limited(replace(context, within=wanted.filters), asked.documents)
    except BadInput:
        return []
    rows = _rows(found(warehouse, replace(asked, documents=inside)))
    places = [Place(fit.figure.document_id, fit.figure.start, fit.figure.end) for fit in rows[:MOST]]
    hits = [with_row(hit, place) for hit, place in zip(first_hits_at(warehouse, places), places, strict=True)]
    made = []
    for fit, hit in zip(rows[:MOST], hits, strict=True):
        others = [row.score for row in rows if row is not fit]
        margin = fit.score - max(others, default=0.0)
        timed = fit.timed if asked.windows else 0.5
        lead = _lead(hit, fit.score, RowFit(fit.called, timed, margin, scale_of(fit.figure))) if hit else None
        made += [lead] if lead else []
    return made


def _demands_of_passages(filters: Filters) -> bool:
    """Whether filters demand something of a passage, which a lookup of figures in documents does not see."""
    asked = (filters.during, filters.names, filters.pages, filters.lessons, filters.sections, filters.quality)
    return any(asked) or filters.has_table is False


def _rows(fits: Sequence[Fit]) -> list[Fit]:
    """The best cell of each row, in order."""
    best: dict[tuple[str, int, int], Fit] = {}
    for fit in fits:
        best.setdefault((fit.figure.document_id, fit.figure.table, fit.figure.row), fit)
    return list(best.values())


def _lead(hit: Hit, score: float, fit: RowFit) -> Lead | None:
    start, end = hit.excerpt or (hit.start, hit.start)
    row = hit.text[start - hit.start : end - hit.start]
    text = next((piece.text for piece in pieces(hit, 0) if piece.header and piece.text.endswith(row)), "")
    if not row or not text:
        return None
    known = replace(hit, score=score, citation=replace(hit.citation, relevance=score))
    return Lead(known, text, replace(fit, scale="" if _names_scale(text, fit.scale) else fit.scale))


def scale_of(figure: Figure) -> str:
    """What the figures of a row are in: "in millions of USD"; nothing where they are as they are printed.

    A figure whose scale or period is not sure says that instead.
    """
    if figure.doubt:
        return f"in doubt ({figure.doubt})"
    scale = SCALES.get(figure.scale, "")
    if not scale or figure.unit:
        return ""
    plural = f"{scale}s" if scale.isascii() else scale
    return f"in {plural} of {figure.currency}" if figure.currency else f"in {plural}"


def _names_scale(text: str, scale: str) -> bool:
    word = scale.partition(" ")[2].partition(" ")[0].rstrip("s")
    return not word or word in text.lower()
