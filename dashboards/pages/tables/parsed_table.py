"""One table with its parsed cells, its checked totals and its document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

import pyarrow as pa

from dashboards.pages import read_queries
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, Cell, CorrectedField, Region, Table, Total, TotalOf
from warehouse.records.corrections import SCALES
from warehouse.store.parquet import records_of, schema_of

_SQL = read_queries("tables")

CellPosition = tuple[int, int]  # The row and the column of a cell, from 0.


@dataclass(frozen=True)
class ParsedTable:
    """A table of a document with its parsed body cells and its checked totals."""

    entry: CatalogEntry
    table: Table
    cells: Mapping[CellPosition, Cell]
    totals: Mapping[CellPosition, Total]

    @property
    def wrong(self) -> list[Total]:
        """The totals that do not add up, by row and column."""
        return [total for total in self.totals.values() if not total.adds_up]

    @cached_property
    def scale(self) -> str:
        """The scale of most amounts in words; "ones" where there are none."""
        powers = Counter(cell.scale for cell in self._amounts)
        most = max(powers, key=powers.__getitem__, default=1.0)
        return next((word for word, power in SCALES.items() if 10.0**power == most), f"{most:,.0f}")

    @cached_property
    def currency(self) -> str:
        """The currency of most amounts; empty where none has one."""
        codes = Counter(cell.currency for cell in self._amounts if cell.currency)
        return max(codes, key=codes.__getitem__, default="")

    @property
    def _amounts(self) -> list[Cell]:
        """The figures with a currency or a scale; where none has either, all figures without a unit."""
        figures = [cell for cell in self.cells.values() if cell.value is not None and not cell.unit]
        return [cell for cell in figures if cell.currency or cell.scale != 1.0] or figures

    def corrected(self, field: CorrectedField) -> bool:
        """Whether a person has corrected a field of the table."""
        correction = self.entry.corrected(field, self.table.number)
        return correction is not None and not correction.note

    @cached_property
    def figure_columns(self) -> frozenset[int]:
        """The columns with figures."""
        return frozenset(column for (_, column), cell in self.cells.items() if cell.value is not None)

    def name(self, of: TotalOf, place: int) -> str:
        """The name of a row or a column, or its number where it has none."""
        if of is TotalOf.COLUMNS:
            return self.headers[place]
        return " ".join(self.table.rows[place][0].split()) or f"row {place + 1}"

    @cached_property
    def headers(self) -> list[str]:
        """A unique name for each column: its headers, or its number where it has none."""
        names: list[str] = []
        for column in range(len(self.table.rows[0]) if self.table.rows else 0):
            above = dict.fromkeys(filter(None, (self._above(row, column) for row in range(self.table.header_rows))))
            name = " / ".join(" ".join(text.split()) for text in above) or f"column {column + 1}"
            names.append(name if name not in names else f"{name} (column {column + 1})")
        return names

    def _above(self, row: int, column: int) -> str:
        """The text of a header row over a column; that of a merged cell over all of its columns."""
        for merge in self.table.merges:
            over = range(merge.column, merge.column + merge.columns)
            if column in over and row in range(merge.row, merge.row + merge.rows):
                return self.table.rows[merge.row][merge.column]
        return self.table.rows[row][column]


def parsed_table(warehouse: Warehouse, document_id: str, number: int) -> ParsedTable | None:
    """A table of a document by its number; None where there is no such table."""
    parameters = {"id": document_id, "number": number}
    snapshot = warehouse.snapshot
    entry = snapshot.entries([document_id]).get(document_id)
    tables = records_of(Table, snapshot.records(_SQL["table"], parameters)) if entry else ()
    if not entry or not tables:
        return None
    cells, totals = (snapshot.records(_SQL["parts"].format(name=name), parameters) for name in ("cells", "totals"))
    return ParsedTable(
        entry,
        tables[0],
        {(cell.row, cell.column): cell for cell in records_of(Cell, cells)},
        {(total.row, total.column): total for total in records_of(Total, totals)},
    )


def region_of_row(warehouse: Warehouse, table: ParsedTable, cell: Cell) -> Region | None:
    """The box of a cell's row on its page; None in formats without pages."""
    return next(iter(warehouse.lines(table.entry.document_id, cell.start, cell.end)), None)


def printed_rows(table: ParsedTable) -> pa.Table:
    """The rows below the header as text, as they are printed; all rows where there is no header."""
    rows = table.table.rows[table.table.header_rows :]
    columns = [pa.array([row[column] for row in rows], pa.string()) for column in range(len(table.headers))]
    return pa.table(columns, table.headers)


def cell_rows(table: ParsedTable) -> pa.Table:
    """A row for each body cell, with the fields of `Cell`."""
    return pa.Table.from_pylist([asdict(cell) for cell in table.cells.values()], schema_of(Cell))
