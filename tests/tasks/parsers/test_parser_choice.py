"""Which parser reads a file: its signature, else its suffix, else what its text looks like."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parsers.parser_contract import Raw, UnsignedParser
from tasks.parsers.reader import PARSERS, Job, choose_parser, read, read_files
from tests.tasks.parsers.conftest import SAMPLES
from tests.tasks.parsers.raw_office import archive
from warehouse.errors import UnreadableFile
from warehouse.records import BlockKind, Document
from warehouse.settings.models import ParseSettings

SHORT_TABLE = Path(__file__).with_name("short_table.md")
"""A note that was read as CSV: the records of its pipe table are regular, and its rule has one dash a column."""
SUFFIXES = (".md", ".txt", ".csv", ".html", ".xml", ".srt", ".json", ".log", ".weird", "")

MARKDOWN = ["# Title", "## Part", "- one", "1. two", "> quote", "**bold** words", "[[Note|alias]]", "[a](https://b)"]
TABLES = ["| a | b | c |", "|-|-|-|", "| --- | --- | --- |", "| 1 | 2 | 3 |", "a | b", "--- | ---"]
VALUES = ["a,b,c", "1,2,3", "4,5,6", "x;y;z", "1;2;3", "a\tb", "1\t2", "#remark", '"a, b",c']
PAGES = ["<p>one<br>two", "<table><tr><td>a<td>b</table>", "<h2>H</h2>", "<html>", "<!-- note -->", "<article>"]
CUES = ["WEBVTT", "1", "00:01.000 --> 00:02.000", "00:00:01,000 --> 00:00:02,000"]
OTHERS = ["", "", "Words, and more.", "---", "title: x", "%PDF-1.7", "Lesson 1: A", '{"a": 1}', "中文。"]
MIXED = st.lists(st.sampled_from(MARKDOWN + TABLES + VALUES + PAGES + CUES + OTHERS), max_size=12)
FIELDS = st.sampled_from(MARKDOWN + PAGES + CUES + ["1", "2", "x"])
NOISE = bytes(range(256))
PAPER = '<?xml version="1.0"?><article article-type="x"><front/><body><p><![CDATA[\n{}\n]]></p></body></article>'


def chosen(suffix: str, *lines: str) -> str:
    return choose_parser(Raw(f"n{suffix}", "\n".join(lines).encode()))


def test_a_short_note_with_a_pipe_table_is_markdown() -> None:
    raw = Raw(SHORT_TABLE.name, SHORT_TABLE.read_bytes())
    assert choose_parser(raw) == "markdown"
    document = read(raw)
    assert [block.kind for block in document.blocks] == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE]
    assert document.title == "Weights"
    assert document.tables[0].rows == (("scale", "first", "second"), ("A", "4.1", "4.2"), ("B", "3.9", "4.0"))


@pytest.mark.parametrize("suffix", [".md", ".markdown", ".mdx", ".MD"])
@given(
    first=st.sampled_from([*MARKDOWN, "Some words.", "---", "| a | b | c |", "a,b,c", "<!-- note -->\nWords."]),
    lines=MIXED,
)
def test_a_note_with_the_notation_of_others_is_markdown(suffix: str, first: str, lines: list[str]) -> None:
    assert chosen(suffix, first, *lines) == "markdown"


@given(rows=st.lists(st.lists(FIELDS, min_size=3, max_size=3), min_size=2), delimiter=st.sampled_from(",;\t"))
def test_values_with_the_notation_of_others_are_values(rows: list[list[str]], delimiter: str) -> None:
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter, lineterminator="\n").writerows([list("abc"), *rows])
    assert chosen(".csv", target.getvalue()) == "delimited"


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(lines=MIXED)
def test_a_signature_at_the_beginning_beats_the_suffix(suffix: str, lines: list[str]) -> None:
    assert chosen(suffix, "<!doctype html>", *lines) == "html"
    assert chosen(suffix, "<!-- saved -->", "<html lang=en>", *lines) == "html"
    assert chosen(suffix, "WEBVTT - Talk", "", *lines) == "subtitles"
    assert chosen(suffix, "1", "00:00:01,000 --> 00:00:02,000", *lines) == "subtitles"
    assert chosen(suffix, "Course Title: C", *lines) == "course"
    assert chosen(suffix, PAPER.format("\n".join(lines))) == "jats"
    assert chosen(suffix, "<TEI xmlns='http://www.tei-c.org/ns/1.0'>", *lines) == "publisher_xml"


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("path", "name"),
    [("reports/northlight-fy2025-q2.pdf", "pdf"), ("reports/board-memo-capital-plan.docx", "docx"),
     ("papers/nitrate-drift.xml", "jats"), ("courses/ocean-time-series.txt", "course")],
)  # fmt: skip
def test_a_sample_with_a_signature_is_known_under_any_name(suffix: str, path: str, name: str) -> None:
    assert choose_parser(Raw(f"x{suffix}", (SAMPLES / path).read_bytes())) == name


@pytest.mark.parametrize("suffix", [".html", ".htm"])
@given(first=st.sampled_from(["Words &amp; more.", "# Title", "a,b,c", "| a | b |"]), lines=MIXED)
def test_a_page_in_pieces_is_a_page(suffix: str, first: str, lines: list[str]) -> None:
    assert chosen(suffix, first, "<p>Some words.</p>", *lines) == "html"


@given(lines=MIXED)
def test_what_may_be_broken_json_or_markup_is_left_to_its_parser(lines: list[str]) -> None:
    assert chosen(".json", "{", *lines) == "json_data"
    assert chosen(".rst", "Title", "=====", *lines) == "rst"


@pytest.mark.parametrize("suffix", [".txt", ".log", ".weird", ""])
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("day,sold,left\n2024-01-01,5,6\n2024-01-02,7,8\n", "delimited"),
        ("---\ntitle: x\n---\nWords.\n", "markdown"),
        ("# Title\n\n## Part\n\nWords, and more.\n", "markdown"),
        ("<div><p>Words.</p></div>", "html"),
        ("<article><sec><p>Words.</p></sec></article>", "jats"),
        ("Words, and more words.\n\n- one\n- two\n", "text"),
    ],
)
def test_a_suffix_that_tells_little_leaves_it_to_the_content(suffix: str, text: str, name: str) -> None:
    assert chosen(suffix, text) == name


@given(lines=MIXED)
def test_what_only_speaks_of_pdf_is_none(lines: list[str]) -> None:
    assert chosen(".md", "A file begins with a signature:", "%PDF-1.7", *lines) == "markdown"
    assert chosen(".txt", "A file begins with a signature:", "%PDF-1.7", *lines) != "pdf"


@pytest.mark.parametrize("suffix", [".pdf", ".docx", ".xml", ".vtt"])
def test_text_under_the_suffix_of_a_format_with_a_signature_is_read_as_text(suffix: str) -> None:
    assert chosen(suffix, "Words, and more words.") == "text"


@pytest.mark.parametrize(("suffix", "name"), [(".md", "markdown"), (".csv", "delimited"), (".html", "html")])
def test_only_the_parser_of_the_suffix_looks_at_a_file(suffix: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(raw: Raw) -> float:
        raise AssertionError("another parser looked at it")

    for other, parser in PARSERS.items():
        if other != name and isinstance(parser, UnsignedParser):
            monkeypatch.setattr(parser, "measure_confidence", looked)
        if other != name and parser.signature is not None:
            monkeypatch.setattr(type(parser), "parse", looked)
    text = {".md": "# T\n\n| a | b |\n|-|-|\n| 1 | 2 |\n", ".csv": "# T\na,b\n1,2\n", ".html": "Words <b>more</b>"}
    assert chosen(suffix, text[suffix]) == name


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "DOC002"), (b" \n\t", "DOC002"), (b"\x89PNG\r\n\x1a\n" + NOISE, "DOC001"), (b"\x1f\x8b" + NOISE, "DOC001")],
)
def test_what_no_parser_reads_is_refused_with_a_cure_under_any_name(suffix: str, data: bytes, code: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        choose_parser(Raw(f"x{suffix}", data))
    assert (caught.value.code, bool(caught.value.cure)) == (code, True)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (
            b"-----BEGIN PGP MESSAGE-----\n\nhQEMA7Z\n=aBcD\n-----END PGP MESSAGE-----\n",
            "the text is encrypted: decrypt it, and add what comes of it",
        ),
        (
            b"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n",
            "it is a key, certificate or signature, which holds no text: leave it out",
        ),
        (b"ID;PWXL;N;E\nC;Y1;X1;K12\nE\n", "a SYLK file (.slk): save it as XLSX or CSV"),
        (b"\0\0\x02\0\x06\x04\x06\0" + bytes(20), "a Lotus 1-2-3 file: save it as XLSX"),
        (b"\x03\x5f\x07\x1a" + bytes(60), "a dBase table (.dbf): save it as XLSX or CSV"),
        (gzip.compress(b"<gnm:Workbook xmlns:gnm='http://www.gnumeric.org/v10.dtd'/>", mtime=0),
         "a Gnumeric workbook: save it as XLSX or ODS"),
        (gzip.compress(b"words", mtime=0)[:12], "a gzip archive: unpack it and add the files in it"),
        (b"Rar!\x1a\x07\x01\0" + bytes(range(200)), "a RAR archive: unpack it and add the files in it"),
        (b"a.txt" + bytes(252) + b"ustar\x0000" + bytes(range(99)), "a tar archive: unpack it and add the files in it"),
        (archive({"a.md": "words"}),
         "a ZIP archive without an Office document or book in it: unpack it and add the files in it"),
        (archive({"a.md": "words"})[:40], "the ZIP archive or Office file ends too early: copy or download it again"),
        (archive({"Index/Document.iwa": "x"}),
         "an iWork file of Apple (.pages, .numbers, .key): export it as DOCX, XLSX, PPTX or PDF"),
        (archive({"mimetype": "application/vnd.sun.xml.impress"}, packed=False),
         "a presentation or drawing of OpenOffice 1 (.sxi, .sxd): save it as ODP or PDF"),
    ],
)  # fmt: skip
def test_files_of_other_programs_are_named(data: bytes, problem: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.xls", data))
    assert str(caught.value) == problem


@pytest.mark.parametrize("line", ["<8>", "<-- see below", "<3 you all", "<1> Smith J. Sleep and memory."])
def test_a_sign_is_no_element(line: str) -> None:
    assert chosen(".txt", line, "", "Effects of sleep on memory in adults.") == "text"


NAMED = {
    "a.docx": b"Two lines of plain text.\nNo Word file.\n",
    "a.pdf": b"a,b\n1,2\n3,4\n",
    "a.xlsx": b"# Heading\n\nMarkdown by another name.\n",
    "a.doc": b"<html><body><h1>Page</h1><p>Saved by a portal.</p></body></html>",
}


@pytest.mark.parametrize("name", NAMED)
def test_a_file_of_another_format_than_its_name_says_so_in_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(NAMED[name])
    (result,) = read_files([Job(name, tmp_path / name)], ParseSettings())
    assert isinstance(result.found, Document)
    for document in (result.found, read(Raw(name, NAMED[name]))):
        (finding,) = document.findings
        assert finding.code == "DOC032"
        assert finding.message.startswith(f"its name ends in .{name.partition('.')[2]}, its content is text/")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.log", "a.md", "a.dat", "a.html"])
def test_names_of_texts_say_nothing_that_could_be_wrong(name: str) -> None:
    assert read(Raw(name, b"Two lines of plain text.\nNo Word file.\n")).findings == ()
