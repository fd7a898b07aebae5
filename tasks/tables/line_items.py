"""Line items: which primary statement of a financial report a table is, and the labels of its rows of figures.

The kinds of statements are those of IAS 1 and of Regulation S-X: income, balance sheet, cash flows, changes in equity,
comprehensive income. A table is recognized by its title, or by rows that only such a statement has. Tables of notes,
summaries and reconciliations are not statements.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tasks.tables.reader import PATH_SEPARATOR
from warehouse.records import BlockKind, Cell, Chunk, Document, StatementKind, Table

MAX_ROWS = 200  # A table with more rows of figures is data; its rows have no labels of their own in the search.
MAX_LABEL_LENGTH = 160  # Characters of a label that are embedded: they fit every model's window.
_MIN_ROWS = 5  # A statement of fewer rows is an extract.
_MAX_TITLE_LENGTH = 200  # Characters of a caption that are read.
_TITLE_BLOCKS = 6  # Blocks above a table that may be its title.

_STATEMENT = r"statements?(?: of)?(?: (?:consolidated|combined))?(?: of)?(?: the)?"
_PROFIT = r"(?:(?:net )?income|operations|earnings|profits?(?: (?:and|or|&) loss(?:es)?)?)"
_OWNERS = r"(?:(?:share|stock)(?:holders?|owners?)|owners?|partners?|members?)[’'`]?s?[’'`]? "
_TITLES: tuple[tuple[StatementKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            StatementKind.COMPREHENSIVE_INCOME,
            rf"{_STATEMENT} (?:other )?comprehensive (?:income|loss|earnings)|合并综合收益表|綜合全面收益表|综合收益表",
        ),
        (
            StatementKind.INCOME,
            rf"{_STATEMENT} {_PROFIT}\b|\b{_PROFIT} statements?\b|[利损損][润潤益]表|收益表",
        ),
        (
            StatementKind.BALANCE_SHEET,
            rf"\bbalance sheets?\b|{_STATEMENT} financial (?:position|condition)|[负負][債债]表|[务務][状狀][况況]表",
        ),
        (StatementKind.CASH_FLOWS, rf"{_STATEMENT} cash ?flows?|\bcash ?flow statements?\b|现金流量表|現金流量表"),
        (
            StatementKind.EQUITY,
            rf"{_STATEMENT} (?:changes in )?(?:{_OWNERS})?(?:equity|deficit|investment)|权益变动表|權益變動表",
        ),
    )
)
_NON_STATEMENT = re.compile(
    r"\b(?:notes? to|obligor|guarantor|reconciliation|supplement\w*|selected|parent company|pro forma|non-gaap"
    r"|line items?|location|classification|effects? (?:of|on)|included in|reclassifi\w+|summari[sz]ed|summary of"
    r"|percentage of|components of)\b|附注|附註|补充资料|補充資料",
    re.IGNORECASE,
)
"""Titles of tables that mention a statement but are not one."""

_TYPICAL_ROWS: tuple[tuple[StatementKind, tuple[re.Pattern[str], ...]], ...] = tuple(
    (kind, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))
    for kind, patterns in (
        (
            StatementKind.CASH_FLOWS,
            (
                r"net cash\b.*\boperati|cash (?:generated|flows?) from operati|经营活动产生的现金流量净额",
                r"net cash\b.*\binvesti|cash flows? from investi|投资活动产生的现金流量净额",
                r"net cash\b.*\bfinanci|cash flows? from financi|筹资活动产生的现金流量净额",
            ),
        ),
        (
            StatementKind.BALANCE_SHEET,
            (
                r"\btotal assets\b|资产总计|資產總計|总资产",
                r"\btotal (?:current )?liabilities\b|负债合计|負債合計",
                r"\btotal (?:\S+ )?(?:\S+ )?equity\b|\bnet assets\b|权益合计|權益合計|权益总计",
            ),
        ),
        (
            StatementKind.INCOME,
            (
                r"\b(?:revenues?|net sales|turnover)\b|营业总?收入|營業收入",
                r"\btax(?:es|ation)?\b|所得税|所得稅",
                r"\bnet (?:income|earnings|loss|profit)|\bprofit (?:for|attributable)|净利润|淨利潤",
                r"\bper (?:\S+ )?(?:\S+ )?share\b|每股收益",
            ),
        ),
    )
)
"""The rows by which a statement without a title is recognized."""


def find_statement_kinds(document: Document, cells: Iterable[Cell]) -> dict[int, StatementKind]:
    """The kind of each table that is a primary statement, by the table's number."""
    labels: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for cell in cells:
        if cell.value is not None:
            labels[cell.table][cell.row] = cell.row_header
    kinds = ((table, _find_statement_kind(document, table, labels[table.number])) for table in document.tables)
    return {table.number: kind for table, kind in kinds if kind is not None}


def _find_statement_kind(document: Document, table: Table, labels: Mapping[int, str]) -> StatementKind | None:
    if len(labels) < _MIN_ROWS:
        return None
    for title in _iter_titles(document, table):
        if _NON_STATEMENT.search(title):
            return None
        matches = [(match.start(), kind) for kind, pattern in _TITLES if (match := pattern.search(title))]
        if matches:
            return min(matches)[1]
    return next(
        (
            kind
            for kind, anchors in _TYPICAL_ROWS
            if all(any(anchor.search(label) for label in labels.values()) for anchor in anchors)
        ),
        None,
    )


def _iter_titles(document: Document, table: Table) -> Iterator[str]:
    """The caption, then the blocks right above, the nearest first, up to the heading of the section."""
    if table.caption:
        yield table.caption[:_MAX_TITLE_LENGTH]
    starts = [block.start for block in document.blocks]
    end = bisect_right(starts, table.start - 1)
    for block in reversed(document.blocks[max(0, end - _TITLE_BLOCKS) : end]):
        text = " ".join(document.text[block.start : block.end].split())
        if block.kind is BlockKind.TABLE or (block.kind is BlockKind.PARAGRAPH and len(text) > _MAX_TITLE_LENGTH):
            return
        yield text[:_MAX_TITLE_LENGTH]
        if block.kind is BlockKind.HEADING:
            return


class RowLabel(NamedTuple):
    """The label of row number `row` of a chunk's rows of figures, and the kind of its statement."""

    chunk_id: str
    row: int
    label: str
    statement: StatementKind | None


def iter_row_labels(chunks: Sequence[Chunk], cells: Sequence[Cell]) -> Iterator[RowLabel]:
    """The labels of the rows of figures in each chunk, each label once per chunk.

    The label is the row's own, without the labels of the sections above it: an item has the same name in many tables.
    """
    first_cells: defaultdict[int, dict[int, Cell]] = defaultdict(dict)
    for cell in cells:
        if cell.value is not None and any(map(str.isalpha, cell.row_header)):
            first_cells[cell.table].setdefault(cell.row, cell)
    rows = [row for table in first_cells.values() if len(table) <= MAX_ROWS for row in table.values()]
    rows.sort(key=lambda cell: cell.start)
    starts = [cell.start for cell in rows]
    for chunk in chunks:
        chunk_rows = rows[bisect_left(starts, chunk.start) : bisect_left(starts, chunk.end)]
        statements = {
            cell.row_header.rpartition(PATH_SEPARATOR)[2][:MAX_LABEL_LENGTH]: cell.statement
            for cell in reversed(chunk_rows)
        }
        for number, (label, statement) in enumerate(reversed(statements.items())):
            yield RowLabel(chunk.chunk_id, number, label, statement)
