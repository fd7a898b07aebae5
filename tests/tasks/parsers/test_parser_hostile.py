"""Files that want to do harm, or have come to it."""

from __future__ import annotations

import re
import zipfile
from functools import partial
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser, read
from tests.call_counts import count_calls
from tests.tasks.parsers.raw_office import archive, deck, links, shape, sheet, slide, workbook
from tests.tasks.parsers.raw_pdf import file_of, pdf_of, text
from warehouse.errors import UnreadableFile
from warehouse.records import Kind

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
PDF = (SAMPLES / "reports/northlight-fy2025-q2.pdf").read_bytes()
DOCX = (SAMPLES / "reports/board-memo-capital-plan.docx").read_bytes()
ARTICLE = '<article article-type="x"><front/><body><p>before {} after</p></body></article>'


def refused(name: str, data: bytes) -> tuple[str, str]:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw(name, data))
    assert "\n" not in str(caught.value)
    assert caught.value.cure
    return caught.value.code, caught.value.name


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\0\0\0\0"])
def test_nothing_is_an_empty_file(data: bytes) -> None:
    assert refused("x.md", data) == ("DOC002", "empty-file")


def test_the_broken_sample_is_truncated() -> None:
    assert refused("broken.pdf", (SAMPLES / "broken.pdf").read_bytes()) == ("DOC004", "truncated-file")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_cut_file_is_truncated(share: float) -> None:
    objects = PDF.rindex(b"endobj")  # what follows only says where they are
    assert refused("a.pdf", PDF[: int(objects * share)]) == ("DOC004", "truncated-file")
    assert refused("a.docx", DOCX[: int(len(DOCX) * share)]) == ("DOC004", "truncated-file")


def test_a_damaged_pdf_is_named_as_such() -> None:
    code, _ = refused("a.pdf", PDF.replace(b"/Root", b"/Rout").replace(b"/Catalog", b"/Dog"))
    assert code == "DOC001"


def test_a_pdf_whose_references_are_wrong_is_mended() -> None:
    whole = pdf_of([text("The tide turns at nine.")])
    place = int(whole.split(b"startxref\n")[1].split(b"\n")[0])
    bare = whole[: whole.rindex(b"startxref")] + b"%%EOF\n"
    for data in (whole.replace(b"%d\n%%%%EOF" % place, b"%d\n%%%%EOF" % (place + 5)), bare, whole + bytes(9_000)):
        assert read(Raw("a.pdf", data)).text == "The tide turns at nine."


@pytest.mark.parametrize("pages", [1, 3])
def test_a_pdf_that_ends_behind_its_objects_is_read(pages: int) -> None:
    whole = pdf_of([text(f"Page {number} of the log.") for number in range(pages)])
    words = read(Raw("a.pdf", whole)).text
    ends = (
        whole.rindex(b"startxref"),
        whole.rindex(b"trailer"),
        whole.rindex(b"\nxref\n"),
        whole.rindex(b"endobj") + 6,
    )
    assert [read(Raw("a.pdf", whole[:end])).text for end in ends] == [words] * len(ends)


def test_a_pdf_that_ends_between_its_objects_is_truncated() -> None:
    whole = pdf_of([text("The tide turns at nine."), text("And at three.")])
    places = [match.end() for match in re.finditer(rb"endobj", whole)][:-1]
    assert {refused("a.pdf", whole[:place]) for place in places} == {("DOC004", "truncated-file")}


