"""What figures are counted in: statements around a table, rows that they do not hold for, and doubts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.tables.cells import read_cells as cells_of
from tasks.tables.frames import FigureKind, classify_measure
from tasks.tables.numbers import Scale, find_scale
from tasks.tables.totals import find_totals
from tests.tasks.documents import Draft
from warehouse.records import Cell, Document

ROWS = [["", "2023", "2022"], ["Net sales", "$52,604", "$50,046"], ["Merchandise costs", "46,023", "44,102"]]


def cells(document: Document) -> dict[str, Cell]:
    return {cell.text: cell for cell in cells_of(document, find_totals(document))}


def paged(draft: Draft) -> Document:
    """The document with all its blocks and tables on page 1."""
    document = draft.document()
    return replace(document, blocks=tuple(replace(block, page=1) for block in document.blocks))


@pytest.mark.parametrize(
    ("text", "money", "shares", "other"),
    [
        ("in millions, except number of shares, which are reflected in thousands, and per share amounts", 6, 3, 6),
        ("Dollars in millions and shares in thousands", 6, 3, None),
        ("(in thousands, except share and per share data)", 3, 0, 3),
        ("(shares in thousands, except per share data)", None, 3, None),
        ("$ and shares in millions, except per share amounts", 6, 6, None),
        ("All figures in USD ‘000, except TCE rate per day", 3, None, None),
        ("Repurchase of shares (in millions)", 6, 6, 6),
        ("Rs. crore", 7, None, None),
        ("In Rs. Lakhs", 5, None, None),
        ("RM'000", 3, None, None),
        ("MSEK", 6, None, None),
        ("TEUR", 3, None, None),
        ("Miles de euros", 3, None, None),
        ("Migliaia di euro", 3, None, None),
        ("(€ x 1.000)", 3, None, None),
        ("× € 1.000", 3, None, None),
        ("Euro migliaia", 3, None, None),
        ("bedragen x € 1.000", 3, None, None),
        ("in k€", 3, None, None),
        ("R million", 6, None, None),
        ("(RMB in 100 millions)", 8, None, None),
        ("人民币亿元", 8, None, None),
        ("万股", None, 4, None),
        ("产量（万吨）", None, None, 4),
    ],
)
def test_each_kind_of_figure_has_a_scale_of_its_own(
    text: str, money: int | None, shares: int | None, other: int | None
) -> None:
    found = find_scale(text)
    assert found == Scale(money, shares, other, found.exempt if found else ())


@pytest.mark.parametrize(
    ("label", "measure"),
    [
        ("Shares used to compute basic net income per share", FigureKind.SHARES),
        ("Weighted average number of ordinary shares for basic earnings per share", FigureKind.SHARES),
        ("Net income used in computing diluted EPS", FigureKind.AMOUNT),
        ("Common stock, par value 1²/₃¢ per share (authorized 3,600 shares)", FigureKind.AMOUNT),
        ("EBITDA, EBIT, Net income and EPS", FigureKind.AMOUNT),
        ("% growth - EBITDA, net income and EPS", FigureKind.PERCENT),
        ("Cash dividends declared ($.25 per share)", FigureKind.AMOUNT),
        ("Dividends declared per share", FigureKind.PER),
        ("Held to maturity", FigureKind.AMOUNT),
        ("Short-term borrowings, by original maturity:", FigureKind.AMOUNT),
        ("Ordinary shares", FigureKind.AMOUNT),
        ("Weighted average grant date fair value", FigureKind.PER),
    ],
)
def test_rows_that_speak_of_shares(label: str, measure: FigureKind) -> None:
    assert classify_measure(label) is measure


@pytest.mark.parametrize(
    "draft",
    [
        Draft()
        .heading("Condensed Consolidated Statements of Income")
        .paragraph("(dollars in millions)")
        .paragraph("(unaudited)"),
        Draft().heading("STATEMENTS OF INCOME (in millions, except per share data)").heading("Unaudited"),
        Draft().paragraph("The table presents our sales (in millions).").paragraph("(unaudited)"),
        Draft()
        .paragraph("All amounts are in millions of U.S. dollars unless otherwise stated.")
        .paragraph("Prose. " * 40),
        Draft()
        .furniture("NOTES TO CONSOLIDATED FINANCIAL STATEMENTS (in millions, except share data)")
        .paragraph("A. " * 99),
        Draft()
        .paragraph("ACME CORP. NOTES TO FINANCIAL STATEMENTS (Tabular amounts in millions)")
        .paragraph("A. " * 99),
        Draft().heading("Income (in millions)").table([["", "2021"], ["Net sales", "$7"]]),
    ],
)
def test_a_statement_is_found_wherever_filings_put_it(draft: Draft) -> None:
    found = cells(paged(draft.table(ROWS)))
    assert {(found[text].value, found[text].doubt) for text in ("$52,604",)} == {(52_604e6, "")}
    assert found["44,102"].scale == 1e6


STATED = """
    The following information is presented in thousands of euros.|(Angaben in Tausend Euro)|
    Alle Angaben in Tausend Euro.|Die Beträge sind in Tausend Euro angegeben.|
    Alle Beträge verstehen sich in TEUR, sofern nicht anders angegeben.|
    Tous les montants sont exprimés en milliers d’euros.|(en milliers d’euros)|
    Les données sont présentées en milliers d’euros, sauf indication contraire.|
    Los importes se expresan en miles de euros.|(Importes en miles de euros)|
    Gli importi sono espressi in migliaia di euro.|Valores em milhares de euros|Bedragen in duizenden euro's|
    单位：千欧元|以下金额以千欧元列示。|除特别说明外，本表金额单位为千欧元。|
    We tell of our sales. Amounts in the table are stated in thousands of euros, except per share data.|
    In thousands of euros, the results were as follows.|All figures in the table are rounded to thousand euros.|
    The table shows our sales (in thousands of euros) by year."""
UNSTATED = """
    Sales rose by several million euros compared with the year before.|Our users are counted in millions of people.|
    The group paid fines in the millions of euros in past years.|Revenue grew to 1.2 million euros in 2023."""
FIGURES = [
    ["", "2023"],
    ["Net sales", "1,200"],
    ["Employees", "120"],
    ["Earnings per share", "1.25"],
    ["Margin %", "9.1"],
]


@pytest.mark.parametrize("text", [text.strip() for text in STATED.split("|")])
def test_a_sentence_above_a_table_states_its_scale(text: str) -> None:
    draft = Draft().paragraph("Prose. " * 40).paragraph(text).table(FIGURES)
    found = cells(draft.document())
    assert (found["1,200"].value, found["1,200"].currency, found["1,200"].doubt) == (1_200_000, "EUR", "")
    assert [found[figure].value for figure in ("120", "1.25", "9.1")] == [120, 1.25, 9.1]


@pytest.mark.parametrize("text", [text.strip() for text in UNSTATED.split("|")])
def test_a_sentence_that_tells_of_a_large_amount_states_no_scale(text: str) -> None:
    found = cells(Draft().paragraph(text).table(FIGURES).document())
    assert (found["1,200"].value, found["1,200"].currency) == (1200, "")


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("All amounts are in thousands of euros unless otherwise noted.", 1000),
        ("Alle Angaben in Tausend Euro, soweit nicht anders angegeben.", 1000),
        ("Salvo que se indique lo contrario, los importes se expresan en miles de euros.", 1000),
        ("All amounts in this table are in thousands of euros.", 1),
        ("Die Beträge sind in Tausend Euro angegeben.", 1),
    ],
)
def test_a_statement_holds_for_later_tables_only_where_it_says_so(text: str, scale: int) -> None:
    draft = Draft().paragraph(text).table(FIGURES).paragraph("Prose. " * 40).heading("Assets")
    found = cells(draft.paragraph("Prose. " * 40).table([["", "2023"], ["Assets", "5,200"]]).document())
    assert (found["5,200"].scale, found["5,200"].currency) == (scale, "EUR" if scale > 1 else "")


def test_a_statement_below_the_next_heading_is_not_of_the_table_above() -> None:
    draft = Draft().table(FIGURES).heading("Assets").paragraph("Amounts in thousands of dollars.")
    assert cells(draft.table([["", "2023"], ["Assets", "5,200"]]).document())["1,200"].scale == 1


def test_a_note_below_states_the_scale() -> None:
    draft = Draft().table(ROWS).paragraph("Amounts in thousands of dollars.")
    assert cells(draft.document())["46,023"].value == 46_023_000


def test_a_statement_in_the_header_holds_for_all_columns_but_what_it_excepts() -> None:
    rows = [
        ["Period", "Total number of shares", "Average price per share", "Approximate value"],
        ["", "", "(in millions, except average price per share)", ""],
        ["October", "1.1", "$371.04", "$(400)"],
    ]
    found = cells(Draft().table(rows, header_rows=2).document())
    assert [found[text].value for text in ("1.1", "$371.04", "$(400)")] == [1.1e6, 371.04, -400e6]


def test_what_is_never_scaled() -> None:
    rows = [
        ["(in millions, except per share amounts and ARPU)", "2023"],
        ["Basic earnings per share", "1.25"],
        ["EPS (diluted, US cents)", "70.5"],
        ["Number of stores", "1,091"],
        ["Gross margin %", "44.1"],
        ["ARPU", "12"],
        ["Basic weighted average shares", "218.6"],
        ["Net sales", "9,583"],
    ]
    found = cells(Draft().table(rows).document())
    values = [found[row[1]].value for row in rows[1:]]
    assert values == [1.25, pytest.approx(0.705), 1091, 44.1, 12, 218.6e6, 9_583e6]


def test_a_row_that_lists_amounts_and_earnings_per_share_is_read_by_its_columns() -> None:
    rows = [
        ["($ million)", "EBITDA", "EPS (US cents)", "EBITDA", "EPS (US cents)"],
        ["Adjusted EBITDA and EPS", "609", "24.4", "540", "19.3"],
    ]
    found = cells(Draft().table(rows).document())
    assert [found[text].value for text in ("609", "540", "24.4")] == [609e6, 540e6, pytest.approx(0.244)]
    rows = [["($ million)", "2023"], ["EBITDA and EPS", "609"]]
    assert cells(Draft().table(rows).document())["609"].doubt == "the row names both amounts and amounts per share"


@pytest.mark.parametrize(
    ("draft", "doubt"),
    [
        (
            Draft().paragraph("(in thousands)").table([["", "2021"], ["Tea", "$7"]]).paragraph("A. " * 99),
            "the table states no scale, tables near it do",
        ),
        (
            Draft().heading("Sales (in thousands)").paragraph("Dollars in millions"),
            "the statements around the table differ in scale",
        ),
        (
            Draft().paragraph("As follows (in thousands):").table([["", "2021"], ["Tea", "$7"]]),
            "the scale is that of the table before",
        ),
    ],
)
def test_a_scale_that_is_not_sure_says_so(draft: Draft, doubt: str) -> None:
    assert cells(draft.table(ROWS).document())["46,023"].doubt == doubt


TOLD = "the table states no scale; it is that of its figures in the text"


@pytest.mark.parametrize(
    ("said", "power"),
    [
        ("Net sales for the quarter increased 5 percent, to $52.60 billion, from $50.05 billion last year.", 6),
        ("Net sales were $52,604 million.", 6),
        ("Net sales were $52.6 billion. Merchandise costs came to €46.0 billion.", 6),
        ("In Harbour Bay our net sales were $52.604 million.", 3),
        ("Net sales were about $53 billion.", None),
        ("Net sales were $52.6 billion.", None),
        ("Other income was $52.60 billion.", None),
        ("Net sales were $52.60 billion. Some call net sales of $50.046 million small.", None),
        ("Net sales were 52.60 billion shells.", None),
    ],
)
def test_sentences_that_say_the_figures_of_a_table_tell_its_scale(said: str, power: int | None) -> None:
    found = cells(Draft().paragraph(said).heading("Results").table(ROWS).document())["46,023"]
    if power is None:
        assert (found.value, found.doubt) == (46_023, "")
    else:
        assert (found.value, found.doubt) == (46_023 * 10**power, TOLD)


def test_a_stated_scale_is_not_asked_of_sentences() -> None:
    draft = Draft().paragraph("Net sales were $52.604 billion.").heading("Results (in thousands)").table(ROWS)
    assert (cells(draft.document())["46,023"].value, cells(draft.document())["46,023"].doubt) == (46_023_000, "")


@pytest.mark.parametrize(
    "title", ["CONDENSED CONSOLIDATED STATEMENTS OF INCOME (unaudited)", "Consolidated Balance Sheets"]
)
def test_a_consolidated_statement_without_a_scale_is_in_doubt(title: str) -> None:
    found = cells(Draft().heading(title).table(ROWS).document())
    assert found["46,023"].doubt == "no scale is stated of this consolidated statement"


def test_a_number_of_shares_below_a_scale_of_money_has_no_value_and_says_why() -> None:
    rows = [["($ in millions)", "2023"], ["Weighted average shares outstanding", "1,468"], ["Net sales", "$14,694"]]
    found = cells(Draft().table(rows).document())
    assert (found["1,468"].value, found["1,468"].doubt) == (None, "the scale is stated of money, not of shares")


def test_columns_of_different_scales_add_up() -> None:
    rows = [
        ["", "Tea ($ in thousands)", "Milk ($ in millions)", "Total ($ in millions)"],
        ["Sales", "1,500", "2.5", "4.0"],
        ["Costs", "2,500", "3.5", "6.0"],
    ]
    found = find_totals(Draft().table(rows).document())
    assert all(total.adds_up for total in found)
    assert {total.stated for total in found} <= {4e6, 6e6}


POWERS = {"thousands": 3, "millions": 6, "billions": 9}


@given(
    scale=st.sampled_from(sorted(POWERS)),
    where=st.sampled_from(["corner", "caption", "heading", "remark", "lead", "general", "below"]),
    money=st.sampled_from(["", "dollars ", "$ "]),
    excepted=st.sampled_from(["", ", except per share amounts", ", except share and per share data"]),
    amounts=st.lists(st.integers(1000, 99_999), min_size=2, max_size=4),
)
def test_every_figure_is_right_or_in_doubt(
    scale: str, where: str, money: str, excepted: str, amounts: list[int]
) -> None:
    stated = f"({money}in {scale}{excepted})"
    rows = [
        [stated if where == "corner" else "", "2023"],
        *([f"Item {number}", f"{amount:,}"] for number, amount in enumerate(amounts)),
        ["Diluted earnings per share", "1.07"],
        ["Weighted average shares outstanding", "468.3"],
    ]
    draft = Draft()
    if where in ("heading", "remark"):
        (draft.heading if where == "heading" else draft.paragraph)(f"Statements of Income {stated}")
    elif where == "lead":
        draft.paragraph(f"Revenue by item was as follows {stated}:")
    elif where == "general":
        draft.paragraph(f"All amounts are {stated[1:-1]}, unless otherwise noted.").paragraph("Prose. " * 30)
    draft.table(rows, caption=f"Income {stated}" if where == "caption" else "")
    if where == "below":
        draft.paragraph(f"Amounts {stated[1:-1].removeprefix(money)}.")
    found = cells(draft.document())
    power = 10.0 ** POWERS[scale]
    for amount in amounts:
        assert found[f"{amount:,}"].value == pytest.approx(amount * power)
    assert found["1.07"].value == 1.07
    shares = found["468.3"]
    told = 1.0 if "share and" in excepted else power
    assert (
        shares.value == pytest.approx(468.3 * told)
        if not money or "share and" in excepted or where == "below"
        else shares.doubt
    )


def test_a_row_with_decimals_among_whole_amounts_is_in_doubt() -> None:
    rows = [
        ["(in millions)", "2023"],
        ["Sales", "9,583"],
        ["Costs", "7,363"],
        ["Profit", "2,220"],
        ["Dividends", "0.92"],
    ]
    found = cells(Draft().table(rows).document())
    assert found["0.92"].doubt == "printed with decimals, the table's other amounts without"
    assert found["9,583"].doubt == ""


COUNTS = """
    Number of stores|Employees (average)|Customers|Active customers|Customers (year-end)|Paying subscribers|
    Guest nights|Patients treated|Vehicles sold|Units delivered|Parcels delivered|Licences sold|Store count|
    Orders received (number)|Tonnes produced|Production (t)|Energy consumption (MWh)|Area (m²)|Accidents at work|
    Apprentices|Monthly active users|Anzahl Filialen|Mitarbeiter|Kunden|Vollzeitäquivalente|Nombre de magasins|
    Effectifs|Salariés|Número de tiendas|Empleados|Plantilla|Numero di dipendenti|Dipendenti|
    Número de colaboradores|Aantal winkels|Medewerkers|Antal anställda|Barrels per day|Tonnes per year|Litres of milk|
    Cubic feet per day|Kilowatt hours sold|Natural gas (MMcf/d)|Oil production, barrels per day|Miles per gallon|
    Passengers per flight|Orders per customer|Ounces sold|Emissions (t CO2e per employee)|Barils par jour|
    Barriles por día|Liter je 100 km|产量（桶/日）"""
RATIOS = """
    Eigenkapitalquote|EBIT margin|EBIT-Marge|Return on equity|ROE|Steuerquote|Umsatzrendite|Market share|
    Marktanteil|Ratio de solvencia|Debt to equity|Days sales outstanding|DSO|Debtor days|Inventory days (note 3)|
    Average days in receivables|Payment term, days"""
PER_SHARE = """
    Ergebnis je Aktie|Dividende je Aktie|Résultat par action|Beneficio por acción|Utile per azione|Lucro por ação|
    Winst per aandeel|Umsatz je Mitarbeiter|Cost per tonne|Average price per barrel|Fuel cost per litre|
    Realised price (EUR per barrel)|Revenue per passenger|Crude oil (per barrel)"""
AMOUNTS = """
    Sales to customers|Employee costs|Staff costs|Personalaufwand|Customer deposits|Amounts due to customers|
    Due to employees|Loans to customers|Customer relationships|Kundenforderungen|Forderungen gegen Kunden|
    Verbindlichkeiten gegenüber Mitarbeitern|Charges de personnel|Créances clients|Deudas con clientes|
    Crediti verso clienti|Plant and machinery|Vehicles and equipment|Order intake|Orders on hand|Members' equity|
    Student fees|Passenger revenue|Store expenses|Gross margin|Contribution margin|Vehicles|Fahrzeuge|Licences|
    Stores|Clients|Net sales (g)|Investment in units|Shares issued|Utilisation|Occupancy|Inventories|
    Software and licences|Contract assets|Cost of goods sold|Barrel sales|Barrels|Payables due in 90 days|
    Trade receivables"""


def split(words: str) -> list[str]:
    return [word.strip() for word in words.split("|")]


def read_row(
    label: str, figure: str = "1,234", *, others: tuple[str, ...] = (), columns: tuple[str, str] = ("2023", "2022")
) -> Cell:
    rows = [
        ["", *columns],
        ["Net result", "4,321", "4,567"],
        [label, figure, figure],
        *([other, "12", "14"] for other in others),
    ]
    document = Draft().paragraph("Amounts in EUR thousand").table(rows, header_rows=1).document()
    return next(cell for cell in cells_of(document, ()) if cell.row == 2 and cell.column == 1)


@pytest.mark.parametrize("label", split(COUNTS))
def test_a_scale_of_money_does_not_hold_for_what_is_counted(label: str) -> None:
    cell = read_row(label)
    assert (cell.value, cell.currency) == (1234, "")


@pytest.mark.parametrize("label", [*split(RATIOS), *split(PER_SHARE)])
def test_a_scale_of_money_does_not_hold_for_ratios_and_amounts_per_share(label: str) -> None:
    assert read_row(label, "12.3").value == 12.3


@pytest.mark.parametrize("label", split(AMOUNTS))
def test_a_scale_of_money_holds_for_amounts_that_speak_of_people_or_things(label: str) -> None:
    assert read_row(label).value == 1_234_000


@pytest.mark.parametrize("label", ["Stores", "Restaurants", "Hotel rooms", "Filialen", "Orders"])
def test_things_that_may_be_money_count_beside_what_is_counted(label: str) -> None:
    assert read_row(label, others=("Employees",)).value == 1234
    assert read_row(label, others=("Other assets",)).value == 1_234_000


def test_a_section_or_a_column_of_money_makes_people_amounts() -> None:
    rows = [["", "2023", "2022"], ["Receivables from", "", ""], ["Customers", "1,234", "999"], ["Banks", "77", "66"]]
    document = Draft().paragraph("Amounts in EUR thousand").table(rows, header_rows=1).document()
    assert next(cell.value for cell in cells_of(document, ()) if cell.text == "1,234") == 1_234_000
    assert read_row("Customers", columns=("Revenue", "Share")).value == 1_234_000


def test_a_count_keeps_the_scale_that_its_own_label_says() -> None:
    assert read_row("Customers (in thousands)").value == 1_234_000
