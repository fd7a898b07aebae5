"""The formats of every command: one option for all, short forms, and rows that other programs read."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.main import get_command

from dashboards.cli.main import app, run
from dashboards.cli.options import ROWS, OutputFormat, print_rows
from tests.building import build_warehouse
from tests.command_line import kalends

GROUP = get_command(app)
COMMANDS = {name: GROUP.get_command(None, name) for name in GROUP.list_commands(None)}  # type: ignore[attr-defined]
WITHOUT = {"up", "down", "serve", "mcp", "dashboard"}
"""Commands that print no result: they start or stop something."""
OWN = {"dates": {"jsonl"}}
"""Options of a command that are called like a format and mean something else."""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("formats")
    (home / "docs").mkdir()
    (home / "docs" / "rain.txt").write_text("In May 2024 it rained for | six days, and in June for two.\n")
    (home / "docs" / "empty.txt").touch()
    build_warehouse(home / "warehouse", home / "docs")
    return home / "warehouse"


def options(name: str) -> dict[str, Any]:
    return {option: each for each in COMMANDS[name].params for option in each.opts}


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - WITHOUT))
def test_every_command_with_a_result_offers_it_in_formats(name: str) -> None:
    found = options(name)
    offered = found["--format"].type_descriptor.choices
    assert list(offered)[:2] == ["text", "json"]
    assert found["--json"].help == "Short for --format json."
    flags = {option.removeprefix("--") for option in found} & {*OutputFormat}
    assert flags - OWN.get(name, set()) <= set(offered)


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_what_starts_or_stops_something_has_none(name: str) -> None:
    assert not {"--format", "--json"} & options(name).keys()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "xml"), "Invalid value for '--format'"),
        (("--json", "--csv"), "--json and --csv cannot be combined: leave one of them out"),
        (("--json", "--format", "markdown"), "--json and --format markdown cannot be combined"),
    ],
)
def test_a_bad_format_is_answered_in_one_line(warehouse: Path, words: tuple[str, ...], said: str) -> None:
    done = kalends("sql", "SELECT 1", "-w", warehouse, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


def test_the_long_and_the_short_form_print_the_same(warehouse: Path) -> None:
    words = ("status", "-w", warehouse)
    assert kalends(*words, "--format", "json").stdout == kalends(*words, "--json").stdout
    assert kalends(*words, "--json", "--format", "json").returncode == 0


def test_hits_as_lines_rows_and_quotations(warehouse: Path) -> None:
    words = ("search", "rain in May 2024", "-w", warehouse, "--format")
    (line,) = kalends(*words, "jsonl").stdout.splitlines()
    assert json.loads(line) == json.loads(kalends(*words, "json").stdout)["hits"][0]
    (row,) = csv.DictReader(io.StringIO(kalends(*words, "csv").stdout))
    assert (row["place"], row["source"]) == ("1", "docs/rain.txt")
    assert "six days" in row["passage"]
    lines = kalends(*words, "markdown").stdout.splitlines()
    assert lines[0].startswith("1. **rain")
    assert lines[2].startswith("   > In May 2024 it rained")
    assert lines[-1].startswith("   [docs/rain.txt](<file://")


def test_an_answer_as_markdown(warehouse: Path) -> None:
    shown = kalends("ask", "How long did it rain in May 2024?", "-w", warehouse, "--format", "markdown").stdout
    assert shown.startswith("## How long did it rain in May 2024?\n\n")
    assert "Sources:\n\n1. " in shown


def test_rows_of_sql(warehouse: Path) -> None:
    query = "SELECT 'a|b' AS x, NULL AS y, [1, 2] AS z, true AS t"
    shown = {form: kalends("sql", query, "-w", warehouse, "--format", form).stdout for form in ROWS}
    assert shown[OutputFormat.CSV] == 'x,y,z,t\na|b,,"[1,2]",true\n'
    assert shown[OutputFormat.JSONL] == '{"x":"a|b","y":null,"z":[1,2],"t":true}\n'
    assert shown[OutputFormat.MARKDOWN] == "| x | y | z | t |\n| --- | --- | --- | --- |\n| a\\|b |  | [1,2] | true |\n"


def test_files_left_out_with_problem_and_cure(warehouse: Path) -> None:
    (found,) = json.loads(kalends("status", "--unreadable", "-w", warehouse, "--json").stdout)
    assert found == {
        "source": "docs/empty.txt",
        "path": str(warehouse.parent / "docs" / "empty.txt"),
        "problem": "the file is empty",
        "cure": "write something into it or remove it",
        "kept": False,
    }
    lines = kalends("status", "--unreadable", "-w", warehouse).stdout.splitlines()
    assert lines == [
        found["path"],
        "  problem  the file is empty",
        "  cure     write something into it or remove it",
    ]
    assert "1 (kalends status --unreadable)" in kalends("status", "-w", warehouse).stdout


CELLS = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=9)


@given(st.lists(st.tuples(CELLS, CELLS), max_size=4))
def test_rows_are_read_back(rows: list[tuple[Any, Any]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr(typer, "echo", lambda text, nl=True: printed.append(f"{text}\n" if nl else text))
        print_rows(OutputFormat.CSV, ("a", "b"), rows)
        flat = {None: "", True: "true", False: "false"}
        texts = [[flat[each] if each is None or isinstance(each, bool) else str(each) for each in row] for row in rows]
        assert list(csv.reader(io.StringIO("".join(printed)))) == [["a", "b"], *texts]
        printed.clear()
        print_rows(OutputFormat.JSONL, ("a", "b"), rows)
        assert [tuple(json.loads(line).values()) for line in printed] == rows
        printed.clear()
        print_rows(OutputFormat.MARKDOWN, ("a", "b"), rows)
        assert len(printed) == len(rows) + 2


@pytest.mark.parametrize(
    "words",
    [
        "parse {}", "chunks {}", "tables {}", "dates --file {}", "dates --jsonl --file {}", "verify --file {}",
        "corrections --import {}",
    ],
)  # fmt: skip
def test_a_pipe_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.txt")
    assert run(words.format("pipe.txt").split()) == 2
    error = capsys.readouterr().err
    assert "no regular file" in error
    assert len(error.splitlines()) == 1
