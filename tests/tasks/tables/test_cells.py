"""Cells of tables as facts: header paths, values in units, periods."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given

from tasks.parsers.assembly import Assembly
from tasks.tables.cells import read_cells as cells_of
from tasks.tables.headers import find_first_body_row
from tasks.tables.totals import find_totals
from tests.examples import examples
from tests.tasks.documents import Draft, documents
from warehouse.records import Cell, Document, Kind, Merge

Q1_2023 = (date(2023, 1, 1), date(2023, 4, 1))
YEAR_2019 = (date(2019, 1, 1), date(2020, 1, 1))


def cells(document: Document) -> tuple[Cell, ...]:
    return cells_of(document, find_totals(document))


def by_text(document: Document) -> dict[str, Cell]:
    return {cell.text: cell for cell in cells(document)}


def period(cell: Cell) -> tuple[date | None, date | None]:
    return cell.period_start, cell.period_end


def test_headers_periods_and_scale() -> None:
    rows = [
        ["(in millions, except per share)", "Three Months Ended March 31,", ""],
        ["", "2023", "2022"],
        ["Net revenue", "$ 17,846", "16,200"],
        ["Earnings per diluted share", "1.40", "3.06"],
        ["Growth", "10.2%", "—"],
    ]
    found = by_text(Draft().table(rows, header_rows=2).document())
    revenue, last = found["$ 17,846"], found["16,200"]
    assert (revenue.row_header, revenue.column_header) == ("Net revenue", "Three Months Ended March 31, / 2023")
    assert (revenue.value, revenue.scale, revenue.currency) == (17_846e6, 1e6, "USD")
    assert period(revenue) == Q1_2023
    assert period(last) == (date(2022, 1, 1), date(2022, 4, 1))
    assert (found["1.40"].value, found["1.40"].scale) == (1.4, 1.0)
    assert (found["10.2%"].value, found["10.2%"].unit) == (10.2, "%")
    assert found["—"].value is None
    assert found["Net revenue"].value is None


def test_the_caption_and_the_row_speak_where_the_column_is_silent() -> None:
    document = (
        Draft().table([["Quarter", "Sales"], ["Q1 2023", "5"]], caption="Sales, in thousands of euros").document()
    )
    cell = by_text(document)["5"]
    assert (cell.value, cell.currency) == (5000, "EUR")
    assert period(cell) == Q1_2023


def test_the_line_above_speaks_for_the_table() -> None:
    draft = Draft().paragraph("Other assets consisted of the following (in thousands):").furniture("Page 3")
    cell = by_text(draft.table([["", "2019"], ["Deposits", "$6,106"]]).document())["$6,106"]
    assert (cell.value, period(cell)) == (6_106_000, YEAR_2019)


def test_a_line_above_another_table_leaves_a_doubt() -> None:
    draft = Draft().paragraph("In thousands:").table([["", "a"], ["x", "1"]])
    cell = by_text(draft.table([["", "a"], ["x", "7"]]).document())["7"]
    assert (cell.value, cell.doubt) == (7000, "the scale is that of the table before")


def test_sections_head_the_rows_below_until_their_total() -> None:
    rows = [
        ["", "2019"],
        ["ASSETS", ""],
        ["Current assets:", ""],
        ["Cash", "130"],
        ["Total current assets", "258"],
        ["Equipment", "2,235"],
        ["Total assets", "2,493"],
        ["LIABILITIES", ""],
        ["Debt", "118"],
    ]
    headers = {cell.text: cell.row_header for cell in cells(Draft().table(rows).document()) if cell.column}
    assert headers == {
        "130": "ASSETS / Current assets: / Cash",
        "258": "ASSETS / Current assets: / Total current assets",
        "2,235": "ASSETS / Equipment",
        "2,493": "ASSETS / Total assets",
        "118": "LIABILITIES / Debt",
    }


def test_a_row_without_a_label_at_its_left_has_the_text_before_its_figures() -> None:
    rows = [
        ["Description", "Qty", "Unit price", "Amount"],
        ["Hosting", "3", "49.00", "147.00"],
        ["", "", "Subtotal", "1,147.00"],
        ["", "", "VAT 19%", "217.93"],
        ["", "", "$", "1,364.93"],
        ["", "", "", "12.00"],
    ]
    headers = {cell.text: cell.row_header for cell in cells(Draft().table(rows).document())}
    assert headers["147.00"] == "Hosting"
    assert (headers["1,147.00"], headers["217.93"]) == ("Subtotal", "VAT 19%")
    assert {headers[figure] for figure in ("1,364.93", "12.00")} == {""}


def test_several_columns_of_labels_make_one_row_header() -> None:
    rows = [["Region", "Product", "2019"], ["North", "Tea", "5"], ["", "Milk", "6"], ["South", "Tea", "7"]]
    headers = {cell.text: cell.row_header for cell in cells(Draft().table(rows).document())}
    assert (headers["5"], headers["6"], headers["7"]) == ("North / Tea", "North / Milk", "South / Tea")


def test_merges_say_exactly_what_a_header_covers() -> None:
    assembly = Assembly()
    assembly.add_table(
        [
            ["Segment", "", "2023", "", "2022"],
            ["", "", "Q1", "Q2", "Q1"],
            ["Tea", "hot", "1", "2", "3"],
            ["", "cold", "4", "5", "6"],
        ],
        header_rows=2,
        merges=[Merge(0, 2, 1, 2), Merge(0, 0, 2, 2), Merge(2, 0, 2, 1)],
    )
    found = by_text(assembly.finish(Kind.REPORT, "text/html"))
    assert [found[text].column_header for text in "123"] == ["2023 / Q1", "2023 / Q2", "2022 / Q1"]
    assert (found["5"].row_header, period(found["5"])) == ("Tea / cold", (date(2023, 4, 1), date(2023, 7, 1)))


@pytest.mark.parametrize(
    ("upper", "headers"),
    [
        (["", "", "Years", ""], ["Years / a", "Years / b", "Years / c"]),
        (["", "Domestic", "", "Foreign", ""], ["Domestic / a", "Domestic / b", "Foreign / c", "Foreign / d"]),
        (["", "", "December 31,", "", "Change"], ["December 31, / a", "December 31, / b", "Change / c", "Change / d"]),
        (["", "", "2019", "2018"], ["a", "2019 / b", "2018 / c"]),
    ],
)
def test_blanks_are_filled_only_where_the_pattern_is_plain(upper: list[str], headers: list[str]) -> None:
    width = len(upper)
    rows = [upper, ["", *"abcd"[: width - 1]], ["row", *"1234"[: width - 1]]]
    found = [cell.column_header for cell in cells(Draft().table(rows, header_rows=2).document()) if cell.column]
    assert found == headers


def test_a_header_in_the_midst_of_a_table_heads_what_follows() -> None:
    rows = [["(In millions)", "Dec 29, 2018"], ["Cars", "5,424"], ["(In millions)", "Dec 28, 2019"], ["Cars", "7,155"]]
    found = by_text(Draft().table(rows).document())
    assert found["5,424"].period_start == date(2018, 12, 29)
    assert (found["7,155"].period_start, found["7,155"].value) == (date(2019, 12, 28), 7_155e6)


def test_a_first_row_of_figures_is_no_header() -> None:
    found = by_text(Draft().table([["Loans", "(1)", "(5)"], ["Sales", "8", "6"]]).document())
    assert (found["(5)"].value, found["(5)"].row_header, found["6"].column_header) == (-5, "Loans", "")


@pytest.mark.parametrize(
    ("header", "row", "start", "end"),
    [
        ("2019", "First quarter", "2019-01-01", "2019-04-01"),
        ("Q3", "2021", "2021-07-01", "2021-10-01"),
        ("Shares", "Outstanding at September 30, 2018", "2018-09-30", "2018-10-01"),
        ("Amount", "April 30, 2023 through May 27, 2023", "2023-04-30", "2023-05-28"),
        ("13 weeks ended July 29, 2023", "Sales", "2023-04-30", "2023-07-30"),
        ("Six Mo nt hs E nded July 31, 2023", "Sales", "2023-02-01", "2023-08-01"),
        ("2 0 1 8", "Sales", "2018-01-01", "2019-01-01"),
        ("12 Weeks Ended 3/25/2023", "Sales", "2023-01-01", "2023-03-26"),
        ("FYE 9/30/24", "Sales", "2023-10-01", "2024-10-01"),
        ("FYE Dec-23", "Sales", "2023-01-01", "2024-01-01"),
        ("Quarter ended 31-Mar-24", "Sales", "2024-01-01", "2024-04-01"),
        ("2023", "March", "2023-03-01", "2023-04-01"),
        ("2023", "Employees at year end", "2023-01-01", "2024-01-01"),
        ("2023", "Employees at the end of the year", "2023-01-01", "2024-01-01"),
        ("2023", "Orders at mid-year", "2023-01-01", "2024-01-01"),
        ("Q2 2023", "Employees at year end", "2023-04-01", "2023-07-01"),
    ],
)
def test_periods(header: str, row: str, start: str, end: str) -> None:
    cell = by_text(Draft().table([["", header], [row, "5"]]).document())["5"]
    assert period(cell) == (date.fromisoformat(start), date.fromisoformat(end))


@pytest.mark.parametrize(
    ("language", "path", "start", "end"),
    [
        ("zh", ["截至6月30日止六個月", "2023年", "人民幣千元"], "2023-01-01", "2023-07-01"),
        ("zh", ["截至六月三十日止三個月", "二零二三年", "(未經審計)"], "2023-04-01", "2023-07-01"),
        ("zh", ["截至12月31日止年度", "2023"], "2023-01-01", "2024-01-01"),
        ("zh", ["於6月30日", "2023年"], "2023-06-30", "2023-07-01"),
        ("zh", ["於12月31日", "二零二二年", "人民幣千元"], "2022-12-31", "2023-01-01"),
        ("de", ["1.1.–30.9.", "2023"], "2023-01-01", "2023-10-01"),
        ("de", ["Q1–Q3", "2023"], "2023-01-01", "2023-10-01"),
        ("de", ["1.–3. Quartal 2023"], "2023-01-01", "2023-10-01"),
        ("de", ["Januar bis September", "2023"], "2023-01-01", "2023-10-01"),
        ("de", ["Jan.–Sep.", "2023"], "2023-01-01", "2023-10-01"),
        ("de", ["31.12.", "2023"], "2023-12-31", "2024-01-01"),
        ("de", ["GJ", "2022/23"], "2023-01-01", "2024-01-01"),
        ("fr", ["9 mois", "2023"], "2023-01-01", "2023-10-01"),
        ("en", ["Nine Months", "2023"], "2023-01-01", "2023-10-01"),
        ("fr", ["T1 à T3", "2023"], "2023-01-01", "2023-10-01"),
        ("fr", ["1er semestre", "2023"], "2023-01-01", "2023-07-01"),
    ],
)
def test_periods_of_headers_one_below_the_other(language: str, path: list[str], start: str, end: str) -> None:
    rows = [["", part] for part in path] + [["EBIT", "5"]]
    cell = by_text(Draft(language=language).table(rows, header_rows=len(path)).document())["5"]
    assert period(cell) == (date.fromisoformat(start), date.fromisoformat(end))


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("2019 vs. 2018", "Sales"),
        ("Change vs. 2018", "Sales"),
        ("% Change from 2018", "Sales"),
        ("2018 Plan", "Granted"),
        ("After 2024", "Debt"),
        ("Amount", "Senior notes due 2024"),
        ("Amount", "Tax Cuts and Jobs Act of 2017"),
        ("Amount", "2024 and thereafter"),
    ],
)
def test_a_year_that_is_no_period(header: str, row: str) -> None:
    cell = by_text(Draft().table([["", header], [row, "5"]]).document())["5"]
    assert period(cell) == (None, None)


@pytest.mark.parametrize(
    ("header", "caption", "start", "end"),
    [
        ("First-Quarter", "Reported (GAAP) First-Quarter 2023 Results", "2023-01-01", "2023-04-01"),
        ("First Quarter", "2023 results", "2023-01-01", "2023-04-01"),
        ("Q2", "Sales of 2023 by quarter", "2023-04-01", "2023-07-01"),
        ("January", "Visitors in 2023", "2023-01-01", "2023-02-01"),
        ("Jan", "Monthly spend, 2023", "2023-01-01", "2023-02-01"),
        ("Sept.", "Monthly spend, 2023", "2023-09-01", "2023-10-01"),
        ("Mar", "Monthly spend, 2023", "2023-03-01", "2023-04-01"),
        ("May", "Monthly spend, 2023", "2023-05-01", "2023-06-01"),
        ("May", "Spend from October 2022 to September 2023", "2023-05-01", "2023-06-01"),
        ("Dec", "Monthly spend, 2022 and 2023", "None", "None"),
        ("Mar & Co", "Suppliers in 2023", "None", "None"),
        ("Q2", "First-quarter 2023 results", "None", "None"),
        ("Q2", "Sales of 2022 and 2023", "None", "None"),
        ("Change", "Results of Q2 2023", "None", "None"),
        ("Q2 2022", "2023 results", "2022-04-01", "2022-07-01"),
    ],
)
def test_a_caption_gives_the_year_of_a_quarter(header: str, caption: str, start: str, end: str) -> None:
    for rows in ([["Item", header], ["Sales", "1,886"]], [["Period", "Sales"], [header, "1,886"]]):
        found = by_text(Draft().table(rows, caption=caption).document())["1,886"]
        assert (str(found.period_start), str(found.period_end)) == (start, end)


@pytest.mark.parametrize(
    ("language", "months"),
    [
        ("de", "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
        ("fr", "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        ("es", "ene feb mar abr may jun jul ago sep oct nov dic"),
        ("it", "gen feb mar apr mag giu lug ago set ott nov dic"),
        ("nl", "jan feb mrt apr mei jun jul aug sep okt nov dec"),
        ("pt", "jan fev mar abr mai jun jul ago set out nov dez"),
    ],
)
def test_names_of_months_head_columns_in_every_language(language: str, months: str) -> None:
    header = ["", *months.split(), "Total"]
    figures = [str(100 + number) for number in range(13)]
    document = replace(Draft().table([header, ["A", *figures]], caption="2025").document(), language=language)
    found = by_text(document)
    starts = [found[figure].period_start for figure in figures]
    assert starts == [*(date(2025, month, 1) for month in range(1, 13)), None]


@pytest.mark.parametrize(
    ("language", "header", "start"),
    [
        ("es", "Anterior (29/02/2024)", "2024-02-29"),
        ("fr", "Solde au 04/10/2023", "2023-10-04"),
        ("it", "Saldo 31/12/2023", "2023-12-31"),
        ("en", "Balance 04/10/2023", "2023-04-10"),
    ],
)
def test_numeric_days_in_headers_are_days_in_every_language(language: str, header: str, start: str) -> None:
    document = replace(Draft().table([["", header], ["A", "5"]]).document(), language=language)
    assert str(by_text(document)["5"].period_start) == start


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("131 L", 131),
        ("5.6 H", 5.6),
        ("12 HH", 12),
        ("88 ↑", 88),
        ("7.1 High", 7.1),
        ("4,512 A", 4512),
        ("2024 E", None),
    ],
)
def test_flags_behind_a_reading_leave_it_a_number(text: str, value: float | None) -> None:
    cell = by_text(Draft().table([["Test", "13/06/24"], ["Sodium", text], ["CRP", "61"]]).document())[text]
    assert (cell.value, cell.row_header) == (value, "Sodium" if value else cell.row_header)


def test_columns_of_units_and_currencies_speak_for_their_rows() -> None:
    header = ["Test", "Units", "2023-01-12", "Result", "Cost", "Count"]
    lab = by_text(Draft().table([header, ["Sodium", "mmol/L", "138", "139", "$7", "3"]]).document())
    assert [lab[text].unit for text in ("138", "139", "$7", "3")] == ["mmol/L", "mmol/L", "", ""]
    orders = [
        ["Order", "total.amount", "total.currency", "Items"],
        ["A", "59.90", "EUR", "sundry"],
        ["B", "7.50", "GBP", "-"],
    ]
    found = by_text(Draft().table(orders).document())
    assert [found[text].currency for text in ("59.90", "7.50")] == ["EUR", "GBP"]
    price = [["Item", "Qty", "Currency", "Price"], ["A", "12", "EUR", "59.90"]]
    found = by_text(Draft().table(price).document())
    assert [found[text].currency for text in ("12", "59.90")] == ["", "EUR"]


@pytest.mark.parametrize(("header", "start"), [("Pmt #", "2024-03-01"), ("No.", "2024-03-01"), ("Day", "2024-03-02")])
def test_numbers_of_rows_are_no_days_unless_they_are_called_so(header: str, start: str) -> None:
    rows = [[header, "Month", "Interest"], ["1", "Feb 2024", "750.00"], ["2", "Mar 2024", "749.01"]]
    assert str(by_text(Draft().table(rows).document())["749.01"].period_start) == start


YEAR_OF_TWO = {
    "Jul": (2023, 7),
    "Sep": (2023, 9),
    "Nov": (2023, 11),
    "Jan": (2024, 1),
    "Mar": (2024, 3),
    "Jun": (2024, 6),
}


@pytest.mark.parametrize("year", ["2023/24", "2023-24", "2023/2024"])
@pytest.mark.parametrize("place", ["row", "column", "section", "caption", "header"])
def test_months_of_a_year_of_two(year: str, place: str) -> None:
    values = dict(zip(YEAR_OF_TWO, map(str, range(501, 507)), strict=True))
    down = [[month, value] for month, value in values.items()]
    rows, caption = {
        "row": ([["", *values], [year, *values.values()]], ""),
        "column": ([["", year], *down], ""),
        "section": ([["", "North"], [year, ""], *down], ""),
        "caption": ([["", "North"], *down], year),
        "header": ([["", *(f"{month} {year}" for month in values)], ["North", *values.values()]], ""),
    }[place]
    found = by_text(Draft().table(rows, caption=caption).document())
    for month, value in values.items():
        start = found[value].period_start
        assert start is not None, (month, value)
        assert (start.year, start.month) == YEAR_OF_TWO[month]


def test_a_month_of_a_year_of_two_that_nothing_orders() -> None:
    found = by_text(Draft().table([["", "2023/24"], ["Jan", "11"], ["Nov", "12"], ["Jul", "97"]]).document())
    starts = [period(found[text]) for text in ("11", "12")]
    assert starts == [(date(2024, 1, 1), date(2024, 2, 1)), (date(2023, 11, 1), date(2023, 12, 1))]
    assert period(found["97"]) == (date(2023, 1, 1), date(2025, 1, 1))
    range_of_years = by_text(Draft().table([["", "2021-2024"], ["Jan", "11"], ["Feb", "97"]]).document())
    assert period(range_of_years["97"]) != (date(2022, 2, 1), date(2022, 3, 1))


def test_short_months_of_a_file_whose_language_is_not_known() -> None:
    header = ["Kategorie", "Mär", "Mai", "Okt", "Dez", "Set", "Out"]
    found = by_text(Draft().table([header, ["Miete", *"123456"]], caption="Plan 2025").document())
    months = [found[text].period_start and found[text].period_start.month for text in "123456"]
    assert months == [3, 5, 10, 12, None, None]


def test_currencies_of_rows_reach_all_amounts_on_their_left() -> None:
    header = ["No", "Net", "Count", "Gross", "Currency", "Paid on"]
    found = by_text(Draft().table([header, ["A1", "1200.00", "7", "1440.00", "GBP", "30.01.2024"]]).document())
    assert [found[text].currency for text in ("1200.00", "7", "1440.00")] == ["GBP", "", "GBP"]


def test_numbers_of_rows_are_not_repeated_below() -> None:
    rows = [["Pos.", "Item", "Total"], ["1", "Hosting", "10.00"], ["2", "Travel", "5.00"], ["", "Net", "15.00"]]
    assert by_text(Draft().table(rows).document())["15.00"].row_header == "Net"


@pytest.mark.parametrize("label", ["Q1 bonus", "March of Dimes", "Janet", "Total"])
def test_a_caption_gives_no_year_to_a_label_that_is_more_than_a_time(label: str) -> None:
    found = by_text(Draft().table([["Item", "Amount"], [label, "1,886"]], caption="Gifts in 2023").document())["1,886"]
    assert found.period_start is None


def test_the_corner_completes_the_columns() -> None:
    found = by_text(Draft().table([["Years ended August 31,", "2019"], ["Issued", "11,328"]]).document())
    assert period(found["11,328"]) == (date(2018, 9, 1), date(2019, 9, 1))


def test_what_a_scale_does_not_touch() -> None:
    rows = [
        ["($ in millions)", "2019", "Note"],
        ["Revenue", "5,000", "3"],
        ["Employees", "12,000", ""],
        ["Weighted average shares outstanding", "525", ""],
        ["Effective tax rate", "21.5", ""],
        ["Year of maturity", "2027", ""],
    ]
    found = by_text(Draft().table(rows).document())
    assert [found[text].value for text in ("5,000", "12,000", "525", "21.5", "2027", "3")] == [
        5e9,
        12_000,
        None,
        21.5,
        None,
        None,
    ]
    assert found["12,000"].currency == ""


def test_signs_in_columns_of_their_own_belong_to_the_number() -> None:
    rows = [["", "2019", "", ""], ["Loss", "$", "(1,234", ")"], ["Share", "", "5", "%"], ["Gain", "€", "7", ""]]
    found = by_text(Draft().table(rows).document())
    assert (found["(1,234"].value, found["(1,234"].currency) == (-1234, "USD")
    assert (found["5"].value, found["5"].unit) == (5, "%")
    assert found["7"].currency == "EUR"


def test_what_is_added_is_of_one_currency() -> None:
    rows = [
        ["", "2019", "Shares"],
        ["Tea", "$ 1,100", "300"],
        ["Milk", "2,050", "45"],
        ["Total", "3,150", "345"],
        ["Stores", "17", ""],
    ]
    found = by_text(Draft().table(rows).document())
    assert [found[text].currency for text in ("2,050", "3,150", "17", "345")] == ["USD", "USD", "", ""]


@pytest.mark.parametrize(("other", "value"), [("1,234", None), ("12345", 2019)])
def test_a_bare_year_is_a_number_only_where_thousands_are_not_set_apart(other: str, value: float | None) -> None:
    found = by_text(Draft().table([["", "Built", "Cost"], ["Mill", "2019", other]]).document())
    assert found["2019"].value == value


@examples(2)
@given(document=documents())
def test_spans_are_exact_and_every_filled_body_cell_is_there(document: Document) -> None:
    found = cells(document)
    for cell in found:
        assert document.text[cell.start : cell.end] == cell.text
        table = document.tables[cell.table - 1]
        assert cell.text.replace("\\|", "|") == table.rows[cell.row][cell.column]
    filled = sum(
        1 for table in document.tables for row in table.rows[find_first_body_row(table) :] for cell in row if cell
    )
    assert len(found) == filled


@pytest.mark.parametrize(
    ("header", "start", "end"),
    [
        ("Q1 2023", "2022-10-01", "2023-01-01"),
        ("FY23", "2022-10-01", "2023-10-01"),
        ("Three months ended December 31, 2022", "2022-10-01", "2023-01-01"),
        ("Years ended September 30, 2023", "2022-10-01", "2023-10-01"),
    ],
)
def test_a_company_s_periods_are_its_own(header: str, start: str, end: str) -> None:
    said = Draft().paragraph("Our fiscal year ends on September 30.").table([["", header], ["Sales", "5"]]).document()
    declared = Draft().table([["", header], ["Sales", "5"]]).document()
    expected = (date.fromisoformat(start), date.fromisoformat(end))
    assert period(by_text(said)["5"]) == expected
    (cell,) = (each for each in cells_of(declared, find_totals(declared), "09-30") if each.text == "5")
    assert period(cell) == expected


@pytest.mark.parametrize("header", ["since 2019", "before 2020", "Thereafter", "every year", "five years"])
def test_open_times_lengths_and_sets_are_no_periods(header: str) -> None:
    cell = by_text(Draft().table([["", header], ["Sales", "5"]]).document())["5"]
    assert period(cell) == (None, None)


@pytest.mark.parametrize(
    ("rows", "doubt"),
    [
        ([["", "2023"], ["Balance at December 31, 2021", "5"]], "the row and the column name different times"),
        ([["", "June 30, 2023 and cost June 30, 2022"], ["Sales", "5"]], "the column's header names several times"),
        ([["", "2023", ""], ["Sales", "7", "5"]], "the column has no header"),
        ([["", "2023 vs. 2022"], ["Sales", "5"]], ""),
        ([["", "Q1 2023"], ["Sales", "5"]], ""),
    ],
)
def test_a_period_that_is_not_sure_says_so(rows: list[list[str]], doubt: str) -> None:
    assert by_text(Draft().table(rows).document())["5"].doubt == doubt


def test_a_sheet_does_not_have_the_scale_of_the_sheet_before() -> None:
    draft = Draft().heading("P&L").paragraph("€ million").table([["", "2023"], ["Dairy", "112"]])
    draft.heading("Headcount").table([["", "2023"], ["Dairy", "812"]])
    document = draft.document()
    sheets = replace(document, media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    assert by_text(sheets)["112"].value == 112e6
    assert (by_text(sheets)["812"].value, by_text(sheets)["812"].currency) == (812, "")
