"""The tables of a JATS article: XHTML tables, and those of the OASIS (CALS) exchange model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tasks.parsers.papers.inline import text_of
from tasks.parsers.spans import Laid, SpanCell, lay_out, span
from tasks.parsers.trees import local
from tasks.parsers.web.tables import read_table

if TYPE_CHECKING:
    from lxml.etree import _Element

TABLES = frozenset(["table", "array", "tgroup"])
_WIDEST = 200


def tables(node: _Element) -> Iterator[Laid]:
    """The tables of an element: itself if it is one, else those directly in it or among the alternatives in it."""
    if local(node) == "tgroup":
        yield _exchange(node)
    elif local(node) in TABLES and node.find("tgroup") is None:
        yield read_table(node, text_of)
    else:
        for child in node:
            if local(child) in TABLES | {"alternatives"}:
                yield from tables(child)


def _exchange(group: _Element) -> Laid:
    """A group of the OASIS model: `row` and `entry`, with names for the columns that an entry spans."""
    names = {column.get("colname", ""): place for place, column in enumerate(group.iterfind("colspec"))}
    sections = [part for tag in ("thead", "tbody", "tfoot") for part in group.iterfind(tag)]
    rows = [
        [_cell(entry, names) for entry in row.iterfind("entry")] for part in sections for row in part.iterfind("row")
    ]
    head = group.find("thead")
    return lay_out(rows, (len(head.findall("row")) if head is not None else 0) or None)


def _cell(entry: _Element, names: dict[str, int]) -> SpanCell:
    first, last = names.get(entry.get("namest", "")), names.get(entry.get("nameend", ""))
    columns = last - first + 1 if first is not None and last is not None and last >= first else 1
    more = entry.get("morerows", "")
    return SpanCell(text_of(entry), span(str(int(more) + 1)) if more.isdigit() else 1, min(columns, _WIDEST))
