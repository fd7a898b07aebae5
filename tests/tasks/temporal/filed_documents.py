# ruff: noqa: E501 - the lines of documents are as long as they are
"""Invented filings and releases in many layouts, with the company and the period that each is of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Filed:
    """A document: its text, and what it says of itself; `start` and `last` are the days it covers, both included."""

    text: str
    company: str
    name: str | None = None
    start: date | None = None
    last: date | None = None


FILED: dict[str, Filed] = {}


def add(
    path: str, text: str, company: str, name: str | None = None, start: date | None = None, last: date | None = None
) -> None:
    FILED[path] = Filed(text, company, name, start, last)


def tbl(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


add(
    "club-2023q3.txt",
    """CEDAR CLUB WHOLESALE CORPORATION REPORTS THIRD QUARTER AND YEAR-TO-DATE OPERATING RESULTS FOR FISCAL 2023

ISSAQUAH, Wash., May 25, 2023 (GLOBE NEWSWIRE) -- Cedar Club Wholesale Corporation (“Cedar Club” or the “Company”) (Nasdaq: CDRC) today announced its operating results for the third quarter (twelve weeks) and the first 36 weeks of fiscal 2023, ended May 7, 2023.

Net sales for the third quarter increased 1.9 percent, to $52.60 billion, from $51.61 billion last year. Net sales for the first 36 weeks increased 5.4 percent.

CEDAR CLUB WHOLESALE CORPORATION
CONDENSED CONSOLIDATED STATEMENTS OF INCOME
(amounts in millions, except per share data) (unaudited)

"""
    + tbl(
        ["", "12 Weeks Ended", "", "36 Weeks Ended", ""],
        [
            ["", "May 7, 2023", "May 8, 2022", "May 7, 2023", "May 8, 2022"],
            ["Net sales", "$52,604", "$51,610", "$160,280", "$152,078"],
            ["Membership fees", "1,044", "984", "3,071", "2,898"],
        ],
    ),
    "Cedar Club Wholesale",
    "Q3 2023",
    date(2023, 2, 13),
    date(2023, 5, 7),
)
add(
    "club-2022q4.txt",
    """CEDAR CLUB WHOLESALE CORPORATION REPORTS FOURTH QUARTER AND FISCAL YEAR 2022 OPERATING RESULTS

ISSAQUAH, Wash., September 22, 2022 (GLOBE NEWSWIRE) -- Cedar Club Wholesale Corporation (“Cedar Club” or the “Company”) (Nasdaq: CDRC) today announced its operating results for the 16-week fourth quarter and the 52-week fiscal year ended August 28, 2022.

Net sales for the quarter increased 15.2 percent, to $70.76 billion.

(dollars in millions)

"""
    + tbl(
        ["", "16 Weeks Ended", "", "52 Weeks Ended", ""],
        [
            ["", "August 28, 2022", "August 29, 2021", "August 28, 2022", "August 29, 2021"],
            ["Net sales", "$70,764", "$61,444", "$222,730", "$192,052"],
        ],
    ),
    "Cedar Club Wholesale",
    "FY2022",
    date(2021, 8, 30),
    date(2022, 8, 28),
)
add(
    "club-10q-2024q1.html",
    """<html><body><p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p>FORM 10-Q</p><p>QUARTERLY REPORT PURSUANT TO SECTION 13</p><p>For the quarterly period ended November 26, 2023</p><p>Commission file number 0-20355</p><p>Cedar Club Wholesale Corp</p><p>(Exact name of registrant as specified in its charter)</p><h2>Item 1</h2><p>(amounts in millions, except per share data)</p><table><tr><th></th><th>12 Weeks Ended November 26, 2023</th><th>12 Weeks Ended November 20, 2022</th></tr><tr><td>Net sales</td><td>56,717</td><td>53,437</td></tr></table><p>The Company operates on a 52/53-week fiscal year basis with the year ending on the Sunday closest to August 31. Fiscal year 2024 is a 53-week year ending on September 1, 2024.</p></body></html>""",
    "Cedar Club Wholesale",
    "Q1 2024",
    date(2023, 9, 4),
    date(2023, 11, 26),
)

add(
    "beauty-q1.txt",
    """Lark Beauty Announces First Quarter Fiscal 2023 Results

Net Sales of $2.6 Billion Compared to $2.3 Billion in the Year-Ago Quarter

BOLINGBROOK, Ill.--(BUSINESS WIRE)-- Lark Beauty, Inc. (NASDAQ: LRKB) today announced financial results for the thirteen-week period (“first quarter”) ended April 29, 2023 compared to the same period ended April 30, 2022.

"""
    + tbl(
        ["(Dollars in millions, except per share data)", "13 Weeks Ended", ""],
        [["", "April 29, 2023", "April 30, 2022"], ["Net sales", "$ 2,634.3", "$ 2,345.9"]],
    )
    + """
