"""reStructuredText: sections, tables, notes, unknown directives and roles, and what is not valid."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.examples import examples
from tests.tasks.parsers.markups import is_linear, loses_no_word, shown, sources
from tests.tasks.parsers.promises import keeps_its_promises
from warehouse.records import DateClaim, DateOrigin, Document

MANUAL = (Path(__file__).parent / "files/pump-manual.rst").read_bytes()
PIECES = (
    "@\n====", "@\n----", "~~~~~~~~~~\n@\n~~~~~~~~~~", ".. note:: @\n\n   @\n", ".. made-up:: @\n   :@: @\n\n   @\n",
    "- @", "  - @", "  @", "\n@ @\n", "#. @", ":@: @", "*@* **@** ``@`` `@ <http://a>`_ :role:`@`", "|@|", "*@", "`@",
    "[@]_", ".. [1] @", "::\n\n   @\n", "+---------+\n| @ |\n+---------+", "=====  =====\n@  @\n=====  =====",
    ".. csv-table:: @\n\n   @, @\n", ".. list-table::\n\n   * - @\n",
    ".. list-table::\n\n   * - @\n     - @\n   * - @\n", ".. code-block:: c\n\n   @\n", "| @\n|   @", "@\n   @",
    "-@  @", ".. raw:: html\n\n   @\n", ".. include:: @\n", ".. figure:: a.png\n\n   @\n",
    ".. image:: a.png\n   :alt: @\n", "", "", ".. math::\n\n   @\n", ".. topic:: @\n\n   @\n", ">>> @",
    ".. unicode:: @\n", ".. class:: x\n\n   @\n",
)  # fmt: skip


def rst(text: str) -> Document:
    return read(Raw("a.rst", text.encode()))


def test_it_is_known_by_its_suffix_or_its_directives() -> None:
    assert choose_parser(Raw("a.rst", b"Some words.")) == "rst"
    assert choose_parser(Raw("a.txt", MANUAL)) == "rst"
    assert choose_parser(Raw("a.txt", b"Title\n=====\n\nWords, and more words.\n")) == "text"


def test_levels_are_those_of_the_order_of_titles() -> None:
    document = rst("A\n=\n\nB\n-\n\nC\n=\n\nD\n-\n\nE\n~\n")
    assert [(block.level, block.section[-1]) for block in document.blocks] == [
        (1, "A"), (2, "B"), (1, "C"), (2, "D"), (3, "E"),
    ]  # fmt: skip


def test_fields_at_the_beginning_say_when_and_whose_it_is() -> None:
    document = read(Raw("a.rst", MANUAL))
    assert (document.title, document.authors) == ("Pump manual", ("Ann Lee",))
    assert DateClaim(date(2023, 5, 14), DateOrigin.FRONT_MATTER) in document.dates


def test_no_other_file_is_read_and_no_day_of_reading_is_told(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden words\n", encoding="utf-8")
    for directive in (
        f"include:: {secret}",
        f"csv-table:: x\n   :file: {secret}",
        f"csv-table:: x\n   :url: file://{secret}",
        f"raw:: html\n   :file: {secret}",
        f"literalinclude:: {secret}",
        f"figure:: {secret}",
    ):
        assert "hidden" not in rst(f".. {directive}\n").text
    assert rst(".. |d| date:: %Y\n\nIn |d|.\n").text == "In %Y."


def test_what_is_not_valid_is_kept_as_it_is_written() -> None:
    assert ("code", "+---+\n| a |\n+--") in shown(rst("+---+\n| a |\n+--\n\nEnd.\n"))
    assert rst("An *open mark and |no name|.").text == "An *open mark and no name."


def test_too_deep_lists_are_read_as_plain_text() -> None:
    document = rst("- " * 200 + "deep\n\n" + "\n".join(" " * depth + f"word{depth}" for depth in range(60)))
    keeps_its_promises(document)
    assert "deep" in document.text
    assert "word59" in document.text


def test_the_same_bytes_give_the_same_document_whatever_was_read_before() -> None:
    text = ".. role:: a(b)\n\n:a:`x` `y`\n\n.. foo:: z\n"
    first = rst(text)
    rst(".. role:: b\n\n.. default-role:: b\n\n.. foo::\n\n   :opt: w\n")
    assert rst(text) == first


def test_names_that_nothing_refers_to_are_kept_at_the_end() -> None:
    assert rst(".. |a| replace:: One\n.. |b| replace:: Two\n\nIt is |a|.\n").text == "It is One.\n\nb: Two"


@examples(2)
@given(sources(PIECES))
def test_no_word_is_lost(text: str) -> None:
    loses_no_word("rst", text)


@pytest.mark.parametrize(
    "unit", ["*a ", "`a ", ":a:`b ", "- a\n", "A\n=\n", ".. note:: x\n", "|a|\n", ":a: b\n", "a_ "]
)
def test_time_is_linear(unit: str) -> None:
    is_linear("rst", unit)


@pytest.mark.parametrize("name", ["code", "code-block", "sourcecode"])
@pytest.mark.parametrize("argument", ["", " python"])
@pytest.mark.parametrize(
    "options", ["", "   :linenos:\n   :emphasize-lines: 1\n", "   :caption: Start it\n   :linenos:\n"]
)
def test_code_is_shown_without_its_settings(name: str, argument: str, options: str) -> None:
    document = read(Raw("a.rst", f"Title\n=====\n\n.. {name}::{argument}\n{options}\n   x = 1\n\n   :y: 2\n".encode()))
    expected = [("code", "x = 1\n\n:y: 2")]
    assert shown(document)[1:] == [("paragraph", "Start it")] * ("caption" in options) + expected


def test_settings_of_unknown_directives_are_no_words() -> None:
    tab = ".. tab-item:: Linux\n   :sync: a\n   :title: Shown\n\n   Words.\n"
    tree = ".. toctree::\n   :maxdepth: 2\n   :hidden:\n\n   usage\n"
    text = read(Raw("a.rst", f"Title\n=====\n\n{tab}\n{tree}".encode())).text
    assert all(word in text for word in ("Linux", "Shown", "Words."))
    assert not any(word in text for word in ("sync", "maxdepth", "hidden"))
