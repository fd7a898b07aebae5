"""Cells that may be meant: figures, and dashes that stand for none, whose headers have words of the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from warehouse.reader import Warehouse
from warehouse.records import Window

MOST = 20_000
"""Cells that are judged at most, those with most words of the item."""
AROUND = timedelta(days=800)
"""How far from the time that is asked about cells are read: fiscal periods lie apart from those of their name."""

_CELLS = """
    WITH figures AS (
        SELECT c.*, t.caption, t.confidence,
            list_filter(t.parts, lambda part: part.first_row <= c."row" AND part.last_row >= c."row")[1].page AS page,
            lower(concat_ws(' ', c.row_header, c.column_header, t.caption)) AS said
        FROM cells c JOIN tables t ON t.document_id = c.document_id AND t.number = c."table"
        WHERE (c.value IS NOT NULL OR regexp_full_match(c.text, '[$€£¥ ]*([-–—−]+|nil|n/?a|n/?m)[ %]*', 'i'))
            AND c.row_header <> '' AND c.text <> c.row_header
            AND (len($documents) = 0 OR c.document_id IN (SELECT unnest($documents)))
            AND (c.period_start IS NULL OR c.period_end IS NULL
                OR (c.period_start < $until AND c.period_end > $since))
    ), judged AS (
        SELECT *, {share} AS share FROM figures
    )
    SELECT document_id, "table", "row", "column", row_header, column_header, text, start, "end", "value", unit, scale,
        currency, period_start, period_end, caption, confidence, page
    FROM judged WHERE share > 0
    ORDER BY share DESC, document_id, "table", "row", "column"
    LIMIT $most
"""
"""`share` is put in by `_share`: names of parameters and numbers, nothing that anybody said."""
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
    caption: str
    confidence: float
    page: int | None


def figures(
    warehouse: Warehouse, wordings: Sequence[Sequence[str]], documents: Sequence[str], windows: Sequence[Window]
) -> list[Figure]:
    """The cells of some documents, or all if there are none, with words of one of the wordings, about their times."""
    words = list(dict.fromkeys(word for wording in wordings for word in wording))
    given = {
        **{f"word{place}": _stem(word) for place, word in enumerate(words)},
        "documents": list(documents),
        "since": _earliest(windows),
        "until": _latest(windows),
        "most": MOST,
    }
    sql = _CELLS.replace("{share}", _share(wordings, words))
    return [Figure(*row) for row in warehouse.snapshot.rows(sql, given)]


def _share(wordings: Sequence[Sequence[str]], words: Sequence[str]) -> str:
    """The largest share of a wording that a cell's headers have, in SQL: plain sums, for lists of lists are slow."""
    places = {word: place for place, word in enumerate(words)}
    each = [
        "("
        + " + ".join(f"CAST(contains(said, $word{places[word]}) AS DOUBLE)" for word in wording)
        + f") / {len(wording)}"
        for wording in wordings
    ]
    return f"greatest({', '.join(each)})"


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
