"""Facts of real filings in the markup of their publishers' programs; figures and tags are those of the filings.

The markup is shortened to what carries meaning: tags, attributes, columns and signs as they stand, styles left out.
"""

from __future__ import annotations

from tests.tasks.parsers.xbrl.invented_filing import amount, context, figure, page, row, words

APPLE = "Apple Inc., 10-Q for the quarter ended March 29, 2025: the statement of operations (Workiva)"
_SALES = "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax"
_COST = "us-gaap:CostOfGoodsAndServicesSold"
_PERIODS = (
    ("2024-12-29", "2025-03-29"), ("2023-12-31", "2024-03-30"), ("2024-09-29", "2025-03-29"),
    ("2023-10-01", "2024-03-30"),
)  # fmt: skip
_PRODUCT, _SERVICE = ([("srt:ProductOrServiceAxis", f"us-gaap:{member}Member")] for member in ("Product", "Service"))
_ROWS = (
    ("&#160;&#160;&#160;Products", _SALES, "p", ("68,714", "66,886", "166,674", "163,344"), "$"),
    ("&#160;&#160;&#160;Services", _SALES, "s", ("26,645", "23,867", "52,985", "46,984"), ""),
    ("Total net sales", _SALES, "c", ("95,359", "90,753", "219,659", "210,328"), ""),
    ("Cost of sales:", "", "", (), ""),
    ("&#160;&#160;&#160;Products", _COST, "p", ("44,030", "42,424", "103,477", "100,864"), ""),
    ("&#160;&#160;&#160;Services", _COST, "s", ("6,462", "6,058", "13,040", "12,338"), ""),
    ("Total cost of sales", _COST, "c", ("50,492", "48,482", "116,517", "113,202"), ""),
    ("Gross margin", "us-gaap:GrossProfit", "c", ("44,867", "42,271", "103,142", "97,126"), ""),
    ("Operating expenses:", "", "", (), ""),
    ("Research and development", "us-gaap:ResearchAndDevelopmentExpense", "c",
     ("8,550", "7,903", "16,818", "15,599"), ""),
    ("Selling, general and administrative", "us-gaap:SellingGeneralAndAdministrativeExpense", "c",
     ("6,728", "6,468", "13,903", "13,254"), ""),
    ("Total operating expenses", "us-gaap:OperatingExpenses", "c", ("15,278", "14,371", "30,721", "28,853"), ""),
)  # fmt: skip


def apple() -> str:
    contexts = [context("cover", "2024-09-29", "2025-03-29"), context("stock", "2025-04-18")]
    for letter, members in (("c", ()), ("p", _PRODUCT), ("s", _SERVICE)):
        contexts += (context(f"{letter}{place}", *days, members) for place, days in enumerate(_PERIODS))
    hidden = (
        words("false", "dei:AmendmentFlag", "cover")
        + words("2025", "dei:DocumentFiscalYearFocus", "cover")
        + words("Q2", "dei:DocumentFiscalPeriodFocus", "cover")
        + words("0000320193", "dei:EntityCentralIndexKey", "cover")
        + words("--09-27", "dei:CurrentFiscalYearEndDate", "cover")
    )
    blank = '<td colspan="3"/>'
    rows = [
        f'<tr>{blank}{blank}<td colspan="9">Three Months Ended</td>{blank}<td colspan="9">Six Months Ended</td></tr>',
        f"<tr>{blank}"
        + "".join(f'{blank}<td colspan="3"><span>March {day},<br/>{year}</span></td>' for day, year in _HEADS)
        + "</tr>",
        row("Net sales:", *[blank] * 4),
    ]
    for label, concept, letter, figures, sign in _ROWS:
        cells = (
            figure(amount(digits, concept, f"{letter}{place}") + "&#160;", sign) for place, digits in enumerate(figures)
        )
        rows.append(row(label, *(cells if figures else [blank] * 4)))
    body = (
        f"<div>FORM {words('10-Q', 'dei:DocumentType', 'cover')}</div><div>For the quarterly period ended "
        f"{words('March&#160;29, 2025', 'dei:DocumentPeriodEndDate', 'cover', format='ixt:date-monthname-day-year-en')}"
        f"</div><div>{words('Apple Inc.', 'dei:EntityRegistrantName', 'cover')}</div>"
        "<div>(Exact name of Registrant as specified in its charter)</div><table><tr><td>Title of each class</td>"
        f"<td>Trading symbol(s)</td></tr><tr><td>{words('Common Stock', 'dei:Security12bTitle', 'cover')}</td>"
        f"<td>{words('AAPL', 'dei:TradingSymbol', 'cover')}</td></tr></table>"
        "<div>CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited)</div>"
        "<div>(In millions, except number of shares, which are reflected in thousands, and per-share amounts)</div>"
        f'<table><tr><td style="width:1%"/></tr>{"".join(rows)}</table>'
    )
    return page(body, contexts, hidden, title="aapl-20250329")


