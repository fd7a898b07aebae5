"""Records survive the way to Parquet and back."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warehouse.errors import BadWarehouse
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Root, Run
from warehouse.store.arrow_files import LAKE_RECORDS, get_schema, read_keys, to_records, to_rows, write_parquet
from warehouse.store.lake import Lake

DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@cache
def records(shape: type[Any]) -> st.SearchStrategy[Any]:
    st.register_type_strategy(date, DAYS)
    st.register_type_strategy(datetime, MOMENTS)
    st.register_type_strategy(str, TEXT)
    st.register_type_strategy(int, st.integers(-(2**62), 2**62))
    st.register_type_strategy(float, st.floats(allow_nan=False))
    return st.from_type(shape)


@pytest.mark.parametrize("table", sorted(LAKE_RECORDS))
@given(data=st.data())
def test_lake_round_trip(table: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    shape = LAKE_RECORDS[table]
    outputs = data.draw(
        st.dictionaries(st.text("abcdef", min_size=1), st.lists(records(shape), max_size=2), max_size=2)
    )
    lake = Lake(tmp_path_factory.mktemp("lake"))
    lake.write(table, "batch", outputs)
    read = lake.read(table, shape, dict.fromkeys(outputs, "batch"))
    assert read == {key: tuple(found) for key, found in outputs.items()}


@pytest.mark.parametrize("shape", [CatalogEntry, Run])
@given(data=st.data())
def test_generation_records_round_trip(shape: type[Any], data: st.DataObject) -> None:
    record = data.draw(records(shape))
    table = pa.Table.from_pylist(to_rows(shape, [record]), schema=get_schema(shape))
    assert to_records(shape, table.to_pylist()) == (record,)


def test_reading_leaves_other_keys_alone(tmp_path: Any) -> None:
    from warehouse.records import Score

    lake = Lake(tmp_path)
    lake.write("scores", "batch", {"a": [Score("x", 1.0)], "b": [Score("y", 0.5)]})
    assert lake.read("scores", Score, {"b": "batch"}) == {"b": (Score("y", 0.5),)}
    assert pq.read_table(lake.get_path("scores", "batch")).num_rows == 2


def test_a_root_survives_json() -> None:
    from dataclasses import asdict
    from pathlib import Path

    root = Root("notes", Path("/tmp/notes"), only=("a.md",))
    assert to_records(Root, [asdict(root)]) == (root,)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=30), st.sets(st.sampled_from("abcd")))
def test_the_rows_of_keys_are_read_from_any_row_groups(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, int]], wanted: set[str]
) -> None:
    path = tmp_path_factory.mktemp("lake") / "rows.parquet"
    keys, values = (
        pa.array([row[place] for row in rows], kind) for place, kind in enumerate((pa.string(), pa.int64()))
    )
    write_parquet(path, pa.table({"key": keys, "value": values}), row_group_size=4)
    found = [(key, value) for key, some in read_keys(path, wanted, ["value"]) for value in some["value"].to_pylist()]
    assert found == [row for row in rows if row[0] in wanted]


def test_the_newest_vectors_are_found_without_the_older_files(tmp_path: Path) -> None:
    lake, dimension = Lake(tmp_path), 4
    for number in range(8):
        lake.write_vectors(f"{number}", "hashing", [digest(f"{number}")], np.full((1, dimension), number, np.float32))
        os.utime(lake.get_path("vectors", f"{number}"), ns=(number, number))
    oldest = lake.get_path("vectors", "0")
    written = oldest.read_bytes()
    oldest.write_bytes(written[:4] + bytes(len(written) - 8) + written[-4:])
    os.utime(oldest, ns=(0, 0))
    newest = np.array([digest("7")], "S32")
    assert Lake(tmp_path).read_vectors(newest, dimension).tolist() == [[7.0] * dimension]
    with pytest.raises(BadWarehouse):
        Lake(tmp_path).find_lost_vectors([digest("0")])
    oldest.write_bytes(written)
    every = Lake(tmp_path)
    assert every.find_lost_vectors([digest(f"{number}") for number in range(9)]) == {digest("8")}
