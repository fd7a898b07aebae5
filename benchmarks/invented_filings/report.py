"""The writer of an invented annual report: cover, business, risks, discussion, statements, notes.

What fills the pages besides is prose of real reports
without figures (TAT-QA's paragraphs).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from benchmarks.invented_filings.companies import InventedCompany
from benchmarks.invented_filings.report_pages import ReportPages
from benchmarks.rendering.prose import heading, paragraph

_INCOME = (
    "revenue", "cost_of_sales", "gross_profit", "research", "overheads", "restructuring", "operating_income",
    "interest_expense", "interest_income", "pretax", "tax", "net_income", "eps",
)  # fmt: skip
_BALANCE = (
    "cash", "securities", "receivables", "inventories", "prepaid", "current_assets", "fixed_assets",
    "lease_assets", "goodwill", "intangibles", "other_assets", "assets", "payables", "accrued",
    "deferred_revenue", "current_debt", "current_liabilities", "long_debt", "lease_liabilities",
    "other_liabilities", "liabilities", "share_capital", "retained", "equity", "claims",
)  # fmt: skip
_CASH = (
    "net_income", "depreciation", "share_pay", "receivables_change", "inventories_change", "payables_change",
    "operating_cash", "capex", "acquisitions", "securities_change", "investing_cash", "borrowed", "repaid",
    "dividends", "buybacks", "other_financing", "financing_cash", "cash_change", "tax_paid",
)  # fmt: skip
_RISKS = ("Demand", "Supply", "Competition", "People", "Information systems", "Regulation", "Currencies", "Climate")


class Report(ReportPages):
    """One annual report."""

    def write(self) -> Report:
        """Write all of it."""
        for part in (self._cover, self._business, self._risks, self._discussion, self._statements, self._notes):
            part()
        return self

    def _cover(self) -> None:
        company, flow = self.company, self.flow
        if company.ifrs:
            heading(flow, self.hand, company.name, scale=2.0, centred=True)
            heading(flow, self.hand, f"Annual Report and Accounts {self.year}", scale=1.4, centred=True)
            self._fact(f"For the year ended {company.year_end}, {self.year}.")
            self._fact(
                f"Ordinary shares of {company.name} are admitted to trading on {company.exchange} under the symbol "
                f"{company.ticker}.",
                "registered",
                years=(self.year,),
            )
        else:
            heading(flow, self.hand, "UNITED STATES SECURITIES AND EXCHANGE COMMISSION", centred=True)
            heading(flow, self.hand, "FORM 10-K", scale=1.5, centred=True)
            self._fact(
                f"ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934 for "
                f"the fiscal "
                f"year ended {company.year_end}, {self.year}"
            )
            heading(flow, self.hand, company.name, scale=1.7, centred=True)
            if company.choose("charter", "said", "said", ""):
                paragraph(flow, self.hand, "(Exact name of registrant as specified in its charter)")
            paragraph(flow, self.hand, f"{company.town} (address of principal executive offices)")
            self._title("Securities registered pursuant to Section 12(b) of the Act:", 1.0)
            row = ("Common Stock, par value $0.01 per share", [company.ticker, company.exchange], ("registered",))
            self._table(("Title of each class", "Trading symbol", "Name of exchange"), [row], (self.year,))
        flow.next_frame()
        self._title("Contents")
        chapters = (
            "Business",
            "Risks",
            "Discussion of results",
            "Financial statements",
            "Notes to the financial statements",
        )
        for number, chapter in enumerate(chapters, 1):
            paragraph(flow, self.hand, f"{number}. {chapter}")
        flow.next_frame()

    def _business(self) -> None:
        company = self.company
        self._title(company.choose("business", "Item 1. Business", "Our business", "Strategic report"), 1.4)
        self._fact(
            f"{company.name} makes and sells {company.trade}. Our business is organised in three segments: "
            f'{", ".join(company.segments)}. In this report "we", "us" and "{company.short}" mean the company and '
            "its subsidiaries."
        )
        for segment in company.segments:
            self._title(segment, 1.0)
            paragraph(
                self.flow,
                self.hand,
                f"{segment} serves customers in {company.regions[0]}, {company.regions[1]} and "
                f"{company.regions[2]}. Orders are strongest in the second half, and no customer accounts "
                f"for a tenth of "
                "what the segment sells. Its competitors are larger in some markets and price more keenly.",
            )
            self._fill(3)
        self._title(company.choose("people", "Human capital", "Our people", "Employees"))
        self._fact(
            f"As of {company.year_end}, {self.year}, we employed approximately "
            f"{self._now('employees'):,.0f} people, of whom "
            f"{self.random.randint(9, 48)}% were represented by unions or works councils.",
            "employees",
        )
        self._fill(2)
        self._title(company.choose("sites", "Item 2. Properties", "Properties", "Our locations"))
        self._fact(
            f"Our head office is in {company.town}, where we own {self.random.randint(80, 900)},000 square feet. We "
            f"manufacture or operate at {self.random.randint(6, 40)} further sites, most of them leased, chiefly in "
            f"{company.regions[0]} and {company.regions[1]}.",
            "headquarters",
        )
        self._fill(2)

    def _risks(self) -> None:
        self.flow.next_frame()
        self._title(self.company.choose("risk", "Item 1A. Risk Factors", "Principal risks and uncertainties"), 1.4)
        for risk in _RISKS:
            self._title(risk, 1.0)
            paragraph(
                self.flow,
                self.hand,
                f"{risk} may turn out worse than we expect. If that happened, what we sell, what we "
                f"earn and the cash we generate could suffer, and the price of {self.company.short}'s "
                f"shares could fall.",
            )
            self._fill(3)

    def _discussion(self) -> None:
        company, before = self.company, self.year - 1
        self.flow.next_frame()
        titles = (
            "Management's Discussion and Analysis of Financial Condition and Results of Operations",
            "Financial review",
            "Operating and financial review",
        )
        self._title(titles[company.ifrs + Random(company.short).randint(0, 1)], 1.4)
        self._fill(1)
        both = (self.year, before)
        rows = [
            (item, company.label(item), ()) for item in ("revenue", "gross_profit", "operating_income", "net_income")
        ]
        self._lines("(in millions)", rows, both)
        sales, old = self._now("revenue"), self._now("revenue", before)
        change = "increased" if sales > old else "decreased"
        volume, price, currency = (self.random.choice(("higher", "lower")) for _ in range(3))
        self._fact(
            f"{company.label('revenue')} {change} {abs(sales / old - 1):.1%} to {self._money(sales)}, on "
            f"{volume} volumes in "
            f"{company.segments[0]}, {price} selling prices in {company.segments[1]} and {currency} "
            f"contributions from "
            "currency translation.",
            "revenue_driver",
            "revenue",
        )
        gross = [self._now("gross_profit", each) / self._now("revenue", each) for each in both]
        self._fact(
            f"As a percentage of {company.label('revenue').lower()}, "
            f"{company.label('gross_profit').lower()} moved to "
            f"{gross[0]:.1%} from {gross[1]:.1%}, mainly through the cost of materials and freight.",
            "gross_profit",
        )
        self._fact(
            f"{company.label('research')} amounted to {self._money(self._now('research'))} "
            f"({self._now('research') / sales:.1%} "
            "of sales), spent mostly on staff and prototypes.",
            "research",
        )
        rates = [self._now("tax", each) / self._now("pretax", each) for each in both]
        self._fact(
            f"The effective tax rate was {rates[0]:.1%} against {rates[1]:.1%} the year before, because of "
            f"the mix of "
            "countries in which profits arose and of credits for development.",
            "effective_tax",
        )
        self._fill(3)
        self._title(
            company.choose("liquidity", "Liquidity and capital resources", "Cash flow and financing", "Funding")
        )
        self._lines(
            "(in millions)",
            [(item, company.label(item), ()) for item in ("operating_cash", "investing_cash", "financing_cash")],
            both,
        )
        self._fact(
            f"We spent {self._money(self._now('capex'))} on property, plant and equipment. For the coming "
            f"year we expect to "
            f"spend between {self._money(self._now('capex') * 1.02)} and "
            f"{self._money(self._now('capex') * 1.2)}, mainly "
            f"for {company.segments[0]}.",
            "capex",
            "capex_plan",
        )
        self._fact(
            f"Our revolving credit facility of {self._money(self._now('revenue') * 0.15)} runs for five years; "
            f"{self._money(self._now('current_debt'))} of it was drawn at year end.",
            "revolver",
        )
        self._fact(
            f"Dividends of {self._money(self._now('dividends'))} were paid, and shares were repurchased for "
            f"{self._money(self._now('buybacks'))}.",
            "dividends",
            "buybacks",
        )
        self._fill(3)
        self._title(
            company.choose(
                "market risk", "Quantitative and qualitative disclosures about market risk", "Financial risks"
            )
        )
        self._fill(3)

    def _statements(self) -> None:
        company, unit = self.company, "(in millions, except per share data)"
        opinion = company.choose(
            "audit", "Report of independent registered public accounting firm", "Independent auditor's report"
        )
        self.flow.next_frame()
        self._title(opinion, 1.3)
        self._fill(4)
        two = self.years[:2]
        more = {"current_assets": ("quick_ratio",), "long_debt": ("debt",), "tax": ("effective_tax",)}
        for name, items, years in (
            (self._statement_titles()[0], _INCOME, self.years),
            (self._statement_titles()[1], _BALANCE, two),
            (self._statement_titles()[2], _CASH, self.years),
        ):
            self.flow.next_frame()
            self._title(company.name, 1.1)
            self._title(name, 1.1)
            paragraph(
                self.flow,
                self.hand,
                f"{company.choose('as of', 'Fiscal years ended', 'Years to', 'At')} {company.year_end}",
            )
            self._lines(unit, [(item, company.label(item), more.get(item, ())) for item in items], years)
            paragraph(self.flow, self.hand, "The accompanying notes are an integral part of these statements.")
        self.flow.next_frame()
        self._title(self._statement_titles()[3], 1.1)
        rows = [
            ("net_income", company.label("net_income"), ()),
            ("dividends", "Dividends declared and paid", ()),
            ("buybacks", "Own shares bought", ()),
            ("share_pay", "Awards to employees", ()),
            ("equity", company.label("equity"), ()),
        ]
        self._lines("(in millions)", rows, self.years)

    def _statement_titles(self) -> tuple[str, str, str, str]:
        if self.company.ifrs:
            return (
                "Consolidated income statement",
                "Consolidated statement of financial position",
                "Consolidated cash flow statement",
                "Consolidated statement of changes in equity",
            )
        income = self.company.choose(
            "income",
            "Consolidated Statements of Operations",
            "Consolidated Statements of Income",
            "Consolidated Statements of Earnings",
        )
        return (
            income,
            "Consolidated Balance Sheets",
            "Consolidated Statements of Cash Flows",
            "Consolidated Statements of Equity",
        )

    def _notes(self) -> None:
        self.flow.next_frame()
        self._title("Notes to the consolidated financial statements", 1.4)
        self._title("Note 1 - Accounting policies")
        self._fill(8)
        company, two = self.company, self.years[:2]
        notes = (
            ("Segments and geography", self._segments),
            ("Employee benefits", self._people_notes),
            ("Debt and leases", self._debt_note),
            ("Income taxes", self._tax_note),
            ("Acquisitions, goodwill, inventories and contract balances", self._asset_notes),
            ("Restructuring, contingencies and later events", self._legal_notes),
        )
        for number, (title, write) in enumerate(notes, 2):
            self._title(f"Note {number} - {title}")
            write(company, two)
            self._fill(3)

    def _segments(self, company: InventedCompany, two: Sequence[int]) -> None:
        for group, names, item in (
            ("segment", company.segments, "largest_segment"),
            ("region", company.regions, "geography"),
        ):
            rows = [(f"{group}{n}", name, (item,)) for n, name in enumerate(names)]
            self._lines("(in millions)", [*rows, ("revenue", "Total", ())], two)

    def _people_notes(self, company: InventedCompany, two: Sequence[int]) -> None:
        paid = self._now("share_pay")
        self._fact(
            f"The expense for awards to employees was {self._money(paid)}; {self._money(paid * 1.7)} for "
            f"awards not yet "
            "vested will be recognised over about two years.",
            "share_pay",
        )
        cost = [round(self._now("revenue", each) * 0.004, 1) for each in two]
        rows = [
            ("Service cost", [f"{each * 0.7:,.1f}" for each in cost], ()),
            ("Interest cost", [f"{each * 0.6:,.1f}" for each in cost], ()),
            ("Expected return on plan assets", [f"({each * 0.3:,.1f})" for each in cost], ()),
            ("Net periodic benefit cost", [f"{each:,.1f}" for each in cost], ("pension",)),
        ]
        self._table(("(in millions)", *map(str, two)), rows, two)

    def _debt_note(self, company: InventedCompany, two: Sequence[int]) -> None:
        total = [self._now("long_debt", each) for each in two]
        notes = company.choose("notes", "senior notes", "bonds", "guaranteed notes")
        rows = [
            (
                f"{rate}% {notes} due {self.year + wait}",
                [f"{each * share:,.1f}" for each in total],
                ("debt",),
            )
            for rate, wait, share in (("2.25", 2, 0.3), ("3.40", 5, 0.45), ("4.10", 9, 0.25))
        ]
        self._table(
            ("(in millions)", *map(str, two)),
            [*rows, ("Total", [f"{each:,.1f}" for each in total], ("debt", "long_debt"))],
            two,
        )
        self._fact(
            f"The revolving credit facility provides {self._money(self._now('revenue') * 0.15)}, of which "
            f"{self._money(self._now('current_debt'))} was in use on {company.year_end}, {self.year}. It "
            f"has one covenant, a "
            "maximum of net debt to EBITDA of 3.5.",
            "revolver",
        )
        lease = self._now("lease_liabilities") / 4
        rows = [
            (str(self.year + n), [f"{lease * share:,.1f}"], ("lease_payments",))
            for n, share in enumerate((1.3, 1.1, 0.8, 0.5), 1)
        ]
        self._table(("Payments under leases, by year (in millions)", "Amount"), rows, (self.year,))

    def _tax_note(self, company: InventedCompany, two: Sequence[int]) -> None:
        pretax, tax = ([self._now(item, each) for each in two] for item in ("pretax", "tax"))
        rows = [
            ("At the statutory rate of 25%", [f"{each * 0.25:,.1f}" for each in pretax], ()),
            (
                "Other countries and credits",
                [f"{due - each * 0.25:,.1f}" for each, due in zip(pretax, tax, strict=True)],
                (),
            ),
            (company.label("tax"), [f"{each:,.1f}" for each in tax], ()),
            (
                "Effective tax rate",
                [f"{due / each:.1%}" for each, due in zip(pretax, tax, strict=True)],
                ("effective_tax",),
            ),
        ]
        self._table(("(in millions)", *map(str, two)), rows, two)

    def _asset_notes(self, company: InventedCompany, two: Sequence[int]) -> None:
        self._fact(
            f"In {self.year} we acquired "
            f"{company.target if self.year % 2 else company.target.split()[0] + ' Services'} for "
            f"{self._money(self._now('acquisitions') * 1.05)} to strengthen {company.segments[2]}.",
            "acquired",
        )
        for item, parts in (
            ("goodwill", company.segments),
            ("inventories", ("Raw materials", "Work in progress", "Finished goods")),
        ):
            total = [self._now(item, each) for each in two]
            rows = [
                (name, [f"{each * share:,.1f}" for each in total], (item,))
                for name, share in zip(parts, (0.5, 0.3, 0.2), strict=True)
            ]
            self._table(
                (f"{company.label(item)} (in millions)", *map(str, two)),
                [*rows, ("Total", [f"{each:,.1f}" for each in total], (item,))],
                two,
            )
        self._fact(
            f"Of the {self._money(self._now('deferred_revenue'))} received from customers ahead of delivery "
            f"we expect to "
            "recognise nine tenths within a year.",
            "deferred_revenue",
        )

    def _legal_notes(self, company: InventedCompany, two: Sequence[int]) -> None:
        cost = [self._now("restructuring", each) for each in two]
        rows = [
            ("Charged in the year", [f"{each:,.1f}" for each in cost], ("restructuring",)),
            ("Paid to employees", [f"({each * 0.6:,.1f})" for each in cost], ()),
            ("Liability at year end", [f"{each * 0.55:,.1f}" for each in cost], ("restructuring",)),
        ]
        self._table(("(in millions)", *map(str, two)), rows, two)
        self._fact(
            f"We are a defendant in proceedings over patents and over the closure of a site in "
            f"{company.regions[2]}. We have "
            f"accrued {self._money(self._now('revenue') * 0.004)} for them and consider a further loss of up to "
            f"{self._money(self._now('revenue') * 0.006)} possible.",
            "litigation",
        )
        self._fact(
            f"After year end the board of {company.short} declared a quarterly dividend, payable to holders "
            f"of record in the "
            "second month of the new year."
        )
