"""Reading pages fast gives what pdfminer and pdfplumber give."""

from __future__ import annotations

import logging
import re
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import pdfplumber
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfminer.layout import LTLine, LTPage
from pdfminer.pdfinterp import PDFContentParser
from pdfminer.pdftypes import PDFStream
from pdfminer.psexceptions import PSEOF, PSSyntaxError

from tasks.parsers.pdf.characters.content_tokens import has_inline_image, iter_tokens
from tasks.parsers.pdf.characters.page_interpreter import list_pages, make_page
from tests.examples import examples
from tests.tasks.parsers.conftest import SAMPLES, SHARED, files
from tests.tasks.parsers.raw_pdf import endless, pdf_of, text

CHAR = ("fontname", "size", "upright", "x0", "x1", "top", "bottom", "width", "height")
DRAWN = ("x0", "x1", "y0", "y1", "top", "bottom", "width", "height", "pts", "path", "linewidth", "stroke", "fill")
COLOURS = ("evenodd", "stroking_color", "non_stroking_color", "dash")
QUICK = ("eu-002.pdf", "eu-019.pdf", "FOOTLOCKER_2022_8K_dated-2022-05-20.pdf")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "path" in metafunc.fixturenames:
        folders = (SAMPLES / "reports", SHARED / "tables/icdar2013", SHARED / "pdf")
        found = [path for folder in folders for path in files(folder, "*.pdf")]
        quick = {path for path in found if path.name in QUICK or SAMPLES in path.parents}
        marked = [path if path in quick else pytest.param(path, marks=pytest.mark.slow) for path in found]
        metafunc.parametrize("path", marked, ids=[path.name for path in found])


def test_pages_hold_what_pdfplumber_sees(path: Path) -> None:
    same_pages(path.read_bytes())


def same_pages(data: bytes) -> None:
    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    with pdfplumber.open(BytesIO(data)) as plain, pdfplumber.open(BytesIO(data)) as other:
        quick = list_pages(other)
        assert len(quick) == len(plain.pages)
        for number, page in enumerate(plain.pages, start=1):
            ours = make_page(other, quick[number - 1], number)
            assert shown(page.chars, CHAR) == shown(ours.chars, CHAR)
            assert all(map(same_text, page.chars, ours.chars))
            for kind in ("lines", "rects", "curves"):
                assert shown(getattr(page, kind), DRAWN + COLOURS) == shown(getattr(ours, kind), DRAWN + COLOURS)
            assert len(page.images) == len(ours.images)
            page.close()
            ours.close()


def same_text(theirs: dict[str, str], ours: dict[str, str]) -> bool:
    """Whether a character says the same, but for what fonts get wrong: capitals, symbols, glyphs without a name."""
    nameless = theirs["text"].startswith("(cid:") or "Symbol" in theirs["fontname"]
    return nameless or theirs["text"] in (ours["text"], ours["text"].lower())


def shown(objects: list[dict[str, object]], fields: tuple[str, ...]) -> list[dict[str, object]]:
    return [{field: found[field] for field in fields} for found in objects]


@pytest.mark.parametrize(
    "content",
    [
        b"/F 9 Tf 3 Tr 2 Tc 5 Tw 80 Tz 4 Ts 12 TL (a b) Tj T* (c) ' 1 2 (d) \" [(e) -250 (f g)] TJ",
        b"0 1 -1 0 50 50 cm /F 12 Tf 1 0.2 0 1 10 10 Tm (slanted) Tj",
        b"q 0 1 -1 0 300 0 cm /F 12 Tf (turned) Tj Q 10 10 50 20 re S 0 0 m 10 10 l 20 0 l h f*",
        b"/F 12 Tf (unfinished",
        b"[1 2 << /A [3] >> (x) Tj /F 12 Tf (swallowed) Tj",
        b"1 0 0 1 0 Tm /F 12 Tf 1 2 3 Td (too many) Tj (x) 5 Tj unknown /Missing Do",
        b"BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI /F 12 Tf (after an image) Tj",
        b"q Q Q Q /F 12 Tf (balanced) Tj 1 0 0 RG [3 2] 0 d 0 0 m 9 9 l S",
    ],
)
def test_odd_contents_are_read_as_pdfplumber_does(content: bytes) -> None:
    same_pages(pdf_of([b"BT " + content + b" ET", content]))


