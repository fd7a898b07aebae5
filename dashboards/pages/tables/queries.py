"""Tables and cells that match filters, in the order and the number that a list draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from dashboards.assistant.tools.document_spans import format_period
from warehouse.reader import Warehouse

Days = tuple[date | None, date | None]
"""A half-open period, open on a side that is None."""
Conditions = tuple[list[str], dict[str, Any]]
"""Conditions in SQL with the values of their parameters: no value is written into the SQL."""

ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "document": "source, number",
        "newest first": "document_date DESC NULLS LAST, source, number",
        "largest first": "rows * columns DESC, source, number",
        "least certain": "confidence, source, number",
        "most wrong totals": "wrong DESC, source, number",
    }
)
"""Orders of the list of tables, each in SQL."""

_TABLES = """
    WITH wrong AS (
        SELECT document_id, "table" AS number, count(*) FILTER (NOT adds_up) AS wrong, count(*) AS totals
        FROM totals GROUP BY ALL
    ), matching AS (
        SELECT t.document_id, t.number, t.caption, len(t.rows) AS rows, len(t.rows[1]) AS columns, t.confidence,
            t.parts[1].page AS page, t.parts[-1].page AS last_page, d.title, d.company, d.kind, d.document_date,
            d.source, coalesce(w.totals, 0) AS totals, coalesce(w.wrong, 0) AS wrong
        FROM tables t JOIN documents d USING (document_id)
        LEFT JOIN wrong w ON w.document_id = t.document_id AND w.number = t.number
        WHERE {conditions}
    )
    SELECT *, count(*) OVER () AS matches FROM matching ORDER BY {order} LIMIT $most OFFSET $past
"""
"""`conditions` are those of `_table_conditions`, `order` is one of `ORDERS`."""
_COMPANIES = "SELECT DISTINCT company FROM documents WHERE company <> '' AND table_count > 0 ORDER BY lower(company)"
_NUMBERS = "SELECT number FROM tables WHERE document_id = $id ORDER BY number"
_CELLS = """
    SELECT d.title, d.source, d.company, c.row_header, c.column_header, c.text, c."value", c.currency, c.unit,
        c.period_start, c.period_end, c.doubt, c.document_id, c."table", c."row", c."column"
    FROM cells c JOIN documents d USING (document_id)
    WHERE {conditions} ORDER BY d.source, c."table", c."row", c."column" LIMIT $most OFFSET $past
"""
_CELL_COUNT = "SELECT count(*) FROM cells c JOIN documents d USING (document_id) WHERE {conditions}"
"""`conditions` are those of `_cell_conditions`, in both queries."""
_PAGES = """
    SELECT t.document_id, t.number, k."row",
        list_filter(t.parts, lambda part: part.first_row <= k."row" AND part.last_row >= k."row")[1].page AS page
    FROM (SELECT DISTINCT unnest($documents) AS document_id, unnest($tables) AS number, unnest($rows) AS "row") k
    JOIN tables t ON t.document_id = k.document_id AND t.number = k.number
"""
_UNITS = """
    SELECT DISTINCT name FROM (SELECT unnest([currency, unit]) AS name FROM cells WHERE "value" IS NOT NULL)
    WHERE name <> '' ORDER BY lower(name) LIMIT 200
"""

_TABLE_TEXT = """lower(concat_ws(' ', t.caption, array_to_string(flatten(t.rows[1:greatest(t.header_rows, 1)]), ' '),
    array_to_string(list_transform(t.rows, lambda row: row[1]), ' ')))"""
_DOCUMENT_TEXT = "lower(concat_ws(' ', d.title, d.source, d.company))"
_CELL_OVERLAPS = (
    "c.period_start < coalesce($until, DATE 'infinity') AND c.period_end > coalesce($since, DATE '-infinity')"
)
_TABLE_OVERLAPS = f"""(t.document_id, t.number) IN (SELECT (c.document_id, c."table") FROM cells c
    WHERE {_CELL_OVERLAPS})"""  # noqa: S608 - a constant of this module


@dataclass(frozen=True, slots=True)
class TableFilters:
    """Filters of the list of tables; an empty one lets every table through.

    Every word of `words` is in the caption, the header or the name of a row, every word of `document` in the document's
    title, source or company. At least one cell's period overlaps with `during`.
    """

    words: str = ""
    document: str = ""
    document_id: str = ""
    kinds: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    during: Days | None = None


@dataclass(frozen=True, slots=True)
class TableListing:
    """A page of the list of tables, a dict each, and the number of `matches` on all pages."""

    rows: list[dict[str, Any]]
    matches: int


@dataclass(frozen=True, slots=True)
class CellFilters:
    """Filters of the list of cells; an empty one lets every cell through.

    Every word of `row` is in the names of the row, of `column` in those of the column, of `document` in the document's
    title, source or company. The cell has one of `units` (units or currencies), a period that overlaps with `during`
    and a value from `least` to `most`. `figures` leaves out cells without a number.
    """

    row: str = ""
    column: str = ""
    document: str = ""
    units: tuple[str, ...] = ()
    during: Days | None = None
    least: float | None = None
    most: float | None = None
    figures: bool = True


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A cell of a list: its value and names, its period with the last day included, its doubt and its position."""

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


def list_tables(warehouse: Warehouse, filters: TableFilters, order: str, most: int, past: int = 0) -> TableListing:
    """At most `most` tables after the first `past`, sorted by one of `ORDERS`."""
    conditions, parameters = _table_conditions(filters)
    sql = _TABLES.format(conditions=" AND ".join(["true", *conditions]), order=ORDERS[order])
    rows = warehouse.snapshot.records(sql, {**parameters, "most": most, "past": past})
    return TableListing(rows, rows[0]["matches"] if rows else 0)


