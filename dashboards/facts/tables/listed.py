"""Which tables the documents have: filtered, sorted, a page of them at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

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
"""`wanted` and `order` are put in by `tables_of`: names of parameters and of columns, nothing that anybody said."""
_SAID = """lower(concat_ws(' ', t.caption, array_to_string(flatten(t.rows[1:greatest(t.header_rows, 1)]), ' '),
    array_to_string(list_transform(t.rows, lambda row: row[1]), ' ')))"""
_NAMED = "lower(concat_ws(' ', d.title, d.source, d.company))"
_DURING = """(t.document_id, t.number) IN (SELECT (c.document_id, c."table") FROM cells c
    WHERE c.period_start < coalesce($until, DATE 'infinity') AND c.period_end > coalesce($since, DATE '-infinity'))"""
_COMPANIES = "SELECT DISTINCT company FROM documents WHERE company <> '' AND table_count > 0 ORDER BY lower(company)"
_BESIDE = "SELECT number FROM tables WHERE document_id = $id ORDER BY number"


@dataclass(frozen=True, slots=True)
class TablesWanted:
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
class Listed:
    """A page of the tables that satisfy something, a row each, and how many there are in all."""

    rows: list[dict[str, Any]]
    found: int


def tables_of(warehouse: Warehouse, wanted: TablesWanted, order: str, most: int, past: int = 0) -> Listed:
    """`most` of the tables, after the first `past`, sorted by one of `ORDERS`."""
    asked, given = _asked(wanted)
    sql = _LISTED.format(wanted=" AND ".join(["true", *asked]), order=ORDERS[order])
    rows = warehouse.snapshot.records(sql, {**given, "most": most, "past": past})
    return Listed(rows, rows[0]["found"] if rows else 0)


def companies(warehouse: Warehouse) -> list[str]:
    """Whose documents have tables."""
    return [str(name) for (name,) in warehouse.snapshot.rows(_COMPANIES)]


def numbers_of(warehouse: Warehouse, document_id: str) -> list[int]:
    """The numbers of a document's tables, in order."""
    return [int(number) for (number,) in warehouse.snapshot.rows(_BESIDE, {"id": document_id})]


def _asked(wanted: TablesWanted) -> tuple[list[str], dict[str, Any]]:
    """The conditions, in SQL, and what their parameters are."""
    asked: list[str] = []
    given: dict[str, Any] = {}
    for name, said, where in (("word", wanted.words, _SAID), ("name", wanted.named, _NAMED)):
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
