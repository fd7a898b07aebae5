# ruff: noqa: E501 - the lines of documents are as long as they are
"""Invented first pages of filings, annual reports and releases in the layouts that companies give them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Listed:
    """A company: the name of its charter, its symbol, what it calls itself, and what people call it."""

    name: str
    symbol: str
    short: str
    asked: tuple[str, ...] = ()
    exchange: str = "New York Stock Exchange"


@dataclass(frozen=True, slots=True)
class Pages:
    """What a document says, and of which form and period it is; the days are half-open."""

    text: str
    form: str
    start: date | None = None
    end: date | None = None


NASDAQ = "The Nasdaq Stock Market LLC"
COMPANIES = (
    Listed("3M Company", "MMM", "3M", ("3M", "3M's", "MMM", "$MMM", "3m")),
    Listed("Johnson & Johnson", "JNJ", "Johnson & Johnson", ("J&J", "JnJ", "JNJ", "Johnson and Johnson")),
    Listed("American Water Works Company, Inc.", "AWK", "American Water", ("American Water Works", "American Water")),
    Listed("The Boeing Company", "BA", "Boeing", ("Boeing", "boeing", "The Boeing Company", "BA")),
    Listed("Advanced Micro Devices, Inc.", "AMD", "AMD", ("AMD", "amd", "Advanced Micro Devices"), NASDAQ),
    Listed("Activision Blizzard, Inc.", "ATVI", "Activision Blizzard", ("Activision", "ATVI"), NASDAQ),
    Listed("JPMorgan Chase & Co.", "JPM", "JPMorgan Chase", ("JPMorgan", "JPM", "J.P. Morgan Chase")),
    Listed("MGM Resorts International", "MGM", "MGM Resorts", ("MGM", "MGM Resorts", "mgm resorts")),
    Listed("PepsiCo, Inc.", "PEP", "PepsiCo", ("PepsiCo", "Pepsi", "PEP", "pepsico"), NASDAQ),
    Listed("CVS Health Corporation", "CVS", "CVS Health", ("CVS", "CVS Health", "cvs health")),
    Listed("Verizon Communications Inc.", "VZ", "Verizon", ("Verizon", "verizon", "VZ")),
    Listed("General Mills, Inc.", "GIS", "General Mills", ("General Mills", "GIS", "general mills")),
    Listed("Block, Inc.", "SQ", "Block", ("Block", "SQ", "Block's")),
    Listed("Corning Incorporated", "GLW", "Corning", ("Corning", "GLW", "corning")),
    Listed("Best Buy Co., Inc.", "BBY", "Best Buy", ("Best Buy", "BBY", "best buy")),
    Listed("Ulta Beauty, Inc.", "ULTA", "Ulta Beauty", ("Ulta Beauty", "$ULTA", "Ulta"), NASDAQ),
    Listed("American Express Company", "AXP", "American Express", ("American Express", "AXP")),
    Listed("Lowe's Companies, Inc.", "LOW", "Lowe's", ("Lowe's", "Lowes", "lowe's")),
    Listed("AT&T Inc.", "T", "AT&T", ("AT&T", "AT&T's")),
    Listed("eBay Inc.", "EBAY", "eBay", ("eBay", "EBAY", "Ebay"), NASDAQ),
    Listed("International Business Machines Corporation", "IBM", "IBM", ("IBM", "IBM's")),
    Listed("The AES Corporation", "AES", "AES", ("AES", "AES Corporation", "aes")),
    Listed("Washington Federal, Inc.", "WAFD", "Washington Federal", ("Washington Federal", "WAFD"), NASDAQ),
)

_SEC = "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nWashington, D.C. 20549\n\n"
_ANNUAL = "☒ ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934\n\n"
_TRANSITION = (
    "OR\n\n☐ TRANSITION REPORT PURSUANT TO SECTION 13 OR 15(d)\n\nFor the transition period from ____ to ____\n\n"
)
_EXACT = "(Exact name of registrant as specified in its charter)"
_STATE = "Delaware | 41-0417775\n(State or other jurisdiction of incorporation) | (I.R.S. Employer Identification No.)\n\n1 Main Street, Springfield, Illinois 62701\n(Address of principal executive offices) (Zip Code)\n\n"


def _classes(company: Listed) -> str:
    head = (
        "| Title of each class | Trading Symbol(s) | Name of each exchange on which registered |\n| --- | --- | --- |\n"
    )
    return f"{head}| Common Stock, $0.01 par value | {company.symbol} | {company.exchange} |\n\n"


def _prose(company: Listed, paragraphs: int = 4) -> str:
    said = (
        f"Demand in the largest markets of {company.short} was steady, while costs of materials and labor rose.",
        "Net sales are recognised when control passes to the customer, at the amount that is expected.",
        f"Cash provided by {company.short}’s operating activities was used for capital expenditures and dividends.",
        f"In its segments {company.short} is subject to risks that are described under Item 1A, Risk Factors.",
    )
    return "".join(f"{said[place % len(said)]}\n\n" for place in range(paragraphs))


def _statements(company: Listed, year: int) -> str:
    return (
        "REPORT OF INDEPENDENT REGISTERED PUBLIC ACCOUNTING FIRM\n\n"
        f"To the Shareholders and the Board of Directors of {company.name}:\n\nWe have audited the balance sheets.\n\n"
        f"{company.name.upper()} AND SUBSIDIARIES\n\nCONSOLIDATED STATEMENTS OF INCOME\n\n"
        f"| | {year} | {year - 1} |\n| --- | --- | --- |\n| Net sales | 12,345 | 11,987 |\n\n"
    )


def _filed(cover: str, company: Listed, year: int, form: str = "10-K") -> Pages:
    text = f"{cover}{_classes(company)}{_prose(company)}{_statements(company, year)}{_prose(company)}"
    return Pages(text, form, date(year, 1, 1), date(year + 1, 1, 1))


def _head(year: int, ended: str = "For the fiscal year ended") -> str:
    return f"{_SEC}FORM 10-K\n\n(Mark One)\n\n{_ANNUAL}{ended} December 31, {year}\n\n{_TRANSITION}"


def cover_in_capitals(company: Listed, year: int) -> Pages:
    return _filed(
        f"{_head(year)}Commission file number 1-3285\n\n{company.name.upper()}\n\n{_EXACT}\n\n{_STATE}", company, year
    )


def cover_without_blank_lines(company: Listed, year: int) -> Pages:
    head = f"SECURITIES AND EXCHANGE COMMISSION\nWASHINGTON, D.C. 20549\nFORM 10-K\nANNUAL REPORT\nFor the year ended December 31, {year}\n"
    return _filed(f"{head}Commission file number 1-434\n{company.name}\n{_EXACT}\n{_STATE}", company, year)


def name_over_two_lines(company: Listed, year: int) -> Pages:
    first, _, last = company.name.upper().rpartition(" ")
    name = f"{first}\n{last}" if first else last
    return _filed(f"{_head(year)}Commission file number 1-3285\n\n{name}\n\n{_EXACT}\n\n{_STATE}", company, year)


def name_after_the_line(company: Listed, year: int) -> Pages:
    line = f"Exact name of registrant as specified in its charter: {company.name}\n\n"
    return _filed(f"{_head(year)}Commission file number: 001-11111\n\n{line}", company, year)


def name_in_a_table(company: Listed, year: int) -> Pages:
    head = "| Commission File Number | Exact name of registrant as specified in its charter, address of principal executive office | State of incorporation |\n| --- | --- | --- |\n"
    row = f"| 001-01245 | {company.name} 1 Main Street Springfield, Illinois 62701 | Delaware |\n\n"
    return _filed(f"{_head(year)}{head}{row}", company, year)


def cover_without_the_line(company: Listed, year: int) -> Pages:
    return _filed(
        f"{_head(year)}Commission file number 1-3285\n\n{company.name.upper()}\n\nIncorporated in Delaware\n\n",
        company,
        year,
    )


def name_beside_the_file_number(company: Listed, year: int) -> Pages:
    return _filed(f"{_head(year)}Commission file number 1-3285 {company.name}\n{_EXACT}\n\n{_STATE}", company, year)


def cover_with_addresses_alone(company: Listed, year: int) -> Pages:
    """The words that come before a name are missing, as on the covers of 3M and Microsoft."""
    place = "WASHINGTON 91-1144442\n(STATE OF INCORPORATION) (I.R.S. ID)\nONE WAY, REDMOND\n\n"
    return _filed(f"{_head(year)}Commission File Number 001-37845\n{company.name.upper()}\n{place}", company, year)


def cover_whose_name_is_a_picture(company: Listed, year: int) -> Pages:
    return _filed(f"{_head(year)}Commission file number 1-2217\n\n{_EXACT}\n\n{_STATE}", company, year)


def cover_behind_a_blank_page(company: Listed, year: int) -> Pages:
    found = cover_in_capitals(company, year)
    return Pages(f"\n\nThis page intentionally left blank\n\n{found.text}", "10-K", found.start, found.end)


def cover_behind_a_letter(company: Listed, year: int) -> Pages:
    found = cover_in_capitals(company, year)
    letter = f"{company.short}\n\n{year} Annual Report\n\nTo our shareholders\n\n{_prose(company, 200)}"
    return Pages(f"{letter}Pat Example\nChief Executive Officer\n\n{found.text}", "10-K", found.start, found.end)


def foreign_issuer(company: Listed, year: int) -> Pages:
    cover = (
        f"{_SEC}FORM 20-F\n\n(Mark One)\n\n{_ANNUAL}For the fiscal year ended December 31, {year}\n\n{company.name}\n\n"
    )
    return _filed(
        f"{cover}{_EXACT}\n\nNot applicable\n\n(Translation of Registrant’s name into English)\n\n",
        company,
        year,
        "20-F",
    )


def pages_without_a_cover(company: Listed, year: int) -> Pages:
    footer = f"{company.name} {year} Form 10-K\n\n"
    text = (
        f"Table of Contents\n\nPART I\n\nItem 1. Business\n\n{_prose(company)}41  {footer}{_prose(company)}42  {footer}"
    )
    return Pages(f"{text}{_statements(company, year)}", "10-K", date(year, 1, 1), date(year + 1, 1, 1))


def quarterly_form(company: Listed, year: int) -> Pages:
    cover = f"{_SEC}FORM 10-Q\n\n☒ QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d)\n\nFor the quarterly period ended June 30, {year}\n\n"
    text = f"{cover}Commission file number 1-3285\n\n{company.name}\n{_EXACT}\n\n{_classes(company)}{_prose(company)}"
    return Pages(text, "10-Q", date(year, 4, 1), date(year, 7, 1))


def current_report(company: Listed, year: int) -> Pages:
    cover = f"{_SEC}FORM 8-K\n\nCURRENT REPORT\n\nDate of Report (Date of earliest event reported): May 18, {year}\n\n"
    event = f"At the annual meeting on May 18, {year}, the shareholders elected the directors.\n"
    return Pages(f"{cover}{company.name}\n{_EXACT}\n\n{_STATE}{_classes(company)}{event}", "8-K")


def proxy_statement(company: Listed, year: int) -> Pages:
    cover = f"{_SEC}SCHEDULE 14A INFORMATION\n\nProxy Statement Pursuant to Section 14(a)\n\n{company.name.upper()}\n\n"
    return Pages(f"{cover}(Name of Registrant as Specified In Its Charter)\n\n{_prose(company)}", "proxy statement")


def release_with_a_headline(company: Listed, year: int) -> Pages:
    head = f"FOR IMMEDIATE RELEASE\n\n{company.short} Reports Fourth Quarter and Full Year {year} Results\n\n"
    line = f"SPRINGFIELD, Ill., January 31, {year + 1} – {company.name} (NYSE: {company.symbol}) today announced results for the fourth quarter and full year ended December 31, {year}.\n\n"
    return Pages(f"{head}{line}{_prose(company)}", "earnings release", date(year, 1, 1), date(year + 1, 1, 1))


def release_with_a_dateline(company: Listed, year: int) -> Pages:
    head = f"Exhibit 99.1\n\nSECOND QUARTER {year} RESULTS\n\nRecord net sales; guidance raised\n\n"
    line = f"SPRINGFIELD, Ill. (July 27, {year}) – {company.name} (NYSE: {company.symbol}), a global leader, today reported results for the quarter ended June 30, {year}.\n\n"
    return Pages(f"{head}{line}{_prose(company)}", "earnings release", date(year, 4, 1), date(year, 7, 1))


def annual_report_under_its_name(company: Listed, year: int) -> Pages:
    text = f"{company.name}\n\nAnnual Report {year}\n\nStrategic report 2\nGovernance 60\n\n{_prose(company, 8)}{_statements(company, year)}"
    return Pages(text, "annual report", date(year, 1, 1), date(year + 1, 1, 1))


def annual_report_in_one_line(company: Listed, year: int) -> Pages:
    text = f"{company.name} Annual Report and Accounts {year}\n\nBuilding for the long term\n\n{_prose(company, 8)}{_statements(company, year)}"
    return Pages(text, "annual report", date(year, 1, 1), date(year + 1, 1, 1))


def annual_report_that_only_its_auditors_name(company: Listed, year: int) -> Pages:
    text = f"Annual Report {year}\n\nMoving forward\n\n{_prose(company, 8)}{_statements(company, year)}"
    return Pages(text, "annual report", date(year, 1, 1), date(year + 1, 1, 1))


def half_year_report(company: Listed, year: int) -> Pages:
    text = f"{company.name}\n\nHalf-Year Report {year}\n\nFor the six months ended June 30, {year}\n\n{_prose(company)}{company.name} Half-Year Report {year}\n\n"
    return Pages(text, "interim report", date(year, 1, 1), date(year, 7, 1))


def transcript(company: Listed, year: int) -> Pages:
    head = f"{company.name} (NYSE:{company.symbol}) Q2 {year} Earnings Conference Call July 27, {year} 5:00 PM ET\n\n"
    said = f"Company Participants\n\nPat Example – CEO\n\nOperator\n\nWelcome to the {company.short} earnings call.\n\n"
    return Pages(f"{head}{said}{_prose(company)}", "transcript", date(year, 4, 1), date(year, 7, 1))


Layout = Callable[[Listed, int], Pages]
LAYOUTS: tuple[Layout, ...] = (
    cover_in_capitals,
    cover_without_blank_lines,
    name_over_two_lines,
    name_after_the_line,
    name_in_a_table,
    cover_without_the_line,
    name_beside_the_file_number,
    cover_with_addresses_alone,
    cover_whose_name_is_a_picture,
    cover_behind_a_blank_page,
    cover_behind_a_letter,
    foreign_issuer,
    pages_without_a_cover,
    quarterly_form,
    current_report,
    proxy_statement,
    release_with_a_headline,
    release_with_a_dateline,
    annual_report_under_its_name,
    annual_report_in_one_line,
    annual_report_that_only_its_auditors_name,
    half_year_report,
    transcript,
)
