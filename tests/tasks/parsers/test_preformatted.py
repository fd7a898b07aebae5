"""Text that a page or note shows as it is written: tables by columns of blanks, prose, and code that stays code."""

from __future__ import annotations

from html import escape

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from warehouse.records import BlockKind, Document

RULED = """Station        Opened    Rain
------------   ------    ----
Leer             1951     812
Emden            1948     790
Aurich           1962     845
"""
TAGGED = """                  Quarter ended April 30,
                     1997       1996
                  -------    -------
<S>               <C>        <C>
Net sales         $ 4,120    $ 3,988
Cost of sales       2,801      2,705
Gross margin        1,319      1,283
"""
STATIONS = (("Station", "Opened", "Rain"), ("Leer", "1951", "812"), ("Emden", "1948", "790"), ("Aurich", "1962", "845"))
SALES = ("Net sales", "$ 4,120", "$ 3,988")
CODE = [
    "def mean(values):\n    total = sum(values)\n    return total / len(values)\n",
    "x = [1,   2,   3]\ny = [10,  20,  30]\nz = [11,  22,  33]\n",
    "$ ls -l\n-rw-r--r--  1 root root   1346 Nov 28 03:30 dl.py\n-rw-r--r--  1 root root   6117 Nov 28 02:13 fz.py\n",
    "SELECT name, sum(paid)\nFROM bills\nGROUP BY name;\n",
    "{\n  \"name\": \"Leer\",\n  \"rain\": 812\n}\n",
    "+------+     +-----+\n| pump | --> | pit |\n+------+     +-----+\n",
]  # fmt: skip


def read_as(name: str, text: str) -> Document:
    return read(Raw(name, text.encode()))


def indent(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


FORMATS = {
    "pre": ("a.html", lambda text: f"<h1>Stations</h1><p>By year.</p><pre>{escape(text)}</pre>"),
    "pre in a cell": ("a.html", lambda text: f"<h1>Stations</h1><table><tr><td><pre>{escape(text)}</pre></table>"),
    "fence": ("a.md", lambda text: f"# Stations\n\n```\n{text}```\n"),
    "indented": ("a.md", lambda text: f"# Stations\n\nBy year.\n\n{indent(text)}"),
    "rst": ("a.rst", lambda text: f"Stations\n========\n\nBy year::\n\n{indent(text)}\n"),
    "asciidoc": ("a.adoc", lambda text: f"= Stations\n\nBy year.\n\n....\n{text}....\n"),
    "text": ("a.txt", lambda text: f"Stations\n\n{text}"),
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_set_by_blanks_is_a_table_wherever_it_stands(form: str) -> None:
    name, write = FORMATS[form]
    assert [table.rows for table in read_as(name, write(RULED)).tables] == [STATIONS]


@pytest.mark.parametrize("name", ["a.html", "a.txt"])
def test_the_tags_of_old_filings_are_no_row(name: str) -> None:
    shown = f"<pre>{escape(TAGGED)}</pre>" if name == "a.html" else TAGGED
    (table,) = read_as(name, f"STATEMENTS OF OPERATIONS\n\n{shown}").tables
    assert SALES in table.rows
    assert not any("<" in cell for row in table.rows for cell in row)


@pytest.mark.parametrize("inside", [True, False])
def test_tags_that_a_page_takes_for_its_own_leave_the_table(inside: bool) -> None:
    text = f"<table>\n<caption>\n{TAGGED}</table>" if inside else TAGGED
    (table,) = read_as("a.html", f"<p>Sales of the quarter</p><pre>\n{text}\n</pre>").tables
    assert SALES in table.rows


@pytest.mark.parametrize("text", CODE)
@pytest.mark.parametrize("form", ["pre", "fence", "indented", "rst", "asciidoc"])
def test_code_stays_code(form: str, text: str) -> None:
    name, write = FORMATS[form]
    document = read_as(name, write(text))
    assert not document.tables
    assert BlockKind.CODE in [block.kind for block in document.blocks]


@pytest.mark.parametrize(
    "page",
    [
        f"<pre><code>{RULED}</code></pre>",
        f'<pre class="language-text">{RULED}</pre>',
        f'<div class="highlight"><pre class="code">{RULED}</pre></div>',
    ],
)
def test_what_a_page_marks_as_code_is_code(page: str) -> None:
    assert not read_as("a.html", f"<h1>Stations</h1>{page}").tables


def test_prose_around_a_table_is_prose() -> None:
    prose = (
        "here are the stations as I have them, tell me if one is wrong. I shall\nbe away for the rest of the week.\n"
    )
    document = read_as("a.html", f"<h1>Mail</h1><pre>Hello all,\n\n{prose}\n{RULED}\nBest wishes\n</pre>")
    texts = [document.text[block.start : block.end] for block in document.blocks]
    assert [block.kind for block in document.blocks if block.kind is BlockKind.CODE] == []
    assert prose.replace("\n", " ").strip() in texts
    assert document.tables[0].rows == STATIONS
