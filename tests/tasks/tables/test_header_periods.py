"""Periods of cells whose headers say less than the caption, the lines above, or the headers beside them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.tables.cells import read_cells
from tasks.tables.numbers import find_scale
from tasks.temporal.document import with_times
from tests.examples import examples
from tests.tasks.documents import Draft, Rows
from warehouse.records import Document
from warehouse.records.calendars import add_months

YEARS = [["", "2024", "2023"], ["Revenue", "71", "72"]]
DAY = timedelta(days=1)


def find_periods(document: Document) -> dict[str, str]:
    """The first and last day of each cell that has a period, by its text."""
    cells = read_cells(document, ())
    return {
        cell.text: f"{cell.period_start} {cell.period_end - DAY}"
        for cell in cells
        if cell.period_start and cell.period_end
    }


@pytest.mark.parametrize(
    ("above", "language", "start"),
    [
        ("For the year ended 31 March 2024", "en", 12),
        ("Income statement for the year ended March 31, 2024", "en", 12),
        ("Year ended 31.03.2024", "en", 12),
        ("Six months ended 31 March 2024 (unaudited)", "en", 6),
        ("Quarter ended 31 March 2024", "en", 3),
        ("Years ended 31 March", "en", 12),
        ("Years ended 31 March 2024 and 2023", "en", 12),
        ("Geschäftsjahr vom 1. April 2023 bis 31. März 2024", "de", 12),
        ("Compte de résultat de l'exercice clos le 31 mars 2024", "fr", 12),
        ("Cuenta de resultados del ejercicio terminado el 31 de marzo de 2024", "es", 12),
        ("Winst-en-verliesrekening over het boekjaar eindigend op 31 maart 2024", "nl", 12),
        ("截至2024年3月31日止六个月", "zh", 6),
    ],
)
@pytest.mark.parametrize("place", ["caption", "heading", "line", "section", "corner"])
def test_years_below_a_period_s_last_day_are_the_periods_that_end_then(
    above: str, language: str, start: int, place: str
) -> None:
    draft = Draft(language=language)
    if place == "line":
        draft.paragraph(above)
    elif place != "caption" and place != "corner":
        draft.heading(above)
    if place == "section":
        draft.paragraph("Revenue comes from three shops, all of them in the north of the country.")
    rows = [[above if place == "corner" else "", *YEARS[0][1:]], YEARS[1]]
    found = find_periods(draft.table(rows, caption=above if place == "caption" else "").document())
    first = {12: "04-01", 6: "10-01", 3: "01-01"}[start]
    years = (2023, 2022) if start > 3 else (2024, 2023)
    assert found == {"71": f"{years[0]}-{first} 2024-03-31", "72": f"{years[1]}-{first} 2023-03-31"}


@given(
    last=st.dates(date(2005, 1, 1), date(2035, 1, 1)).map(lambda day: day.replace(day=1) - DAY),
    months=st.sampled_from([3, 6, 9, 12]),
    columns=st.integers(1, 5),
)
@examples(8)
def test_each_year_of_the_columns_has_its_period(last: date, months: int, columns: int) -> None:
    years = [last.year - step for step in range(columns)]
    words = {3: "Three months", 6: "Six months", 9: "Nine months", 12: "Year"}[months]
    rows = [["", *map(str, years)], ["Sales", *(f"{number},000" for number in range(11, 11 + columns))]]
    document = Draft().heading(f"{words} ended {last.day} {last:%B %Y}").table(rows).document()
    ends = [add_months(last + DAY, -12 * step) for step in range(columns)]
    assert list(find_periods(document).values()) == [f"{add_months(end, -months)} {end - DAY}" for end in ends]


@pytest.mark.parametrize(
    ("above", "language"),
    [("Balance sheet as at 31 March 2024", "en"), ("As of March 31, 2024", "en"), ("Bilanz zum 31. März 2024", "de")],
)
def test_years_below_the_day_of_a_state_are_that_day_of_each_year(above: str, language: str) -> None:
    found = find_periods(Draft(language=language).heading(above).table(YEARS).document())
    assert found == {"71": "2024-03-31 2024-03-31", "72": "2023-03-31 2023-03-31"}


def test_years_counted_in_weeks_follow_each_other() -> None:
    found = find_periods(Draft().heading("For the 52 weeks ended 27 January 2024").table(YEARS).document())
    assert found == {"71": "2023-01-29 2024-01-27", "72": "2022-01-30 2023-01-28"}


@pytest.mark.parametrize(
    "above",
    [
        "League table as of 12 May 2024",
        "Results for 2024",
        "The accounts for the year ended 31 March 2024 are in the report of the auditor.",
        "Three and six months ended 31 March 2024",
        "Maturities as at 31 March 2023",
        "Prices since the year ended 31 March 2020",
        "Sales in September 2024",
    ],
)
def test_years_stay_years_below_other_times(above: str) -> None:
    found = find_periods(Draft().paragraph(above).table(YEARS).document())
    assert found == {"71": "2024-01-01 2024-12-31", "72": "2023-01-01 2023-12-31"}


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["Jan 2024", "Feb 2024", "Mar 2024", "Q1"], "2024-01-01 2024-03-31"),
        (["Apr 2024", "May 2024", "Jun 2024", "Q1"], "2024-04-01 2024-06-30"),
        (["Q1", "Jan 2024", "Feb 2024", "Mar 2024"], "2024-01-01 2024-03-31"),
        (["Q3 2023", "Q4 2023", "Q1"], "2024-01-01 2024-03-31"),
        (["Q2 2023", "Q1"], "2023-01-01 2023-03-31"),
        (["Nov 2023", "Dec", "Jan"], "2024-01-01 2024-01-31"),
        (["Jan 2024", "Feb 2024", "Mar 2024", "Apr 2024", "May 2024", "Jun 2024", "H1"], "2024-01-01 2024-06-30"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_parts_of_a_year_have_the_year_of_those_beside_them(labels: list[str], expected: str, *, turned: bool) -> None:
    rows: Rows = [["Item", *labels], ["Travel", *map(str, range(71, 71 + len(labels)))]]
    rows = [list(row) for row in zip(*rows, strict=True)] if turned else rows
    asked = next(label for label in reversed(labels) if label in ("Q1", "H1", "Jan"))
    assert find_periods(Draft().table(rows).document())[str(71 + labels.index(asked))] == expected


@pytest.mark.parametrize(
    ("above", "header", "language", "expected"),
    [
        ("Budget 2024", "Q1", "en", "2024-01-01 2024-03-31"),
        ("Haushalt 2024", "Januar", "de", "2024-01-01 2024-01-31"),
        ("Blutwerte 2024", "12.03.", "de", "2024-03-12 2024-03-12"),
        ("Readings of 2024", "12 Mar", "en", "2024-03-12 2024-03-12"),
        ("Statement March 2024", "12 Mar", "en", "2024-03-12 2024-03-12"),
        ("Seasons 2023 and 2024", "12 Mar", "en", None),
        ("Fixtures 2023/24", "12 Sep", "en", None),
        ("Built since 2019", "12 Sep", "en", None),
    ],
)
def test_a_heading_names_the_year_of_headers_without_one(
    above: str, header: str, language: str, expected: str | None
) -> None:
    draft = Draft(language=language).heading(above).paragraph("The values are as they came from the office.")
    assert find_periods(draft.table([["", header], ["Salt", "71"]]).document()).get("71") == expected


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_a_column_of_years_names_the_year_of_days(order: tuple[int, ...]) -> None:
    lines = [["Year", "Date", "Visitors"], ["2023", "12 Mar", "71"], ["2024", "10 Apr", "72"]]
    rows = [[line[column] for column in order] for line in lines]
    found = find_periods(Draft().table(rows).document())
    assert (found["71"], found["72"]) == ("2023-03-12 2023-03-12", "2024-04-10 2024-04-10")


@pytest.mark.parametrize("header", ["2024 €", "2024 TEUR", "Plan 2024 EUR", "2024 £'000", "2024 RMB"])
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_year_before_its_currency_is_a_year(header: str, language: str) -> None:
    found = find_periods(Draft(language=language).table([["", header], ["Sales", "71"]]).document())
    assert found == {"71": "2024-01-01 2024-12-31"}


@pytest.mark.parametrize(
    ("header", "label", "is_figure"),
    [
        ("Qty", "Bolt", True),
        ("Volumen", "03.01.2024", True),
        ("単価（円）", "大人", True),
        ("Value", "Ferritin (µg/L)", True),
        ("2023 TEUR", "Sales", True),
        ("Model year", "Golf", False),
        ("Fiscal year", "Price", False),
        ("", "Founded", False),
    ],
)
def test_a_quantity_of_four_digits_is_no_year(header: str, label: str, *, is_figure: bool) -> None:
    rows = [["", header, "City"], [label, "2010", "Bonn"], ["Other", "1950", "Mainz"]]
    found = {cell.text: cell.value for cell in read_cells(Draft().table(rows).document(), ())}
    assert found["2010"] == (2010 * (1000 if "TEUR" in header else 1) if is_figure else None)


@pytest.mark.parametrize("corner", ["Miles de euros", "Migliaia di euro", "€ 1.000", "Milhares de euros", "TEUR"])
def test_a_corner_says_in_what_the_table_counts(corner: str) -> None:
    rows = [[corner, "2024", "2023"], ["Ventas", "2.512", "2.301"], ["Gastos", "1.980", "1.711"]]
    cells = read_cells(Draft(language="es").table(rows).document(), ())
    assert [(cell.value, cell.currency) for cell in cells if cell.column] == [
        (value, "EUR") for value in (2_512_000, 2_301_000, 1_980_000, 1_711_000)
    ]


def test_a_column_of_one_thousand_euros_is_no_scale() -> None:
    assert find_scale("€ 1.000") is None


def test_the_first_day_of_a_row_is_its_time() -> None:
    rows = [["Item", "Order date", "Delivery date", "Sum"], ["Chair", "2024-03-12", "2024-03-20", "71"]]
    document = Draft().table([*rows, ["Desk", "2024-03-14", "2024-04-02", "72"]]).document()
    assert find_periods(document)["71"] == "2024-03-12 2024-03-12"


GERMAN_YEAR = "Geschäftsjahr vom 1. April 2023 bis 31. März 2024"
HALF_YEAR = "截至2024年6月30日止六个月"


@pytest.mark.parametrize(
    ("above", "language", "headers", "days"),
    [
        ("", "de", ("2024", "Vorjahr"), ("2024-01-01 2024-12-31", "2023-01-01 2023-12-31")),
        (GERMAN_YEAR, "de", ("2024", "Vorjahr (T€)"), ("2023-04-01 2024-03-31", "2022-04-01 2023-03-31")),
        (GERMAN_YEAR, "de", ("Geschäftsjahr", "Vorjahr TEUR"), ("2023-04-01 2024-03-31", "2022-04-01 2023-03-31")),
        (
            "Bilanz zum 31. Dezember 2024",
            "de",
            ("31.12.2024", "Vorjahr"),
            ("2024-12-31 2024-12-31", "2023-12-31 2023-12-31"),
        ),
        (
            "Exercice clos le 30 juin 2024",
            "fr",
            ("Exercice N", "Exercice N-1"),
            ("2023-07-01 2024-06-30", "2022-07-01 2023-06-30"),
        ),
        (
            "Year ended 31 March 2024",
            "en",
            ("Current year", "Prior year"),
            ("2023-04-01 2024-03-31", "2022-04-01 2023-03-31"),
        ),
        (
            "Ejercicio terminado el 31 de marzo de 2024",
            "es",
            ("Ejercicio actual", "Ejercicio anterior"),
            ("2023-04-01 2024-03-31", "2022-04-01 2023-03-31"),
        ),
        (HALF_YEAR, "zh", ("本期金额", "上期金额"), ("2024-01-01 2024-06-30", "2023-01-01 2023-06-30")),
        (HALF_YEAR, "zh", ("期末余额", "期初余额"), ("2024-06-30 2024-06-30", "2023-12-31 2023-12-31")),
        ("2024年6月30日", "zh", ("期末余额", "上年年末余额"), ("2024-06-30 2024-06-30", "2023-12-31 2023-12-31")),
        ("", "de", ("Q1 2024", "Vj."), ("2024-01-01 2024-03-31", "2023-01-01 2023-03-31")),
    ],
)
def test_columns_that_are_named_by_their_relation_to_a_period(
    above: str, language: str, headers: tuple[str, str], days: tuple[str, str]
) -> None:
    draft = Draft(language=language).heading(above) if above else Draft(language=language)
    found = find_periods(draft.table([["", *headers], ["Sales", "71", "72"]]).document())
    assert found == {"71": days[0], "72": days[1]}


@pytest.mark.parametrize(
    "header",
    [
        "% change, Jan. 2024 to Jan. 2025",
        "Veränderung zum Vorjahr",
        "Vorjahr in %",
        "Change on prior year",
        "上年同期增减",
        "Note",
        "N",
    ],
)
def test_changes_and_words_alone_have_no_period(header: str) -> None:
    document = Draft(language="de").heading(GERMAN_YEAR).table([["", header], ["Sales", "71"]]).document()
    assert find_periods(document) == {}


@pytest.mark.parametrize(
    ("header", "language", "first"),
    [
        ("30/06/2024 (12 mois)", "fr", "2023-07-01"),
        ("30 June 2024 (6 months)", "en", "2024-01-01"),
        ("30.06.2024 (18 Monate)", "de", "2023-01-01"),
        ("30 June 2024 (26 weeks)", "en", "2024-01-01"),
        ("30 June 2024 (unaudited)", "en", "2024-06-30"),
    ],
)
def test_a_day_with_a_length_ends_a_period(header: str, language: str, first: str) -> None:
    document = Draft(language=language).table([["", header], ["Sales", "71"]]).document()
    assert find_periods(document) == {"71": f"{first} 2024-06-30"}


@given(years=st.lists(st.integers(1990, 2040), min_size=1, max_size=4, unique=True))
@examples(4)
def test_years_alone_in_their_rows_head_the_quarters_below(years: list[int]) -> None:
    rows, expected = [["Period", "Visitors"]], {}
    for year in years:
        rows.append([str(year), ""])
        for quarter in range(1, 5):
            text = f"{len(expected) + 1}{quarter},204"
            rows.append([f"Q{quarter}", text])
            first = date(year, 3 * quarter - 2, 1)
            expected[text] = f"{first} {add_months(first, 3) - DAY}"
    found = find_periods(Draft().table(rows).document())
    assert {text: days for text, days in found.items() if "," in text} == expected


def test_years_of_rows_that_only_lack_a_figure_head_nothing() -> None:
    rows = [["Year", "Rain"], ["2021", "812"], ["2022", ""], ["2023", "798"], ["Mean", "805"]]
    found = find_periods(Draft().table(rows).document())
    assert found["812"] == "2021-01-01 2021-12-31"
    assert "805" not in found


@pytest.mark.parametrize(
    ("above", "language", "rows", "days"),
    [
        ("Periodo: del 20/11/2024 al 19/12/2024", "es", ["22/11", "03/12"], ["2024-11-22", "2024-12-03"]),
        ("Periodo dal 15/02/2025 al 14/03/2025", "en", ["17/02", "05/03"], ["2025-02-17", "2025-03-05"]),
        ("Kontoauszug Nr. 1/2024 vom 31.01.2024", "de", ["02.01.", "15.01."], ["2024-01-02", "2024-01-15"]),
        ("Zeitraum 15.12.2023 bis 14.01.2024", "de", ["28.12.", "03.01."], ["2023-12-28", "2024-01-03"]),
        ("Table as of 31 May 2024", "en", ["12 May", "26 May"], ["2024-05-12", "2024-05-26"]),
        ("Weather station - July 2024", "en", ["1", "31"], ["2024-07-01", "2024-07-31"]),
    ],
)
def test_rows_of_days_without_a_year_are_near_the_time_of_their_table(
    above: str, language: str, rows: list[str], days: list[str]
) -> None:
    body = [[row, f"Item {number}", f"{number}4,20"] for number, row in enumerate(rows, 1)]
    head = ["Day" if rows[0].isdecimal() else "Date", "Text", "Sum"]
    document = with_times(Draft(language=language).heading(above).table([head, *body]).document())
    assert [day.split()[0] for text, day in find_periods(document).items() if text.endswith(",20")] == days


@pytest.mark.parametrize("language", ["en", "de"])
def test_years_far_from_the_line_that_says_when_they_end_are_the_reported_ones(language: str) -> None:
    title = {"en": "Annual report for the year ended 31 March 2024", "de": GERMAN_YEAR}[language]
    draft = Draft(language=language).heading(title).paragraph("Sales rose by 4 % in all shops of the country.")
    draft = draft.table([["", "2024", "2023"], ["Sales", "61", "62"]]).table(
        [["", "2024", "2023"], ["Cost", "71", "72"]]
    )
    draft = draft.table([["", "2025", "2024"], ["Due", "81", "82"]])
    found = find_periods(with_times(draft.document()))
    assert {found[text] for text in ("61", "71")} == {"2023-04-01 2024-03-31"}
    assert {found[text] for text in ("62", "72")} == {"2022-04-01 2023-03-31"}
    assert found["81"] == "2025-01-01 2025-12-31"


@pytest.mark.parametrize(("posted", "booked"), [("Dec 30", "Jan 02"), ("30 Dec", "2 Jan"), ("30.12.", "02.01.")])
def test_of_two_days_without_a_year_the_first_is_that_of_the_row(posted: str, booked: str) -> None:
    rows = [["Date", "Post date", "Text", "Sum"], [posted, booked, "Rent", "71,20"]]
    document = Draft(language="de" if "." in posted else "en").heading("Statement date: 14 Jan 2025").table(rows)
    assert find_periods(document.document())["71,20"].startswith("2024-12-30")


def test_the_day_of_publication_is_no_base_of_columns() -> None:
    draft = Draft(language="zh").heading("決算説明資料 2025年3月期").paragraph("2025年5月12日")
    found = find_periods(draft.table([["", "前期", "当期"], ["売上高", "71", "72"]]).document())
    assert found == {"71": "2023-04-01 2024-03-31", "72": "2024-04-01 2025-03-31"}


def test_years_that_end_on_any_day_of_a_month_follow_each_other() -> None:
    found = find_periods(Draft().heading("For the year ended 5 April 2024").table(YEARS).document())
    assert found == {"71": "2023-04-06 2024-04-05", "72": "2022-04-06 2023-04-05"}


def test_the_year_of_a_title_is_the_company_s_where_columns_are_compared() -> None:
    draft = Draft(language="nl").heading("Jaarrekening 2024").paragraph("Boekjaar eindigend op 30 juni 2024.")
    document = with_times(draft.table([["", "Boekjaar", "Vorig boekjaar"], ["Omzet", "71", "72"]]).document())
    assert find_periods(document) == {"71": "2023-07-01 2024-06-30", "72": "2022-07-01 2023-06-30"}


@pytest.mark.parametrize("names", [("First", "Second", "Third", "Fourth"), ("1st", "2nd", "3rd", "4th")])
@pytest.mark.parametrize("place", ["corner", "heading"])
def test_columns_of_all_four_ordinals_are_quarters(names: tuple[str, ...], place: str) -> None:
    draft = Draft().heading("Orders in 2023") if place == "heading" else Draft()
    rows = [["2023" if place == "corner" else "", *names], ["Orders", "71", "72", "73", "74"]]
    found = find_periods(draft.table(rows).document())
    assert [found[figure][:10] for figure in ("71", "72", "73", "74")] == [
        f"2023-{month:02}-01" for month in (1, 4, 7, 10)
    ]
    places = Draft().heading("Races in 2023").table([["", *names[:3]], ["A", "71", "72", "73"]]).document()
    assert find_periods(places) == {}


def test_a_section_that_names_the_only_period_dates_the_columns_compared() -> None:
    rows = [["", "Exercice N", "Exercice N-1"], ["Exercice clos le 31 août 2024", "", ""], ["Ventes", "71", "72"]]
    found = find_periods(Draft(language="fr").table(rows).document())
    assert found["71"] == "2023-09-01 2024-08-31"
    assert found["72"] == "2022-09-01 2023-08-31"


@pytest.mark.parametrize(
    ("headers", "language", "days"),
    [
        (("Half-year", "30 June 2025"), "en", "2025-01-01 2025-06-30"),
        (("Full year", "31 December 2024"), "en", "2024-01-01 2024-12-31"),
        (("Quarter", "31 March 2024"), "en", "2024-01-01 2024-03-31"),
        (("Halbjahr", "30.06.2025"), "de", "2025-01-01 2025-06-30"),
        (("Semestre", "30/06/2025"), "fr", "2025-01-01 2025-06-30"),
        (("12M ended Mar-25",), "en", "2024-04-01 2025-03-31"),
        (("3M Mar-25",), "en", "2025-01-01 2025-03-31"),
        (("Mar-25",), "en", "2025-03-01 2025-03-31"),
        (("As at", "30 June 2025"), "en", "2025-06-30 2025-06-30"),
        (("1-6/2024",), "en", "2024-01-01 2024-06-30"),
        (("2023-24", "Spring"), "en", "2024-03-01 2024-05-31"),
        (("W03 2024",), "en", "2024-01-15 2024-01-21"),
    ],
)
def test_headers_that_say_how_long_a_period_is(headers: tuple[str, ...], language: str, days: str) -> None:
    rows = [*(["", each] for each in headers), ["Sales", "71"]]
    document = Draft(language=language).table(rows, header_rows=len(headers)).document()
    assert find_periods(document) == {"71": days}


@pytest.mark.parametrize(
    ("labels", "first"),
    [(["2024", "2023"], "2023-04-01"), (["2026", "2025"], "2026-01-01"), (["Plan 2024", "Plan 2023"], None)],
)
def test_years_of_rows_end_as_the_title_says_unless_they_are_others(labels: list[str], first: str | None) -> None:
    draft = Draft().heading("Income statement for the year ended 31 March 2024")
    found = find_periods(draft.table([["", "Sales"], [labels[0], "71"], [labels[1], "72"]]).document())
    assert found.get("71", "")[:10] == (first or "")


@pytest.mark.parametrize(
    "names", [("Q1", "Q2"), ("1st Quarter", "2nd Quarter"), ("First", "Second", "Third", "Fourth")]
)
def test_quarters_beside_a_fiscal_year_are_its_own(names: tuple[str, ...]) -> None:
    rows = [["", *names, "Fiscal 2024"], ["Orders", *(str(number) for number in range(71, 72 + len(names)))]]
    found = find_periods(Draft().paragraph("Our fiscal year ends on September 30.").table(rows).document())
    assert found["71"] == "2023-10-01 2023-12-31"
    assert found["72"] == "2024-01-01 2024-03-31"


@pytest.mark.parametrize(
    ("above", "language", "days"),
    [
        ("Table as of 31 March 2024", "en", "2024-03-31 2024-03-31"),
        ("Cash flows for the year ended 31 December 2023", "en", "2023-01-01 2023-12-31"),
        ("Bestand zum 30. Juni 2024", "de", "2024-06-30 2024-06-30"),
        ("Stand: 31.12.2023", "de", "2023-12-31 2023-12-31"),
        ("Situation au 30 juin 2024", "fr", "2024-06-30 2024-06-30"),
        ("Published on 30 June 2024", "en", None),
        ("Sales since 30 June 2024", "en", None),
    ],
)
def test_a_title_with_its_last_day_gives_its_time_to_a_table_without_times(
    above: str, language: str, days: str | None
) -> None:
    draft = Draft(language=language).paragraph(above)
    found = find_periods(draft.table([["", "Amount", "Note"], ["Sales", "7,100", "3"]]).document())
    assert found == ({"7,100": days} if days else {})


@pytest.mark.parametrize(
    ("header", "days"),
    [
        ("1er semestre 2024", "2024-01-01 2024-06-30"),
        ("2. Halbjahr 2023", "2023-07-01 2023-12-31"),
        ("primer trimestre 2024", "2024-01-01 2024-03-31"),
        ("3. Quartal 2024", "2024-07-01 2024-09-30"),
        ("Fall semester 2024", "2024-09-01 2024-11-30"),
    ],
)
def test_parts_of_years_are_read_in_a_file_of_too_few_words_for_its_language(header: str, days: str) -> None:
    assert find_periods(Draft().table([["", header], ["Sales", "71"]]).document()) == {"71": days}
