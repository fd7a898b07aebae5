"""Tables whose cells are words, and what has words in columns and is no table."""

from __future__ import annotations

from tests.tasks.parsers.drawn_pdf import Drawing, Text, prose

EXHIBITS = [
    ("10.1", "The rules by which the fleet is paid for its catch of cod"),
    ("10.2", "An agreement with the harbour of Bergen about the use of quays"),
    ("10.3", "Letters of the owners to the masters of all of their ships"),
    ("11.1", "A list of the ships that were sold in the course of the year"),
]


def listed(entries: list[tuple[str, str]], top: float = 200) -> list[Text]:
    return [
        (x, top + 14 * row, text) for row, entry in enumerate(entries) for x, text in zip((72, 150), entry, strict=True)
    ]


def test_numbers_and_long_texts_under_a_header_are_a_table() -> None:
    head = ("Exhibit No.", "Description of Exhibit")
    document = Drawing().page([*prose(72, 4), *listed([head, *EXHIBITS]), *prose(400, 4)]).read()
    assert document.tables[0].rows == (head, *EXHIBITS)


def test_a_numbered_list_without_a_header_is_none() -> None:
    entries = [(f"{number}.", text) for number, (_, text) in enumerate(EXHIBITS, start=1)]
    assert not Drawing().page([*prose(72, 4), *listed(entries), *prose(400, 4)]).read().tables


def test_two_columns_of_prose_under_titles_are_none() -> None:
    left = prose(114, 9, 60, "Words on the left that fill the line")
    right = prose(114, 9, 330, "Words on the right that fill the line")
    assert not Drawing().page([(60, 100, "The ships"), (330, 100, "The crews"), *left, *right]).read().tables


def test_prose_that_wraps_in_a_cell_does_not_part_the_page() -> None:
    head = [(60, 200, "Reference"), (130, 200, "Title of the measure"), (380, 200, "Authority"), (490, 200, "Status")]
    rows = [
        (x, 200 + 26 * row, text)
        for row in range(1, 8)
        for x, text in (
            (60, f"M{row:02}"),
            (130, "All ships have to tell the harbour what they"),
            (380, "Ministry of the Fleet"),
            (490, "Under way"),
        )
    ]
    ends = [(130, 212 + 26 * row, "have caught and where they did so") for row in range(1, 8)]
    table = Drawing().page([*prose(72, 4), *head, *rows, *ends, *prose(500, 4)]).read().tables[0]
    assert len(table.rows) == 8
    whole = "All ships have to tell the harbour what they have caught and where they did so"
    assert table.rows[1] == ("M01", whole, "Ministry of the Fleet", "Under way")


def test_a_formula_with_a_number_is_no_row() -> None:
    contents = [(72, 100 + 14 * row, f"Chapter {row}") for row in range(1, 9)]
    pages = [(500, 100 + 14 * row, f"{7 * row}") for row in range(1, 9)]
    formula = [(200, 240, "y = (a + 3x) / (1 - x)"), (500, 240, "(1)")]
    assert not Drawing().page([*contents, *pages, *formula]).read().tables
