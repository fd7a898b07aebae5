"""The words that a page shows are the words that were written, however wide its letters and its gaps are set."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import pdfplumber
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.characters.page_interpreter import list_pages, make_page
from tasks.parsers.pdf.lines.line_settings import LINES as SETTINGS
from tasks.parsers.pdf.lines.page_rows import read_rows
from tasks.parsers.pdf.lines.word_builder import read_words
from tasks.parsers.reader import read

LINES = (
    "Revenue Mix by Category and Quarter",
    "The fleet sailed on and nobody wrote it down for weeks",
    "We will not tell you how to run a harbour in 2023",
    "Inventory Turnover, Net Income, VAT and AWAY",
    "Tokyo, Paris and York are To be Visited",
)
WORDS = (
    "Revenue",
    "Mix",
    "harbour",
    "fleet",
    "of",
    "a",
    "Total",
    "WAVE",
    "illicit",
    "Sales,",
    "2023",
    "(net)",
    "Äther",
)


def shown(pdf: bytes) -> list[str]:
    found = read(Raw("a.pdf", pdf))
    lines = (line for block in found.blocks for line in found.text[block.start : block.end].split("\n"))
    return [" ".join(line.split()) for line in lines]


def page(
    lines: Sequence[str],
    size: float,
    letters: float,
    words: float = 0.0,
    *,
    blanks: bool = True,
    font: str = "Helvetica",
) -> bytes:
    """Lines with so many points more after each letter and blank; without `blanks` gaps alone part words."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=(1400, 792), invariant=1)
    for number, line in enumerate(lines):
        x, y = 40.0, 760 - 2.2 * size * number
        for piece in [line] if blanks else line.split():
            text = canvas.beginText(x, y)
            text.setFont(font, size)
            text.setCharSpace(letters)
            text.setWordSpace(words)
            text.textOut(piece)
            canvas.drawText(text)
            x += canvas.stringWidth(piece, font, size) + letters * len(piece) + 0.26 * size
    canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.mark.parametrize("size", [5, 8, 10, 14, 24])
