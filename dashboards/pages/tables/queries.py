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

ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "document": "source, number",
        "newest first": "document_date DESC NULLS LAST, source, number",
        "largest first": "rows * columns DESC, source, number",
        "least certain": "confidence, source, number",
        "most wrong totals": "wrong DESC, source, number",
    }
)
"""What tables can be sorted by, in SQL."""

_LISTED = """
    WITH wrong AS (
        SELECT document_id, "table" AS number, count(*) FILTER (NOT adds_up) AS wrong, count(*) AS totals
        FROM totals GROUP BY ALL
    ), chosen AS (
        SELECT t.document_id, t.number, t.caption, len(t.rows) AS rows, len(t.rows[1]) AS columns, t.confidence,
            t.parts[1].page AS page, t.parts[-1].page AS last_page, d.title, d.company, d.kind, d.document_date,
            d.source, coalesce(w.totals, 0) AS totals, coalesce(w.wrong, 0) AS wrong
        FROM tables t JOIN documents d USING (document_id)
        LEFT JOIN wrong w ON w.document_id = t.document_id AND w.number = t.number
        WHERE {wanted}
    )
    SELECT *, count(*) OVER () AS found FROM chosen ORDER BY {order} LIMIT $most OFFSET $past
"""
"""`wanted` and `order` are put in by `list_tables`: names of parameters and of columns, nothing that anybody said."""
_TABLE_WORDS = """lower(concat_ws(' ', t.caption, array_to_string(flatten(t.rows[1:greatest(t.header_rows, 1)]), ' '),
    array_to_string(list_transform(t.rows, lambda row: row[1]), ' ')))"""
_DOCUMENT_WORDS = "lower(concat_ws(' ', d.title, d.source, d.company))"
_DURING = """(t.document_id, t.number) IN (SELECT (c.document_id, c."table") FROM cells c
    WHERE c.period_start < coalesce($until, DATE 'infinity') AND c.period_end > coalesce($since, DATE '-infinity'))"""
_COMPANIES = "SELECT DISTINCT company FROM documents WHERE company <> '' AND table_count > 0 ORDER BY lower(company)"
_NUMBERS = "SELECT number FROM tables WHERE document_id = $id ORDER BY number"


@dataclass(frozen=True, slots=True)
class TableFilters:
    """What tables must satisfy; an empty field asks for nothing.

    Every word of `words` stands in the caption, the header or a row's name, every word of `named` in the document's
    title, source or company. `during` is a time that one of the cells is of.
    """

    words: str = ""
    named: str = ""
    document_id: str = ""
    kinds: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    during: Days | None = None


@dataclass(frozen=True, slots=True)
class TableListing:
    """A page of the tables that satisfy something, a row each, and how many there are in all."""

    rows: list[dict[str, Any]]
    found: int


def list_tables(warehouse: Warehouse, wanted: TableFilters, order: str, most: int, past: int = 0) -> TableListing:
    """`most` of the tables, after the first `past`, sorted by one of `ORDERS`."""
    asked, given = _table_conditions(wanted)
    sql = _LISTED.format(wanted=" AND ".join(["true", *asked]), order=ORDERS[order])
    rows = warehouse.snapshot.records(sql, {**given, "most": most, "past": past})
    return TableListing(rows, rows[0]["found"] if rows else 0)


def companies_with_tables(warehouse: Warehouse) -> list[str]:
    """Whose documents have tables."""
    return [str(name) for (name,) in warehouse.snapshot.rows(_COMPANIES)]


def table_numbers(warehouse: Warehouse, document_id: str) -> list[int]:
    """The numbers of a document's tables, in order."""
    return [int(number) for (number,) in warehouse.snapshot.rows(_NUMBERS, {"id": document_id})]


def _table_conditions(wanted: TableFilters) -> tuple[list[str], dict[str, Any]]:
    """The conditions, in SQL, and what their parameters are."""
    asked: list[str] = []
    given: dict[str, Any] = {}
    for name, said, where in (("word", wanted.words, _TABLE_WORDS), ("name", wanted.named, _DOCUMENT_WORDS)):
        for place, word in enumerate(said.lower().split()):
            asked.append(f"contains({where}, ${name}{place})")
            given[f"{name}{place}"] = word
    if wanted.document_id:
        asked.append("t.document_id = $document")
        given["document"] = wanted.document_id
    for name, column, values in (("kinds", "d.kind", wanted.kinds), ("companies", "d.company", wanted.companies)):
        if values:
            asked.append(f"{column} IN (SELECT unnest(${name}))")
            given[name] = list(values)
    if wanted.during:
        asked.append(_DURING)
        given["since"], given["until"] = wanted.during
    return asked, given


