"""A quarterly report that nobody filed, with what inline XBRL has: it is the golden sample of the tests.

Its fiscal years end in September. Facts are hidden, nil, negative, dashes, percentages, per share, of dimensions and
continued; one is tagged in thousands in a table in millions.
"""

from __future__ import annotations

from tests.tasks.parsers.xbrl.invented_filing import amount, context, figure, page, row, table, tag, words

REVENUE = "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax"
_PERIODS = {
    "n25": ("2024-09-29", "2025-06-28"), "n24": ("2023-10-01", "2024-06-29"), "q25": ("2025-03-30", "2025-06-28"),
    "q24": ("2024-03-31", "2024-06-29"),
}  # fmt: skip
_CONTRACT = '<xbrldi:typedMember dimension="nli:ContractAxis"><nli:Number>17</nli:Number></xbrldi:typedMember>'
_BLANK = '<td colspan="3"/>'


def _tenths(text: str, name: str, when: str, **attributes: str) -> str:
    return amount(text, name, when, **{"decimals": "-5", **attributes})


def _per_share(text: str, when: str, **attributes: str) -> str:
    return amount(text, "us-gaap:EarningsPerShareDiluted", when, "usdPerShare", "0", decimals="2", **attributes)


def _rate(text: str, when: str) -> str:
    name = "us-gaap:EffectiveIncomeTaxRateContinuingOperations"
    return figure(amount(text, name, when, "pure", "-2", decimals="3"), "", "%")


def _head(day: str, year: int) -> str:
    return f'<td colspan="3">{day},<br/>{year}</td>'


def northlight() -> str:
    """The page."""
    contexts = [context(name, *days) for name, days in _PERIODS.items()]
    contexts += [context("stock", "2025-07-18"), context("ever", "")]
    contexts.append(context("q25s", *_PERIODS["q25"], [("srt:ProductOrServiceAxis", "us-gaap:ServiceMember")]))
    contexts.append(context("q25t", *_PERIODS["q25"], typed=_CONTRACT))
    hidden = "".join(
        words(text, name, "n25", **given)
        for text, name, given in (
            ("false", "dei:AmendmentFlag", {}),
            ("--09-27", "dei:CurrentFiscalYearEndDate", {}),
            ("2025", "dei:DocumentFiscalYearFocus", {}),
            ("Q3", "dei:DocumentFiscalPeriodFocus", {}),
            ("P1Y", "us-gaap:RevenueRemainingPerformanceObligationExpectedTimingOfSatisfactionPeriod1", {"id": "h-1"}),
        )
    )
    restructuring, loss = "us-gaap:RestructuringCharges", "us-gaap:NetIncomeLoss"
    impaired = "us-gaap:AssetImpairmentCharges"
    statement = table(
        f'<tr>{_BLANK}{_BLANK}<td colspan="9">Three Months Ended</td></tr>',
        f"<tr>{_BLANK}{_BLANK}{_head('June 28', 2025)}{_BLANK}{_head('June 29', 2024)}</tr>",
        row("Net sales:", _BLANK, _BLANK),
        row("Services", figure(_tenths("26.6", REVENUE, "q25s"), "$"), figure("23.9", "$")),
        row(
            "Total net sales",
            figure(_tenths("108.3", REVENUE, "q25"), "$"),
            figure(_tenths("92.1", REVENUE, "q24"), "$"),
        ),
        row(
            "Restructuring",
            figure(f"({_tenths('1.4', restructuring, 'q25')}", "", ")"),
            figure(_tenths("&#8212;", restructuring, "q24", format="ixt:fixed-zero")),
        ),
        row(
            "Net loss",
            figure(f"({_tenths('2.4', loss, 'q25', sign='-')}", "", ")"),
            figure(_tenths("3.1", loss, "q24")),
        ),
        row(
            "Diluted earnings per share",
            figure(f"({_per_share('0.06', 'q25', sign='-')}", "$", ")"),
            figure(_per_share("0.08", "q24"), "$"),
        ),
        row("Effective tax rate", _rate("21.5", "q25"), _rate("20.0", "q24")),
        row(
            "Impairment",
            figure(tag("nonFraction", "n/a", impaired, "q25", unitRef="usd", xsi__nil="true")),
            figure(_tenths("5", impaired, "q24", scale="3")),
        ),
    )
    policy = words(
        "<div>Note 1. Revenue is recognised when control passes. <ix:exclude>Page 7</ix:exclude></div>",
        "us-gaap:RevenueRecognitionPolicyTextBlock", "n25", escape="true", continuedAt="k1",
    )  # fmt: skip
    recognised = _tenths("1.2", "us-gaap:ContractWithCustomerLiabilityRevenueRecognized", "q25t")
    shares = amount("41,250,000", "dei:EntityCommonStockSharesOutstanding", "stock", "shares", "0", decimals="INF")
    body = f"""<div>FORM {words("10-Q", "dei:DocumentType", "n25")}</div>
<div>For the quarterly period ended {
        words("June&nbsp;28, 2025", "dei:DocumentPeriodEndDate", "n25", format="ixt:date-monthname-day-year-en")
    }</div>
<div>{words("Northlight Instruments, Inc.", "dei:EntityRegistrantName", "n25")}</div>
<div>(Exact name of registrant as specified in its charter)</div>
<table><tr><td>Title of each class</td><td>Trading symbol</td></tr><tr><td>Common stock</td><td>{
        words("NLI", "dei:TradingSymbol", "n25")
    }</td></tr></table>
<div>{shares} shares were outstanding on July 18, 2025.</div>
<hr style="page-break-after:always"/>
<div>CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited)</div>
<div>(In millions, except per-share amounts)</div>
{statement}
{policy}
<div>Between them stands another paragraph: <span style="-sec-ix-hidden:h-1">within a year</span>.</div>
<ix:continuation id="k1"><div>It goes on here with {recognised} million.</div></ix:continuation>
<div style="display:none">Nobody sees {_tenths("9.9", loss, "n25")}.</div>"""
    return page(body, contexts, hidden)
