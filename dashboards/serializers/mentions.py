"""Temporal expressions as data, for the command line and the tools."""

from __future__ import annotations

from typing import Any

from warehouse.records import Mention


def mention_data(mention: Mention) -> dict[str, Any]:
    """What is known of a mention; what does not apply to it is left out."""
    data = {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "type": mention.type,
        "value": mention.value,
        "start_date": mention.start_date,
        "end_date": mention.end_date,
        "grain": mention.grain,
        "relative": mention.relative,
        "calendar": mention.calendar,
    }
    extra = {
        "anchor": mention.anchor,
        "mod": mention.modifier,
        "quant": mention.quant,
        "freq": mention.freq,
        "other_start_date": mention.other_start,
        "other_end_date": mention.other_end,
        "basis": mention.basis,
        "table": mention.table,
        "row_header": mention.row_header,
        "column_header": mention.column_header,
    }
    return data | {name: value for name, value in extra.items() if value not in (None, "")}
