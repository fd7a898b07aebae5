"""Places of documents that can be asked for: passages and what is around them, tables, pages."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import groupby
from typing import Any

from dashboards.tooling.passages import Place
from tasks.ask.token_budget import said
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry


class Whole(StrEnum):
    """How much of what is around a passage belongs to it."""

    PASSAGE = "passage"
    PARENT = "parent"
    TABLE = "table"


_PARENT = """
    SELECT p.start, p."end" FROM parents p JOIN chunks c ON c.parent_id = p.parent_id WHERE c.chunk_id = $id LIMIT 1
"""
_CHUNKS = 'SELECT chunk_id, start, "end", section FROM chunks WHERE document_id = $id ORDER BY chunk_index'
_TABLES = """
    SELECT min(start), max("end") FROM tables WHERE document_id = $id AND start < $stop AND "end" > $start
"""
_TABLE = 'SELECT start, "end" FROM tables WHERE document_id = $id AND number = $number'
_PAGE = """
    SELECT min(start), max("end") FROM (
        SELECT region.start AS start, region."end" AS "end", region.page AS page
        FROM (SELECT unnest(regions) AS region FROM blocks WHERE document_id = $id)
        UNION ALL SELECT start, "end", page FROM blocks WHERE document_id = $id AND len(regions) = 0
    ) WHERE page = $page
"""
_BEFORE = """
    SELECT min(start) FROM (
        SELECT start FROM chunks WHERE document_id = $id AND start < $start ORDER BY start DESC LIMIT $count)
"""
_AFTER = """
    SELECT max("end") FROM (
        SELECT "end" FROM chunks WHERE document_id = $id AND "end" > $stop ORDER BY "end" LIMIT $count)
"""


def of_passage(warehouse: Warehouse, passage_id: str, whole: Whole) -> Place:
    """The place of a passage, of the larger passage or section it is of, or of the tables in it.

    Raises `BadInput` for a passage that there is not, and for one without a table where that is asked for.
    """
    found = warehouse.passage(passage_id)
    if found is None:
        raise BadInput(f"there is no passage '{said(passage_id)}'", "take the id of a passage that a tool gave")
    document_id, start, text = found
    own = Place(document_id, start, start + len(text))
    if whole is Whole.TABLE:
        given = {"id": document_id, "start": own.start, "stop": own.end}
        return _placed(warehouse, own, _TABLES, given, "the passage has no table", "leave 'whole' out")
    if whole is Whole.PARENT:
        rows = warehouse.snapshot.rows(_PARENT, {"id": passage_id})
        return replace(own, start=rows[0][0], end=rows[0][1]) if rows else _section(warehouse, own, passage_id)
    return own


def of_table(warehouse: Warehouse, entry: CatalogEntry, number: int) -> Place:
    """The place of a table. Raises `BadInput` for one that there is not."""
    problem = f"{entry.file.source} has no table {number}"
    given = {"id": entry.document_id, "number": number}
    return _placed(warehouse, Place(entry.document_id, 0, 0), _TABLE, given, problem, "document_outline lists them")


def of_page(warehouse: Warehouse, entry: CatalogEntry, page: int) -> Place:
    """The place of a page. Raises `BadInput` for one that there is not, or that has no text."""
    pages = f"it has {entry.total_pages} pages" if entry.total_pages else "its format has no pages; give start=0"
    problem = f"{entry.file.source} has no text on page {page}"
    given = {"id": entry.document_id, "page": page}
    return _placed(warehouse, Place(entry.document_id, 0, 0), _PAGE, given, problem, pages)


def around(warehouse: Warehouse, place: Place, count: int) -> tuple[Place, Place]:
    """What stands before and after a place, up to `count` passages each; empty where nothing does."""
    given = {"id": place.document_id, "count": count}
    ((first,),) = warehouse.snapshot.rows(_BEFORE, {**given, "start": place.start})
    ((last,),) = warehouse.snapshot.rows(_AFTER, {**given, "stop": place.end})
    start, end = place.start if first is None else int(first), place.end if last is None else int(last)
    return replace(place, start=start, end=place.start), replace(place, start=place.end, end=end)


def _section(warehouse: Warehouse, place: Place, passage_id: str) -> Place:
    """The passages in a row that stand below the same headings as one of them."""
    rows = warehouse.snapshot.rows(_CHUNKS, {"id": place.document_id})
    for _, group in groupby(rows, key=lambda row: row[3]):
        own = list(group)
        if any(row[0] == passage_id for row in own):
            return replace(place, start=min(row[1] for row in own), end=max(row[2] for row in own))
    return place


def _placed(warehouse: Warehouse, place: Place, sql: str, given: dict[str, Any], problem: str, cure: str) -> Place:
    rows = warehouse.snapshot.rows(sql, given)
    if not rows or rows[0][0] is None:
        raise BadInput(problem, cure)
    return replace(place, start=int(rows[0][0]), end=int(rows[0][1]))