@pytest.mark.parametrize("spread", [-0.04, 0.0, 0.08, 0.15, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("blanks", [True, False], ids=["blanks", "gaps"])
def test_spaced_letters_make_the_words_that_were_written(size: float, spread: float, blanks: bool) -> None:
    lines = LINES if size < 20 else [line[:30].rsplit(" ", 1)[0] for line in LINES]
    if spread < 0 and not blanks:
        return
    assert shown(page(lines, size, spread * size, blanks=blanks)) == list(lines)


def can_be_spaced_out(words: Sequence[str]) -> bool:
    """Whether wide gaps may be within these words: figures far apart are columns, and few gaps tell of no usual one."""
    signs = "".join(words)
    is_text = sum(map(str.isalpha, signs)) > (SETTINGS.letters_share + 0.05) * len(signs)
    return is_text and len(signs) - len(words) >= SETTINGS.min_gaps


WRITTEN = st.lists(st.sampled_from(WORDS), min_size=4, max_size=9).filter(can_be_spaced_out).map(" ".join)


@given(
    st.lists(WRITTEN, min_size=3, max_size=6),
    st.sampled_from([6.0, 9.0, 12.0]),
    st.floats(0.0, 0.6),
    st.floats(0.0, 0.5),
    st.sampled_from(["Helvetica", "Times-Roman", "Courier", "Helvetica-Bold"]),
)
def test_what_is_read_is_what_was_written(
    lines: list[str], size: float, letters: float, words: float, font: str
) -> None:
    pdf = pdfplumber.open(BytesIO(page(lines, size, letters * size, words * size, font=font)))
    rows = read_rows(read_words(make_page(pdf, list_pages(pdf)[0], 1).chars))
    assert [row.text for row in rows] == lines


def positioned(*pieces: tuple[float, float, str, float]) -> bytes:
    """x, y from the top, words and size of each piece."""
    out = BytesIO()
    canvas = Canvas(out, pagesize=(612, 792), invariant=1)
    for x, y, words, size in pieces:
        canvas.setFont("Helvetica", size)
        canvas.drawString(x, 792 - y, words)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_tiny_blanks_of_an_empty_row_part_no_words() -> None:
    width = Canvas(BytesIO()).stringWidth(LINES[0], "Helvetica", 8)
    strays = [(72 + place * width / 12, 98.5, " ", 0.9) for place in range(1, 12)]
    assert shown(positioned((72, 100, LINES[0], 8), *strays, (72, 130, LINES[1], 8))) == list(LINES[:2])


def test_blanks_of_the_row_above_part_no_words() -> None:
    strays = [(72 + 7.3 * place, 97.5, " ", 8.0) for place in range(1, 12)]
    assert shown(positioned((72, 100, LINES[0], 8), *strays, (72, 130, LINES[1], 8)))[0] == LINES[0]


def test_a_blank_that_the_next_letter_covers_parts_no_word() -> None:
    canvas = Canvas(BytesIO())
    width = canvas.stringWidth("Re", "Helvetica", 10)
    first = [(72.0, 100.0, "Re ", 10.0), (72 + width, 100.0, "venue of the harbour and of the fleet", 10.0)]
    assert shown(positioned(*first, (72, 130, LINES[1], 10)))[0] == "Revenue of the harbour and of the fleet"


def test_blanks_that_fill_up_a_cell_part_no_words_of_the_next() -> None:
    """As spreadsheets print it: a text is filled up with blanks, which reach over the cells beside it."""
    rows = [
        piece
        for y in (100.0, 114.0, 128.0)
        for piece in (
            (72.0, y, "06/22/2015" + " " * 60, 10.0),
            (160.0, y, "03/25/2016", 10.0),
            (250.0, y, "2,016", 10.0),
        )
    ]
    said = " ".join(shown(positioned(*rows)))
    assert said.count("06/22/2015") == said.count("03/25/2016") == said.count("2,016") == 3


@pytest.mark.parametrize("step", [2.0, 2.6])
def test_lines_beside_the_small_print_of_a_figure_keep_their_words(step: float) -> None:
    body = [(72.0, 100.0 + 12 * row, line, 10.0) for row, line in enumerate(LINES)]
    print_ = [(400.0, 96.0 + step * row, "notes in the smallest print of a figure", 1.6) for row in range(26)]
    said = " ".join(shown(positioned(*body, *print_)))
    for word in " ".join(LINES).split():
        assert f" {word} " in f" {said} "
    assert said.count("smallest") == len(print_)


@pytest.mark.parametrize("size", [6, 8, 10])
def test_lines_without_blanks_keep_their_words_apart_beside_text_with_blanks(size: int) -> None:
    canvas = Canvas(BytesIO())
    pieces, x = [(72.0, 300.0 + 13 * row, LINES[1], 10.0) for row in range(6)], 72.0
    for word in LINES[0].split():
        pieces.append((x, 100.0, word, float(size)))
        x += canvas.stringWidth(word, "Helvetica", size) + 0.26 * size
    assert shown(positioned(*pieces))[0] == LINES[0]


@pytest.mark.parametrize("size", [9, 12])
def test_words_of_a_tight_line_stay_apart_beside_text_with_blanks(size: int) -> None:
    canvas = Canvas(BytesIO())
    pieces, x = [(72.0, 300.0 + 13 * row, LINES[1], 10.0) for row in range(6)], 72.0
    for word, gap in zip(LINES[0].split(), (0.13, 0.14, 0.18, 0.14, 0.13, 0.0), strict=True):
        pieces.append((x, 100.0, word, float(size)))
        x += canvas.stringWidth(word, "Helvetica", size) + gap * size
    assert shown(positioned(*pieces))[0] == LINES[0]


@pytest.mark.parametrize("number", ["1.", "(a)", "iv."])
@pytest.mark.parametrize("size", [7, 10])
def test_a_number_placed_before_its_text_stands_apart(number: str, size: int) -> None:
    width = Canvas(BytesIO()).stringWidth(number, "Helvetica", size)
    text = (72.0 + width + 0.29 * size, 100.0, LINES[1], float(size))
    assert shown(positioned((72.0, 100.0, number, float(size)), text)) == [f"{number} {LINES[1]}"]


def test_letters_in_columns_stay_apart() -> None:
    answers = [
        (100 + 40 * place, 100 + 14 * row, letter, 10) for row in range(4) for place, letter in enumerate("ABCDE")
    ]
    said = " ".join(shown(positioned(*((float(x), float(y), w, float(s)) for x, y, w, s in answers))))
    assert "AB" not in said


def test_figures_in_narrow_columns_stay_apart() -> None:
    figures = [(100.0 + 12 * place, 100.0 + 14 * row, str(place), 9.0) for row in range(4) for place in range(8)]
    said = " ".join(shown(positioned(*figures, (72, 200, LINES[1], 10))))
    assert "01" not in said
    assert "67" not in said
