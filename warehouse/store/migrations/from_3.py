"""Version 3 knew no corrections; since then a document notes those that people made of it, and what they replace."""

from __future__ import annotations

from typing import Any

from warehouse.store.migrations.chain import Migration


def _manifest(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a manifest of version 3 as those of version 4."""
    return {**fields, "schema_version": 4}


member = Migration(_manifest)
