"""PDFs that lie, never end, or are locked."""

from __future__ import annotations

import zlib
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import Job, read, read_files
from tests.tasks.parsers.raw_pdf import FONT, file_of, pdf_of, stream, text
from warehouse.errors import UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings

ROOT = b"<< /Type /Catalog /Pages 2 0 R >>"
CID_FONT = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [1000 0 R] >>"


def words(data: bytes) -> list[str]:
    return read(Raw("a.pdf", data)).text.split()


def code(data: bytes) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(Raw("a.pdf", data))
    assert "\n" not in str(caught.value)
    assert caught.value.cure
    return caught.value.code


def locked(user: str, owner: str, strength: int) -> bytes:
    target = BytesIO()
    rule = StandardEncryption(user, ownerPassword=owner, strength=strength)
    canvas = Canvas(target, encrypt=rule, invariant=True)
    canvas.drawString(72, 700, "behind a lock")
    canvas.save()
    return target.getvalue()


@pytest.mark.parametrize("strength", [40, 128])
def test_a_password_for_the_owner_only_locks_nobody_out(strength: int) -> None:
    assert words(locked("", "secret", strength)) == ["behind", "a", "lock"]


@pytest.mark.parametrize("strength", [40, 128])
def test_a_password_for_users_does(strength: int) -> None:
    assert code(locked("hush", "secret", strength)) == "DOC003"


@pytest.mark.parametrize("count", [b"0", b"-1", b"99999999", b"(x)", b"null"])
def test_a_wrong_number_of_pages_is_not_believed(count: bytes) -> None:
    assert words(pdf_of([text("one"), text("two")]).replace(b"/Count 2 ", b"/Count %s " % count)) == ["one", "two"]


def test_a_page_without_a_size_is_read() -> None:
    assert words(pdf_of([text("words")]).replace(b"/MediaBox [0 0 300 200]", b"")) == ["words"]


def test_page_trees_that_are_circles_or_bottomless_end() -> None:
    circle = {1: ROOT, 2: b"<< /Type /Pages /Kids [3 0 R] >>", 3: b"<< /Type /Pages /Kids [2 0 R] >>"}
    chain = {n: b"<< /Type /Pages /Kids [%d 0 R] >>" % (n + 1) for n in range(2, 3000)}
    last = {3000: b"<< /Type /Page /MediaBox [0 0 9 9] >>"}
    assert code(file_of(circle)) == "DOC001"
    assert code(file_of({1: ROOT, **chain, **last})) == "DOC001"


@pytest.mark.parametrize(
    "more",
    [
        {1000: b"[" * 50_000 + b"]" * 50_000},
        {1000: b"<< /A " * 20_000 + b"0" + b" >>" * 20_000},
        {1000: stream(b"/X Do /X Do", b"/Type /XObject /Subtype /Form /BBox [0 0 1 1]")},
        {1000: stream(b"x", b"/Type /XObject /Subtype /Image /Width 1000000 /Height 1000000 /BitsPerComponent 8")},
        {1000: b"<< /Type /XObject /Subtype /Form /Filter /NoSuch /Length 9 >>\nstream\nx\nendstream"},
    ],
)
def test_objects_that_lead_nowhere_do_not_matter(more: dict[int, bytes]) -> None:
    found = words(pdf_of([text("words") + b" /X Do"], more=more, xobjects=b"/X 1000 0 R"))
    assert found == ["words"]


def test_many_tiny_objects_are_not_read() -> None:
    assert words(pdf_of([text("words")], more={1000 + number: b"0" for number in range(20_000)})) == ["words"]


def test_deep_arrays_in_a_page_end() -> None:
    assert words(pdf_of([text("before") + b"[" * 200_000, text("after")])) == ["before", "after"]


def test_a_font_of_all_characters_is_not_spelled_out() -> None:
    wide = {1000: stream(b"1 beginbfrange <0000> <ffffffff> <0041> endbfrange")}
    assert words(pdf_of([text("words")], more=wide, font=FONT[:-3] + b" /ToUnicode 1000 0 R >>"))


def limited(folder: Path, data: bytes, seconds: float = 20) -> Document | UnreadableFile:
    path = folder / "a.pdf"
    path.write_bytes(data)
    limits = ParseSettings(processes=1, seconds=20, megabytes=64).model_copy(update={"page_seconds": seconds})
    ((_, found, _),) = read_files([Job(path.name, path)], limits)
    return found


def test_a_font_of_endless_widths_costs_its_file(tmp_path: Path) -> None:
    font = (
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /W [0 100000000 500] /CIDSystemInfo << /Registry (Adobe) "
        b"/Ordering (Identity) >> /FontDescriptor << /FontName /X >> >>"
    )
    found = limited(tmp_path, pdf_of([b"BT /F 1 Tf <0041> Tj ET"], more={1000: font}, font=CID_FONT))
    assert isinstance(found, UnreadableFile)
    assert found.code == "DOC006"


def test_streams_that_swell_twice_cost_their_page(tmp_path: Path) -> None:
    packed = zlib.compress(zlib.compress(b" " * (96 << 20), 1), 1)
    bomb = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(packed), packed)
    data = pdf_of([text("first"), text("second"), text("third")], more={1000: bomb})
    assert data.count(b"/Contents 7 0 R") == 1
    found = limited(tmp_path, data.replace(b"/Contents 7 0 R", b"/Contents 1000 0 R"))
    assert isinstance(found, Document)
    assert found.text.split() == ["first", "third"]
    assert [(finding.code, finding.page) for finding in found.findings] == [("DOC012", 2)]


def test_references_in_a_circle_cost_their_page(tmp_path: Path) -> None:
    circle = {1000: b"1001 0 R", 1001: b"1000 0 R"}
    data = pdf_of([text("first"), text("second") + b" /X Do", text("third")], more=circle, xobjects=b"/X 1000 0 R")
    found = limited(tmp_path, data, seconds=0.7)
    assert isinstance(found, Document)
    assert found.text.split() == ["first", "third"]