Fiscal 2023 Outlook

The Company has updated its outlook for fiscal 2023.

"""
    + tbl(
        ["", "Prior FY23 Outlook", "Updated FY23 Outlook"],
        [["Net sales", "$10.95 billion to $11.05 billion", "$11.0 billion to $11.1 billion"]],
    ),
    "Lark Beauty",
    "Q1 2023",
    date(2023, 1, 29),
    date(2023, 4, 29),
)
add(
    "beauty-10k.txt",
    """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION

FORM 10-K

ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)

For the fiscal year ended January 28, 2023

Commission File Number: 001-33764

LARK BEAUTY, INC.

(Exact name of registrant as specified in its charter)

Our fiscal year is the 52 or 53 weeks ending on the Saturday closest to January 31. The fiscal years ended January 28, 2023 (fiscal 2022) and January 29, 2022 (fiscal 2021) were 52-week years.
""",
    "Lark Beauty",
    "FY2022",
    date(2022, 1, 30),
    date(2023, 1, 28),
)

add(
    "chips-q2-2022.txt",
    """Orrin Reports Second-Quarter 2022 Financial Results

SANTA CLARA, Calif., July 28, 2022 – Orrin Corporation today reported second-quarter 2022 financial results. Second-quarter GAAP revenue was $15.3 billion, down 22% year over year.

"""
    + tbl(
        ["", "Three Months Ended", ""],
        [["(In Millions)", "Jul 2, 2022", "Jun 26, 2021"], ["Net revenue", "$15,321", "$19,631"]],
    ),
    "Orrin",
    "Q2 2022",
    date(2022, 4, 3),
    date(2022, 7, 2),
)
add(
    "chips-10k-2022.html",
    """<html><body><p>FORM 10-K</p><p>ANNUAL REPORT</p><p>For the fiscal year ended December 31, 2022</p><p>ORRIN CORP</p><p>(Exact name of registrant as specified in its charter)</p><p>We have a 52- or 53-week fiscal year that ends on the last Saturday in December. Fiscal years 2022 and 2021 were 53- and 52-week fiscal years.</p><table><tr><th>Years Ended (In Millions)</th><th>Dec 31, 2022</th><th>Dec 25, 2021</th></tr><tr><td>Net revenue</td><td>63,054</td><td>79,024</td></tr></table></body></html>""",
    "Orrin",
    "FY2022",
    date(2021, 12, 26),
    date(2022, 12, 31),
)
add(
    "chips-q4-2022.txt",
    """Orrin Reports Fourth-Quarter and Full-Year 2022 Financial Results

News Summary

Full-year revenue was $63.1 billion, down 20 percent.

SANTA CLARA, Calif., Jan. 26, 2023 - Orrin Corporation today reported fourth-quarter and full-year 2022 financial results.
""",
    "Orrin",
    None,
    None,
    None,
)
add(
    "fruit-q2.txt",
    """FOR IMMEDIATE RELEASE

Quince reports second quarter results

CUPERTINO, CALIFORNIA — May 4, 2023 — Quince® today announced financial results for its fiscal 2023 second quarter ended April 1, 2023. The Company posted quarterly revenue of $94.8 billion, down 3 percent year over year.

"""
    + tbl(
        ["", "Three Months Ended", "", "Six Months Ended", ""],
        [
            ["", "April 1, 2023", "March 26, 2022", "April 1, 2023", "March 26, 2022"],
            ["Net sales", "$94,836", "$97,278", "$211,990", "$221,223"],
        ],
    ),
    "Quince",
    "Q2 2023",
    date(2023, 1, 1),
    date(2023, 4, 1),
)
add(
    "fruit-10q.txt",
    """FORM 10-Q

(Mark One)
☒ QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
For the quarterly period ended December 31, 2022
or
☐ TRANSITION REPORT
Commission File Number: 001-36743

Quince Inc.
(Exact name of Registrant as specified in its charter)

The Company’s fiscal year is the 52- or 53-week period that ends on the last Saturday of September. An additional week is included in the first fiscal quarter every five or six years. The Company’s fiscal year 2023 spans 53 weeks.
""",
    "Quince",
    "Q1 2023",
    date(2022, 9, 25),
    date(2022, 12, 31),
)
add(
    "memory-fq2-23.txt",
    """Brook Memory, Inc. Reports Results for the Second Quarter of Fiscal 2023

BOISE, Idaho, March 28, 2023 (GLOBE NEWSWIRE) -- Brook Memory, Inc. (Nasdaq: BRKM) today announced results for its second quarter of fiscal 2023, which ended March 2, 2023.

Fiscal Q2 2023 highlights: Revenue of $3.69 billion versus $4.09 billion for the prior quarter.

