"""The figure that a question asks for, where the tables surely have it: it leads the answer that quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dashboards.tooling.figures.asked import Asked, asked_for
from dashboards.tooling.figures.finding import Fit, found
from dashboards.tooling.limits import limited
from dashboards.tooling.passages import Place, first_hits_at, with_row
from dashboards.tools.contract import Desk
from tasks.ask.extracts import Extract
from tasks.ask.pieces import pieces
from warehouse.errors import BadInput
from warehouse.records import Hit, Wanted

CALLED = 0.85
"""How well a row and column must be called what the question says."""
TIMED = 0.6
"""How well their time must fit, where it names one."""
_NO_FIGURE = re.compile(
    r"\W*(?:and |but |so )?(?:why|who|whose|where|when)\b|.*(?:为什么|为何|谁|哪里|何时)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Lead:
    """The passage with the figure's table, its row being the excerpt, and the quotation: head and row."""

    hit: Hit
    text: str
    score: float

    def extract(self, place: int) -> Extract:
        """The quotation, its passage being number `place` of the hits."""
        return Extract(self.text, place, self.score)


def lead(desk: Desk, wanted: Wanted) -> Lead | None:
    """The row that the question asks for. None where it asks for no figure, for several, or of whom nothing is held."""
    if wanted.filters.during or _NO_FIGURE.match(wanted.text):
        return None
    warehouse = desk.warehouse.at()
    try:
        asked = asked_for(warehouse, wanted.text, "", (), desk.today)
        inside = limited(replace(desk, within=wanted.filters), asked.documents)
    except BadInput:
        return None
    fits = found(warehouse, replace(asked, documents=inside))
    if not fits or not _sure(asked, fits[0]):
        return None
    figure = fits[0].figure
    place = Place(figure.document_id, figure.start, figure.end)
    hit = with_row(first_hits_at(warehouse, [place])[0], place)
    return _quoted(hit, fits[0].score) if hit else None


def _sure(asked: Asked, best: Fit) -> bool:
    figure = best.figure
    labels = f"{figure.row_header} {figure.column_header}".casefold()
    unknown = [name for name in asked.names if name.casefold() not in labels]
    timely = not asked.windows or best.timed >= TIMED
    return best.called >= CALLED and timely and not figure.doubt and (not unknown or bool(asked.documents))


def _quoted(hit: Hit, score: float) -> Lead | None:
    start, end = hit.excerpt or (hit.start, hit.start)
    row = hit.text[start - hit.start : end - hit.start]
    text = next((piece.text for piece in pieces(hit, 0) if piece.header and piece.text.endswith(row)), "")
    return Lead(hit, text, score) if row and text else None
