"""Tables as files to download (CSV, Parquet and XLSX), and results of SQL queries as JSON."""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pyarrow as pa

from warehouse.store.sql_queries import QueryResult

XLSX_ROWS = 1_048_575  # The most rows of a worksheet below the header (ECMA-376).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet reads as the beginning of a formula (OWASP, CSV Injection)."""
_CELL = 32_767  # The most characters of a cell of a worksheet.


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """A format of tables: its name, the suffix of its files, their media type, and what writes one."""

    name: str
    suffix: str
    media: str
    write: Callable[[pa.Table], bytes]
    max_rows: int | None = None  # Rows that it holds; None for as many as there are.


def as_csv(table: pa.Table) -> bytes:
    """RFC 4180, UTF-8 with the mark that spreadsheets look for; lists and records as JSON."""
    import csv

    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([escape_csv_cell(name) for name in table.column_names])
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            writer.writerow(
                [
                    escape_csv_cell(flat) if isinstance(flat := _flatten_value(value), str) else flat
                    for value in row.values()
                ]
            )
    return text.getvalue().encode("utf-8-sig", "replace")


def as_parquet(table: pa.Table) -> bytes:
    """Parquet with the types as they are."""
    from pyarrow import parquet

    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def as_xlsx(table: pa.Table) -> bytes:
    """A workbook of one worksheet, its header frozen; a text that begins like a formula stays a text."""
    import xlsxwriter

    sink = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(sink, {**plain, "default_date_format": "yyyy-mm-dd", "nan_inf_to_errors": True}) as book:
        page = book.add_worksheet()
        page.freeze_panes(1, 0)
        page.write_row(0, 0, table.column_names, book.add_format({"bold": True}))
        row = 0
        for batch in table.to_batches(max_chunksize=1024):
            for values in batch.to_pylist():
                row += 1
                page.write_row(row, 0, [_to_worksheet_value(value) for value in values.values()])
    return sink.getvalue()


SHEET_FORMATS = (
    SheetFormat("CSV", "csv", "text/csv", as_csv),
    SheetFormat("Parquet", "parquet", "application/vnd.apache.parquet", as_parquet),
    SheetFormat(
        "XLSX", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", as_xlsx, XLSX_ROWS
    ),
)


def escape_csv_cell(text: str) -> str:
    """Text that a spreadsheet will not run as a formula (OWASP, CSV Injection)."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _flatten_value(value: Any) -> Any:
    import json

    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else value


def _to_worksheet_value(value: Any) -> Any:
    """A value that a cell of a worksheet can hold: without time zone, days before 1900 as text, long text cut."""
    flat = _flatten_value(value)
    if isinstance(flat, datetime) and flat.tzinfo:
        flat = flat.astimezone(UTC).replace(tzinfo=None)
    if isinstance(flat, date) and flat.year < 1900:
        return flat.isoformat()
    return flat[:_CELL] if isinstance(flat, str) else flat


def serialize_query_result(result: QueryResult) -> dict[str, Any]:
    """The rows as objects, columns of the same name numbered, and whether there are more of them."""
    names = number_repeated_names(result.columns)
    rows = [dict(zip(names, to_json_row(row), strict=True)) for row in result.rows]
    return {"rows": rows, "truncated": result.truncated}


def to_json_row(row: Sequence[Any]) -> list[Any]:
    """The cells of a row as values of JSON."""
    return list(map(_to_json_value, row))


def number_repeated_names(names: Sequence[str]) -> list[str]:
    """The names, a repeated one with a number: a, a_2."""
    unique_names: list[str] = []
    for name in names:
        numbered = (f"{name}_{number}" for number in range(2, 2 * len(names) + 2))
        unique_names.append(
            name
            if name not in unique_names
            else next(numbered_name for numbered_name in numbered if numbered_name not in {*names, *unique_names})
        )
    return unique_names


def _to_json_value(cell: Any) -> Any:
    """The cell with its bytes in base64 (RFC 4648, section 4)."""
    if isinstance(cell, bytes | bytearray | memoryview):
        return b64encode(cell).decode()
    if isinstance(cell, dict):
        return {key: _to_json_value(value) for key, value in cell.items()}
    if isinstance(cell, list | tuple):
        return [_to_json_value(value) for value in cell]
    return cell