_HEADS = (("29", "2025"), ("30", "2024"), ("29", "2025"), ("30", "2024"))

AEON = "AEON Biopharma, 10-Q for the quarter ended September 30, 2023: current liabilities (Toppan Merrill)"
_LIABILITIES = (
    ("Accrued clinical trials expenses", "aeon:AccruedClinicalTrailsExpensesCurrent", "5,641", "2,051"),
    ("Accrued compensation", "us-gaap:EmployeeRelatedLiabilitiesCurrent", "1,020", "1,112"),
    ("Excise tax payable", "us-gaap:SalesAndExciseTaxPayableCurrent", "569", ""),
    ("Other accrued expenses", "us-gaap:OtherAccruedLiabilitiesCurrent", "2,934", "740"),
    ("", "us-gaap:ConvertibleNotesPayableCurrent", "", "70,866"),
    ("<b>Total current liabilities</b>", "us-gaap:LiabilitiesCurrent", "14,177", "82,574"),
)
_UNSEEN = '<td><p><span style="font-size:9pt;visibility:hidden;">&#8203;</span></p></td>'


def aeon() -> str:
    def thousands(text: str, name: str, when: str) -> str:
        return amount(text, name, when, scale="3", format="ixt:numdotdecimal")

    def cell(text: str, concept: str, when: str) -> str:
        shown = thousands(text, concept, when) if text else "&#8212;"
        return f"{_UNSEEN}<td><p>&#160;</p></td><td><p> {shown}</p></td>{_UNSEEN}"

    related = "us-gaap:NotesPayableRelatedPartiesClassifiedCurrent"
    now, then = thousands("0", related, "now"), thousands("38,834", related, "then")
    label = (
        "Current portion of convertible notes at fair value, including related party amount of "
        f"${now} and ${then} at September&#160;30,&#160;2023 and December&#160;31,&#160;2022, respectively"
    )
    rows = "".join(
        f"<tr><td><p>{name or label}</p></td>{cell(now, concept, 'now')}{cell(then, concept, 'then')}</tr>"
        for name, concept, now, then in _LIABILITIES
    )
    days = ("September 30, 2023", "December 31, 2022")
    head = "".join(f'{_UNSEEN}<td colspan="2"><p>{day}</p></td>{_UNSEEN}' for day in days)
    name = words("AEON Biopharma, Inc.", "dei:EntityRegistrantName", "year")
    body = (
        f"<p>{name}</p><p>CONDENSED CONSOLIDATED BALANCE SHEETS"
        f"</p><p>(in thousands)</p><table><tr><td><p>&#160;</p></td>{head}</tr>{rows}</table>"
    )
    balances = [context("now", "2023-09-30"), context("then", "2022-12-31")]
    contexts = [*balances, context("year", "2023-01-01", "2023-09-30")]
    made = page(body, contexts, title="aeon-20230930x10q")
    return made.replace("transformation/2020-02-12", "transformation/2015-02-26").replace("xmlns:nli", "xmlns:aeon")


