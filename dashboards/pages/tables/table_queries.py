"""Tables and cells that match filters, in the order and the number that a list draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dashboards.assistant.tools.document_spans import format_period
from warehouse.reader import Warehouse
from warehouse.store.catalog import read_queries

_SQL = read_queries(Path(__file__).with_name("queries.sql"))

Days = tuple[date | None, date | None]  # A half-open period, open on a side that is None.
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
class CellFilters:
    """Filters of the list of cells; an empty one lets every cell through.

    Every word of `row` is in the names of the row, of `column` in those of the column, of `document` in the document's
    title, source or company. The cell has one of `units` (units or currencies), a period that overlaps with `during`
    and a value from `minimum` to `maximum`. `figures` leaves out cells without a number.
    """

    row: str = ""
    column: str = ""
    document: str = ""
    units: tuple[str, ...] = ()
    during: Days | None = None
    minimum: float | None = None
    maximum: float | None = None
    figures: bool = True


@dataclass(frozen=True, slots=True)
class CellMatch:
    """A cell of a list: its value and names, its period with the last day included, its doubt and its position.

    `concept` is what the filer tags the figure as, empty where it does not.
    """

    value: float | None
    printed: str
    unit: str
    period: str
    doubt: str
    concept: str
    row: str
    column: str
    company: str
    source: str
    page: int | None
    document_id: str
    table: int
    place: tuple[int, int]

    @property
    def address(self) -> str:
        """The address of the page that shows the cell."""
        return f"/tables?document={self.document_id}&table={self.table}&cell={self.place[0]}.{self.place[1]}"


def list_tables(
    warehouse: Warehouse, filters: TableFilters, order: str, limit: int, past: int = 0
) -> list[dict[str, Any]]:
    """At most `limit` tables after the first `past`, by one of `ORDERS`, each with the number of all `matches`."""
    conditions, parameters = _build_table_conditions(filters)
    sql = _SQL["tables"].format(conditions=" AND ".join(["true", *conditions]), order=ORDERS[order])
    return warehouse.snapshot.query_records(sql, {**parameters, "most": limit, "past": past})


def list_companies_with_tables(warehouse: Warehouse) -> list[str]:
    """The companies whose documents have tables, sorted by name."""
    return [str(name) for (name,) in warehouse.snapshot.query_rows(_SQL["companies"])]


def list_table_numbers(warehouse: Warehouse, document_id: str) -> list[int]:
    """The numbers of a document's tables, in order."""
    return [int(number) for (number,) in warehouse.snapshot.query_rows(_SQL["numbers"], {"id": document_id})]


def list_cells(warehouse: Warehouse, filters: CellFilters, limit: int, past: int = 0) -> list[CellMatch]:
    """At most `limit` cells after the first `past`, sorted by document and position."""
    conditions, parameters = _build_cell_conditions(filters)
    sql = _SQL["cells"].format(conditions=" AND ".join(["true", *conditions]))
    rows = warehouse.snapshot.query_records(sql, {**parameters, "most": limit, "past": past})
    if not rows:
        return []
    keys = [(row["document_id"], row["table"], row["row"]) for row in rows]
    documents, tables, places = (list(side) for side in zip(*keys, strict=True))
    # The page of each row, None in formats without pages.
    page_rows = warehouse.snapshot.query_rows(_SQL["pages"], {"documents": documents, "tables": tables, "rows": places})
    pages = {(document, table, row): page for document, table, row, page in page_rows}
    return [
        _make_cell_match(
            row,
            (row["period_start"], row["period_end"]),
            row=_format_header_path(row["row_header"]),
            column=_format_header_path(row["column_header"]),
            company=row["company"] or row["title"],
            page=pages.get(key),
            document_id=row["document_id"],
            table=row["table"],
            place=(row["row"], row["column"]),
        )
        for row, key in zip(rows, keys, strict=True)
    ]


def count_cells(warehouse: Warehouse, filters: CellFilters) -> int:
    """The number of cells that match."""
    conditions, parameters = _build_cell_conditions(filters)
    sql = _SQL["cell_count"].format(conditions=" AND ".join(["true", *conditions]))
    return int(warehouse.snapshot.query_rows(sql, parameters)[0][0])


def list_units(warehouse: Warehouse) -> list[str]:
    """The units and currencies of figures, sorted by name, the first 200."""
    return [str(name) for (name,) in warehouse.snapshot.query_rows(_SQL["units"])]


def convert_figure(figure: Mapping[str, Any], company: str) -> CellMatch:
    """A figure, as the tool `query_cells` returns it, as a cell of a list."""
    start, end = (date.fromisoformat(day) if day else None for day in (figure["period_start"], figure["period_end"]))
    return _make_cell_match(
        figure,
        (start, end),
        row=" › ".join(figure["row"]),
        column=" › ".join(figure["column"]),
        company=company,
        page=figure["page"],
        document_id=figure["document_id"],
        table=figure["table"],
        place=(figure["place"][0], figure["place"][1]),
    )


def _build_table_conditions(filters: TableFilters) -> Conditions:
    conditions, parameters = _build_word_conditions(
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


def _build_cell_conditions(filters: CellFilters) -> Conditions:
    conditions, parameters = _build_word_conditions(
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
    for name, sign, value in (("least", ">=", filters.minimum), ("highest", "<=", filters.maximum)):
        if value is not None:
            conditions.append(f'c."value" {sign} ${name}')
            parameters[name] = value
    return conditions, parameters


def _build_word_conditions(words: Mapping[str, tuple[str, str]]) -> Conditions:
    """Conditions that every word is in a text: by the name of a parameter, the words and the text in SQL."""
    conditions: list[str] = []
    parameters: dict[str, Any] = {}
    for name, (line, text) in words.items():
        for place, word in enumerate(line.lower().split()):
            conditions.append(f"contains({text}, ${name}{place})")
            parameters[f"{name}{place}"] = word
    return conditions, parameters


def _make_cell_match(cell: Mapping[str, Any], period: Days, **position: Any) -> CellMatch:
    """A cell as a `CellMatch`; `position` has its headers, company, document, page, table and place."""
    return CellMatch(
        value=cell["value"],
        printed=" ".join(cell["text"].split()),
        unit=" ".join(filter(None, (cell["currency"], cell["unit"]))),
        period=format_period(*period),
        doubt=cell["doubt"],
        concept=cell["concept"],
        source=cell["source"],
        **position,
    )


def _format_header_path(header: str) -> str:
    return " › ".join(part for part in header.split(" / ") if part)
