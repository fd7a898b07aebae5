"""What annotations show on a page is text of the document: filled forms, signatures, typed text and stamps."""

from __future__ import annotations

from typing import Any

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.verify.pdf_words import ReopenedPdf
from tests.tasks.parsers.raw_pdf import FONT, file_of, stream, text
from warehouse.errors import UnreadableFile
from warehouse.records import Document


def form(
    *fields: bytes, drawing: bytes = b"", words: str = "Given name", more: bytes = b"", page: bytes = b""
) -> bytes:
    """A page with fields, whose appearance 20 is `drawing`; `more` are entries of the form."""
    resources = b"<< /Font << /F 3 0 R >> >>"
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /DA (/F 10 Tf) %s >> >>" % more,
        2: b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        3: FONT,
        4: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 5 0 R /Resources %s /Annots [%s] %s >>"
        % (resources, b" ".join(b"%d 0 R" % (10 + place) for place in range(len(fields))), page),
        5: stream(text(words)),
        20: stream(
            drawing or b"BT /F 10 Tf 2 3 Td (Ada) Tj ET 0 0 99 20 re S",
            b"/Type /XObject /Subtype /Form /BBox [0 0 99 20] /Resources " + resources,
        ),
        30: b"<< /FT /Tx /V (Inherited) >>",
        31: b"<< /FT /Tx /Parent 31 0 R >>",
        **{10 + place: b"<< /Type /Annot /Rect [100 96 199 116] %s >>" % field for place, field in enumerate(fields)},
    }
    return file_of(objects)


def read_form(*fields: bytes, **parts: Any) -> Document:
    return read(Raw("form.pdf", form(*fields, **parts)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        (b"/Subtype /Widget /FT /Tx /V (Ada) /AP << /N 20 0 R >>", "Given name Ada"),
        (b"/Subtype /Widget /FT /Sig /AP << /N 20 0 R >>", "Given name Ada"),
        (b"/Subtype /FreeText /AP << /N 20 0 R >>", "Given name Ada"),
        (b"/Subtype /Stamp /AP << /N 20 0 R >>", "Given name Ada"),
        (b"/Subtype /Widget /FT /Tx /V (Grace Hopper)", "Given name Grace Hopper"),
        (b"/Subtype /Widget /FT /Tx /V <FEFF0041006C0061006E>", "Given name Alan"),
        (b"/Subtype /Widget /Parent 30 0 R", "Given name Inherited"),
        (b"/Subtype /Widget /FT /Ch /V (Blue)", "Given name Blue"),
        (b"/Subtype /Widget /FT /Btn /AS /Yes /AP << /N << /Yes 20 0 R /Off 20 0 R >> >>", "Given name ☒"),
        (b"/Subtype /Widget /FT /Btn /AS /Off /AP << /N << /Yes 20 0 R /Off 20 0 R >> >>", "Given name"),
        (b"/Subtype /Widget /FT /Btn /Ff 65536 /AP << /N 20 0 R >>", "Given name Ada"),
        (b"/Subtype /Widget /FT /Tx /Ff 8192 /V (secret)", "Given name"),
        (b"/Subtype /Widget /F 2 /FT /Tx /V (hidden)", "Given name"),
        (b"/Subtype /Text /Contents (a remark) /AP << /N 20 0 R >>", "Given name"),
        (b"/Subtype /Widget /Parent 31 0 R /V 7", "Given name"),
        (b"/Subtype /Widget /FT /Tx /V (x) /AP << /N 5 0 R >>", "Given name"),
    ],
)
def test_fields_are_read_as_the_page_shows_them(field: bytes, shown: str) -> None:
    document = read_form(field)
    assert [document.text[block.start : block.end] for block in document.blocks] == [shown]
    assert not document.tables


def test_a_drawing_is_fitted_into_its_rectangle() -> None:
    document = read_form(b"/Subtype /Widget /FT /Tx /V (Ada) /AP << /N 20 0 R >>")
    (block,) = document.blocks
    (region,) = block.regions
    assert (region.box.x0, round(region.box.x1)) == (20.0, 120)


def test_a_form_with_drawings_out_of_date_shows_its_values() -> None:
    field = b"/Subtype /Widget /FT /Tx /V (Grace) /AP << /N 20 0 R >>"
    assert read_form(field, more=b"/NeedAppearances true").text == "Given name Grace"


def test_long_values_break_where_their_field_has_several_lines() -> None:
    value = b"/Subtype /Widget /FT /Tx /V (Twenty words or more do not fit on this line) /Rect [100 20 199 95]"
    assert read_form(value + b" /Ff 4096").text.split("\n")[-1] == "this line"
    assert read_form(value).text.endswith("Twenty words or more do not fit on this line")


def test_a_page_that_holds_a_form_alone_has_text() -> None:
    document = read_form(b"/Subtype /Widget /FT /Tx /V (Ada Lovelace)", words="")
    assert document.text == "Ada Lovelace"


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_fields_turn_with_their_page(degrees: int) -> None:
    document = read_form(b"/Subtype /Widget /FT /Tx /V (Ada Lovelace)", page=b"/Rotate %d" % degrees)
    assert "Ada" in document.text or "adA" in document.text


def test_damaged_drawings_leave_the_page_whole() -> None:
    drawing = b"BT /F 10 Tf (before) Tj << /A >> Tj ET"
    assert read_form(b"/Subtype /Stamp /AP << /N 20 0 R >>", drawing=drawing).text.startswith("Given name")
    for broken in (b"/Subtype /Stamp /AP 7", b"/Subtype /Stamp /Rect [1 2] /AP << /N 20 0 R >>", b"/Subtype 9"):
        assert read_form(broken).text == "Given name"


def test_a_page_without_any_text_is_still_refused() -> None:
    with pytest.raises(UnreadableFile, match="no text on its page"):
        read_form(b"/Subtype /Widget /FT /Tx", words="")


def test_what_fields_show_is_found_again_by_the_other_reader() -> None:
    data = form(b"/Subtype /Widget /FT /Tx /V (Ada) /AP << /N 20 0 R >>")
    with ReopenedPdf(data) as again:
        assert "Ada" in again.read_letters(1).text
