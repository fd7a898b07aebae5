"""The tool `run_sql`: read-only SQL over the tables of the warehouse."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from dashboards.assistant.tools.contract import Tokens, Tool, ToolContext, ToolResult
from tasks.token_budget import DEFAULT_BUDGET, clip, count_tokens, take_fitting_lines
from warehouse.errors import BadQuery, QueryTimeout
from warehouse.reader import Warehouse

SECONDS = 10.0
CELL = 60  # Tokens of a cell that are shown.
SCHEMA = 700  # Tokens of the schema that an error shows.
_COLUMNS = """
    SELECT table_name, string_agg(column_name, ', ' ORDER BY column_index) FROM duckdb_columns()
    WHERE table_name IN ('documents', 'chunks', 'tables', 'cells', 'facts', 'totals', 'mentions', 'entities', 'blocks',
        'findings', 'timeline', 'contents') AND NOT internal
    GROUP BY table_name ORDER BY table_name
"""


def run_sql(
    context: ToolContext,
    query: Annotated[
        str, Field(min_length=1, max_length=10_000, description="One SELECT in DuckDB's SQL; DESCRIBE cells works too.")
    ],
    rows: Annotated[int, Field(ge=1, le=1000, description="At most so many rows.")] = 50,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Ask in read-only SQL (DuckDB's) what the other tools do not answer: counts, comparisons, sums.

    Tables, joined by document_id: documents(source, title, kind, company, document_date, reported_name), chunks(text,
    section, page), cells("table", "row", row_header, column_header, value, unit, currency, period_start, period_end,
    concept), facts(concept, label, value, unit, period_start, period_end, dimensions: what filers tag), tables,
    mentions, blocks, findings.
    """
    warehouse = context.warehouse.pin_generation()
    try:
        result = warehouse.run_sql(query, rows, SECONDS)
    except QueryTimeout as error:
        raise QueryTimeout(error.problem, "narrow it with WHERE or LIMIT, or ask for sums instead of rows") from None
    except BadQuery as error:
        raise BadQuery(clip(error.problem, SCHEMA // 2), _describe_schema(warehouse, query)) from None
    lines = [" | ".join(_format_cell(cell) for cell in row) for row in result.rows]
    head = " | ".join(result.columns)
    kept_lines = take_fitting_lines(lines, tokens - count_tokens(head) - 60)
    count = len(kept_lines)
    end = f"{count} row{'' if count == 1 else 's'}."
    if count < len(lines) or result.truncated:
        end = f"The first {count} rows; add LIMIT and OFFSET {count} for more, or ask for fewer columns."
    data = {"columns": list(result.columns), "rows": [list(map(_to_json_value, row)) for row in result.rows[:count]]}
    return ToolResult("\n".join([clip(head, tokens // 2), *kept_lines, end]), data=data)


def _format_cell(cell: Any) -> str:
    return "" if cell is None else clip(" ".join(str(cell).split()), CELL).replace("|", "\\|")


def _to_json_value(cell: Any) -> Any:
    """A cell as a value of JSON; a type that JSON lacks becomes text."""
    if cell is None or isinstance(cell, bool | int | str) or (isinstance(cell, float) and cell == cell):
        return cell
    return _format_cell(cell)


def _describe_schema(warehouse: Warehouse, query: str) -> str:
    """The columns of the tables that a query names, or of those that are asked for most."""
    tables = warehouse.run_sql(_COLUMNS).rows
    named_tables = [table for table in tables if table[0] in query.lower()] or [
        table for table in tables if table[0] in ("documents", "chunks", "cells")
    ]
    descriptions = "; ".join(f"{name}({columns})" for name, columns in named_tables)
    other_tables = ", ".join(name for name, _ in tables)
    return clip(f"one SELECT over {other_tables}; columns: {descriptions}", SCHEMA)


member = Tool(run_sql)
