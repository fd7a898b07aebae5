"""Cells of all tables that satisfy something, with what they are called and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from dashboards.assistant.tools.document_spans import format_period
from dashboards.facts.tables.wanted import CellsWanted, conditions
from warehouse.reader import Warehouse

_FOUND = """
    SELECT d.title, d.source, d.company, c.row_header, c.column_header, c.text, c."value", c.currency, c.unit,
        c.period_start, c.period_end, c.doubt, c.document_id, c."table", c."row", c."column"
    FROM cells c JOIN documents d USING (document_id)
    WHERE {wanted} ORDER BY d.source, c."table", c."row", c."column" LIMIT $most OFFSET $past
"""
_COUNTED = "SELECT count(*) FROM cells c JOIN documents d USING (document_id) WHERE {wanted}"
"""`wanted` is put in by `conditions`."""
_PAGES = """
    SELECT t.document_id, t.number, k."row",
        list_filter(t.parts, lambda part: part.first_row <= k."row" AND part.last_row >= k."row")[1].page AS page
    FROM (SELECT DISTINCT unnest($documents) AS document_id, unnest($tables) AS number, unnest($rows) AS "row") k
    JOIN tables t ON t.document_id = k.document_id AND t.number = k.number
"""
_UNITS = """
    SELECT DISTINCT named FROM (SELECT unnest([currency, unit]) AS named FROM cells WHERE "value" IS NOT NULL)
    WHERE named <> '' ORDER BY lower(named) LIMIT 200
"""


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell of some document: its names, what it says, its period with the last day, why it is in doubt, its place."""

    value: float | None
    printed: str
    unit: str
    period: str
    doubt: str
    row: str
    column: str
    company: str
    source: str
    page: int | None
    document_id: str
    table: int
    place: tuple[int, int]


def cells_of(warehouse: Warehouse, wanted: CellsWanted, most: int, past: int = 0) -> list[FoundCell]:
    """`most` of the cells, after the first `past`, by document and place, each with its page, if it has one."""
    asked, given = conditions(wanted)
    rows = warehouse.snapshot.records(_FOUND.format(wanted=asked), {**given, "most": most, "past": past})
    keys = [(row["document_id"], row["table"], row["row"]) for row in rows]
    pages = _pages(warehouse, keys) if keys else {}
    return [_cell(row, pages.get(key)) for row, key in zip(rows, keys, strict=True)]


def of_figure(figure: Mapping[str, Any], company: str) -> FoundCell:
    """A figure as `query_cells` gives it."""
    start, end = (date.fromisoformat(day) if day else None for day in (figure["period_start"], figure["period_end"]))
    return FoundCell(
        value=figure["value"],
        printed=" ".join(figure["text"].split()),
        unit=_unit(figure["currency"], figure["unit"]),
        period=format_period(start, end),
        doubt=figure["doubt"],
        row=" › ".join(figure["row"]),
        column=" › ".join(figure["column"]),
        company=company,
        source=figure["source"],
        page=figure["page"],
        document_id=figure["document_id"],
        table=figure["table"],
        place=(figure["place"][0], figure["place"][1]),
    )


def count_of(warehouse: Warehouse, wanted: CellsWanted) -> int:
    """How many cells satisfy it."""
    asked, given = conditions(wanted)
    return int(warehouse.snapshot.rows(_COUNTED.format(wanted=asked), given)[0][0])


def units(warehouse: Warehouse) -> list[str]:
    """The units and currencies of figures, 200 of them."""
    return [str(name) for (name,) in warehouse.snapshot.rows(_UNITS)]


def _cell(row: Mapping[str, Any], page: int | None) -> FoundCell:
    return FoundCell(
        value=row["value"],
        printed=" ".join(row["text"].split()),
        unit=_unit(row["currency"], row["unit"]),
        period=format_period(row["period_start"], row["period_end"]),
        doubt=row["doubt"],
        row=_path(row["row_header"]),
        column=_path(row["column_header"]),
        company=row["company"] or row["title"],
        source=row["source"],
        page=page,
        document_id=row["document_id"],
        table=row["table"],
        place=(row["row"], row["column"]),
    )


def _unit(currency: str, unit: str) -> str:
    return " ".join(part for part in (currency, unit) if part)


def _path(header: str) -> str:
    return " › ".join(part for part in header.split(" / ") if part)


def _pages(warehouse: Warehouse, keys: list[tuple[str, int, int]]) -> dict[tuple[str, int, int], int | None]:
    documents, tables, rows = (list(side) for side in zip(*keys, strict=True))
    found = warehouse.snapshot.rows(_PAGES, {"documents": documents, "tables": tables, "rows": rows})
    return {(document, table, row): page for document, table, row, page in found}
