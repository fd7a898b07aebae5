"""The trials of experiments: immutable Parquet files in the lake, three a trial, so that what was asked is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from warehouse.records.trial import TrialQuestion, TrialRanking, TrialRecord
from warehouse.store.arrow_files import EMPTY, get_schema, is_whole, read_parquet, to_records, to_rows, write_parquet
from warehouse.store.lake import Lake

RECORDS: dict[str, Any] = {"trials": TrialRecord, "trial_questions": TrialQuestion}
"""The tables that SQL shows; a column more would break the views of warehouses that are published already."""
RANKINGS = "trial_rankings"
TABLES: dict[str, Any] = {**RECORDS, RANKINGS: TrialRanking}


def write(
    lake: Lake, trial: TrialRecord, questions: Sequence[TrialQuestion], rankings: Sequence[TrialRanking] = ()
) -> None:
    """Keep a trial; its own file comes last, since it says that all is there."""
    for table, records in ((RANKINGS, rankings), ("trial_questions", questions), ("trials", [trial])):
        rows = pa.Table.from_pylist(to_rows(TABLES[table], records), schema=get_schema(TABLES[table]))
        write_parquet(lake.get_path(table, trial.trial_id), rows)


def is_kept(lake: Lake, trial_id: str) -> bool:
    """Whether a trial is there, whole."""
    return all(is_whole(lake.get_path(table, trial_id)) for table in RECORDS)


def read_trial(lake: Lake, trial_id: str) -> TrialRecord:
    """A trial that is kept. Raises `BadWarehouse` for a damaged one."""
    return to_records(TrialRecord, read_parquet(lake.get_path("trials", trial_id)).to_pylist())[0]


def read_questions(lake: Lake, trial_id: str) -> tuple[TrialQuestion, ...]:
    """The questions of a trial, in the order of the exam. Raises `BadWarehouse` for a damaged file."""
    return to_records(TrialQuestion, read_parquet(lake.get_path("trial_questions", trial_id)).to_pylist())


def read_rankings(lake: Lake, trial_id: str) -> tuple[TrialRanking, ...]:
    """What each question of a trial found, by name. Raises `BadWarehouse` for a damaged or missing file."""
    return to_records(TrialRanking, read_parquet(lake.get_path(RANKINGS, trial_id)).to_pylist())


def read_trials(lake: Lake) -> list[TrialRecord]:
    """All trials, the latest last."""
    files = (path for path in list_files(lake)["trials"] if path.stem != EMPTY and is_kept(lake, path.stem))
    return [
        read_trial(lake, path.stem) for path in sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name))
    ]


def list_files(lake: Lake) -> dict[str, list[Path]]:
    """The whole files of each table."""
    folders = {table: lake.folder / table for table in RECORDS}
    return {
        table: sorted(path for path in folder.glob("*.parquet") if is_whole(path)) for table, folder in folders.items()
    }
