"""The migrations one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from warehouse.registry import Family

Change = Callable[[dict[str, Any]], dict[str, Any]]


def _keep(fields: dict[str, Any]) -> dict[str, Any]:
    return fields


@dataclass(frozen=True, slots=True)
class Migration:
    """The step from one schema version to the next: of a manifest's fields, and of a document's row."""

    manifest: Change
    document: Change = _keep


MIGRATIONS: Family[Migration] = Family("warehouse.store.migrations", "migration")
"""By the name `from_` and the version."""


def migrated(fields: dict[str, Any], version: int) -> dict[str, Any]:
    """The fields of an older manifest as those of `version`. Raises `BadInput` where no way leads there."""
    while fields["schema_version"] < version:
        fields = MIGRATIONS[f"from_{fields['schema_version']}"].manifest(fields)
    return fields


def migrate_document(row: dict[str, Any], written: int, version: int) -> dict[str, Any]:
    """The row of a document that a program of the schema version `written` made, as one of `version`."""
    for older in range(written, version):
        row = MIGRATIONS[f"from_{older}"].document(row)
    return row
