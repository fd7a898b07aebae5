"""Boxes count from the top left corner of the page as it is shown, wherever it begins and however it is turned."""

from __future__ import annotations

from itertools import product

import numpy as np
import pypdfium2
import pytest

from tasks.parsers.assembly import Assembly
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.parsers.table_form import RowPlace
from tasks.verify.pdf_words import ReopenedPdf
from tests.tasks.parsers.raw_pdf import pdf_of
from warehouse.records import Box, Kind

WORDS = b"BT /F 12 Tf 90 100 Td (Words here) Tj ET"
MEDIA = ("0 0 300 200", "40 30 340 230", "340 230 40 30", "-20 -50 280 150")
CROP = ("", "/CropBox [60 60 200 130]", "/CropBox [0 0 1000 1000]")
Edges = tuple[float, float, float, float]


def page_of(media: str, crop: str, rotation: int) -> bytes:
    entries = f"/MediaBox [{media}] {crop} /Rotate {rotation}".encode()
    return pdf_of([WORDS]).replace(b"/MediaBox [0 0 300 200]", entries)


def ink(data: bytes) -> Edges:
    """Left, top, right and bottom of what PDFium paints."""
    document = pypdfium2.PdfDocument(data)
    painted = np.argwhere(document[0].render(scale=2, grayscale=True).to_numpy().squeeze() < 128) / 2
    document.close()
    (top, left), (bottom, right) = painted.min(axis=0), painted.max(axis=0)
    return left, top, right, bottom


@pytest.mark.parametrize(("media", "crop", "rotation"), list(product(MEDIA, CROP, (0, 90, 180, 270))))
def test_words_are_painted_in_their_box(media: str, crop: str, rotation: int) -> None:
    data = page_of(media, crop, rotation)
    (region,) = read(Raw("a.pdf", data)).blocks[0].regions
    box, (left, top, right, bottom) = region.box, ink(data)
    assert box.x0 - 1 <= left < right <= box.x1 + 1
    assert box.top - 1 <= top < bottom <= box.bottom + 1
    with ReopenedPdf(data) as pages:
        assert pages.read_letters(1).read_box(box) == "Words here"


def test_rows_that_are_no_table_keep_their_places() -> None:
    assembly = Assembly()
    boxes = Box(72, 100, 300, 110), Box(72, 114, 300, 124)
    assembly.add_table([["Net sales", ""], ["Net income", ""]], places=[RowPlace(3, box) for box in boxes])
    document = assembly.finish(Kind.REPORT, "application/pdf")
    (block,) = document.blocks
    assert [(document.text[r.start : r.end], r.page, r.box) for r in block.regions] == [
        ("Net sales", 3, boxes[0]),
        ("Net income", 3, boxes[1]),
    ]