"""
    + tbl(["in millions", "FQ2-23", "FQ1-23", "FQ2-22"], [["Revenue", "$ 3,693", "$ 4,085", "$ 7,786"]])
    + """
Business Outlook

"""
    + tbl(["FQ3-23", "GAAP Outlook"], [["Revenue", "$3.70 billion ± $200 million"]]),
    "Brook Memory",
    "Q2 2023",
    date(2022, 12, 2),
    date(2023, 3, 2),
)
add(
    "mart-q1fy24.txt",
    """Mallard releases Q1 FY24 earnings

BENTONVILLE, Ark., May 18, 2023 – Mallard Stores Inc. (NYSE: MLD) today announced first-quarter results, with revenue growth of 7.6%. The Company raises guidance for Q2 and fiscal year 2024.

"""
    + tbl(
        ["(amounts in millions)", "Three Months Ended", "", ""],
        [
            ["", "April 30,", "", ""],
            ["", "2023", "2022", "Percent Change"],
            ["Net sales", "$151,004", "$140,288", "7.6%"],
        ],
    ),
    "Mallard Stores",
    "Q1 2024",
    date(2023, 2, 1),
    date(2023, 4, 30),
)
add(
    "sneakers-q4.txt",
    """STRIDE, INC. REPORTS FISCAL 2023 FOURTH QUARTER AND FULL YEAR RESULTS

BEAVERTON, Ore., June 29, 2023 — STRIDE, Inc. (NYSE: STRD) today reported fiscal 2023 financial results for its fourth quarter and full year ended May 31, 2023.

"""
    + tbl(
        ["(In millions)", "THREE MONTHS ENDED", "", "TWELVE MONTHS ENDED", ""],
        [
            ["", "5/31/2023", "5/31/2022", "5/31/2023", "5/31/2022"],
            ["Revenues", "$12,825", "$12,234", "$51,217", "$46,710"],
        ],
    ),
    "Stride",
    None,
    None,
    date(2023, 5, 31),
)
add(
    "grocer-q1.txt",
    """Harvest Grocers Reports First Quarter 2023 Results and Confirms Guidance for 2023

CINCINNATI, June 15, 2023 /PRNewswire/ -- The Harvest Grocers Co. (NYSE: HVG) today reported its first quarter 2023 results and updated investors.

Total company sales were $45.2 billion in the first quarter, compared to $44.6 billion for the same period last year.

"""
    + tbl(
        ["(in millions, except per share amounts)", "FIRST QUARTER", ""],
        [["", "2023", "2022"], ["SALES", "$ 45,165", "$ 44,600"]],
    )
    + """
Note: The first quarter consists of the 16-week period ended May 20, 2023 and May 21, 2022.
""",
    "Harvest Grocers",
    "Q1 2023",
    date(2023, 1, 29),
    date(2023, 5, 20),
)
add(
    "uk-interims.txt",
    """Ashdown Retail PLC

Interim Results 2023/24

4 October 2023

Ashdown Retail PLC today announces its interim results for the 26 weeks ended 26 August 2023.

Revenue £30.7bn (H1 22/23: £28.2bn).
""",
    "Ashdown Retail",
    None,
    date(2023, 2, 26),
    date(2023, 8, 26),
)
add(
    "target-q2.txt",
    """Bullseye Corporation Reports Second Quarter Earnings

MINNEAPOLIS (August 16, 2023) – Bullseye Corporation (NYSE: BLS) today announced its second quarter 2023 financial results. The Company reported second quarter GAAP earnings per share of $1.80.

"""
    + tbl(
        ["(millions, except per share data) (unaudited)", "Three Months Ended", ""],
        [["", "July 29, 2023", "July 30, 2022"], ["Sales", "$24,384", "$25,653"]],
    ),
    "Bullseye",
    "Q2 2023",
    date(2023, 4, 30),
    date(2023, 7, 29),
)
add(
    "guidance.txt",
    """Tarn Outfitters Lowers Outlook for the Second Half of 2023

PORTLAND, Ore., May 25, 2023 (GLOBE NEWSWIRE) -- Tarn Outfitters, Inc. (Nasdaq: TARN) today lowered its outlook for the second half of 2023. The company now expects revenue of July to December 2023 of $100 million.
""",
    "Tarn Outfitters",
    None,
    None,
    None,
)
add(
    "guidance-fy.txt",
    """Tarn Outfitters Updates Fiscal 2024 Guidance

PORTLAND, Ore., March 1, 2024 (GLOBE NEWSWIRE) -- Tarn Outfitters, Inc. (Nasdaq: TARN) today updated its guidance for fiscal year 2024.
""",
    "Tarn Outfitters",
    None,
    None,
    None,
)
add(
    "guidance-nodate.txt",
    """Tarn Outfitters Updates Its Full Year 2023 Outlook

