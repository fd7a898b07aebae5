"""Each word that pdfplumber sees on a PDF page, its glyphs read by us, stands in the document once, on its page."""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from unicodedata import normalize

import pdfplumber
import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.characters.page_interpreter import list_pages, make_page
from tasks.parsers.reader import read
from tests.tasks.parsers.conftest import SAMPLES, SHARED, files
from tests.tasks.parsers.promises import inside, keeps_its_promises
from warehouse.records import BlockKind, Box, Document, Region

LEADER = re.compile(r"[.…_·]{3,}")
HYPHENS = "-\u00ad\u2010"
QUICK = ("eu-002.pdf", "eu-014.pdf", "PEPSICO_2023_8K_dated-2023-05-05.pdf")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folders = (SAMPLES / "reports", SHARED / "tables/icdar2013", SHARED / "pdf")
    found = [path for folder in folders for path in files(folder, "*.pdf")]
    quick = {path for path in found if path.name in QUICK or SAMPLES in path.parents}
    marked = [path if path in quick else pytest.param(path, marks=pytest.mark.slow) for path in found]
    metafunc.parametrize("path", marked, ids=[path.name for path in found])


def test_each_word_stands_once_on_its_page(path: Path) -> None:
    data = path.read_bytes()
    document = read(Raw(path.name, data))
    keeps_its_promises(document)
    places = by_page(document)
    with pdfplumber.open(BytesIO(data)) as pdf, pdfplumber.open(BytesIO(data)) as other:
        assert document.total_pages == len(pdf.pages)
        for number, (page, quick) in enumerate(zip(pdf.pages, list_pages(other), strict=True), start=1):
            for char, ours in zip(page.chars, make_page(other, quick, number).chars, strict=True):
                char["text"] = ours["text"]
            words = [word["text"] for word in page.extract_words()]
            paper = box_of_page(page)
            page.close()
            found = places.get(number, [])
            assert all(inside(region.box, paper) for region, _ in found), number
            same_letters(words, [text for _, text in found], number)
            nearly_the_same_words(words, [text for _, text in found], number)


def by_page(document: Document) -> dict[int, list[tuple[Region, str]]]:
    """The regions of each page with their words; rows of tables without what is drawn between their cells."""
    found: dict[int, list[tuple[Region, str]]] = {}
    for block in document.blocks:
        table = document.tables[block.table - 1] if block.kind is BlockKind.TABLE and block.table else None
        for number, region in enumerate(block.regions):
            text = " ".join(table.rows[number]) if table else document.text[region.start : region.end]
            found.setdefault(region.page, []).append((region, text))
    return found


def box_of_page(page: pdfplumber.page.Page) -> Box:
    """The page, and what stands beyond its edge: printers crop."""
    chars = page.chars
    return Box(
        min([0.0, page.bbox[0], *(char["x0"] for char in chars)]),
        min([0.0, page.bbox[1], *(char["top"] for char in chars)]),
        max([page.bbox[2], *(char["x1"] for char in chars)]),
        max([page.bbox[3], *(char["bottom"] for char in chars)]),
    )


def letters(words: list[str]) -> Counter[str]:
    """The characters but white space, leaders and what no text may hold; raised digits count as digits."""
    text = normalize("NFKC", "".join(LEADER.sub("", word) for word in words))
    return Counter(letter for letter in text if letter.isprintable() and not letter.isspace())


def same_letters(words: list[str], texts: list[str], page: int) -> None:
    """No letter is lost or repeated, hyphens at line ends excepted."""
    expected, found = letters(words), letters(texts)
    more, less = found - expected, expected - found
    assert not more, (page, dict(more))
    assert all(letter in HYPHENS for letter in less), (page, dict(less))
    assert less.total() <= sum(word[-1] in HYPHENS for word in words if word), (page, dict(less))


def nearly_the_same_words(words: list[str], texts: list[str], page: int) -> None:
    """Words may be joined over a line's end or cut where a column begins, no more than that.

    What runs up the page pdfplumber reads downwards.
    """
    expected = Counter(normalize("NFKC", word) for word in words if letters([word]))
    found = Counter(normalize("NFKC", " ".join(texts)).split())
    missed = sum(word[::-1] not in found for word in (expected - found).elements())
    assert missed <= max(3, 0.05 * expected.total()), (page, list((expected - found).elements())[:20])
