"""Files that pdfminer cannot open or sees nothing in are read as PDFium saves them; what cannot be read is told."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.raw_pdf import FONT, file_of, pdf_of, stream, text
from warehouse.errors import UnreadableFile

SOUND = pdf_of([text("first page"), text("second page")])
RESOURCES = b"/Resources << /Font << /F 3 0 R >> >> /MediaBox [0 0 300 200]"


def page_tree(kids: bytes, *, kind: bytes = b"/Type /Page") -> bytes:
    """A file of one page, 4, below the given kids of its root."""
    return file_of(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Count 1 /Kids %s >>" % kids,
            3: FONT,
            4: b"<< %s /Parent 2 0 R /Contents 5 0 R %s >>" % (kind, RESOURCES),
            5: stream(text("first page")),
        }
    )


@pytest.mark.parametrize(
    "data",
    [
        SOUND.replace(b"<< /Length", b"<< /Xength"),
        SOUND.replace(b"\nstream\n", b"\nstream\n", 1).replace(b"/Contents 5 0 R", b"/Contents 555 0 R /Was 5 0 R"),
        page_tree(b"[4 0 R]", kind=b""),
        page_tree(b"[<< /Type /Page /Parent 2 0 R /Contents 5 0 R %s >>]" % RESOURCES),
        SOUND.replace(b"%PDF-1.4\n", b""),
    ],
    ids=["a stream without its length", "a page without its content", "a page without a type", "a page in its list",
         "no first line"],
)  # fmt: skip
def test_what_pdfminer_cannot_read_is_read_as_pdfium_saves_it(data: bytes) -> None:
    found = read(Raw("a.pdf", data)).text
    assert "page" in found
    assert found.startswith("first page") == (b"555 0 R" not in data)


def test_a_file_encrypted_by_an_unknown_filter_is_told_so() -> None:
    locked = SOUND.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt << /Filter /Mine /V 1 >> /ID [<00> <00>]")
    with pytest.raises(UnreadableFile, match="the file is encrypted: save a copy without a password"):
        read(Raw("a.pdf", locked))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"%PDF-1.4\n1 0 obj\n<< /Pages 7 >>\nendobj\nstartxref\n0\n%%EOF", "its pages cannot be found"),
        (SOUND.replace(b"/FlateDecode", b"/PlateDecode"), "its content cannot be decoded"),
        (b"7 0 obj\n<< /Broken\nstartxref\n5\n", "its pages cannot be found"),
    ],
)
def test_what_is_damaged_is_told_without_the_words_of_an_error(data: bytes, problem: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.pdf", data))
    assert str(caught.value) == f"the PDF is damaged ({problem}): save or download it again"


def test_blank_pages_are_no_pictures() -> None:
    with pytest.raises(UnreadableFile, match="there is no text on its 2 pages: save it again") as caught:
        read(Raw("a.pdf", pdf_of([b"", b"0 0 9 9 re f"])))
    assert caught.value.name == "empty-file"


def test_an_operator_that_fails_costs_itself() -> None:
    bad = b"/X0 Do " + text("sound")
    forms = {1000: stream(b"", b"/Type /XObject /Subtype /Form /BBox [0 /a 9 9]")}
    found = read(Raw("a.pdf", pdf_of([b"[1 2] 3 d (a) cs " + bad], more=forms, xobjects=b"/X0 1000 0 R")))
    assert found.text == "sound"


def test_files_within_are_named() -> None:
    tree = b"<< /Kids [<< /Names [(b) << /F (b.csv) /UF (b\\344.csv) >> (c) 7] >> 9 0 R] >>"
    data = pdf_of([text("a letter")]).replace(
        b"/Type /Catalog", b"/Type /Catalog /Names << /EmbeddedFiles %s >>" % tree
    )
    (finding,) = read(Raw("a.pdf", data)).findings
    assert finding.message == "2 files lie in it that are not read: bä.csv, a file without a name"
