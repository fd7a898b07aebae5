"""What an experiment can leave out of an ingest: the context before chunks, and all but one vector of a long table."""

from __future__ import annotations

from pathlib import Path

from tests.building import build_warehouse
from warehouse.reader import Warehouse

ROWS = "\n".join(f"| Item {row} | {row},{row}00 | {row},{row}50 |" for row in range(100, 160))
REPORT = f"# Sales\n\nSold in March 2023.\n\n| Item | Q1 2023 | Q2 2023 |\n|---|---|---|\n{ROWS}\n"
COUNT = """
    SELECT count(DISTINCT v.vector_id) FROM chunk_vectors v JOIN chunks c USING (chunk_id)
    WHERE c.has_table AND v.label = ''
"""


def built(place: Path, name: str, **settings: object) -> Warehouse:
    (place / "docs").mkdir(exist_ok=True)
    (place / "docs" / "sales.md").write_text(REPORT, encoding="utf-8")
    return build_warehouse(place / name, place / "docs", **settings)


def prefixes(warehouse: Warehouse) -> set[str]:
    return {prefix for (prefix,) in warehouse.snapshot.query_rows("SELECT prefix FROM chunks")}


def test_chunks_without_their_context(tmp_path: Path) -> None:
    assert "" not in prefixes(built(tmp_path, "with"))
    assert prefixes(built(tmp_path, "without", chunk={"prefix": False})) == {""}


def test_a_long_table_by_its_first_rows_alone(tmp_path: Path) -> None:
    ((windows,),) = built(tmp_path, "windows").snapshot.query_rows(COUNT)
    first = built(tmp_path, "first", embed={"model": "hashing", "tables": "first"})
    ((chunks,),) = first.snapshot.query_rows("SELECT count(*) FROM chunks WHERE has_table")
    assert first.snapshot.query_rows(COUNT) == [(chunks,)]
    assert windows > chunks


def test_the_same_folder_takes_the_setting_up(tmp_path: Path) -> None:
    built(tmp_path, "one")
    assert prefixes(built(tmp_path, "one", chunk={"prefix": False})) == {""}
