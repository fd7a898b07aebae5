"""The migrations one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warehouse.registry import Family

MIGRATIONS: Family[Callable[[dict[str, Any]], dict[str, Any]]] = Family("warehouse.store.migrations", "migration")
"""Functions from the fields of a manifest to those of the next version, by the name `from_` and the version."""


def migrated(fields: dict[str, Any], version: int) -> dict[str, Any]:
    """The fields of an older manifest as those of `version`. Raises `BadInput` where no way leads there."""
    while fields["schema_version"] < version:
        fields = MIGRATIONS[f"from_{fields['schema_version']}"](fields)
    return fields