The company expects revenue of $200 million for fiscal 2023. On May 25, 2023 the board approved the plan.
""",
    "Tarn Outfitters",
    None,
    None,
    None,
)
add(
    "glass.html",
    """<html><head><title>Exhibit 99.1</title></head><body><p>Exhibit 99.1</p><p><b>NEWS RELEASE</b></p><h1>Vetro Glass Reports Third Quarter 2023 Results</h1><p>Corning, N.Y. -- October 24, 2023 -- Vetro Glass Incorporated (NYSE: VTG) today announced its third-quarter 2023 results.</p><table><tr><th></th><th colspan=2>Three months ended September 30,</th></tr><tr><th>(In millions)</th><th>2023</th><th>2022</th></tr><tr><td>Net sales</td><td>3,173</td><td>3,488</td></tr></table></body></html>""",
    "Vetro Glass",
    "Q3 2023",
    date(2023, 7, 1),
    date(2023, 9, 30),
)
add(
    "glass-q1.html",
    """<html><head><title>Exhibit 99.1</title></head><body><p>Exhibit 99.1</p><p><b>NEWS RELEASE</b></p><h1>Vetro Glass Reports First Quarter 2023 Results</h1><p>Corning, N.Y. -- April 25, 2023 -- Vetro Glass Incorporated (NYSE: VTG) today announced its first-quarter 2023 results.</p></body></html>""",
    "Vetro Glass",
    "Q1 2023",
    date(2023, 1, 1),
    date(2023, 3, 31),
)
add(
    "software-q3.md",
    """# Nimbus Announces Third Quarter Fiscal Year 2024 Results

SAN FRANCISCO, Calif. – November 29, 2023 – Nimbus, Inc. (NYSE: NMB), the AI CRM company, today announced results for its third quarter fiscal year 2024 ended October 31, 2023.

|  | Three Months Ended October 31, 2023 | Three Months Ended October 31, 2022 |
|---|---|---|
| Total revenues | $8,720 | $7,837 |

(in millions)
""",
    "Nimbus",
    "Q3 2024",
    date(2023, 8, 1),
    date(2023, 10, 31),
)
add(
    "software-outlook.md",
    """# Nimbus Announces Preliminary Fourth Quarter Fiscal 2024 Revenue

SAN FRANCISCO, Calif. – January 25, 2024 – Nimbus, Inc. (NYSE: NMB) today announced preliminary revenue for its fourth quarter fiscal 2024 ending January 31, 2024.
""",
    "Nimbus",
    "Q4 2024",
    date(2023, 11, 1),
    date(2024, 1, 31),
)
add(
    "8k.txt",
    """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549

FORM 8-K

CURRENT REPORT

Date of Report (Date of earliest event reported): October 26, 2023

Orrin Corporation
(Exact name of registrant as specified in its charter)

Item 2.02 Results of Operations and Financial Condition.

Attached is a press release with results for the quarter ended September 30, 2023 and the forward-looking statements relating to the fourth quarter of 2023.
""",
    "Orrin",
    None,
    None,
    None,
)
add(
    "ag.txt",
    """Ad hoc release

Steinbach AG: Quarterly statement Q1 2023/24

Munich, February 9, 2024

Steinbach AG (XETRA: STB) today announced results for the first quarter of fiscal 2024, which ended December 31, 2023. The fiscal year of Steinbach ends on September 30.
""",
    "Steinbach",
    "Q1 2024",
    date(2023, 10, 1),
    date(2023, 12, 31),
)
add(
    "gpu-q1.txt",
    """Voltra Announces Financial Results for First Quarter Fiscal 2024

- Record Data Center revenue of $4.28 billion
- Second quarter fiscal 2024 revenue outlook of $11.00 billion

SANTA CLARA, Calif., May 24, 2023 (GLOBE NEWSWIRE) -- VOLTRA (NASDAQ: VLTR) today reported revenue for the first quarter ended April 30, 2023, of $7.19 billion, down 13% from a year ago and up 19% from the previous quarter.

"""
    + tbl(
        ["", "Three Months Ended", ""],
        [["", "April 30,", "May 1,"], ["", "2023", "2022"], ["Revenue", "$ 7,192", "$ 8,288"]],
    ),
    "Voltra",
    "Q1 2024",
    date(2023, 1, 30),
    date(2023, 4, 30),
)
add(
    "gpu-q3.txt",
    """VOLTRA CORP

CFO Commentary on Third Quarter 2024 Results

Q3 Fiscal 2024 Summary. Revenue was $18.12 billion.

Our quarter ended on October 29, 2023.
""",
    "Voltra",
    "Q3 2024",
    date(2023, 7, 31),
    date(2023, 10, 29),
)
