"""Tables that stand side by side, in each format that has no cells of its own, and tables that only look so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

import pytest

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tests.tasks.parsers.drawn_pdf import Drawing, Text
from tests.tasks.parsers.promises import keeps_its_promises
from tests.tasks.parsers.raw_docx import p, package, tc
from tests.tasks.parsers.raw_docx import table as word_table
from warehouse.records import Document

Rows = list[list[str]]


def split(text: str) -> Rows:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


REGIONS = split("Region|2023|2022\nNorth|1,200|1,100\nSouth|900|870\nWest|450|430\nTotal|2,550|2,400")
PRODUCTS = split("Product|Q1 2024|Q2 2024\nWidgets|340|355\nGadgets|120|130\nGizmos|95|99\nBolts|11|15\nTotal|566|599")
ASSETS = split("Assets|2023|2022\nProperty|1,200|1,100\nCash|450|430\nTotal assets|1,650|1,530")
DEBTS = split("Liabilities|2023|2022\nReserves|700|650\nLoans|900|850\nOther|50|30\nTotal liabilities|1,650|1,530")
BOLTS = split("Item|Units|Price\nBolt|12|1.20\nNut|13|0.30\nScrew|40|0.25")
NAILS = split("Item|Units|Price\nNail|900|0.02\nHinge|70|2.40\nKnob|33|3.10\nHook|12|0.80")
MONTHS = split("Team|Jan|Feb\nRed|1|2\nBlue|3|4\nGreen|5|6")
PAIRS = [(REGIONS, PRODUCTS), (PRODUCTS, REGIONS), (ASSETS, DEBTS), (BOLTS, NAILS), (MONTHS, PRODUCTS)]


def write_text(tables: Sequence[Rows], titles: Sequence[str]) -> Document:
    sides = []
    for number, rows in enumerate(tables):
        widths = [max(map(len, column)) + 3 for column in zip(*rows, strict=True)]
        lines = [row[0].ljust(widths[0]) + "".join(map(str.rjust, row[1:], widths[1:])) for row in rows]
        sides.append([line.ljust(sum(widths)) for line in (*titles[number : number + 1], *lines)])
    blanks = [" " * len(side[0]) for side in sides]
    joined = [
        (" " * 9).join(part or blank for part, blank in zip(parts, blanks, strict=True)).rstrip()
        for parts in zip_longest(*sides)
    ]
    return read(Raw("a.txt", "\n".join(["Our figures", "", *joined, "", "This is the end of it.", ""]).encode()))


def write_csv(tables: Sequence[Rows], titles: Sequence[str]) -> Document:
    tall = max(map(len, tables))
    sides = [
        [*([[title, *[""] * (len(rows[0]) - 1)]] if (title := titles[number] if titles else "") else []), *rows]
        + [[""] * len(rows[0])] * (tall - len(rows))
        for number, rows in enumerate(tables)
    ]
    lines = [[cell for part in parts for cell in (*part, "")][:-1] for parts in zip(*sides, strict=True)]
    return read(Raw("a.csv", "\n".join(";".join(line) for line in lines).encode()))


def write_pdf(tables: Sequence[Rows], titles: Sequence[str]) -> Document:
    texts: list[Text] = [(60, 80, "Our figures of the years are told in what stands below, each with its own words.")]
    left, scale = 60.0, 1 if len(tables) < 3 else 0.7  # so that three are no wider than the page
    for number, rows in enumerate(tables):
        texts += [(left, 110, title) for title in titles[number : number + 1]]
        for place, row in enumerate(rows):
            texts.append((left, 125 + 15 * place, row[0]))
            texts += [(-(left + scale * (85 + 45 * at)), 125 + 15 * place, cell) for at, cell in enumerate(row[1:], 1)]
        left += scale * (85 + 45 * (len(rows[0]) - 1) + 40)
    return read(Raw("a.pdf", Drawing().page(texts, size=9 * scale).data()))


WRITERS = [write_text, write_csv, write_pdf]
Writer = Callable[[Sequence[Rows], Sequence[str]], Document]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("titles", [(), ("By place", "By kind")])
@pytest.mark.parametrize("pair", PAIRS)
def test_each_of_two_tables_is_one(pair: tuple[Rows, Rows], titles: Sequence[str], write: Writer) -> None:
    document = write(pair, titles)
    keeps_its_promises(document)
    assert [[list(row) for row in table.rows] for table in document.tables] == list(pair)
    assert [table.header_rows for table in document.tables] == [1, 1]
    assert all(title in document.text for title in titles)


@pytest.mark.parametrize("write", WRITERS)
def test_each_of_three_tables_is_one(write: Writer) -> None:
    three = [MONTHS, ASSETS, DEBTS]
    assert [[list(row) for row in table.rows] for table in write(three, ()).tables] == three


ONE = [
    "Item|Units|Currency|Price\nBolt|12|EUR|1.20\nNut|13|EUR|0.30\nScrew|40|USD|0.25\nNail|7|EUR|0.10",
    "Name|Age|City|Salary\nAnn|41|Oslo|4,100\nBob|35|Rome|3,900\nEve|29|Bern|5,200",
    "Firm|2022|2023|Seat|Staff\nAcme|1,200|1,300|Oslo|410\nBolt|900|870|Rome|39\nCask|450|430|Bern|520",
    "Firm|2022|Unit|2023\nAcme|1,200|EUR m|1,300\nBolt|900|EUR m|870\nCask|450|USD m|430\nDome|90|EUR m|80",
    "Segment|2023|2022|Change\nNorth|1,200|1,100|9%\nSouth|900|870|3%\nTotal|2,100|1,970|7%",
]

YEARS = [
    (split("|2023|2022\nAssets||\nCash|450|430\nStock|900|870\nTotal|1,350|1,300"),
     split("|2023|2022\nDebts||\nLoans|900|850\nReserves|700|650\nTotal|1,600|1,500")),
    (split("|2023|2022\nKasse|450|430\nVorräte|900|870\nSumme|1.350|1.300"),
     split("|2023|2022\nKredite|900|850\nRücklagen|700|650\nSumme|1.600|1.500")),
    (split("|Q1|Q2\nSales|450|430\nOther|900|870"), split("|Q1|Q2\nWages|900|850\nRent|700|650")),
]  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("pair", YEARS)
def test_labels_may_have_no_header(pair: tuple[Rows, Rows], write: Writer) -> None:
    tables = write(pair, ()).tables
    assert [[list(row) for row in table.rows] for table in tables] == list(pair)


def test_the_title_of_all_is_that_of_each_table_of_a_csv() -> None:
    text = "Balance sheet,,,,,,\n,2023,2022,,,2023,2022\nAssets,,,,Liabilities,,\nCash,4,3,,Loans,9,8\nOil,9,8,,Tax,7,6"
    tables = read(Raw("a.csv", text.encode())).tables
    assert [table.caption for table in tables] == ["Balance sheet"] * 2
    assert [table.rows[1][0] for table in tables] == ["Assets", "Liabilities"]


@pytest.mark.parametrize(
    "text",
    [
        "Region,2023,2022,,Change,Share\nNorth,1,2,,3,4\nSouth,1,2,,3,4\nTotal,1,2,,3,4",
        ",2023,2022,,2023,2022\nNorth,1,2,,3,4\nSouth,1,2,,3,4\nTotal,1,2,,3,4",
        "Sales,,,,,\n,2023,,2022,,Change\nNorth,1,,3,,4\nSouth,1,,3,,4\nTotal,1,,3,,4",
    ],
)
def test_a_blank_column_among_the_figures_of_one_table_parts_nothing(text: str) -> None:
    (table,) = read(Raw("a.csv", text.encode())).tables
    assert [row[0] for row in table.rows][-3:] == ["North", "South", "Total"]


def write_cells_as_html(rows: Rows) -> Raw:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return Raw("a.html", f"<p>Text</p><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>".encode())


def write_cells_as_markdown(rows: Rows) -> Raw:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return Raw("a.md", "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]).encode())


def write_cells_as_csv(rows: Rows) -> Raw:
    return Raw("a.csv", "\n".join(";".join(row) for row in rows).encode())


def write_cells_as_word(rows: Rows) -> Raw:
    return Raw("a.docx", package(word_table(*([tc(p(cell)) for cell in row] for row in rows))))


CELLS = [write_cells_as_html, write_cells_as_markdown, write_cells_as_csv, write_cells_as_word]
CellWriter = Callable[[Rows], Raw]


@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize("pair", [*YEARS, (ASSETS, DEBTS[:4])])
def test_the_sides_of_one_grid_of_cells_are_each_a_table(pair: tuple[Rows, Rows], write: CellWriter) -> None:
    document = read(write([[*left, *right] for left, right in zip(*pair, strict=True)]))
    keeps_its_promises(document)
    assert [[list(row) for row in table.rows] for table in document.tables] == [list(side) for side in pair]


@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize(
    "text",
    [*ONE, "Home|Goals|Away|Goals\nAjax|2|PSV|1\nLeeds|0|Derby|0\nRoma|3|Lazio|2", "A|2023|B|2022\nx|1|y|2\nz|3|w|4"],
)
def test_cells_of_one_table_stay_one(text: str, write: CellWriter) -> None:
    (table,) = read(write(split(text))).tables
    assert [list(row) for row in table.rows] == split(text)


ONE_PAIRS = [
    "Invoice number|123\nDue date|5 May 2024\nCustomer|Acme Ltd\nAmount due|1,200.50",
    "Customer|Acme Ltd\nInvoice no.|123\nDate|5 May 2024\nTotal|€ 1,200",
    "Rechnungsnummer|2024-17\nRechnungsdatum|05.05.2024\nKunde|Müller GmbH\nBetrag|1.200,50 €",
    "Nombre|Ana Pérez\nFecha de nacimiento|3 de mayo de 1980\nTeléfono|555 12 34\nCiudad|Madrid",
    "N° de facture|F-2024-001\nDate|5 mai 2024\nMontant TTC|1 200,50 €\nClient|Dupont SA",
    "姓名|张三\n日期|2024年5月3日\n金额|1200\n地址|北京",
    "Modell|X200\nGewicht|3 kg\nFarbe|rot",
    "Founded|1987\nHeadquarters|Oslo\nEmployees|1,200\nCEO|Ann Berg",
    "Name:|Anna\nTown:|Oslo",
    "Order date|2024-03-12\nCustomer|Meier",
    "Invoice no.|2024\nInvoice date|5 April 2024\nTotal|12.50",
]
HEADED = [
    "Item|2023\nAuditor|KPMG\nEmployees|120\nOffices|3",
    "Region|Sales\nNorth|1200\nSouth|n/a\nEast|4",
    "Field|Value\nName|Anna\nDate|5 May 2024\nAmount|12",
    "Kennzahl|2023\nUmsatz|12 Mio.\nMitarbeiter|150\nSitz|Köln",
    "Invoice|Amount\nA-1|12\nA-2|15\nTotal|27",
    "Period|Q1 2024\nTotal sales|100\nTax|20\nAmount due|80",
    "Model|Accuracy\nModel A|0.5\nModel B|0.7",
    "Player|Game 1\nAnn|12\nBob|injured\nCy|7",
    "Country|Capital\nFrance|Paris\nSpain|Madrid",
    "Account|Opening balance\nCash account|12\nTax account|15\nBank account|3",
    "Account|EUR 000\nCash|12\nBank|15\nOther|n/a",
    "Name|Status\nAnn|open\nBob|since 5 May\nCy|3 days",
]


@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize("text", ONE_PAIRS)
def test_names_and_values_have_no_header(text: str, write: CellWriter) -> None:
    (table,) = read(write(split(text))).tables
    assert [list(row) for row in table.rows] == split(text)
    assert table.header_rows == 0


@pytest.mark.parametrize("write", CELLS)
@pytest.mark.parametrize("text", HEADED)
def test_a_row_that_heads_two_columns_is_their_header(text: str, write: CellWriter) -> None:
    (table,) = read(write(split(text))).tables
    assert table.header_rows == 1


@pytest.mark.parametrize("write", CELLS)
def test_names_and_values_in_four_columns_are_two_tables(write: CellWriter) -> None:
    left, right = split(ONE_PAIRS[0]), split(ONE_PAIRS[3])
    document = read(write([[*one, *other] for one, other in zip(left, right, strict=True)]))
    keeps_its_promises(document)
    assert [[list(row) for row in table.rows] for table in document.tables] == [left, right]
    assert [table.header_rows for table in document.tables] == [0, 0]


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("text", ONE)
def test_a_column_of_words_among_figures_begins_no_table(text: str, write: Writer) -> None:
    (table,) = write([split(text)], ()).tables
    assert [list(row) for row in table.rows] == split(text)


def test_a_blank_column_alone_parts_no_list() -> None:
    text = "Name,Age,,City,Zip\nAnn,41,,Oslo,0150\nBob,35,,Rome,4001\nEve,29,,Bern,3000\n"
    (table,) = read(Raw("a.csv", text.encode())).tables
    assert table.rows[0] == ("Name", "Age", "City", "Zip")


@pytest.mark.parametrize("pitch", [14.0, 16.5, 19.0])
@pytest.mark.parametrize("lower", [0.0, 4.0, 7.0, 11.0, 30.0])
def test_tables_in_a_pdf_whose_lines_are_not_level_are_each_one(lower: float, pitch: float) -> None:
    texts: list[Text] = [(60, 80, "Our figures of the years are told in what stands below, each with its own words.")]
    for rows, left, first, step in ((DEBTS, 60.0, 125.0, 14.0), (PRODUCTS, 310.0, 125.0 + lower, pitch)):
        for place, row in enumerate(rows):
            texts.append((left, first + step * place, row[0]))
            texts += [(-(left + 85 + 45 * at), first + step * place, cell) for at, cell in enumerate(row[1:], 1)]
    tables = read(Raw("a.pdf", Drawing().page(texts, size=9).data())).tables
    assert [[list(row) for row in table.rows] for table in tables] == [DEBTS, PRODUCTS]


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("rows", [(50, 45), (45, 50), (48, 48), (110, 100)])
def test_sides_go_on_over_the_next_pages(rows: tuple[int, int], repeated: bool) -> None:
    sides = [
        [
            [name, "2023", "2022"],
            *([f"{name[:5]} item {at}", f"{first + at:,}", f"{900 + at:,}"] for at in range(number)),
        ]
        for name, number, first in zip(("Assets", "Liabilities"), rows, (2000, 5000), strict=True)
    ]
    drawing = Drawing()
    for page in range(-(-max(map(len, sides)) // 40)):
        texts: list[Text] = [(60, 60, "Our figures of the years are told in what stands below.")] if not page else []
        for left, side in zip((60.0, 320.0), sides, strict=True):
            shown = [*side[:1] * (repeated and page > 0), *side[page * 40 : page * 40 + 40]]
            for place, row in enumerate(shown if len(shown) > repeated * (page > 0) else []):
                texts.append((left, 80 + 15 * place, row[0]))
                texts += [(-(left + 95 + 50 * at), 80 + 15 * place, cell) for at, cell in enumerate(row[1:], 1)]
        drawing = drawing.page(texts, size=9)
    document = read(Raw("a.pdf", drawing.data()))
    keeps_its_promises(document)
    assert [[list(row) for row in table.rows] for table in document.tables] == sides
