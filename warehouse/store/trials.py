"""The trials of experiments: immutable Parquet files in the lake, two a trial, so that what was asked is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from warehouse.records.trial import TrialQuestion, TrialRecord
from warehouse.store.lake import Lake
from warehouse.store.parquet import EMPTY, is_whole, read_parquet, records_of, rows_of, schema_of, write_parquet

if TYPE_CHECKING:
    import duckdb

RECORDS: dict[str, Any] = {"trials": TrialRecord, "trial_questions": TrialQuestion}


def write(lake: Lake, trial: TrialRecord, questions: Sequence[TrialQuestion]) -> None:
    """Keep a trial; its own file comes last, since it says that all is there."""
    for table, records in (("trial_questions", questions), ("trials", [trial])):
        rows = pa.Table.from_pylist(rows_of(RECORDS[table], records), schema=schema_of(RECORDS[table]))
        write_parquet(lake.path(table, trial.trial_id), rows)


def write_empty(lake: Lake) -> None:
    """Make sure that each table has a file, so that a view over none still has its columns."""
    for table, record in RECORDS.items():
        if not is_whole(lake.path(table, EMPTY)):
            write_parquet(lake.path(table, EMPTY), pa.Table.from_batches([], schema_of(record)))


def is_kept(lake: Lake, trial_id: str) -> bool:
    """Whether a trial is there, whole."""
    return all(is_whole(lake.path(table, trial_id)) for table in RECORDS)


def trial(lake: Lake, trial_id: str) -> TrialRecord:
    """A trial that is kept. Raises `BadWarehouse` for a damaged one."""
    return records_of(TrialRecord, read_parquet(lake.path("trials", trial_id)).to_pylist())[0]


def questions(lake: Lake, trial_id: str) -> tuple[TrialQuestion, ...]:
    """The questions of a trial, in the order of the exam. Raises `BadWarehouse` for a damaged file."""
    return records_of(TrialQuestion, read_parquet(lake.path("trial_questions", trial_id)).to_pylist())


def read_trials(lake: Lake) -> list[TrialRecord]:
    """All trials, the latest last."""
    files = (path for path in files_of(lake)["trials"] if path.stem != EMPTY and is_kept(lake, path.stem))
    return [trial(lake, path.stem) for path in sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name))]


def files_of(lake: Lake) -> dict[str, list[Path]]:
    """The whole files of each table."""
    folders = {table: lake.folder / table for table in RECORDS}
    return {
        table: sorted(path for path in folder.glob("*.parquet") if is_whole(path)) for table, folder in folders.items()
    }


def to_come(lake: Lake) -> dict[str, list[Path]]:
    """The files that there will be, as patterns: a catalog that is written once shows the trials that come after it."""
    return {table: [lake.folder / table / "*.parquet"] for table in RECORDS}


def relations(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Iterable[Path]]) -> dict[str, str]:
    """Each table as what can stand behind FROM: its files, and columns without rows where there are none yet."""
    return {table: _relation(connection, table, list(files.get(table, ()))) for table in RECORDS}


def _relation(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[Path]) -> str:
    if files:
        quoted = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
        return f"read_parquet([{quoted}], union_by_name = true)"
    # An empty_table() would load pandas.
    connection.register("no_rows", pa.Table.from_batches([], schema_of(RECORDS[table])))
    described = connection.execute("DESCRIBE FROM no_rows").fetchall()
    connection.unregister("no_rows")
    columns = ", ".join(f'CAST(NULL AS {kind}) AS "{name}"' for name, kind, *_ in described)
    return f"(SELECT {columns} WHERE false)"
