"""Temporal expressions as data, for the command line and the tools."""

from __future__ import annotations

from typing import Any

from warehouse.records import Mention

_ALWAYS = ("start", "end", "text", "type", "value", "start_date", "end_date", "grain", "relative", "calendar")
_WHERE_THEY_APPLY = {
    "anchor": "anchor",
    "mod": "modifier",
    "quant": "quant",
    "freq": "freq",
    "other_start_date": "other_start",
    "other_end_date": "other_end",
    "basis": "basis",
    "table": "table",
    "row_header": "row_header",
    "column_header": "column_header",
}
"""The fields of a mention by their names in the data."""


def mention_data(mention: Mention) -> dict[str, Any]:
    """What is known of a mention; what does not apply to it is left out."""
    extra = {name: getattr(mention, field) for name, field in _WHERE_THEY_APPLY.items()}
    known = {name: value for name, value in extra.items() if value not in (None, "")}
    return {name: getattr(mention, name) for name in _ALWAYS} | known
