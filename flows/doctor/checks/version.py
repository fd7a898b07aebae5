"""The shapes that the warehouse was written in."""

from __future__ import annotations

from collections.abc import Iterator

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok, warning
from warehouse.store.generations import published, read_older
from warehouse.store.manifest import SCHEMA_VERSION


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """Whether there is a warehouse and this program reads it. Raises `BadWarehouse` for a newer or damaged one."""
    folder = published(patient.layout)
    if folder is None:
        yield warning(f"nothing is published in {patient.layout.folder}", "kalends ingest FOLDER")
        return
    manifest = read_older(folder).manifest
    if manifest.older:
        yield error(
            f"it is of schema version {manifest.schema_version}, this program reads {SCHEMA_VERSION}",
            "kalends maintain",
        )
    else:
        yield ok(f"generation {manifest.number}, schema version {SCHEMA_VERSION}")
