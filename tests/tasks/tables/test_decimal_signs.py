"""Whether tables write decimals with a comma or a point, by the figures, the language and the file."""

from __future__ import annotations

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.tables.cells import read_cells
from tasks.tables.decimal_signs import has_decimal_comma


def test_figures_that_can_be_read_in_one_way_settle_a_lone_group() -> None:
    assert has_decimal_comma(["1.234", "12,5", "text"])
    assert not has_decimal_comma(["1,234", "12.5"])
    assert not has_decimal_comma(["12,5", "1,234.5"])
    german = ["148.312", "-71.208", "(655)", "7.866"]
    assert has_decimal_comma(german, "de")
    assert not has_decimal_comma(german, "en")
    assert not has_decimal_comma([*german, "38.1"], "de")
    assert not has_decimal_comma(["0.125", "1.250", "80"], "de")
    assert has_decimal_comma(["12.310", "1.204"], "es")
    assert not has_decimal_comma(["1.310", "1.204"], "es")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1.204.300", "1.204"], True),
        (["1.204.300 €", "1.204"], True),
        (["192.168.100.200", "1.204"], False),
        (["0,125", "1.204"], True),
        (["0.125", "1.204", "12.204", "103.204"], False),
    ],
)
def test_several_groups_and_decimals_below_one_are_sure(cells: list[str], expected: bool) -> None:
    assert has_decimal_comma(cells) is expected


def test_no_money_has_three_decimals() -> None:
    assert has_decimal_comma(["10.347 €", "80 €"])
    assert has_decimal_comma(["€ 21.500"])
    assert not has_decimal_comma(["€ 1.749", "€1.799", "CHF 12.345"], "en")
    assert has_decimal_comma(["2.850 €", "80 €"], "de")
    assert has_decimal_comma(["12.500 TEUR"])
    assert has_decimal_comma(["10.347 zł"])
    assert not has_decimal_comma(["1.749 €", "1.799 €"], "en")
    assert not has_decimal_comma(["$ 23.125", "12.500 USD", "12.500 kg"])


FILES = {
    "csv": lambda rows: Raw("a.csv", "\n".join(map(";".join, rows)).encode()),
    "md": lambda rows: Raw(
        "a.md", "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ["---"] * 2, *rows[1:]]).encode()
    ),
}
GERMAN, ENGLISH = ["Filiale", "Umsatz"], ["Store", "Sales"]


@pytest.mark.parametrize(
    ("form", "rows", "value", "is_doubtful"),
    [
        ("csv", [GERMAN, ["Bonn", "1.204"], ["Trier", "2.310"], ["Ulm", "1.877"]], 1204, False),
        ("csv", [GERMAN, ["Bonn", "1.204"], ["Trier", "2.310"]], 1.204, True),
        ("md", [GERMAN, ["Bonn", "1.204"], ["Trier", "2.310"]], 1.204, True),
        ("csv", [ENGLISH, ["Leeds", "1.204"], ["York", "2.310"]], 1.204, True),
        ("md", [ENGLISH, ["Leeds", "1.204"], ["York", "2.310"]], 1.204, False),
        ("csv", [ENGLISH, ["Leeds", "1.204"], ["York", "0.310"], ["Hull", "2.310"]], 1.204, False),
        ("csv", [ENGLISH, ["Leeds", "1.204"], ["York", "12,5"]], 1204, False),
        ("csv", [ENGLISH, ["Leeds", "1.204"], ["York", "12.310"], ["Hull", "103.310"], ["Bath", "950"]], 1204, False),
        ("csv", [ENGLISH, ["Leeds", "1.204"], ["York", "1.5"], ["Hull", "2.310"]], 1.204, False),
    ],
)
def test_where_nothing_says_what_a_point_parts_the_figure_is_in_doubt(
    form: str, rows: list[list[str]], value: float, is_doubtful: bool
) -> None:
    cell = next(cell for cell in read_cells(read(FILES[form](rows)), ()) if cell.text == "1.204")
    assert cell.value == value
    assert ("point may part thousands" in cell.doubt) is is_doubtful
