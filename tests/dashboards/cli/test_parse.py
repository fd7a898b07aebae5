"""`kalends tables` and `kalends parse` as their users meet them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

from dashboards.cli.main import run
from dashboards.serializers.document_markdown import iter_markdown
from tests.command_line import ROOT
from tests.dashboards.cli.test_main import SAMPLES
from tests.examples import examples
from tests.tasks.documents import Draft, documents
from warehouse.records import BlockKind, Document

RELEASE = SAMPLES / "reports" / "northlight-fy2025-q3.pdf"
TWO = """| Item | Cost |
|---|---|
| Pens | 10 |
| Ink, red | 20 |
| Total | 35 |

text

| a | b |
|---|---|
| 1 | 2 |
"""


@dataclass(frozen=True)
class Done:
    """What a verb printed and how it ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def kalends(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, since starting one takes longer than the work."""

    def run_verb(*words: object) -> Done:
        code = run([str(word) for word in words])
        return Done(code, *capsys.readouterr())

    return run_verb


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_text(TWO, encoding="utf-8")
    return path


def test_json_has_the_documented_keys(kalends: Run) -> None:
    (table,) = json.loads(kalends("tables", RELEASE, "--json").stdout)
    assert list(table)[:6] == ["number", "caption", "confidence", "parts", "header_rows", "rows"]
    (part,) = table["parts"]
    left, top, right, bottom = part["bbox"]
    assert (part["page"], part["rows"]) == (2, [0, len(table["rows"]) - 1])
    assert 0 < left < right < 612
    assert 0 < top < bottom < 792
    assert len({len(row) for row in table["rows"]}) == 1
    assert all(total["adds_up"] for total in table["totals"])
    assert table["totals"]


def test_json_of_no_tables_is_an_empty_list(kalends: Run, tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("Nothing but words.\n")
    assert json.loads(kalends("tables", path, "--json").stdout) == []
    assert kalends("tables", path).stdout == "no tables\n"


def test_people_see_place_grid_and_totals(kalends: Run, note: Path) -> None:
    shown = kalends("tables", RELEASE).stdout
    assert "confidence 1.00" in shown
    assert "page 2 [" in shown
    assert "all add up" in shown
    shown = kalends("tables", note, "--table", 1).stdout
    assert "does not add up: Total, row 3, column 1: 35 is stated, rows 1, 2 make 30" in shown
    assert "a  b" not in shown


def test_csv_of_one_table_and_of_all(kalends: Run, note: Path, tmp_path: Path) -> None:
    done = kalends("tables", note, "--csv", "--table", 1)
    assert list(csv.reader(io.StringIO(done.stdout)))[2] == ["Ink, red", "20"]
    done = kalends("tables", note, "--out", tmp_path / "tables")
    assert [Path(line).name for line in done.stdout.splitlines()] == ["table-1.csv", "table-2.csv"]
    assert (tmp_path / "tables" / "table-2.csv").read_text() == "a,b\n1,2\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tables", "nowhere.pdf"), "check the path"),
        (("tables", "."), "give a file"),
        (("parse", "."), "give a file"),
        (("tables", "note.md", "--csv"), "--table N"),
        (("tables", "note.md", "--table", "9"), "the file has 2 tables"),
        (("tables", "note.md", "--csv", "--json"), "leave one of them out"),
        (("parse", "note.md", "--markdown", "--json"), "leave one of them out"),
        (("tables", "note.md", "--out", "note.md"), "choose another folder"),
        (("tables", "picture.png"), "a PNG image"),
    ],
)
def test_an_error_is_one_line_with_its_cure(
    kalends: Run, note: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(note.parent)
    (note.parent / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(99))
    done = kalends(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_a_reader_that_goes_away_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_text("| a | b |\n|---|---|\n" + "| word | word |\n" * 5_000, encoding="utf-8")
    command = f'"{sys.executable}" -m dashboards.cli.main tables {path} --json | head -c 10'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_each_block_shows_its_page_and_box(kalends: Run) -> None:
    shown = kalends("parse", RELEASE).stdout
    heads = [line for line in shown.splitlines() if line.startswith("-- ")]
    assert len(heads) > 5
    assert all(", page " in line and "[" in line for line in heads)


def as_html(document: Document) -> Any:
    from lxml import html

    text = "\n\n".join(iter_markdown(document))
    return html.fromstring(f"<div>{MarkdownIt('commonmark').enable('table').render(text)}</div>")


def test_markdown_is_read_as_it_is_meant() -> None:
    draft = Draft().heading("Costs *and* <b>").paragraph("# no heading\n1. no list\n- nor this\n=====")
    draft.add(BlockKind.LIST, "• one\n• two").add(BlockKind.CODE, "```\nx | y\n```").furniture("Page 3")
    draft.table([["", "2023"], ["a|b", "Q1"], ["_x_", "5"]], header_rows=2)
    page = as_html(draft.document())
    assert [each.tag for each in page] == ["h1", "p", "ul", "pre", "p", "table", "p"]
    assert [each.text_content() for each in page][4::2] == ["[TABLE 1]", "[END TABLE]"]
    assert page[0].text_content() == "Costs *and* <b>"
    assert page[1].text_content() == "# no heading\n1. no list\n- nor this\n====="
    assert [item.text_content() for item in page[2]] == ["one", "two"]
    assert page[3].text_content() == "```\nx | y\n```\n"
    cells = [[cell.text_content() for cell in row] for row in page[5].iter("tr")]
    assert cells == [["a|b", "2023Q1"], ["_x_", "5"]]


@examples(2)
@given(document=documents())
def test_markdown_keeps_every_block_and_aligns_every_row(document: Document) -> None:
    page = as_html(document)
    kept = [block for block in document.blocks if block.kind is not BlockKind.FURNITURE]
    tables = page.findall("table")
    assert len(tables) == len(document.tables)
    for shown, table in zip(tables, document.tables, strict=True):
        rows = [len(row) for row in shown.iter("tr")]
        assert rows == [len(table.rows[0])] * (len(table.rows) - table.header_rows + 1)
    headings = [" ".join(document.text[b.start : b.end].split()) for b in kept if b.kind is BlockKind.HEADING]
    assert [each.text_content() for each in page.iter("h1", "h2", "h3")] == headings
    code = [document.text[b.start : b.end] for b in kept if b.kind is BlockKind.CODE]
    assert [each.text_content().rstrip("\n") for each in page.iter("pre")] == code
