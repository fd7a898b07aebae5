"""AsciiDoc files: header, revision date, sections, lists, tables, blocks and inline marks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.examples import examples
from tests.tasks.parsers.markups import is_linear, loses_no_word, shown, sources
from warehouse.records import DateClaim, DateOrigin, Document

HANDBOOK = (Path(__file__).parent / "files/pump-handbook.adoc").read_bytes()
PIECES = (
    "= @", "== @", "@ <a@example.org>", "v1.2, 2024-03-05: @", ":name: @", "{name} @", "* @", "** @", ". @", "@:: @",
    "+", "----", "....", "++++", "====", "****", "____", "|===", ",===", "!===", "|@ |@", "2+|@ .2+|@", "3*|@", "a|@",
    '[cols="1,2",options="header"]', ".@", "NOTE: @", "*@* _@_ `@` #@#", "link:https://a.org[@] <<a,@>> [[b]]@",
    "footnote:[@]", "image::a.png[@]", "ifdef::a[@]", "endif::[]", "include::@[]", "'''", "<<<", "", "", "@ @", "@,@",
    "[quote, @, @]",
)  # fmt: skip


def adoc(*lines: str) -> Document:
    return read(Raw("a.adoc", "\n".join(lines).encode()))


def test_asciidoc_is_known_by_its_suffix_or_its_marks() -> None:
    assert choose_parser(Raw("a.adoc", b"Some words.")) == "asciidoc"
    assert choose_parser(Raw("a.asc", HANDBOOK)) == "asciidoc"
    assert choose_parser(Raw("a.asc", b"-----BEGIN PGP SIGNATURE-----\n\niQEz\n")) != "asciidoc"
    assert choose_parser(Raw("a.txt", HANDBOOK)) == "asciidoc"
    assert choose_parser(Raw("a.txt", b"Some words.")) == "text"
    assert choose_parser(Raw("a.md", HANDBOOK)) == "markdown"


def test_the_revision_line_dates_the_document_and_its_author_is_named() -> None:
    document = read(Raw("a.adoc", HANDBOOK))
    assert (document.title, document.authors) == ("Pump Handbook", ("Ann Berg", "Ole Dahl"))
    assert document.dates[0] == DateClaim(date(2024, 3, 5), DateOrigin.FRONT_MATTER)


def test_tables_have_their_headers_captions_and_merged_cells() -> None:
    readings, parts, bolts = read(Raw("a.adoc", HANDBOOK)).tables
    assert (readings.caption, readings.header_rows, len(readings.merges)) == ("Readings", 1, 2)
    assert parts.rows == (("Part", "Cost"), ("Seal", "12"), ("Valve", "40"))
    assert bolts.rows == (("Part", "Count"), ("Bolt", "4"))


def test_attributes_are_replaced_and_comments_left_out() -> None:
    text = read(Raw("a.adoc", HANDBOOK)).text
    assert "The Briarwood station" in text
    assert "editors" not in text


def test_settings_of_the_page_are_no_words() -> None:
    document = adoc("= Pumps", ":toc: left", ":icons: font", ":station: Briarwood", "", "At {station}.")
    assert document.text == "Pumps\n\nstation: Briarwood\n\nAt Briarwood."


def test_a_quote_that_is_never_closed_loses_no_cell() -> None:
    cells = [f"cell{number}" for number in range(20_000)]
    text = adoc("= Parts", "", ",===", *(f'"{cell},b' for cell in cells), ",===").text
    assert all(cell in text for cell in cells[:: len(cells) // 100])


@examples(8)
@given(sources(PIECES))
def test_no_word_is_lost(text: str) -> None:
    loses_no_word("asciidoc", text)


@pytest.mark.parametrize(
    "unit",
    [
        "|===\n",
        "----\n",
        "*a _b `c #d ",
        "<<a [[b link:",
        "[a\n",
        "|a ",
        "a::\n",
        "{a} ",
        "::",
        "[[a,",
        "link:a[",
        "footnote:a[",
    ],
)
def test_reading_is_linear(unit: str) -> None:
    is_linear("asciidoc", unit)


@pytest.mark.parametrize("unit", ["|", "3*|", "2+|", ".2+|"])
def test_wide_tables_are_linear(unit: str) -> None:
    is_linear("asciidoc", unit, "\n|===", start="|===\n")


@pytest.mark.parametrize(
    ("text", "parser"),
    [
        ("= Trace API\n\nThe API prints.\n\n== Targets\n\nWords.\n\n----\n$ run\n----\n", "asciidoc"),
        (
            "git-a(1)\n========\n\nSYNOPSIS\n--------\n[verse]\n'git a' [-b]\n\nOPTIONS\n-------\n-b::\n\tWords.\n",
            "asciidoc",
        ),
        ("Notes\n=====\n\nAn example::\n\n    code\n\n----\n\nEnd.\n", "text"),
        ("== Wiki ==\n\nWords.\n\n=== Part ===\n\nMore.\n", "text"),
    ],
)
def test_asciidoc_under_the_suffix_of_text_is_known_by_its_marks(text: str, parser: str) -> None:
    assert choose_parser(Raw("a.txt", text.encode())) == parser


def test_an_underlined_title_is_the_title_of_the_document() -> None:
    document = read(Raw("a.adoc", b"git-a(1)\n========\n\nNAME\n----\ngit-a - Add.\n"))
    assert document.title == "git-a(1)"
    assert read(Raw("a.adoc", b"Words.\n\nLater\n=====\n\nMore.\n")).title == ""


@pytest.mark.parametrize("options", [[], ['[cols="1,1"]'], ["[%header]"]])
@pytest.mark.parametrize("after", [[], ["after"]])
def test_a_table_in_a_cell_follows_the_table_around_it(options: list[str], after: list[str]) -> None:
    inner = [*options, "!===", "!n1 !n2", "!n3 !n4", "!==="]
    lines = ['[cols="1,2a"]', "|===", "|Head A |Head B", "", "|Cell", "|Before", *inner, *after, "|Last |More", "|==="]
    around, within = adoc("= Parts", "", *lines).tables
    assert around.rows == (("Head A", "Head B"), ("Cell", " ".join(["Before", *after])), ("Last", "More"))
    assert within.rows == (("n1", "n2"), ("n3", "n4"))


def test_an_item_behind_a_paragraph_of_the_one_above_it_is_an_item() -> None:
    document = adoc(
        "= Parts", "", "* One", "+", "of it", "* Two", "", "Words", "* no item", "", "[WARNING]", "Mind it."
    )
    assert shown(document)[1:] == [
        ("list", "* One"), ("paragraph", "of it"), ("list", "* Two"), ("paragraph", "Words\n* no item"),
        ("paragraph", "WARNING"), ("paragraph", "Mind it."),
    ]  # fmt: skip


def test_keys_buttons_and_menus_are_their_words() -> None:
    text = "= Title\n\nPress kbd:[Ctrl+R], btn:[OK], or menu:File[Save > As]; a kbd: it stays.\n"
    shown = read(Raw("a.adoc", text.encode())).text
    assert shown == "Title\n\nPress Ctrl+R, OK, or File > Save > As; a kbd: it stays."
