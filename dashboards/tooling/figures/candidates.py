"""Cells that may be meant: figures, and dashes that stand for none, whose headers have words of the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dashboards.tooling.figures.headers import Headers
from warehouse.reader import Warehouse
from warehouse.records import Window

MOST = 20_000
"""Cells that are judged at most, those with most words of the item."""
AROUND = timedelta(days=800)
"""How far from the time that is asked about cells are read: fiscal periods lie apart from those of their name."""

_CELLS = """
    WITH chosen AS (
        SELECT unnest($documents) AS document_id, unnest($tables) AS number, unnest($rows) AS "row",
            unnest($columns) AS "column", unnest($places) AS place
    )
    SELECT c.document_id, c."table", c."row", c."column", c.row_header, c.column_header, c.text, c.start, c."end",
        c."value", c.unit, c.scale, c.currency, c.period_start, c.period_end, c.doubt, t.caption, t.confidence,
        list_filter(t.parts, lambda part: part.first_row <= c."row" AND part.last_row >= c."row")[1].page AS page
    FROM chosen k
    JOIN cells c ON c.document_id = k.document_id AND c."table" = k.number AND c."row" = k."row"
        AND c."column" = k."column"
    JOIN tables t ON t.document_id = k.document_id AND t.number = k.number
    ORDER BY k.place
"""
_LABELS = """
    SELECT DISTINCT c.row_header FROM cells c
    WHERE c.value IS NOT NULL AND c.row_header <> ''
        AND (len($documents) = 0 OR c.document_id IN (SELECT unnest($documents)))
    ORDER BY c.row_header LIMIT $most
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """A cell of a document's table as `Cell` has it, the caption and confidence of its table, the page of its row."""

    document_id: str
    table: int
    row: int
    column: int
    row_header: str
    column_header: str
    text: str
    start: int
    end: int
    value: float | None
    unit: str
    scale: float
    currency: str
    period_start: date | None
    period_end: date | None
    doubt: str
    caption: str
    confidence: float
    page: int | None


def figures(
    warehouse: Warehouse, wordings: Sequence[Sequence[str]], documents: Sequence[str], windows: Sequence[Window]
) -> list[Figure]:
    """The cells of some documents, or all if there are none, with words of one of the wordings, about their times."""
    headers = Headers.of(warehouse.snapshot, documents)
    stems = [[_stem(word) for word in wording] for wording in wordings]
    chosen = headers.best(stems, _earliest(windows), _latest(windows), MOST)
    if not chosen.num_rows:
        return []
    names = ("documents", "tables", "rows", "columns")
    given = {name: column.to_pylist() for name, column in zip(names, chosen.columns, strict=True)}
    rows = warehouse.snapshot.rows(_CELLS, {**given, "places": list(range(chosen.num_rows))})
    return [Figure(*row) for row in rows]


def labels(warehouse: Warehouse, documents: Sequence[str]) -> list[str]:
    """What rows with figures are called, each name once, `MOST` of them."""
    found = warehouse.snapshot.rows(_LABELS, {"documents": list(documents), "most": MOST})
    return [str(label) for (label,) in found]


def _stem(word: str) -> str:
    """What a word and its stem begin with alike: Snowball writes "inventori" for inventory."""
    return word[:-1] if len(word) > 3 and word[-1] == "i" else word


def _earliest(windows: Sequence[Window]) -> date:
    starts = [side for window in windows for side in (window.start, window.other_start)]
    first = min((side for side in starts if side), default=None)
    return date.min if first is None or any(w.start is None for w in windows) else _moved(first, -AROUND)


def _latest(windows: Sequence[Window]) -> date:
    ends = [side for window in windows for side in (window.end, window.other_end)]
    last = max((side for side in ends if side), default=None)
    return date.max if last is None or any(w.end is None for w in windows) else _moved(last, AROUND)


def _moved(day: date, by: timedelta) -> date:
    try:
        return day + by
    except OverflowError:
        return date.min if by < timedelta() else date.max
