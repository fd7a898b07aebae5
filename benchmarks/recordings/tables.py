"""The part of the warehouse's files: every table and view of its DuckDB file, row by row, and the shape of its Parquet.

Rows are lines of JSON, sorted. Vectors are hashes of their rounded numbers. Masked are the columns of moments,
durations and ids of runs (`MASKED`); folders are masked as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.recordings.workplace import Workplace

MASKED: Mapping[str, frozenset[str]] = {
    "generations": frozenset({"published", "flow_run"}),
    "runs": frozenset({"flow_run", "started", "seconds", "published"}),
    "trials": frozenset({"ingest_seconds", "p50", "p95", "index_bytes"}),
    "trial_questions": frozenset({"milliseconds"}),
}
VECTORS = frozenset({"vector"})
DECIMALS = 3
"""Of the numbers of vectors, which the model gives in eight bits."""


def record_tables(place: Workplace) -> None:
    """Every relation, the columns of the Parquet files, the manifest, and the names of the files."""
    import duckdb

    with duckdb.connect(str(place.warehouse / "warehouse.duckdb"), read_only=True) as store:
        listed = "select table_name from information_schema.tables order by table_name"
        names = [name for (name,) in store.execute(listed).fetchall()]
        for name in names:
            found = store.execute(f'select * from "{name}"')
            columns = [(column[0], str(column[1])) for column in found.description or ()]
            rows = sorted(_row(name, columns, row) for row in found.fetchall())
            head = json.dumps(dict(columns), indent=1)
            place.write(f"tables/{name}.jsonl", "\n".join((head, *rows)), moments=False)
    place.write("tables/parquet.txt", "\n".join(_parquet(place.warehouse / "lake")), moments=False)
    manifest = json.loads((place.warehouse / "current" / "manifest.json").read_text(encoding="utf-8"))
    place.write("tables/manifest.json", json.dumps(manifest, indent=1, sort_keys=True), moments=False)
    place.write("tables/files.txt", "\n".join(_files(place.warehouse)), moments=False)


def _row(table: str, columns: list[tuple[str, str]], row: tuple[Any, ...]) -> str:
    masked = MASKED.get(table, frozenset())
    values = {}
    for (name, _), value in zip(columns, row, strict=True):
        if name in masked and value is not None:
            values[name] = "<masked>"
        elif name in VECTORS and value is not None:
            values[name] = _hash(value)
        elif table == "runs" and name == "stages":
            values[name] = [{**stage, "seconds": "<masked>"} for stage in value]
        else:
            values[name] = value
    return json.dumps(values, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else str(value)


def _hash(vector: list[float]) -> str:
    rounded = ",".join(f"{number + 0.0:.{DECIMALS}f}" for number in vector)
    return sha256(rounded.replace("-0.000", "0.000").encode()).hexdigest()[:16]


def _parquet(lake: Path) -> list[str]:
    """The columns of each folder of the lake with their types."""
    from pyarrow import parquet

    lines = set()
    for file in lake.rglob("*.parquet"):
        schema = parquet.read_schema(file)
        lines |= {f"{file.parent.name}: {field.name} {field.type}" for field in schema}
    return sorted(lines)


def _files(warehouse: Path) -> list[str]:
    """The files of the warehouse but the server's; the names of the keyword index's segments are random."""
    names = {file.relative_to(warehouse) for file in warehouse.rglob("*") if not file.is_dir()}
    kept = (name for name in names if name.parts[0] != "prefect")
    return sorted({str(name.with_stem("segment")) if "keywords" in name.parts else str(name) for name in kept})
