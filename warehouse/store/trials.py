"""The trials of experiments: immutable Parquet files in the lake, three for each trial."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from warehouse.records.trial import TrialQuestion, TrialRanking, TrialRecord
from warehouse.store.arrow_files import EMPTY, get_schema, is_complete, read_parquet, to_records, to_rows, write_parquet
from warehouse.store.lake import Lake

RECORDS: dict[str, Any] = {"trials": TrialRecord, "trial_questions": TrialQuestion}
"""The tables that SQL shows; an additional column would break the views of published warehouses."""
RANKINGS = "trial_rankings"
TABLES: dict[str, Any] = {**RECORDS, RANKINGS: TrialRanking}


def write(
    lake: Lake, trial: TrialRecord, questions: Sequence[TrialQuestion], rankings: Sequence[TrialRanking] = ()
) -> None:
    """Store a trial; its own file is written last, as its existence means that all files exist."""
    for table, records in ((RANKINGS, rankings), ("trial_questions", questions), ("trials", [trial])):
        rows = pa.Table.from_pylist(to_rows(TABLES[table], records), schema=get_schema(TABLES[table]))
        write_parquet(lake.get_path(table, trial.trial_id), rows)


def has_trial(lake: Lake, trial_id: str) -> bool:
    """Whether all files of a trial exist and are complete."""
    return all(is_complete(lake.get_path(table, trial_id)) for table in RECORDS)


def read_trial(lake: Lake, trial_id: str) -> TrialRecord:
    """A stored trial. Raises `BadWarehouse` for a damaged one."""
    return to_records(TrialRecord, read_parquet(lake.get_path("trials", trial_id)).to_pylist())[0]


def read_questions(lake: Lake, trial_id: str) -> tuple[TrialQuestion, ...]:
    """The questions of a trial, in the order of the exam. Raises `BadWarehouse` for a damaged file."""
    return to_records(TrialQuestion, read_parquet(lake.get_path("trial_questions", trial_id)).to_pylist())


def read_rankings(lake: Lake, trial_id: str) -> tuple[TrialRanking, ...]:
    """The ranking of each question of a trial. Raises `BadWarehouse` for a damaged or missing file."""
    return to_records(TrialRanking, read_parquet(lake.get_path(RANKINGS, trial_id)).to_pylist())


def read_trials(lake: Lake) -> list[TrialRecord]:
    """All trials, the latest last."""
    files = (path for path in list_files(lake)["trials"] if path.stem != EMPTY and has_trial(lake, path.stem))
    return [
        read_trial(lake, path.stem) for path in sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name))
    ]


def list_files(lake: Lake) -> dict[str, list[Path]]:
    """The complete files of each table."""
    return {table: sorted(filter(is_complete, (lake.folder / table).glob("*.parquet"))) for table in RECORDS}
