"""The columns of a table, as HTML."""

from __future__ import annotations

from dashboards.drawing.escaping import text_html
from dashboards.facts.sql.schema import TableSchema

LONGEST = 60
"""Characters of a type that are shown; some records are many fields."""


def columns_html(table: TableSchema) -> str:
    """What a table holds, and its columns with their types."""
    rows = "".join(f"<dt>{text_html(name)}</dt><dd>{_type(sort)}</dd>" for name, sort in table.columns)
    return f'<div class="k-schema"><p>{text_html(table.told)}</p><dl>{rows}</dl></div>'


def _type(sort: str) -> str:
    if len(sort) <= LONGEST:
        return text_html(sort)
    return f"<details><summary>{text_html(sort[: sort.find('(')] + ' …')}</summary>{text_html(sort)}</details>"
