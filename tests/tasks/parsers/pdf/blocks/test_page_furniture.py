"""Running heads, feet and page numbers are set aside, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose
from warehouse.records import BlockKind, Document

WORDS = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "willow"]


def book(pages: int, head: Callable[[int], list[Text]], top: float = 84) -> Document:
    """A book whose pages, from 0, have a head of their own and nothing else in common."""
    drawing = Drawing()
    for page in range(pages):
        body = [f"{WORDS[page % 12]} {WORDS[(page + row) % 12]} and whatever else was grown there" for row in range(9)]
        drawing.page([*head(page), *((72, top + 13 * row, words) for row, words in enumerate(body))])
    return drawing.read()


def aside(document: Document) -> list[str]:
    blocks = (block for block in document.blocks if block.kind is BlockKind.FURNITURE)
    return [line for block in blocks for line in document.text[block.start : block.end].split("\n")]


def test_heads_that_change_with_the_chapter() -> None:
    chapters = ["Income", "Prices", "Labour", "Trade"]
    found = book(12, lambda page: [(72, 60, f"{chapters[page // 3]} and related statistics")])
    assert aside(found) == [f"{chapters[page // 3]} and related statistics" for page in range(12)]


def test_heads_of_left_and_right_pages() -> None:
    found = book(8, lambda page: [(72, 60, f"{page + 5} The year in review" if page % 2 else f"Trees {page + 5}")])
    assert len(aside(found)) == 8


def test_a_head_with_its_pages_number_that_comes_once() -> None:
    found = book(8, lambda page: [(72, 60, f"{page + 5} {WORDS[page]} and its uses")])
    assert aside(found) == [f"{page + 5} {WORDS[page]} and its uses" for page in range(8)]


def test_pages_numbered_in_roman() -> None:
    assert aside(book(4, lambda page: [(300, 770, ["i", "ii", "iii", "iv"][page])])) == ["i", "ii", "iii", "iv"]


def test_lines_of_text_that_differ_in_numbers_only_are_no_heads() -> None:
    found = book(6, lambda page: [(72, 58 + 13 * row, f"In year {page} of {row} the trees stood") for row in range(2)])
    assert aside(found) == []


def test_a_long_line_that_every_page_has_is_text_unless_it_stands_apart() -> None:
    words = "The agency collects these data from a sample of all establishments each month"
    assert aside(book(4, lambda _: [(72, 71, words)])) == []
    assert aside(book(4, lambda _: [(72, 55, words)])) == [words] * 4


@pytest.mark.parametrize("name", ["Chapter {}", "Question {}", "Week {}: plan", "Day {}", "Annex B{}"])
@pytest.mark.parametrize("step", [1, 3])
def test_headings_that_count_stay_at_the_top_of_pages(name: str, step: int) -> None:
    drawing = Drawing()
    for page in range(6):
        body = [(72, 110 + 13 * row, f"{WORDS[page + row]} and so on", "Helvetica", 10) for row in range(6)]
        drawing.styled((72, 70, name.format(step * page + 1), "Helvetica", 14), *body)
    found = drawing.read()
    assert aside(found) == []
    assert [block.section[-1] for block in found.blocks if block.kind is BlockKind.HEADING] == [
        name.format(step * page + 1) for page in range(6)
    ]


@pytest.mark.parametrize("name", ["Page {}", "Report, page {} of 6", "Seite {}", "{}"])
def test_numbers_of_pages_are_set_aside_in_any_size(name: str) -> None:
    drawing = Drawing()
    for page in range(6):
        body = [(72, 110 + 13 * row, f"{WORDS[page + row]} and so on", "Helvetica", 10) for row in range(6)]
        drawing.styled((72, 70, name.format(page + 1), "Helvetica", 14), *body)
    assert aside(drawing.read()) == [name.format(page + 1) for page in range(6)]


def test_headings_at_the_top_of_pages_stay() -> None:
    found = book(6, lambda page: [(72, 60, f"About {WORDS[page]}")])
    assert aside(found) == []
    assert all(f"About {words}" in found.text for words in WORDS[:6])


def test_a_title_at_the_top_of_a_single_page_stays() -> None:
    assert aside(Drawing().page([(72, 60, "Trees"), *prose(84, 9)]).read()) == []


def test_the_last_word_of_a_page_is_no_page_number() -> None:
    body = prose(84, 9)
    last = body[-1][1] + 13
    for word, expected in (("2023.", []), ("12", ["12"])):
        assert aside(Drawing().page([*body, (72, last, word)]).read()) == expected


def test_plain_heads_and_feet_of_two_pages() -> None:
    found = book(2, lambda _: [(72, 45, "Annual accounts of the parish"), (72, 750, "Adopted by the council")])
    assert sorted(aside(found)) == sorted(["Annual accounts of the parish", "Adopted by the council"] * 2)


def test_a_title_in_large_print_on_both_of_two_pages_stays() -> None:
    drawing = Drawing()
    for page in range(2):
        body = [(72, 130 + 13 * row, f"{WORDS[page + row]} and so on", "Helvetica", 10) for row in range(9)]
        drawing.styled((72, 84, "Programme of the day", "Helvetica", 18), *body)
    assert aside(drawing.read()) == []


def test_lines_of_text_in_narrow_margins_are_text() -> None:
    """Browsers print with margins of ten millimetres, and put the address and the number of the page into them."""

    def page_text(page: int) -> list[Text]:
        lines = [(36, 39 + 13 * row, f"{page * 60 + row} of {WORDS[(page + row) % 12]} were cut") for row in range(56)]
        return [(24, 22, "11/28/26, 1:15 AM"), *lines, (24, 776, f"https://example.org/trees {page + 1}/3")]

    drawing = Drawing()
    for page in range(3):
        drawing.page(page_text(page))
    found = drawing.read()
    assert all("were cut" not in line for line in aside(found))
    assert len(aside(found)) == 6
