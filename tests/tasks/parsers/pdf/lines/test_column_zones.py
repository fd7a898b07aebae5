"""Blocks of text side by side: résumés, letters with particulars, newspapers, and the tables that they are not."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

from tasks.parsers.pdf.lines.column_zones import find_zones
from tasks.parsers.pdf.lines.word_builder import PageWord
from tests.tasks.parsers.drawn_pdf import Drawing, Text
from warehouse.records import Document

_SKILLS = ("Anna Berg", "Berlin", "", "Skills", "Python and SQL", "Statistics", "", "Languages", "German, English")
_WORK = (
    "Experience of nine years in research and trade",
    "Data scientist at Acme in Berlin since March 2019",
    "built a service that plans what is stored where",
    "and led a group of four people for three years",
    "Analyst at Beta Bank in Hamburg from 2015 to 2019",
    "wrote the reports on risks in every quarter",
    "Education in statistics at two universities",
)


def _stack(x: float, top: float, pitch: float, lines: tuple[str, ...]) -> list[Text]:
    """Lines below each other; empty ones are blank."""
    return [(x, top + number * pitch, line) for number, line in enumerate(lines) if line]


def _flat(document: Document) -> str:
    return " ".join(document.text.split())


def _in_order(document: Document, *texts: str) -> bool:
    places = [_flat(document).index(text) for text in texts]
    return all(before < after for before, after in pairwise(places))


def test_a_side_bar_is_read_before_what_stands_beside_it() -> None:
    found = Drawing().page([*_stack(72, 100, 12.3, _SKILLS), *_stack(220, 103, 15.1, _WORK)]).read()
    assert _in_order(found, "Anna Berg Berlin", "Skills Python and SQL Statistics", *_WORK)


def test_an_address_stands_beside_the_particulars_of_an_invoice_above_its_items() -> None:
    address = _stack(72, 100, 11.5, ("Jane Miller", "Acme Corporation", "500 Market Street", "San Francisco"))
    particulars = (("Invoice number", "2024-0117"), ("Invoice date", "15 March 2024"), ("Due date", "14 April 2024"))
    beside = [
        (x, 104 + 15.3 * number, text)
        for number, pair in enumerate(particulars)
        for x, text in zip((330, 430), pair, strict=True)
    ]
    items = (("Description", "Quantity", "Amount"), ("Hosting", "3", "147.00"), ("Consulting", "12", "1,140.00"))
    table = [
        (x, 190 + 16 * n, text) for n, row in enumerate(items) for x, text in zip((72, -400, -520), row, strict=True)
    ]
    found = Drawing().page([*address, *beside, *table]).read()
    assert _in_order(found, "Jane Miller Acme Corporation 500 Market Street San Francisco", "2024-0117", "Description")
    assert ("Consulting", "12", "1,140.00") in found.tables[-1].rows


def test_columns_of_a_newspaper_need_no_level_lines() -> None:
    lines = tuple(f"column {{0}} has a line {number} of running text in it" for number in range(12))
    texts: list[Text] = []
    for number, (pitch, top) in enumerate(((11.0, 100.0), (12.7, 104.5), (11.9, 107.0))):
        texts += _stack(40 + 182 * number, top, pitch, tuple(line.format(number) for line in lines))
    found = Drawing().page(texts, size=7.5).read()
    assert _in_order(found, *(line.format(number) for number in range(3) for line in lines))


def test_cells_of_several_lines_stay_those_of_a_table() -> None:
    cells = (
        (("Water the plants",), ("twice a week in summer and", "once a week in winter")),
        (("Feed the old", "cat of the house"), ("only in the morning",)),
        (("Close all windows",), ("before leaving, and also", "whenever the wind rises", "over the hills")),
    )
    texts: list[Text] = [(72, 100, "Duty"), (250, 100, "When it is done")]
    top = 120.0
    for left, right in cells:
        texts += [*_stack(72, top, 12, left), *_stack(250, top, 12, right)]
        top += 12 * max(len(left), len(right)) + 8
    found = Drawing().page(texts).read()
    assert _in_order(found, "Water the plants", "once a week in winter", "Feed the old", "Close all windows")


def test_header_lines_that_are_not_level_head_the_figures_below_them() -> None:
    header = [
        *_stack(250, 100, 12, ("Common", "stock of", "the group")),
        *_stack(350, 104, 12, ("All", "other", "kinds")),
    ]
    labels = _stack(72, 100, 11, ("In millions", "of euros,", "not audited"))
    body = [
        (x, 140 + 14 * n, text)
        for n, row in enumerate((("Opening", "218", "22"), ("Change", "12", "3"), ("Closing", "230", "25")))
        for x, text in zip((72, -290, -380), row, strict=True)
    ]
    found = Drawing().page([*labels, *header, *body]).read()
    (table,) = found.tables
    assert table.rows[-1] == ("Closing", "230", "25")
    assert "Common" in " ".join(table.rows[0])


def test_blocks_of_thousands_of_lines_are_parted_in_linear_time() -> None:
    words = [
        PageWord("word", x, x + 40, top := 9.7 * number + shift, top + 9, size=9.0, bold=False)
        for number in range(5_000)
        for x, shift in ((40.0, 0.0), (85.0, 0.0), (200.0, 4.1), (245.0, 4.1))
    ]
    start = process_time()
    zones = find_zones(words)
    assert process_time() - start < 10
    assert [len(zone) for zone in zones] == [10_000, 10_000]


def test_columns_of_prose_a_font_size_apart_go_on_below_a_gap() -> None:
    """LaTeX sets two columns of 10 pt type 10 pt apart, with tables and headings at other heights on either side."""
    words = "the nurses walked with them twice every day until they left the old hospital by"
    table = _stack(330, 83, 12, ("Group      Days", "Early       8.1", "Usual     10.4"))
    left = [(51, 84 + 12 * n, f"{words[: 52 - n % 3]}") for n in range(34)]
    right = [(311, 132 + 12 * n, f"{words[: 52 - n % 4]}") for n in range(26)]
    foot = [(51, 530, "3 Results"), *((51, 550 + 12 * n, f"after {words[:45]}") for n in range(5))]
    found = Drawing().page([*left, *foot, *table, *right]).read()
    text = _flat(found)
    assert text.index("3 Results") < text.index("Group")
    assert text.rindex("after the nurses") < text.index("Group")
