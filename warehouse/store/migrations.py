"""Migrations: from the shape of an older warehouse to today's, a version at a time.

A step of `MIGRATIONS` turns the manifest of its version into that of the next, and the rows of documents too where
their values mean something else now; what it cannot carry over it leaves out. Stage outputs of older shapes are written
anew: copies, so that who reads the older generation still can. Their records need no hand: a column that came gets the
default of its field, one that went is left out, and an output that lacks what has no default is made again from its
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
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.lake import Lake
from warehouse.store.parquet import (
    EMPTY,
    LAKE_RECORDS,
    compute_edition,
    get_lake_schema,
    get_shape,
    is_whole,
    naming_damage,
    read_parquet,
    to_records,
    to_rows,
    write_parquet,
)

Fields = dict[str, Any]


def _with_chunking(manifest: Fields) -> Fields:
    """A root of version 1 names its chunker alone; since then it says all of how its documents are cut."""
    roots = []
    for root in manifest["roots"]:
        kept = {name: value for name, value in root.items() if name != "chunker"}
        if root.get("chunker"):
            kept = {"chunking": {"chunker": root["chunker"], "size": None, "overlap": None, "unit": ""}, **kept}
        roots.append(kept)
    return {**manifest, "roots": roots}


def _without_file_time(document: Fields) -> Fields:
    """Version 2 dated a document by its file's time of modification where nothing else did; now it is undated.

    What was made with such a date (its mentions, passages and vectors) is made again by the next ingest.
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
    # Version 7 had the columns of passages in the lake alone, and a graph beside each vector base.
    7: Migration(),
    # Version 8 cut no tables, so that no passage had a head above it.
    8: Migration(),
}
"""By the version that is left."""


def migrate_manifest(fields: Fields, version: int) -> Fields:
    """The fields of an older manifest as those of `version`. Raises `KeyError` where no way leads there."""
    for older in range(fields["schema_version"], version):
        fields = {**MIGRATIONS[older].manifest(fields), "schema_version": older + 1}
    return fields


def migrate_document(row: Fields, written: int, version: int) -> Fields:
    """The row of a document that a program of the schema version `written` made, as one of `version`."""
    for older in range(written, version):
        row = MIGRATIONS[older].document(row)
    return row


def upgrade_entries(lake: Lake, entries: Sequence[CatalogEntry]) -> list[CatalogEntry]:
    """The documents, standing on files of today's shapes. Outputs that cannot have them are left out.

    Files are named by what they come from: after a kill those that were written are found again.
    """
    outputs = {(output.stage, output.file) for entry in entries for output in entry.outputs}
    places = ((stage, table, file) for stage, file in outputs for table in STAGE_TABLES[stage])
    # The (stage, table) of which there is any file: the older program wrote no others, so those are not lost.
    written = {(stage, table) for stage, table, file in places if lake.get_path(table, file).exists()}
    place = cache(lambda stage, file: _conform_file(lake, stage, file, written))

    def move_outputs(entry: CatalogEntry) -> tuple[Output, ...]:
        found = ((output, place(output.stage, output.file)) for output in entry.outputs)
        return tuple(replace(output, file=file) for output, file in found if file is not None)

    for table in LAKE_RECORDS:
        # What gives a view over nothing its columns: an older reader sees more columns and no rows, as before.
        if is_whole(lake.get_path(table, EMPTY)) and not _fits(lake, table, EMPTY):
            lake.write(table, EMPTY, {})
    return [replace(entry, outputs=move_outputs(entry)) for entry in entries]


def conform_rows(table: str, rows: pa.Table) -> pa.Table:
    """Rows of a table with the columns of today: a new one has its field's default.

    Raises `ValueError` where a column without default is missing or is of another type.
    """
    schema = get_lake_schema(table)
    if get_shape(rows.schema) == get_shape(schema):
        return rows.cast(schema)
    record = LAKE_RECORDS[table]
    converted = to_rows(record, to_records(record, rows.drop_columns(["key"]).to_pylist()))
    keyed = [{"key": key, **row} for key, row in zip(rows["key"].to_pylist(), converted, strict=True)]
    return pa.Table.from_pylist(keyed, schema=schema)


def _conform_file(lake: Lake, stage: str, file: str, written: Collection[tuple[str, str]]) -> str | None:
    """The file of today's shapes that stands for a file of a stage; None where there can be none."""
    # A refusal lies in a file of the parser's, of which it has only some tables.
    tables = STAGE_TABLES["parse" if stage == "refused" else stage]
    if all(_fits(lake, table, file) for table in tables):
        return file
    name = digest("conformed", compute_edition(), file)
    try:
        for table in tables:
            known = (stage, table) in written or (stage == "refused" and lake.get_path(table, file).exists())
            rows = read_parquet(lake.get_path(table, file)) if known else get_lake_schema(table).empty_table()
            write_parquet(lake.get_path(table, name), conform_rows(table, rows))
    except (BadWarehouse, ValueError):
        return None
    return name


def _fits(lake: Lake, table: str, file: str) -> bool:
    try:
        with naming_damage(file):
            return get_shape(pq.read_schema(lake.get_path(table, file))) == get_shape(get_lake_schema(table))
    except BadWarehouse:
        return False
