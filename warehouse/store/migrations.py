"""Migrations from the shape of an older warehouse to the present one, one version at a time.

A step of `MIGRATIONS` turns the manifest of its version into that of the next, and also the rows of documents if their
values have changed their meaning; it leaves out what cannot be converted. Stage outputs of older shapes are copied into
new files, so that the older generation stays readable. Their records need no step of their own: a new column gets the
default of its field, a removed one is left out, and an output that lacks a field without default is made again from its
document by the next ingest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.errors import BadWarehouse
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Output
from warehouse.store.arrow_files import (
    EMPTY,
    LAKE_RECORDS,
    compute_edition,
    convert_read_errors,
    get_lake_schema,
    get_shape,
    is_complete,
    read_parquet,
    to_records,
    to_rows,
    write_parquet,
)
from warehouse.store.catalog import STAGE_TABLES, get_writing_stage
from warehouse.store.lake import Lake

Fields = dict[str, Any]


def _with_chunking(manifest: Fields) -> Fields:
    """A root of version 1 names only its chunker; a later one has all settings of chunking."""
    roots = []
    for root in manifest["roots"]:
        fields = {name: value for name, value in root.items() if name != "chunker"}
        if root.get("chunker"):
            fields = {"chunking": {"chunker": root["chunker"], "size": None, "overlap": None, "unit": ""}, **fields}
        roots.append(fields)
    return {**manifest, "roots": roots}


def _without_file_time(document: Fields) -> Fields:
    """Version 2 dated a document by its file's modification time if it had no other date; now it is undated.

    Outputs made with such a date (its mentions, passages and vectors) are made again by the next ingest.
    """
    if document["date_origin"] != "modification time":
        return document
    return {**document, "document_date": None, "date_origin": None}


@dataclass(frozen=True, slots=True)
class Migration:
    """The step from one schema version to the next: of a manifest's fields, and of a document's row."""

    manifest: Callable[[Fields], Fields] = dict
    document: Callable[[Fields], Fields] = dict


MIGRATIONS: Mapping[int, Migration] = {
    # Version 1 had no record of its shapes either, and they changed under the one number.
    1: Migration(manifest=_with_chunking),
    2: Migration(document=_without_file_time),
    # Version 3 knew no corrections; since then a document notes those that people made, and what they replace.
    3: Migration(),
    # Version 4 dated documents alone; since then a passage has the day of its entry.
    4: Migration(),
    # Version 5 knew no kinds of statements and no vectors of row labels.
    5: Migration(),
    # Version 6 knew no facts that a filer tags.
    6: Migration(),
    # Version 7 had the columns of passages in the lake alone, and a graph for each vector base.
    7: Migration(),
    # Version 8 cut no tables, so that no passage had a head above it.
    8: Migration(),
}
"""The migration from each version to the next."""


def migrate_manifest(fields: Fields, version: int) -> Fields:
    """The fields of an older manifest as those of `version`. Raises `KeyError` if a step or a field is missing."""
    for older in range(fields["schema_version"], version):
        fields = {**MIGRATIONS[older].manifest(fields), "schema_version": older + 1}
    return fields


def migrate_document(row: Fields, written_version: int, version: int) -> Fields:
    """The row of a document that a program of schema version `written_version` wrote, as one of `version`."""
    for older in range(written_version, version):
        row = MIGRATIONS[older].document(row)
    return row


def upgrade_entries(lake: Lake, entries: Sequence[CatalogEntry]) -> list[CatalogEntry]:
    """The documents, with outputs in files of the present shapes. Outputs that cannot be converted are left out.

    Files are named by their source, so that after a kill those that were written are found again.
    """
    outputs = {(output.stage, output.file) for entry in entries for output in entry.outputs}
    table_files = ((stage, table, file) for stage, file in outputs for table in STAGE_TABLES[stage])
    # The (stage, table) that have any file: the older program wrote no others, so files of others are not lost.
    written_tables = {(stage, table) for stage, table, file in table_files if lake.get_path(table, file).exists()}
    find_conformed_file = cache(lambda stage, file: _conform_file(lake, stage, file, written_tables))

    def move_outputs(entry: CatalogEntry) -> tuple[Output, ...]:
        conformed_outputs = ((output, find_conformed_file(output.stage, output.file)) for output in entry.outputs)
        return tuple(replace(output, file=file) for output, file in conformed_outputs if file is not None)

    for table in LAKE_RECORDS:
        # The empty file gives a view without rows its columns: an older reader sees more columns and still no rows.
        if is_complete(lake.get_path(table, EMPTY)) and not _has_present_shape(lake, table, EMPTY):
            lake.write(table, EMPTY, {})
    return [replace(entry, outputs=move_outputs(entry)) for entry in entries]


def conform_rows(table: str, rows: pa.Table) -> pa.Table:
    """Rows of a table with the present columns: a new one has its field's default.

    Raises `ValueError` if a column without default is missing or has another type.
    """
    schema = get_lake_schema(table)
    if get_shape(rows.schema) == get_shape(schema):
        return rows.cast(schema)
    record = LAKE_RECORDS[table]
    converted_rows = to_rows(record, to_records(record, rows.drop_columns(["key"]).to_pylist()))
    keyed_rows = [{"key": key, **row} for key, row in zip(rows["key"].to_pylist(), converted_rows, strict=True)]
    return pa.Table.from_pylist(keyed_rows, schema=schema)


def _conform_file(lake: Lake, stage: str, file: str, written_tables: Collection[tuple[str, str]]) -> str | None:
    """The file of the present shapes that replaces a file of a stage; None if it cannot be converted."""
    # A refusal is in a file of the parser, and has only some of its tables.
    tables = STAGE_TABLES[get_writing_stage(stage)]
    if all(_has_present_shape(lake, table, file) for table in tables):
        return file
    name = digest("conformed", compute_edition(), file)
    try:
        for table in tables:
            is_written = (stage, table) in written_tables or (
                stage == "refused" and lake.get_path(table, file).exists()
            )
            rows = read_parquet(lake.get_path(table, file)) if is_written else get_lake_schema(table).empty_table()
            write_parquet(lake.get_path(table, name), conform_rows(table, rows))
    except (BadWarehouse, ValueError):
        return None
    return name


def _has_present_shape(lake: Lake, table: str, file: str) -> bool:
    try:
        with convert_read_errors(file):
            return get_shape(pq.read_schema(lake.get_path(table, file))) == get_shape(get_lake_schema(table))
    except BadWarehouse:
        return False
