"""Stage outputs of older shapes, written anew in today's: copies, so that who reads the older generation still can."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.errors import BadWarehouse
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Output
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.editions import edition, shape_of
from warehouse.store.lake import Lake
from warehouse.store.parquet import EMPTY, is_whole, naming_damage, read_parquet, write_parquet
from warehouse.store.schemas import LAKE_RECORDS, lake_schema, records_of, rows_of


def upgraded(lake: Lake, entries: Sequence[CatalogEntry]) -> list[CatalogEntry]:
    """The documents, standing on files of today's shapes. Outputs that cannot have them are left out.

    Files are named by what they come from: after a kill those that were written are found again.
    """
    written = _written(lake, entries)
    place = cache(lambda stage, file: _place(lake, stage, file, written))

    def outputs(entry: CatalogEntry) -> tuple[Output, ...]:
        found = ((output, place(output.stage, output.file)) for output in entry.outputs)
        return tuple(replace(output, file=file) for output, file in found if file is not None)

    _renew_empty_files(lake)
    return [replace(entry, outputs=outputs(entry)) for entry in entries]


def conformed(table: str, rows: pa.Table) -> pa.Table:
    """Rows of a table with the columns of today: a new one has its field's default.

    Raises `ValueError` where a column without default is missing or is of another type.
    """
    schema = lake_schema(table)
    if shape_of(rows.schema) == shape_of(schema):
        return rows.cast(schema)
    record = LAKE_RECORDS[table]
    made = rows_of(record, records_of(record, rows.drop_columns(["key"]).to_pylist()))
    keyed = [{"key": key, **row} for key, row in zip(rows["key"].to_pylist(), made, strict=True)]
    return pa.Table.from_pylist(keyed, schema=schema)


def _written(lake: Lake, entries: Iterable[CatalogEntry]) -> frozenset[tuple[str, str]]:
    """The (stage, table) of which there is any file: the older program wrote no others, so those are not lost."""
    outputs = {(output.stage, output.file) for entry in entries for output in entry.outputs}
    places = ((stage, table, file) for stage, file in outputs for table in STAGE_TABLES[stage])
    return frozenset((stage, table) for stage, table, file in places if lake.path(table, file).exists())


def _place(lake: Lake, stage: str, file: str, written: Collection[tuple[str, str]]) -> str | None:
    """The file of today's shapes that stands for a file of a stage; None where there can be none."""
    # A refusal lies in a file of the parser's, of which it has only some tables.
    tables = STAGE_TABLES["parse" if stage == "refused" else stage]
    if all(_fits(lake, table, file) for table in tables):
        return file
    name = digest("conformed", edition(), file)
    try:
        for table in tables:
            known = (stage, table) in written or (stage == "refused" and lake.path(table, file).exists())
            rows = read_parquet(lake.path(table, file)) if known else lake_schema(table).empty_table()
            write_parquet(lake.path(table, name), conformed(table, rows))
    except (BadWarehouse, ValueError):
        return None
    return name


def _fits(lake: Lake, table: str, file: str) -> bool:
    try:
        with naming_damage(file):
            return shape_of(pq.read_schema(lake.path(table, file))) == shape_of(lake_schema(table))
    except BadWarehouse:
        return False


def _renew_empty_files(lake: Lake) -> None:
    """The files that give a view over nothing its columns: an older reader sees more columns and no rows, as before."""
    for table in LAKE_RECORDS:
        if is_whole(lake.path(table, EMPTY)) and not _fits(lake, table, EMPTY):
            lake.write(table, EMPTY, {})
