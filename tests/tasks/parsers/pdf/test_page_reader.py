"""Glyphs of PDFs that are not what they seem: printed twice, raised, or running up the page."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tasks.parsers.parser_contract import Raw
from tasks.parsers.pdf.characters.legibility import without_duplicates
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Drawing, Styled
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_pdf import pdf_of, stream
from warehouse.records import BlockKind

FONT = "Helvetica"
PROSE: list[Styled] = [(72, 300 + 13 * row, f"Some running text that goes on {row}", FONT, 10) for row in range(9)]
TABLE: list[Styled] = [
    (x, 100 + 14 * row, words, FONT, 10)
    for row, cells in enumerate([("Region", "2021", "2022"), ("North", "1,204", "98"), ("South", "55", "1,310")])
    for x, words in zip((60, 300, 400), cells, strict=True)
]


def built(whole: str, above: str, below: str, unit: str) -> list[Styled]:
    """A fraction of small digits around a slash, between a number and its unit."""
    texts, x = list[Styled](), 72.0
    for words, lift, size in ((whole, 0, 10), (above, -3.5, 6), ("/", 0, 10), (below, 2.5, 6), (unit, 0, 10)):
        texts.append((x, 100 + lift, words, FONT, size))
        x += stringWidth(words, FONT, size)
    return texts


def test_letters_printed_twice_are_read_once_and_are_bold() -> None:
    twice: list[Styled] = [(x, 100, "Results of operations", FONT, 10) for x in (72, 72.3)]
    found = Drawing().styled(*twice, *PROSE).read()
    assert found.text.startswith("Results of operations\n\n")
    assert found.blocks[0].kind is BlockKind.HEADING


def test_letters_that_stand_side_by_side_are_kept() -> None:
    chars = [{"text": "l", "x0": 10 + 2.2 * number, "top": 5.0, "size": 10.0, "fontname": FONT} for number in range(6)]
    assert without_duplicates(chars) == chars


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        ([(72, 100, "1,234", FONT, 10), (97.3, 96.5, "1", FONT, 6)], "1,234¹"),
        ([(72, 100, "10", FONT, 10), (83.2, 96.5, "-6", FONT, 6)], "10⁻⁶"),
        ([(72, 96.5, "12", FONT, 6), (79, 100, "Includes freight", FONT, 10)], "¹²Includes freight"),
        ([(72, 100, "1,234", FONT, 10), (97.3, 96.5, "(2)", FONT, 6)], "1,234(2)"),
        ([(72, 100, "CO", FONT, 10), (87.2, 100, "2", FONT, 7)], "CO2"),
        ([(72, 100, "1,234", FONT, 10), (97.3, 100, "5", FONT, 10)], "1,2345"),
        (built("1", "2", "3", "c"), "1²/₃c"),
        (built("", "13", "16", ""), "¹³/₁₆"),
        ([(72, 100, "m", FONT, 10), (80.4, 96.5, "2", FONT, 6), (83.8, 100, "/3", FONT, 10)], "m²/3"),
        ([(72, 100, "1", FONT, 10), (77.6, 100, "2", FONT, 9), (82.6, 100, "/3", FONT, 10)], "12/3"),
    ],
)
def test_raised_digits_are_superscripts(texts: list[Styled], read: str) -> None:
    assert Drawing().styled(*texts, *PROSE).read().text.startswith(f"{read}\n")


def set_formula(*parts: str) -> list[Styled]:
    """Letters of 10 points in a row, those that begin with "_" as lowered ones of 6.5."""
    placed: list[Styled] = []
    x = 72.0
    for part in parts:
        low, text = part.startswith("_"), part.lstrip("_")
        placed.append((x, 101.5 if low else 100, text, FONT, 6.5 if low else 10))
        x += stringWidth(text, FONT, 6.5 if low else 10)
    return placed


@pytest.mark.parametrize(
    ("parts", "read"),
    [
        (("CO", "_2"), "CO2"),
        (("CO", "_2", ", HC and CH", "_4", ", then C", "_3", "H", "_8", "."), "CO2, HC and CH4, then C3H8."),
        (("PM", "_2.5", " fell"), "PM2.5 fell"),
        (("V", "_max", " is 7"), "Vmax is 7"),
        (("f(x", "_1", ",x", "_n", ")"), "f(x1,xn)"),
    ],
)
def test_lowered_letters_stand_in_their_word(parts: tuple[str, ...], read: str) -> None:
    found = Drawing().styled(*set_formula(*parts), *PROSE).read()
    assert found.text.startswith(f"{read}\n")


def test_what_hangs_lower_than_an_index_stays_apart() -> None:
    below: list[Styled] = [(72, 100, "Total", FONT, 10), (72 + stringWidth("Total", FONT, 10), 107, "2", FONT, 6.5)]
    assert "Total2" not in Drawing().styled(*below, *PROSE).read().text


def test_small_print_over_a_line_is_a_line_of_its_own() -> None:
    line = "Fields with an asterisk must be completed as well as any others on it"
    over = "For use with all of the screen readers that are at hand here"
    words: list[Styled] = [(72, 100, line, FONT, 10), (72, 104, over, FONT, 5)]
    assert line in Drawing().styled(*words, *PROSE).read().text


def test_small_capitals_are_no_indices() -> None:
    words: list[Styled] = [(72, 100, "N", FONT, 10), (72 + stringWidth("N", FONT, 10), 100, "OTE", FONT, 7)]
    assert Drawing().styled(*words, *PROSE).read().text.startswith("NOTE\n")


@pytest.mark.parametrize("turned", [90, -90])
def test_a_page_that_is_turned_is_read_as_if_it_were_not(turned: int) -> None:
    found = Drawing().styled(*TABLE, *PROSE, turned=turned).styled(*PROSE).read()
    keeps_its_promises(found)
    assert found.tables[0].rows == (("Region", "2021", "2022"), ("North", "1,204", "98"), ("South", "55", "1,310"))
    box = found.tables[0].parts[0].box
    left, top = (92, 792 - 426) if turned > 0 else (612 - 131, 60)
    assert (box.x0, box.top) == pytest.approx((left, top), abs=4)
    assert box.bottom - box.top > 5 * (box.x1 - box.x0)


def test_a_line_up_the_margin_is_set_aside_in_its_order() -> None:
    found = Drawing().styled((100, 20, "stamped in the margin", FONT, 10), turned=90, across=PROSE).read()
    keeps_its_promises(found)
    (aside,) = (block for block in found.blocks if block.kind is BlockKind.FURNITURE)
    assert found.text[aside.start : aside.end] == "stamped in the margin"
    assert aside.regions[0].box.bottom == pytest.approx(692, abs=1)


@pytest.mark.parametrize("turn", ["0.7071 0.7071 -0.7071 0.7071", "0.866 -0.5 0.5 0.866", "0.5 0.866 -0.866 0.5"])
def test_a_watermark_across_the_page_is_set_aside_in_its_order(turn: str) -> None:
    lines = [f"Line {number} of a contract that two people sign" for number in ("one", "two", "three", "four", "five")]
    drawn = " ".join(f"BT /F 10 Tf 1 0 0 1 20 {150 - 14 * row} Tm ({line}) Tj ET" for row, line in enumerate(lines))
    mark = f"q {turn} 70 100 cm BT /F 12 Tf (STRICTLY) Tj 0 -60 Td (PRIVATE COPY) Tj ET Q"
    for content in (f"{mark} {drawn}", f"{drawn} {mark}"):
        document = read(Raw("a.pdf", pdf_of([content.encode()])))
        shown = {document.text[block.start : block.end]: block.kind for block in document.blocks}
        assert shown["\n".join(lines)] is BlockKind.PARAGRAPH
        assert shown["STRICTLY\nPRIVATE COPY"] is BlockKind.FURNITURE


def test_a_line_that_lies_a_little_askew_is_read_as_one() -> None:
    askew = b"BT /F 10 Tf 0.9998 0.0175 -0.0175 0.9998 20 100 Tm (A line of a page that was scanned askew) Tj ET"
    document = read(Raw("a.pdf", pdf_of([askew])))
    assert (document.text, document.blocks[0].kind) == ("A line of a page that was scanned askew", BlockKind.PARAGRAPH)


def test_a_turn_of_nothing_that_is_rounded_turns_no_text() -> None:
    near = b"q 1 -0.00000014 -0.00000014 1 0 0 cm BT /F 10 Tf 20 100 Td (Total with tax) Tj ET Q"
    document = read(Raw("a.pdf", pdf_of([near])))
    assert (document.text, document.blocks[0].kind) == ("Total with tax", BlockKind.PARAGRAPH)


UPSIDE_DOWN = b"q -1 0 0 -1 300 200 cm BT /F 10 Tf 20 100 Td (Read me) Tj 0 -12 Td (the other way) Tj ET Q"


def test_a_page_upside_down_is_read_as_if_it_were_not() -> None:
    document = read(Raw("a.pdf", pdf_of([UPSIDE_DOWN + b" BT /F 10 Tf 20 20 Td (Sheet 1) Tj ET"])))
    keeps_its_promises(document)
    shown = {document.text[block.start : block.end]: block for block in document.blocks}
    assert list(shown) == ["Read me\nthe other way", "Sheet 1"]
    assert shown["Sheet 1"].kind is BlockKind.FURNITURE
    (box,) = {region.box for region in shown["Sheet 1"].regions}
    assert (box.x0, box.top) == pytest.approx((20, 172), abs=1)


def test_a_line_upside_down_is_set_aside_in_its_order() -> None:
    level = b" ".join(
        b"BT /F 10 Tf 20 %d Td (Line %d of a level page) Tj ET" % (80 - 12 * row, row) for row in range(5)
    )
    document = read(Raw("a.pdf", pdf_of([UPSIDE_DOWN + b" " + level])))
    (aside,) = (block for block in document.blocks if block.kind is BlockKind.FURNITURE)
    assert document.text[aside.start : aside.end] == "Read me\nthe other way"


@pytest.mark.parametrize("place", [b"20 300", b"20 -30", b"400 100", b"-200 100"])
def test_text_off_the_paper_is_not_read(place: bytes) -> None:
    content = b"BT /F 10 Tf %s Td (beyond the sheet) Tj ET BT /F 10 Tf 20 100 Td (on the sheet) Tj ET" % place
    assert read(Raw("a.pdf", pdf_of([content]))).text == "on the sheet"


def test_a_form_leaves_the_page_as_it_was() -> None:
    forms = {1000: stream(b"", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Matrix [1 0 0 1 500 500]")}
    content = b"/X0 Do BT /F 10 Tf 20 100 Td (after it) Tj ET"
    document = read(Raw("a.pdf", pdf_of([content], more=forms, xobjects=b"/X0 1000 0 R")))
    assert (document.text, round(document.blocks[0].regions[0].box.x0)) == ("after it", 20)


def test_letters_without_widths_do_not_stand_on_each_other() -> None:
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Nowhere >>"
    content = b"BT /F 12 Tf 20 100 Td (test of a non-existant base font) Tj ET"
    assert read(Raw("a.pdf", pdf_of([content], font=font))).text == "test of a non-existant base font"


def test_lines_of_a_column_that_a_third_bridges_are_two() -> None:
    lines = [(20, 100, "first line of this column"), (150, 97, "a line of another"), (20, 94.5, "second line below it")]
    content = " ".join(f"BT /F 6 Tf {x} {y} Td ({words}) Tj ET" for x, y, words in lines)
    found = read(Raw("a.pdf", pdf_of([content.encode()]))).text
    assert "first line of this column" in found
    assert "second line below it" in found
