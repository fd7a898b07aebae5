"""Headers over several columns that are set flush right or centred over them: none of their words is cut off."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from tasks.tables.cells import read_cells
from tests.tasks.parsers.drawn_pdf import Drawing, rows

_FIRST_EDGE = 300  # Points from the left at which the first column of figures ends.


def place(text: str, left: float, right: float, *, is_centred: bool) -> float:
    width = stringWidth(text, "Helvetica", 10)
    return (left + right - width) / 2 if is_centred else right - width


SHORT = [
    "1. Halbjahr {}",
    "3. Quartal {}",
    "H1 {}",
    "1er semestre {}",
    "Geschäftsjahr {}",
    "1. Hj. {}",
    "März {}",
    "9M {}",
]
LONG = ["Six months ended 30 June {}", "Trimestre al 30 junio {}"]  # Two of these side by side would overlap.


@pytest.mark.parametrize(("head", "groups"), [*((head, 2) for head in SHORT), *((head, 1) for head in SHORT + LONG)])
@pytest.mark.parametrize("step", [60, 75])
@pytest.mark.parametrize("is_centred", [False, True])
def test_a_header_over_two_columns_stays_whole(head: str, step: int, is_centred: bool, groups: int) -> None:
    heads = [head.format(2024 - group) for group in range(groups)]
    edges = [_FIRST_EDGE + step * number for number in range(2 * groups)]
    texts = []
    for group, text in enumerate(heads):
        right = edges[2 * group + 1]
        texts.append((place(text, right - 2 * step + 20, right, is_centred=is_centred), 100.0, text))
    lines = [
        ["", *["Ist", "Plan"] * groups],
        ["Umsatz", *[f"1,{number}00" for number in range(2 * groups)]],
        ["Materialaufwand", *[f"2,{number}00" for number in range(2 * groups)]],
        ["Ergebnis", *[f"3,{number}00" for number in range(2 * groups)]],
    ]
    document = Drawing().page([*texts, *rows(114, *lines, edges=(72, *(-edge for edge in edges)))]).read()
    found = {cell.text: cell.column_header for cell in read_cells(document, ())}
    for number in range(2 * groups):
        assert found[f"1,{number}00"] == f"{heads[number // 2]} / {('Ist', 'Plan')[number % 2]}"


def test_titles_of_columns_that_are_no_phrase_stay_apart() -> None:
    lines = [
        ["", "Budget", "2024"],
        ["Sales", "1,200", "1,300"],
        ["Costs", "1,100", "1,150"],
        ["Profit", "100", "150"],
    ]
    document = Drawing().page(rows(114, *lines, edges=(72, -300, -345))).read()
    assert document.tables[0].rows[0] == ("", "Budget", "2024")
