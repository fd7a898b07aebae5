"""Pages that are pictures, and pages whose glyphs mean nothing."""

from __future__ import annotations

import warnings
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf import get_ocr_version, has_ocr
from tasks.parsers.reader import list_versions, read
from tests.tasks.parsers.raw_pdf import pdf_of, stream, text
from warehouse.errors import UnreadableFile

REPORT = Path(__file__).resolve().parents[5] / "samples/reports/northlight-fy2025-q2.pdf"
with_ocr = pytest.mark.skipif(not has_ocr(), reason="the extra 'ocr' is not installed")
without_ocr = pytest.mark.skipif(has_ocr(), reason="the extra 'ocr' is installed")
NO_NAMES = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [1000 0 R] >>"
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
    b"/Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 >> >>"
)


def scan(*, words: str = "", stamp: str = "") -> bytes:
    """A PDF whose first page is a picture of a report with a stamp over it; a second page with words, if any."""
    import pypdfium2

    document = pypdfium2.PdfDocument(REPORT.read_bytes())
    picture, target = document[0].render(scale=2).to_pil(), BytesIO()
    document.close()
    canvas = Canvas(target, pagesize=(612, 792), invariant=True)
    canvas.drawImage(ImageReader(picture), 0, 0, 612, 792)
    canvas.drawString(20, 780, stamp)
    canvas.showPage()
    if words:
        canvas.drawString(72, 700, words)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


@without_ocr
def test_a_scan_is_refused_with_the_cure() -> None:
    with pytest.raises(UnreadableFile, match=r"kalends\[ocr\]") as caught:
        read(Raw("scan.pdf", scan()))
    assert caught.value.code == "DOC009"


@without_ocr
def test_a_picture_among_pages_is_named_with_the_cure() -> None:
    document = read(Raw("scan.pdf", scan(words="Here are words.")))
    (finding,) = document.findings
    assert (finding.code, finding.page) == ("DOC009", 1)
    assert "kalends[ocr]" in finding.message
    assert document.text == "Here are words."


@without_ocr
def test_a_stamp_does_not_hide_a_picture() -> None:
    document = read(Raw("scan.pdf", scan(stamp="Filed 2023-01-02")))
    assert [(finding.code, finding.severity, finding.page) for finding in document.findings] == [("DOC009", "note", 1)]


@with_ocr
def test_a_scan_is_read() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = read(Raw("scan.pdf", scan(stamp="Filed 2023-01-02")))
    plain = read(Raw("report.pdf", REPORT.read_bytes()))
    first = "".join(plain.text[block.start : block.end] for block in plain.blocks if block.page == 1)
    expected = Counter(letter for letter in first if letter.isalnum())
    assert (expected & Counter(found.text)).total() > 0.95 * expected.total()
    assert found.text.count("Filed") == 1
    assert [(finding.code, finding.page) for finding in found.findings] == [("DOC013", 1)]
    assert found.total_pages == found.non_empty_pages == 1
    for region in (region for block in found.blocks for region in block.regions):
        assert 0 <= region.box.x0 < region.box.x1 <= 612
        assert 0 <= region.box.top < region.box.bottom <= 792


def test_the_version_says_whether_pictures_are_read() -> None:
    assert list_versions()["ocr"] == get_ocr_version()
    assert bool(get_ocr_version()) == has_ocr()


def test_glyphs_without_a_meaning_are_a_finding() -> None:
    shown = b"BT /F 12 Tf 20 100 Td <" + b"".join(b"%04x" % number for number in range(100, 140)) + b"> Tj ET"
    document = read(Raw("a.pdf", pdf_of([shown], more={1000: DESCENDANT}, font=NO_NAMES)))
    assert [(finding.code, finding.name, finding.page) for finding in document.findings] == [
        ("DOC014", "garbled-text", 1)
    ]


def test_text_and_a_small_picture_are_no_finding() -> None:
    image = stream(
        bytes(300), b"/Type /XObject /Subtype /Image /Width 10 /Height 10 /ColorSpace /DeviceRGB /BitsPerComponent 8"
    )
    drawn = text("Here are words.") + b" q 20 0 0 20 10 10 cm /I Do Q"
    document = read(Raw("a.pdf", pdf_of([drawn], more={1000: image}, xobjects=b"/I 1000 0 R")))
    assert document.findings == ()
    assert document.text == "Here are words."