def test_forms_in_forms_are_read_as_pdfplumber_does() -> None:
    forms, drawn = endless(2)
    same_pages(pdf_of([text("before") + b" q 2 0 0 2 5 5 cm /X0 Do Q " + text("after")], more=forms, xobjects=drawn))


WORDS = rb"""( ) \ \( \101 \9 [ ] << >> < > { } /A / # #4 #41 1 -1 + - . 1.5 -.5 --3 1-2 1.2.3 4e5 Tj T* ' " true false
null % 4 414 BX a/b a("""
PIECES = st.sampled_from([*WORDS.split(), b"\\\r\n", b"%c\n", b" ", b"\n", b"\0", b"\t", b"4 1", b"\xe9"])


@examples(12)
@given(pieces=st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=30))
def test_tokens_are_pdfminers(pieces: list[bytes]) -> None:
    data = b"".join(pieces) + b" \n"
    overflow = re.search(rb"\\[4-7][0-7]{2}", data)  # an error to pdfminer, not to ISO 32000-1, 7.3.4.2
    needless = re.search(rb"\\[^nrtbf()\\0-7\r\n]", data)  # pdfminer drops the character behind it, against 7.3.4.2
    if not has_inline_image(data) and not overflow and not needless:
        assert attempt_ours(data) == attempt_pdfminers(data)


def test_a_needless_backslash_takes_no_character_with_it() -> None:
    assert list(iter_tokens(b"(Strip\\ the\\ 27\\-mm \\\\ ca\\\nble) ")) == [b"Strip the 27-mm \\ cable"]


def attempt_ours(data: bytes) -> list[str]:
    found: list[str] = []
    try:
        for token in iter_tokens(data):
            found.append(repr(token))  # noqa: PERF401  (what came before the error counts)
    except PSSyntaxError:
        found.append("error")
    return found


def attempt_pdfminers(data: bytes) -> list[str]:
    parser, found = PDFContentParser([PDFStream({}, data)]), []
    try:
        while True:
            found.append(repr(parser.nextobject()[1]))
    except PSEOF:
        pass
    except PSSyntaxError:
        found.append("error")
    return found


def test_private_attributes_of_pdfminer() -> None:
    """Whoever raises the version looks again at what the docstring of `page_interpreter` says of both attributes."""
    assert version("pdfminer.six") == "20260107"
    page, line = LTPage(1, (0, 0, 10, 10)), LTLine(1, (0, 0), (5, 0))
    page.add(line)
    assert page._objs == [line], "what is added stands in the list"
    page._objs.append({"text": "a"})  # type: ignore[arg-type]
    assert list(page) == [line, {"text": "a"}], "and what stands in the list is given in its order"


def test_pdfminer_keeps_streams_by_number_and_reads_again_what_is_let_go() -> None:
    with pdfplumber.open(SAMPLES / "reports/northlight-fy2025-q2.pdf") as pdf:
        (found, *_) = list_pages(pdf)
        page = make_page(pdf, found, 1)
        texts = [char["text"] for char in page.chars]
        kept = pdf.doc._cached_objs
        streams = {number: held.get_data() for number, (held, _) in kept.items() if isinstance(held, PDFStream)}
        assert texts
        assert streams
        page.close()
        assert not streams.keys() & kept.keys()
        assert kept, "fonts and other objects stay"
        assert all(pdf.doc.getobj(number).get_data() == data for number, data in streams.items())
        assert [char["text"] for char in make_page(pdf, found, 1).chars] == texts
