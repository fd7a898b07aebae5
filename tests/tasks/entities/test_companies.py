"""Whose report a document is."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from tasks.entities.companies import with_company
from warehouse.records import Block, BlockKind, Document, Kind

COVER = "UNITED STATES\n\nFORM 10-K\n\nCommission File Number 1-3285\n\n{name}\n\n(Exact name of registrant {rest})\n"


def company(text: str, title: str = "", kind: Kind = Kind.REPORT) -> tuple[str, tuple[str, ...]]:
    attributes = with_company(Document(kind, "text/plain", text, (), title=title)).attributes
    return attributes.company, attributes.symbols


@pytest.mark.parametrize("rest", ["as specified in its charter", "as specified in charter"])
def test_the_registrant_stands_above_the_line_that_says_so(rest: str) -> None:
    text = COVER.format(name="3M COMPANY", rest=rest) + "\nCommon Stock, Par Value $.01 MMM New York Stock Exchange\n"
    assert company(text) == ("3M COMPANY", ("MMM",))


def test_a_registrant_in_a_table_with_a_rule_below_it() -> None:
    assert company("| ADOBE INC. |  |\n_____________\n(Exact name of registrant as specified)\n")[0] == "ADOBE INC."


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Amcor reports fiscal 2023 results and provides outlook\n", ("Amcor", ())),
        (
            "First-Quarter Results\n\nPURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc. (NASDAQ: PEP) today reported\n",
            ("PepsiCo, Inc.", ("PEP",)),
        ),
        ("北光仪器股份有限公司\n2025年第三季度报告\n", ("北光仪器股份有限公司", ())),
        ("The committee reports on earnings\n", ("", ())),
    ],
)
def test_a_release_names_its_company(text: str, found: tuple[str, tuple[str, ...]]) -> None:
    assert company(text) == found


def test_the_title_of_a_filing_names_its_company() -> None:
    assert company("Item 5.07", title="Form 8-K for Foot Locker INC filed 05/19/2022") == ("Foot Locker INC", ())


def test_a_note_is_nobodys_report() -> None:
    assert company("Amcor reports fiscal 2023 results\n", kind=Kind.NOTE) == ("", ())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nordvik Energi ASA – Årsrapport 2023", "Nordvik Energi ASA"),
        ("Geschäftsbericht 2023 der Müller Maschinenbau AG", "Müller Maschinenbau AG"),
        ("Hartmann Logistik GmbH & Co. KG: Geschäftsbericht 2022/23", "Hartmann Logistik GmbH & Co. KG"),
        ("Rapport annuel 2022 — Société Lacroix SA", "Société Lacroix SA"),
        ("Relazione finanziaria annuale 2023\n\nOfficine Bianchi S.p.A.", "Officine Bianchi S.p.A."),
        ("Officine Bianchi S.p.A.\n\nBilancio 2023", "Officine Bianchi S.p.A."),
        ("Jaarverslag 2023 Van Dijk Holding N.V.", "Van Dijk Holding N.V."),
        ("Informe anual 2023 de Construcciones Ibéricas, S.A.", "Construcciones Ibéricas, S.A."),
        ("Relatório e Contas 2022\n\nÁguas do Norte, S.A.", "Águas do Norte, S.A."),
        ("Vuosikertomus 2023 | Koskinen Oyj", "Koskinen Oyj"),
        ("Brightwater Utilities plc Annual Report and Accounts 2024", "Brightwater Utilities plc"),
        ("Halbjahresbericht 2024 der Nord Wind SE", "Nord Wind SE"),
    ],
)
@pytest.mark.parametrize("kind", [Kind.NOTE, Kind.TEXT, Kind.REPORT])
def test_a_report_of_europe_names_its_company_in_its_title(text: str, name: str, kind: Kind) -> None:
    assert company(f"{text}\n\nDer Umsatz stieg.", kind=kind) == (name, ())
    if "\n" not in text:
        assert company("Der Umsatz stieg.", title=text, kind=kind) == (name, ())


@pytest.mark.parametrize(
    "text",
    [
        "Annual report 2023 of the garden club", "Notes on the annual report of Acme AG for my exam",
        "Jahresbericht 2023", "Acme AG\n\nWe met them on Monday.", "Annual Report 2023\n\nIt was a good year for us.",
    ],
)  # fmt: skip
def test_a_title_without_a_report_and_a_legal_form_names_nobody(text: str) -> None:
    assert company(text, kind=Kind.NOTE) == ("", ())


@pytest.mark.parametrize(
    ("paragraph", "name"),
    [
        ("BOLINGBROOK, Ill.--(BUSINESS WIRE)--Harbor Boxes, Inc. (NASDAQ: HBX) today announced", "Harbor Boxes, Inc."),
        ("BOLINGBROOK, Ill.--(BUSINESS WIRE)-May 25, 2023-Harbor Boxes, Inc. (NASDAQ: HBX) said", "Harbor Boxes, Inc."),
        ("NEW YORK, April 25, 2023 /PRNewswire/ -- Harbor Foods, Inc. (NYSE: HBF) reported", "Harbor Foods, Inc."),
        ("OSLO, Norway and PARIS, Feb. 22, 2023 (GLOBE NEWSWIRE) -- Norlight (NASDAQ: NRL) today", "Norlight"),
        ("SUNNYVALE, CA--(Marketwire - Oct 18, 2012) - Acme Micro (NYSE: AMX) today announced", "Acme Micro"),
        ("SUNNYVALE, CA -- (Marketwired) -- 10/18/12 -- Acme Micro (NYSE: AMX) today announced", "Acme Micro"),
        ("HOUSTON, TX / ACCESSWIRE / May 8, 2023 / Gulf Drilling Ltd. (NASDAQ:GDL) announced", "Gulf Drilling Ltd."),
        ("Toronto, Ontario--(Newsfile Corp. - May 8, 2023) - Maple Corp. (TSXV: MMC) is pleased", "Maple Corp."),
        (
            "VANCOUVER, British Columbia--(BUSINESS WIRE)--tidewater apparel inc. (NASDAQ:TIDE) said",
            "tidewater apparel inc.",
        ),
        (
            "OBAN, Wash., May 25, 2023 (GLOBE NEWSWIRE) -- Hill Corporation (“Hill” or the “Company”) (Nasdaq: HIL)",
            "Hill Corporation",
        ),
        ("PURCHASE, N.Y. - April 25, 2023 - Harbor, Inc. (NASDAQ: HRB) today reported", "Harbor, Inc."),
        ("April 25, 2023 – CHICAGO, Ill. – Harbor, Inc. (NASDAQ: HRB) today reported", "Harbor, Inc."),
        ("ZURICH (August 17, 2023) – Ostwind plc (NYSE: OST, ASX: OSC) today reported", "Ostwind plc"),
        (
            "THE WOODS, Texas, Nov. 2, 2023 /PRNewswire/ -- The Pine Company, a maker of boards, announced",
            "The Pine Company",
        ),
        ("SEATTLE—(BUSINESS WIRE)—August 3, 2023—Rain.com, Inc. (NASDAQ: RAIN) today announced", "Rain.com, Inc."),
        ("COLUMBUS, Ohio\nMay 2, 2023\n(GLOBE NEWSWIRE) --\nLimit Brands (NYSE: LTB) reported", "Limit Brands"),
        ("DALLAS--(BUSINESS WIRE)--In the third quarter, sales rose.", ""),
    ],
)
@pytest.mark.parametrize("head", ["", "Sales rose by 4%.\n\n", "For Immediate Release\n\n"])
def test_a_dateline_is_no_part_of_the_name(head: str, paragraph: str, name: str) -> None:
    assert company(head + paragraph)[0] == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "For Immediate Release\n\nNORDSON CABLES CORPORATION REPORTS THIRD QUARTER FISCAL 2023 RESULTS",
            "NORDSON CABLES CORPORATION",
        ),
        ("Exhibit 99.1 Vale Holdings Announces First Quarter\nFiscal 2024 Results", "Vale Holdings"),
    ],
)
def test_a_headline_after_a_letterhead_names_the_company(text: str, name: str) -> None:
    assert company(text)[0] == name


def test_the_section_about_a_company_names_it() -> None:
    text = "Press release\n\nSales rose by 4%.\n\nAbout Vale Holdings\n\nVale Holdings is a maker of boxes."
    start = text.index("About")
    block = Block(0, BlockKind.HEADING, start, start + len("About Vale Holdings"), level=1, section=("About",))
    found = with_company(Document(Kind.REPORT, "text/plain", text, (block,)))
    assert found.attributes.company == "Vale Holdings"
    assert not with_company(Document(Kind.REPORT, "text/plain", text[14:], (block,))).attributes.company


@pytest.mark.parametrize(
    ("above", "name"),
    [
        (
            "Commission file number 1-100\n\nINTERNATIONAL BUSINESS CABLES\nCORPORATION\n\n(",
            "INTERNATIONAL BUSINESS CABLES CORPORATION",
        ),
        ("Vale Holdings, Inc. (", "Vale Holdings, Inc."),
    ],
)
def test_a_registrant_over_two_lines_or_on_the_same_line(above: str, name: str) -> None:
    assert company(f"FORM 10-K\n\n{above}Exact name of registrant as specified in its charter)\n")[0] == name


def test_a_filing_without_a_title_is_called_by_company_form_and_period() -> None:
    text = COVER.format(
        name="VALE INC.\n\nFor the quarterly period ended July 29, 2023\n\nVALE INC.", rest="as specified"
    )
    found = with_company(Document(Kind.REPORT, "text/plain", text, ()))
    assert found.title == "VALE INC. Form 10-K, quarterly period ended July 29, 2023"
    assert with_company(Document(Kind.REPORT, "text/plain", text, (), title="Given")).title == "VALE INC.: Given"
    assert with_company(Document(Kind.REPORT, "text/plain", text, (), title="Vale 10-Q")).title == "Vale 10-Q"


@pytest.mark.parametrize("title", ["Vale Inc.", "VALE", "Vale Inc"])
def test_a_title_that_is_only_the_company_is_none(title: str) -> None:
    text = COVER.format(name="VALE INC.\n\nFor the fiscal year ended July 29, 2023\n\nVALE INC.", rest="as specified")
    found = with_company(Document(Kind.REPORT, "text/plain", text, (), title=title))
    named = "VALE INC. Form 10-K, fiscal year ended July 29, 2023"
    assert found.title == (named if title != "VALE" else title)


@pytest.mark.parametrize("kind", ["Annual", "Quarterly", "Transition", "Current", "Semiannual", "Half-yearly"])
@pytest.mark.parametrize("case", [str.upper, str.title, str.lower])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_what_a_cover_says_of_its_form_is_no_company(kind: str, case: Callable[[str], str], place: int) -> None:
    law = case(f"{kind} report pursuant to section 13 or 15(d) of the act") + " for the fiscal year ended May 31, 2022"
    lines = ["UNITED STATES SECURITIES AND EXCHANGE COMMISSION", "FORM 10-K", law]
    lines.insert(place, "Vale Lodging Group, Inc.")
    assert company("\n\n".join([*lines, "Phoenix, Arizona"]))[0] == "Vale Lodging Group, Inc."
    assert not company("\n\n".join([*lines[:place], *lines[place + 1 :], "phoenix, arizona"]))[0]


@pytest.mark.parametrize(
    "piece", ["A", "A, ", "A B ", "Paris, ", "(", "- ", "May 1, 2023 - ", "Aa-", "(BUSINESS WIRE)", "About ", "Of and "]
)
def test_time_does_not_grow_with_a_strange_opening(piece: str) -> None:
    started = process_time()
    company(piece * (4_000 // len(piece)))
    assert process_time() - started < 1.0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("VOLTRA CORP\n\nCFO Commentary on Third Quarter 2024 Results\n\nRevenue was $18 billion.", "VOLTRA CORP"),
        ("Ashdown Retail PLC\n\nInterim Results 2023/24\n\n4 October 2023", "Ashdown Retail PLC"),
        ("Interim results\n\nMaschinenbau Stein & Sohn AG\n\nSales rose.", "Maschinenbau Stein & Sohn AG"),
        ("The minutes of the Society of Friends Co\n\nSales rose.", ""),
        ("Quince® Reports Second Quarter Results", "Quince"),
        ("Tarn Outfitters Updates Its Full Year 2023 Outlook", "Tarn Outfitters"),
        ("Vale Holdings Lowers Guidance for the Second Half", "Vale Holdings"),
    ],
)
def test_a_line_that_is_a_full_name_and_further_headlines_name_the_company(text: str, name: str) -> None:
    assert company(text)[0] == name


def test_a_release_of_a_listed_company_names_it_in_a_note_too() -> None:
    text = (
        "# Nimbus Announces Third Quarter Results\n\n"
        "SAN FRANCISCO, Calif. – November 29, 2023 – Nimbus, Inc. (NYSE: NMB), the maker of clouds, today announced\n"
    )
    assert company(text, kind=Kind.NOTE) == ("Nimbus, Inc.", ("NMB",))
    assert company(COVER.format(name="3M COMPANY", rest="as specified"), kind=Kind.NOTE)[0] == "3M COMPANY"


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ("Geschäftsbericht 2023\n\nVale AG\n\nDie Vale AG wuchs.", "Vale AG", "annual report"),
        ("Vale AG\n\nHalbjahresfinanzbericht Januar – Juni 2023\n\nVale AG", "Vale AG", "interim report"),
        ("Quartalsmitteilung Q1 2024\n\nVale Rück SE\n\nVale Rück SE", "Vale Rück SE", "quarterly report"),
        ("VALE\n\nRapport annuel 2023\n\nVALE grandit.", "VALE", "annual report"),
        ("Rapport financier semestriel 2024\n\nVale SE\n\nVale SE", "Vale SE", "interim report"),
        ("Informe anual 2023\n\nVale, S.A.\n\nVale, S.A.", "Vale, S.A.", "annual report"),
        ("Relazione finanziaria annuale 2023\n\nVale S.p.A.\n\nVale S.p.A.", "Vale S.p.A.", "annual report"),
        ("Relatório e Contas 2023\n\nVale SGPS, S.A.\n\nVale", "Vale SGPS, S.A.", "annual report"),
        ("Jaarverslag 2023\n\nKoninklijke Vale N.V.\n\nVale", "Koninklijke Vale N.V.", "annual report"),
        ("Årsredovisning 2023\n\nVale AB (publ)\n\nVale", "Vale AB (publ)", "annual report"),
        ("Q3 2024 results\n\nØstvale A/S\n\nSales", "Østvale A/S", ""),
        ("Vale plc 4th Quarter 2023 and Full Year Unaudited Results\n\nVale plc grew.", "Vale plc", ""),
        ("Consolidated Results for 2024\n\nCompany name: Vale Motor\n\nVale Motor sold cars.", "Vale Motor", ""),
        ("VALE WIDGETS LIMITED\n\nUNAUDITED FINANCIAL STATEMENTS\n\n2023", "VALE WIDGETS LIMITED", ""),
        ("Letter to shareholders\n\nQ4 2023\n\nVale Music S.A.\n\nUsers rose.", "Vale Music S.A.", ""),
        ("Annual report of the gardening club\n\nThe club met 12 times. The club planted.", "", ""),
    ],
)
def test_reports_in_european_languages_name_their_company(text: str, name: str, form: str) -> None:
    attributes = with_company(Document(Kind.REPORT, "text/plain", text, ())).attributes
    assert (attributes.company, attributes.paper_type) == (name, form)


def filed(name: str, rest: str = "") -> tuple[str, ...]:
    return company(COVER.format(name=name, rest="as specified in its charter") + rest)[1]


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("MICROSOFT CORPORATION", ("MSFT",)),
        ("Apple Inc.", ("AAPL",)),
        ("AMAZON.COM, INC.", ("AMZN",)),
        ("ELI LILLY AND COMPANY", ("LLY",)),
        ("COSTCO WHOLESALE CORPORATION", ()),  # COST is a word.
        ("BERKSHIRE HATHAWAY INC.", ("BRK-A", "BRK-B")),
    ],
)
def test_a_listed_company_whose_report_names_no_symbol_gets_those_of_the_list(
    name: str, symbols: tuple[str, ...]
) -> None:
    assert filed(name) == symbols


def test_a_symbol_on_the_cover_is_the_only_one() -> None:
    assert filed("Apple Inc.", "\nCommon Stock APLX New York Stock Exchange\n") == ("APLX",)


def test_a_name_without_its_legal_form_has_the_one_that_the_text_writes_behind_it() -> None:
    assert company("Amcor reports fiscal 2023 results\n\nAmcor plc makes packaging.\n")[1] == ("AMCR",)
    assert company("Amcor reports fiscal 2023 results\n\nAmcor plc bought Amcor Ltd.\n")[1] == ()


@pytest.mark.parametrize(
    "name",
    ["DELTA CORP", "DELTA INC.", "TARGET PLC", "TARGET HOLDINGS INC.", "APPLE CORPS LIMITED", "APPLE BANCORP, INC."],
)
def test_another_company_of_a_name_like_a_listed_one_gets_no_symbol(name: str) -> None:
    assert filed(name) == ()


def test_two_companies_that_begin_alike_have_each_its_own_symbol() -> None:
    assert filed("Target Corporation") == ("TGT",)
    assert filed("Target Hospitality Corp.") != ("TGT",)


@pytest.mark.parametrize(
    "name",
    ["AGILENT TECHNOLOGIES, INC.", "ON SEMICONDUCTOR CORP", "GARTNER INC", "ALLSTATE CORP", "ServiceNow, Inc."],
)
def test_a_symbol_that_is_a_word_is_none_of_the_list(name: str) -> None:
    assert filed(name) == ()


def test_a_symbol_that_the_report_has_as_a_word_means_something_else() -> None:
    assert filed("UNITED PARCEL SERVICE INC") == ("UPS",)
    assert filed("UNITED PARCEL SERVICE INC", "\nEvery data centre has UPS units.\n") == ()
    assert filed("Lyft, Inc.", "\nSee lyft.com.\n") == ("LYFT",)
    assert filed("Lyft, Inc.", "\nPeople who lyft once come again.\n") == ()


def test_symbols_of_a_long_report_are_found_in_linear_time() -> None:
    def measure(count: int) -> float:
        begun = process_time()
        filed("Microsoft Corporation", "Microsoft corp. Microsoft and msft.com " * count)
        return process_time() - begun

    measure(10)
    assert measure(40_000) < 12 * max(measure(10_000), 0.05)
