"""`kalends sql` shows what is there: on a terminal, in a pipe, and as JSON."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dashboards.cli.querying import distinct
from tests.building import build_warehouse
from tests.faces.test_cli import MODEL, ROOT, kalends


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sql")
    (place / "docs").mkdir()
    (place / "docs" / "note.md").write_text("# Note\n\nMarmalade is made of bitter oranges.\n")
    build_warehouse(place / "warehouse", place / "docs")
    return place / "warehouse"


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
    assert distinct(["a", "a", "a_2", "a"]) == ["a", "a_3", "a_2", "a_4"]
