"""Version 2 dated a document by its file's time of modification where nothing else did; since then it is undated.

What was made with such a date (its mentions, passages and vectors) is made again by the next ingest.
"""

from __future__ import annotations

from typing import Any

from warehouse.store.migrations.chain import Migration


def _manifest(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a manifest of version 2 as those of version 3."""
    return {**fields, "schema_version": 3}


def _document(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a document of version 2 as one of version 3."""
    if row["date_origin"] != "modification time":
        return row
    return {**row, "document_date": None, "date_origin": None}


member = Migration(_manifest, _document)