COMPANIES_HOUSE = (
    "Micro-entity accounts of a British company for the year to March 31, 2017 (Companies House WebFiling)"
)
_ACCOUNTS = (
    ("Current Assets", "CurrentAssets", "4,373", "4,928", False),
    ("Creditors: amounts falling due within one year", "CreditorsDueWithinOneYear", "1,154", "495", True),
    ("Net current assets (liabilities)", "NetCurrentAssetsLiabilities", "3,219", "4,433", False),
    ("Total assets less current liabilities", "TotalAssetsLessCurrentLiabilities", "3,219", "4,433", False),
    ("Total net assets (liabilities)", "NetAssetsLiabilitiesIncludingPensionAssetLiability", "3,219", "4,433", False),
)


def companies_house() -> str:
    def tagged(name: str, when: str, digits: str, *, is_less: bool) -> str:
        made = (
            f'<ix:nonFraction contextRef="{when}" decimals="0" format="ixt:numdotdecimal" name="uk-gaap-pt:{name}" '
            f'unitRef="currencyUnit">{digits}</ix:nonFraction>'
        )
        return f'({made}\n<span class="endnegmark">)</span>' if is_less else made

    def cell(name: str, when: str, digits: str, *, is_less: bool) -> str:
        return f'<td class="figure">\n{tagged(name, when, digits, is_less=is_less)}\n</td>'

    rows = "".join(
        f'<tr><th>{label}</th><td class="notefigure"/>{cell(name, "now", now, is_less=less)}'
        f"{cell(name, 'then', then, is_less=less)}</tr>"
        for label, name, now, then, less in _ACCOUNTS
    )

    def held(name: str, period: str) -> str:
        return (
            f'<context xmlns="http://www.xbrl.org/2003/instance" id="{name}"><entity><identifier '
            f'scheme="http://www.companieshouse.gov.uk/">12345678</identifier></entity><period>{period}</period></context>'
        )

    days = "<startDate>2016-04-01</startDate><endDate>2017-03-31</endDate>"
    contexts = held("year", days) + held("now", "<instant>2017-03-31</instant>")
    contexts += held("then", "<instant>2016-03-31</instant>")
    name = "COMMA NAME, TESTAREA AND DISTRICT COMMUNITY ASSOCIATION LIMITED"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"
 xmlns:ix="http://www.xbrl.org/2008/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2011-07-31"
 xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:uk-gaap-cd-bus="http://www.xbrl.org/uk/cd/business/2009-09-01"
 xmlns:uk-gaap-pt="http://www.xbrl.org/uk/gaap/core/2009-09-01" xmlns:xlink="http://www.w3.org/1999/xlink">
<head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/>
<style type="text/css">.hidden {{ display: none; }} div.pagebreak {{ page-break-after: always; }}</style>
<title>Micro-entity Accounts - {name}</title></head>
<body><div class="hidden"><ix:header><ix:hidden>
<ix:nonNumeric contextRef="year" name="uk-gaap-cd-bus:EntityCurrentLegalOrRegisteredName">{name}</ix:nonNumeric>
<ix:nonNumeric contextRef="year" name="uk-gaap-cd-bus:EndDateForPeriodCoveredByReport">2017-03-31</ix:nonNumeric>
<ix:nonNumeric contextRef="year" name="uk-gaap-pt:NameDirectorSigningAccounts"/></ix:hidden>
<ix:references><link:schemaRef xlink:href="uk-gaap-full-2009-09-01.xsd" xlink:type="simple"/></ix:references>
<ix:resources>{contexts}<unit xmlns="http://www.xbrl.org/2003/instance" id="currencyUnit"><measure>iso4217:GBP</measure>
</unit></ix:resources></ix:header></div>
<div class="titlepage"><p>Registered Number 12345678</p><p>{name}</p><p>31 March 2017</p><p class="dottedLine"/></div>
<div id="balancesheet"><h2>Micro-entity Balance Sheet as at 31 March 2017</h2><table>
<tr><th/><th>Notes</th><th>2017</th><th>2016</th></tr><tr><th/><th/><th>£</th><th>£</th></tr>{rows}</table></div></body></html>"""