def companies_with_tables(warehouse: Warehouse) -> list[str]:
    """The companies whose documents have tables, sorted by name."""
    return [str(name) for (name,) in warehouse.snapshot.rows(_COMPANIES)]


def table_numbers(warehouse: Warehouse, document_id: str) -> list[int]:
    """The numbers of a document's tables, in order."""
    return [int(number) for (number,) in warehouse.snapshot.rows(_NUMBERS, {"id": document_id})]


def list_cells(warehouse: Warehouse, filters: CellFilters, most: int, past: int = 0) -> list[CellMatch]:
    """At most `most` cells after the first `past`, sorted by document and position."""
    conditions, parameters = _cell_conditions(filters)
    sql = _CELLS.format(conditions=" AND ".join(["true", *conditions]))
    rows = warehouse.snapshot.records(sql, {**parameters, "most": most, "past": past})
    keys = [(row["document_id"], row["table"], row["row"]) for row in rows]
    pages = _pages(warehouse, keys) if keys else {}
    return [_cell_match(row, pages.get(key)) for row, key in zip(rows, keys, strict=True)]


def count_cells(warehouse: Warehouse, filters: CellFilters) -> int:
    """The number of cells that match."""
    conditions, parameters = _cell_conditions(filters)
    sql = _CELL_COUNT.format(conditions=" AND ".join(["true", *conditions]))
    return int(warehouse.snapshot.rows(sql, parameters)[0][0])


def list_units(warehouse: Warehouse) -> list[str]:
    """The units and currencies of figures, sorted by name, the first 200."""
    return [str(name) for (name,) in warehouse.snapshot.rows(_UNITS)]


def cell_of_figure(figure: Mapping[str, Any], company: str) -> CellMatch:
    """A figure, as the tool `query_cells` returns it, as a cell of a list."""
    start, end = (date.fromisoformat(day) if day else None for day in (figure["period_start"], figure["period_end"]))
    return CellMatch(
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


def _table_conditions(filters: TableFilters) -> Conditions:
    conditions, parameters = _word_conditions(
        {"word": (filters.words, _TABLE_TEXT), "name": (filters.document, _DOCUMENT_TEXT)}
    )
    if filters.document_id:
        conditions.append("t.document_id = $document")
        parameters["document"] = filters.document_id
    for name, column, values in (("kinds", "d.kind", filters.kinds), ("companies", "d.company", filters.companies)):
        if values:
            conditions.append(f"{column} IN (SELECT unnest(${name}))")
            parameters[name] = list(values)
    if filters.during:
        conditions.append(_TABLE_OVERLAPS)
        parameters["since"], parameters["until"] = filters.during
    return conditions, parameters


def _cell_conditions(filters: CellFilters) -> Conditions:
    conditions, parameters = _word_conditions(
        {
            "row": (filters.row, "lower(c.row_header)"),
            "column": (filters.column, "lower(c.column_header)"),
            "name": (filters.document, _DOCUMENT_TEXT),
        }
    )
    if filters.figures:
        conditions.append('c."value" IS NOT NULL')
    if filters.units:
        conditions.append("(c.unit IN (SELECT unnest($units)) OR c.currency IN (SELECT unnest($units)))")
        parameters["units"] = list(filters.units)
    if filters.during:
        conditions.append(_CELL_OVERLAPS)
        parameters["since"], parameters["until"] = filters.during
    for name, sign, value in (("least", ">=", filters.least), ("highest", "<=", filters.most)):
        if value is not None:
            conditions.append(f'c."value" {sign} ${name}')
            parameters[name] = value
    return conditions, parameters


def _word_conditions(words: Mapping[str, tuple[str, str]]) -> Conditions:
    """Conditions that every word is in a text: by the name of a parameter, the words and the text in SQL."""
    conditions: list[str] = []
    parameters: dict[str, Any] = {}
    for name, (line, text) in words.items():
        for place, word in enumerate(line.lower().split()):
            conditions.append(f"contains({text}, ${name}{place})")
            parameters[f"{name}{place}"] = word
    return conditions, parameters


def _cell_match(row: Mapping[str, Any], page: int | None) -> CellMatch:
    return CellMatch(
        value=row["value"],
        printed=" ".join(row["text"].split()),
        unit=_unit(row["currency"], row["unit"]),
        period=format_period(row["period_start"], row["period_end"]),
        doubt=row["doubt"],
        row=_header_path(row["row_header"]),
        column=_header_path(row["column_header"]),
        company=row["company"] or row["title"],
        source=row["source"],
        page=page,
        document_id=row["document_id"],
        table=row["table"],
        place=(row["row"], row["column"]),
    )


def _unit(currency: str, unit: str) -> str:
    return " ".join(part for part in (currency, unit) if part)


def _header_path(header: str) -> str:
    return " › ".join(part for part in header.split(" / ") if part)


def _pages(warehouse: Warehouse, keys: list[tuple[str, int, int]]) -> dict[tuple[str, int, int], int | None]:
    """The page of each row, by document, table and row; None in formats without pages."""
    documents, tables, rows = (list(side) for side in zip(*keys, strict=True))
    pages = warehouse.snapshot.rows(_PAGES, {"documents": documents, "tables": tables, "rows": rows})
    return {(document, table, row): page for document, table, row, page in pages}
