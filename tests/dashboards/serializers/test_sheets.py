"""Tables as files."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from dashboards.serializers.sheets import SHEET_FORMATS, as_csv, as_parquet, as_xlsx

ROWS = pa.table(
    {
        "name": ["=1+1", "中文 <b>", None],
        "value": [1.5, None, -2.0],
        "day": [date(2023, 6, 30), None, date(1812, 1, 1)],
        "moment": [datetime(2023, 6, 30, 12, tzinfo=UTC), None, None],
        "parts": [[1, 2], None, []],
    }
)


def test_parquet_gives_the_same_table_back() -> None:
    assert pq.read_table(io.BytesIO(as_parquet(ROWS))).equals(ROWS)


def test_csv_holds_every_row_and_no_formula() -> None:
    read = list(csv.DictReader(io.StringIO(as_csv(ROWS).decode("utf-8-sig"))))
    assert [row["name"] for row in read] == ["'=1+1", "中文 <b>", ""]
    assert [row["parts"] for row in read] == ["[1, 2]", "", "[]"]


def test_a_workbook_holds_every_row_as_its_type_and_no_formula() -> None:
    rows = list(openpyxl.load_workbook(io.BytesIO(as_xlsx(ROWS))).active.iter_rows(values_only=True))
    assert rows[0] == tuple(ROWS.column_names)
    assert rows[1] == ("=1+1", 1.5, datetime(2023, 6, 30), datetime(2023, 6, 30, 12), "[1, 2]")  # noqa: DTZ001
    assert [row[0] for row in rows[1:]] == ["=1+1", "中文 <b>", None]
    assert rows[3][2] == "1812-01-01"


def test_no_format_ends_on_no_rows() -> None:
    assert all(sheet.write(ROWS.slice(0, 0)) for sheet in SHEET_FORMATS)
