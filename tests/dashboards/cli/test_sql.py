"""`kalends sql` shows what is there: on a terminal, in a pipe, and as JSON."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from dashboards.serializers.sheets import number_repeated_names
from tests.building import build_warehouse
from tests.command_line import MODEL, ROOT, kalends
from warehouse.errors import BadQuery
from warehouse.reader import Warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sql")
    (place / "docs").mkdir()
    (place / "docs" / "note.md").write_text("# Note\n\nMarmalade is made of bitter oranges.\n")
    build_warehouse(place / "warehouse", place / "docs")
    return place / "warehouse"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT 1; SELECT 2", "ask for one query"),
        ("SELECT * FROM read_text('/etc/hostname')", "disabled"),
        ("COPY documents TO 'out.csv'", "ask for one query"),
        ("EXPLAIN ANALYZE COPY documents TO 'out.csv'", "ask for one query"),
        ("SELEKT", "SHOW TABLES"),
    ],
)
def test_what_is_no_query_is_refused_in_one_line(warehouse: Path, query: str, said: str) -> None:
    with pytest.raises(BadQuery, match=said) as refused:
        Warehouse(warehouse).run_sql(query)
    assert len(str(refused.value).splitlines()) == 1


def on_a_terminal(*words: object) -> str:
    """What a terminal of 80 columns is sent."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, **MODEL, "PYTHONPATH": str(ROOT), "COLUMNS": "80", "TERM": "xterm"}
    command = [sys.executable, "-m", "dashboards.cli.main", *map(str, words)]
    with subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs):
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 4096):
                said += part
        except OSError:
            # Linux says so when the last writer has gone.
            pass
    os.close(ours)
    return said.decode()


def test_a_terminal_gets_text_not_markup_and_all_of_it(warehouse: Path) -> None:
    query = f"SELECT '[/b] [red]x' AS \"[b]name\", '{'y' * 200}' AS long, chr(27) || '[2J' AS escape"
    said = on_a_terminal("sql", query, "-w", warehouse)
    assert "[/b] [red]x" in said
    assert "[b]name" in said
    assert said.count("y") == 200
    assert "\x1b[2J" not in said


def test_a_pipe_gets_a_line_a_row_and_nothing_is_cut(warehouse: Path) -> None:
    query = f"SELECT '[/b] x' AS a, '{'y' * 500}' AS b, 'one' || chr(10) || 'two' || chr(9) AS c, NULL AS d"
    done = kalends("sql", query, "-w", warehouse)
    assert done.stdout == f"a\tb\tc\td\n[/b] x\t{'y' * 500}\tone\\ntwo\\t\t\n"


def test_json_holds_every_column_and_no_number_that_json_lacks(warehouse: Path) -> None:
    query = r"SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS n, ['-inf'::DOUBLE] AS l, '\xFF\xFE'::BLOB AS b"
    done = kalends("sql", query, "-w", warehouse, "--json")
    assert json.loads(done.stdout)["rows"] == [{"a": 1, "a_2": 2, "n": None, "l": [None], "b": "//4="}]


def test_names_are_made_distinct_and_those_that_were_keep_theirs() -> None:
    assert number_repeated_names(["a", "a", "a_2", "a"]) == ["a", "a_3", "a_2", "a_4"]


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dated")
    (place / "docs").mkdir()
    said = (
        "On May 3, 2023 we met. Since 2024 and before 2010 we rested for three years.\n\nIn 2023 and in 2023 we wrote."
    )
    (place / "docs" / "note.txt").write_text(said)
    (place / "docs" / "report.txt").write_text("Our fiscal year ends on September 30. Q1 2023 was good.")
    build_warehouse(place / "warehouse", place / "docs")
    return place / "warehouse"


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        ("2023-05-03", "2023-05-04", {"May 3, 2023", "2023"}),
        ("2023-05-04", "2023-05-05", {"2023"}),
        ("2030-01-01", "2031-01-01", {"2024"}),
        ("1999-01-01", "1999-01-02", {"2010"}),
        ("2022-12-31", "2023-01-01", {"Q1 2023"}),
        ("2023-01-01", "2023-01-01", set()),
    ],
)
def test_during_gives_what_overlaps_and_open_sides_have_no_end(
    dated: Path, since: str, until: str, found: set[str]
) -> None:
    rows = Warehouse(dated).run_sql(f"SELECT DISTINCT text FROM during('{since}', '{until}')").rows
    assert {text for (text,) in rows} == found


def test_the_catalog_file_has_the_macro_too(dated: Path) -> None:
    done = duckdb.connect(str(dated / "warehouse.duckdb"), read_only=True)
    assert done.execute("SELECT count(*) FROM during('1999-01-01', '1999-01-02')").fetchall() == [(1,)]
    done.close()


def test_the_timeline_counts_each_period_of_each_document(dated: Path) -> None:
    query = "SELECT period, source, mentions FROM timeline JOIN documents USING (document_id) WHERE grain <> 'day'"
    assert Warehouse(dated).run_sql(f"{query} ORDER BY mentions DESC").rows == (
        ("2023", "docs/note.txt", 2),
        ("FY2023-Q1", "docs/report.txt", 1),
    )


def test_documents_know_when_fiscal_years_begin(dated: Path) -> None:
    rows = Warehouse(dated).run_sql("SELECT source, fiscal_year_start FROM documents ORDER BY source").rows
    assert rows == (("docs/note.txt", None), ("docs/report.txt", 10))


def test_chunks_cover_what_is_known_of_their_times(dated: Path) -> None:
    query = "SELECT period_start, period_end FROM chunks JOIN documents USING (document_id) WHERE source LIKE '%note%'"
    assert Warehouse(dated).run_sql(query).rows == ((date(2023, 1, 1), date(2024, 1, 1)),)


def test_a_warehouse_written_before_a_column_was_added_still_opens(dated: Path, tmp_path: Path) -> None:
    old = shutil.copytree(dated, tmp_path / "old", symlinks=True)
    for path in (old / "lake" / "mentions").glob("*.parquet"):
        table = pq.read_table(path)
        pq.write_table(table.drop_columns(["modifier", "quant", "freq", "other_start", "other_end", "basis"]), path)
    assert Warehouse(old).run_sql("SELECT count(*) FROM during('1999-01-01', '1999-01-02')").rows == ((1,),)