@pytest.mark.parametrize("kid", [b"2 0 R", b"<< /Type /Page >>"])
def test_why_a_pdf_is_damaged_is_said_without_names_of_errors(kid: bytes) -> None:
    data = file_of({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Kids [%s] /Count 1 >>" % kid})
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.pdf", data))
    assert "Error" not in str(caught.value)
    assert "objid" not in str(caught.value)


def test_an_encrypted_pdf_is_named_as_such() -> None:
    assert refused("a.pdf", encrypted(b"/V 1 /R 2 /Length 40 /P -4")) == ("DOC003", "encrypted-file")


def test_a_pdf_for_those_who_hold_a_certificate_is_encrypted() -> None:
    sealed = encrypted(b"/V 4 /R 4").replace(b"/Filter /Standard", b"/Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5")
    assert refused("a.pdf", sealed) == ("DOC003", "encrypted-file")


def encrypted(scheme: bytes) -> bytes:
    """A one-page PDF under the standard security handler with a user password that is not empty."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        b"<< /Filter /Standard " + scheme + b" /O <" + b"ab" * 32 + b"> /U <" + b"cd" * 32 + b"> >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer << /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>] >>"
    return data + b"xref\n0 5\n0000000000 65535 f \n%s%s\nstartxref\n%d\n%%%%EOF\n" % (table, trailer, len(data))


def test_a_pdf_of_blank_pages_is_empty() -> None:
    plain = encrypted(b"").replace(b"/Encrypt 4 0 R", b"")
    assert refused("blank.pdf", plain) == ("DOC002", "empty-file")


@pytest.mark.parametrize(
    "data",
    [b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b"\xd0\xcf\x11\xe0" + bytes(600), bytes(range(256)) * 9, b"MZ\0\1" * 99],
)
def test_binary_content_is_refused_under_any_name(data: bytes) -> None:
    assert refused("notes.md", data) == ("DOC001", "unreadable-file")


def test_a_billion_laughs_stay_untold() -> None:
    entities = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    doctype = f'<?xml version="1.0"?><!DOCTYPE article [{entities}]>'
    assert refused("a.xml", (doctype + ARTICLE.format("&l11;")).encode())[0] == "DOC006"
    assert "lol" not in read(Raw("a.xml", (doctype + ARTICLE.format("&l1;")).encode())).text


@pytest.mark.parametrize("suffix", ["xml", "html"])
def test_external_entities_are_not_read(tmp_path: Path, suffix: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("tell nobody")
    doctype = f'<!DOCTYPE article [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    document = read(Raw(f"a.{suffix}", f'<?xml version="1.0"?>{doctype}{ARTICLE.format("&x;")}'.encode()))
    assert "nobody" not in document.text
    assert document.text.split()[0] == "before"


def test_named_characters_are_read_without_their_dtd() -> None:
    doctype = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "jats.dtd">'
    assert "before µ after" in read(Raw("a.xml", (doctype + ARTICLE.format("&micro;")).encode())).text


def test_malformed_and_cut_xml_are_told_apart() -> None:
    whole = ARTICLE.format("<b>x</b>").encode()
    assert refused("a.xml", whole[:-30])[0] == "DOC004"
    assert refused("a.xml", whole.replace(b"</b>", b"</c>"))[0] == "DOC001"


def test_xml_of_another_kind_is_no_tag_soup() -> None:
    assert refused("a.xml", b'<?xml version="1.0"?><svg><text>x</text></svg>')[0] == "DOC001"


@pytest.mark.parametrize("depth", [300, pytest.param(5_000, marks=pytest.mark.slow)])
def test_deep_nesting_ends_in_a_document_or_a_reason(depth: int) -> None:
    for name, data in (
        ("a.xml", ARTICLE.format("<sec>" * depth + "deep" + "</sec>" * depth)),
        ("a.html", "<html>" + "<div>" * depth + "deep"),
        ("a.md", ">" * depth + " deep"),
        ("a.md", "- " * depth + "deep"),
        ("a.md", "[" * depth + "deep" + "]" * depth),
        ("a.md", "[[a#" * depth + "deep"),
        ("a.md", "---\na: " + "[" * depth + "\n---\ndeep"),
    ):
        try:
            outcome = read(Raw(name, data.encode())).text
        except UnreadableFile as problem:
            outcome = f"too deep: {problem}"
        assert "deep" in outcome


def test_a_zip_that_swells_is_too_large() -> None:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("word/document.xml", bytes(300 * 2**20))
    assert refused("a.docx", target.getvalue()) == ("DOC006", "too-large-file")


@pytest.mark.parametrize("main", ["xl/workbook.xml", "ppt/presentation.xml", "word/document.xml", "other.xml"])
def test_a_zip_without_the_part_that_says_what_is_in_it_is_no_document(main: str) -> None:
    assert refused("a.docx", archive({main: "<x/>"}))[0] == "DOC001"


OLD = b"\xd0\xcf\x11\xe0" + bytes(600)


WIDE = OLD[:8].ljust(512, b"\0") + "What somebody wrote, in two bytes a letter. ".encode("utf-16-le") * 999
"""A compound file that is mostly wide letters, which a codec takes for text."""


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (OLD + "Workbook\0".encode("utf-16-le"),
         "the XLS file is damaged (its parts do not fit together): save or download it again"),
        (OLD + "WordDocument\0Workbook\0".encode("utf-16-le"),
         "the old Word file is damaged (its parts do not fit together): save or download it again"),
        (OLD + "PowerPoint Document\0".encode("utf-16-le"),
         "the old PowerPoint file is damaged (its parts do not fit together): save or download it again"),
        (OLD + "VisioDocument\0".encode("utf-16-le"), "a Visio drawing (.vsd): save it as PDF"),
        (OLD, "an old Office file: save it as PDF, DOCX, Markdown or plain text"),
        (OLD + "EncryptedPackage\0".encode("utf-16-le"), "the file is encrypted: save a copy without a password"),
        (WIDE + "WordDocument\0".encode("utf-16-le"),
         "the old Word file is damaged (its parts do not fit together): save or download it again"),
        (archive({"xl/workbook.bin": "x"}),
         "the XLSB file is damaged (its parts do not fit together): save or download it again"),
        (archive({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, packed=False),
         "the OpenDocument spreadsheet is damaged (there is no content.xml in it): save or download it again"),
        (archive({"mimetype": "application/vnd.oasis.opendocument.presentation"}, packed=False),
         "the OpenDocument presentation is damaged (there are no slides in it): save or download it again"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.xlsx", "a.pptx", "a", "a.md"])
def test_office_files_that_are_not_read_are_named_with_the_way_out(data: bytes, problem: str, name: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw(name, data))
    assert str(caught.value) == problem


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]>'


def test_entities_in_an_office_file_stay_untold(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("tell nobody")
    for entity in ("&l11;", "&secret;"):
        doctype = BOMB.replace("]>", f'<!ENTITY secret SYSTEM "{secret.as_uri()}">]>')
        text = f'<row r="1"><c r="A1" t="inlineStr"><is><t>before {entity} after</t></is></c></row>'
        for data in (
            workbook(doctype + sheet(text)),
            deck(doctype + slide(shape("<a:p><a:r><a:t>" + entity + "</a:t></a:r></a:p>"))),
        ):
            try:
                outcome = read(Raw("a", data)).text
            except UnreadableFile as problem:
                outcome = str(problem)
            assert "lol" not in outcome
            assert "nobody" not in outcome


def test_a_sheet_that_swells_ends_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.parsers.office.office_package._MAX_STREAMED_BYTES", 4 * 2**20)
    swelling = sheet('<row r="1"><c r="A1"><v>1</v></c></row>' + " " * 8 * 2**20)
    assert refused("a.xlsx", workbook(swelling)) == ("DOC006", "too-large-file")


def test_relationships_that_lead_in_circles_end() -> None:
    circle = links({"a": ("slideLayout", "../slides/slide1.xml"), "b": ("notesSlide", "../slides/slide1.xml")})
    loop = {"ppt/slides/_rels/slide1.xml.rels": circle}
    assert read(Raw("a.pptx", deck(slide(shape("there")), parts=loop))).text == "there\n\nSpeaker notes\n\nthere"


@pytest.mark.slow
def test_a_million_shared_texts_are_read_in_their_time() -> None:
    strings = ["<t>x</t>"] * 1_000_000
    started = process_time()
    text = read(
        Raw("a.xlsx", workbook(sheet('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>'), strings=strings))
    ).text
    assert text == "One\n\nx"
    assert process_time() - started < 30


def test_a_pdf_under_another_name_is_a_pdf() -> None:
    assert choose_parser(Raw("notes.txt", PDF)) == "pdf"
    assert choose_parser(Raw("notes.txt", b"junk before\n" + PDF)) == "pdf"
    assert read(Raw("notes.txt", PDF)).kind is Kind.REPORT


def test_a_billion_laughs_in_yaml_stay_untold() -> None:
    lines = ["a0: &a0 [x, x, x, x]"] + [
        f"a{n}: &a{n} [*a{n - 1} , *a{n - 1} , *a{n - 1} , *a{n - 1}]" for n in range(1, 30)
    ]
    document = read(Raw("a.md", ("---\n" + "\n".join(lines) + "\n---\nbody").encode()))
    assert document.findings[0].name == "bad-front-matter"
    assert document.text.endswith("body")


NESTED = {
    "a.org": lambda count: "\n".join(f"{'*' * depth} head {depth}\ntext" for depth in range(1, count)),
    "b.org": lambda count: "\n".join(f"{' ' * depth}- item" for depth in range(count)),
    "a.md": lambda count: "# T\n\n" + "> " * count + "x",
    "b.md": lambda count: "\n".join(f"{'#' * (1 + day % 6)} 2024-01-{day % 28 + 1:02}" for day in range(count)),
    "a.rst": lambda count: "\n\n".join(f"{' ' * depth}word" for depth in range(count)),
    "a.adoc": lambda count: "= T\n\n" + "\n".join(f"{'*' * depth} item" for depth in range(1, count)),
    "a.tex": lambda count: "\\documentclass{a}\\begin{document}" + "\\begin{quote}a " * count + "\\end{quote}" * count,
    "a.rtf": lambda count: "{\\rtf1 " + "{a " * count + "}" * count + "}",
    "a.wiki": lambda count: "== H ==\n" + "\n".join(f"{'*' * depth} item" for depth in range(1, count)),
    "a.html": lambda count: "<html><p>words" + "<ul><li>a" * count + "</ul>" * count,
    "b.html": lambda count: "<html><p>words" + "<blockquote>a" * count + "</blockquote>" * count,
    "c.html": lambda count: "<html><p>words" + "<table><tr><th>a<td>b<td>" * (count // 2),
    "a.xml": lambda count: "<r>" + "<a><t>w</t><d>2024-01-02</d>" * count + "</a>" * count + "</r>",
    "a.opml": lambda count: "<opml><body>" + "<outline text='w'>" * count + "</outline>" * count + "</body></opml>",
    "a.fb2": lambda count: "<FictionBook>" + "<section><title>t</title>" * count + "</section>" * count,
    "a.json": lambda count: '{"date": "2024-01-02", "b": ' * count + "2" + "}" * count,
    "a.eml": lambda count: "From: a@x.example\n\n" + "\n".join(f"{'>' * depth} w" for depth in range(count)),
}  # fmt: skip


@pytest.mark.parametrize("name", NESTED)
def test_the_work_on_nested_parts_grows_with_them(name: str) -> None:
    small, large = (partial(read, Raw(name, NESTED[name](count).encode())) for count in (40, 80))
    read(small.args[0])  # What is built once is no part of the work.
    assert count_calls(large) < 2.5 * count_calls(small) + 2_000