@dataclass(frozen=True, slots=True)
class CellFilters:
    """What cells must satisfy; an empty field asks for nothing.

    Every word of `row` stands in the names of the row, of `column` in those of the column, of `named` in the document's
    title, source or company. `units` are units or currencies, of several one is enough. `during` is a time that the
    cell is of, `least` and `most` bound its value. Only `figures`, or dashes and words as well.
    """

    row: str = ""
    column: str = ""
    named: str = ""
    units: tuple[str, ...] = ()
    during: Days | None = None
    least: float | None = None
    most: float | None = None
    figures: bool = True


def _cell_conditions(wanted: CellFilters) -> tuple[str, dict[str, Any]]:
    """What `cells c` of `documents d` must satisfy, and the parameters: nothing that anybody said stands in the SQL."""
    asked, given = _word_conditions(wanted)
    if wanted.figures:
        asked.append('c."value" IS NOT NULL')
    if wanted.units:
        asked.append("(c.unit IN (SELECT unnest($units)) OR c.currency IN (SELECT unnest($units)))")
        given["units"] = list(wanted.units)
    if wanted.during:
        asked.append(
            "c.period_start < coalesce($until, DATE 'infinity') AND c.period_end > coalesce($since, DATE '-infinity')"
        )
        given["since"], given["until"] = wanted.during
    for name, sign, value in (("least", ">=", wanted.least), ("highest", "<=", wanted.most)):
        if value is not None:
            asked.append(f'c."value" {sign} ${name}')
            given[name] = value
    return " AND ".join(["true", *asked]), given


def _word_conditions(wanted: CellFilters) -> tuple[list[str], dict[str, Any]]:
    asked: list[str] = []
    given: dict[str, Any] = {}
    places = {
        "row": (wanted.row, "lower(c.row_header)"),
        "column": (wanted.column, "lower(c.column_header)"),
        "name": (wanted.named, "lower(concat_ws(' ', d.title, d.source, d.company))"),
    }
    for name, (said, where) in places.items():
        for place, word in enumerate(said.lower().split()):
            asked.append(f"contains({where}, ${name}{place})")
            given[f"{name}{place}"] = word
    return asked, given


_CELLS = """
    SELECT d.title, d.source, d.company, c.row_header, c.column_header, c.text, c."value", c.currency, c.unit,
        c.period_start, c.period_end, c.doubt, c.document_id, c."table", c."row", c."column"
    FROM cells c JOIN documents d USING (document_id)
    WHERE {wanted} ORDER BY d.source, c."table", c."row", c."column" LIMIT $most OFFSET $past
"""
_CELL_COUNT = "SELECT count(*) FROM cells c JOIN documents d USING (document_id) WHERE {wanted}"
"""`wanted` is put in by `_cell_conditions`."""
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


def list_cells(warehouse: Warehouse, wanted: CellFilters, most: int, past: int = 0) -> list[FoundCell]:
    """`most` of the cells, after the first `past`, by document and place, each with its page, if it has one."""
    asked, given = _cell_conditions(wanted)
    rows = warehouse.snapshot.records(_CELLS.format(wanted=asked), {**given, "most": most, "past": past})
    keys = [(row["document_id"], row["table"], row["row"]) for row in rows]
    pages = _pages(warehouse, keys) if keys else {}
    return [_cell(row, pages.get(key)) for row, key in zip(rows, keys, strict=True)]


def cell_of_figure(figure: Mapping[str, Any], company: str) -> FoundCell:
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


def count_cells(warehouse: Warehouse, wanted: CellFilters) -> int:
    """How many cells satisfy it."""
    asked, given = _cell_conditions(wanted)
    return int(warehouse.snapshot.rows(_CELL_COUNT.format(wanted=asked), given)[0][0])


def list_units(warehouse: Warehouse) -> list[str]:
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
