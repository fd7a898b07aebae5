"""Twelve companies that do not exist, and their figures by year, in millions; the same each time."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

_HERE = Path(__file__).parent
LABELS: dict[str, list[list[str]]] = tomllib.loads((_HERE / "labels.toml").read_text("utf-8"))
FIRST_YEAR = 2020


@dataclass(frozen=True, slots=True)
class InventedCompany:
    """A company: what it makes, where it sells, how it reports; three segments and three regions.

    `year_end` is the last day of its fiscal year.
    """

    name: str
    short: str
    ticker: str
    exchange: str
    ifrs: bool
    year_end: str
    town: str
    trade: str
    segments: list[str]
    regions: list[str]
    target: str
    scale: float

    @property
    def currency(self) -> str:
        """The sign before a figure."""
        return "€" if self.ifrs else "$"

    def label(self, item: str) -> str:
        """What the company calls a line of its statements, the same in every year."""
        return Random(f"{self.short} {item}").choice(LABELS[item][self.ifrs])

    def choose(self, place: str, *wordings: str) -> str:
        """One of several wordings, the same in every year; `place` tells the choices apart."""
        return Random(f"{self.short} {place}").choice(wordings)


COMPANIES = tuple(
    InventedCompany(**each) for each in tomllib.loads((_HERE / "companies.toml").read_text("utf-8"))["company"]
)


def figures(company: InventedCompany, year: int) -> Mapping[str, float]:
    """The figures of a fiscal year by item, in millions of the company's currency; sums are true."""
    random = Random(f"{company.short} {year}")
    mix = Random(company.short)
    revenue = company.scale
    for past in range(FIRST_YEAR, year + 1):
        revenue *= 1 + Random(f"{company.short} growth {past}").uniform(-0.06, 0.14)
    revenue = round(revenue, 1)

    def part(share: float, spread: float = 0.08) -> float:
        return round(revenue * share * random.uniform(1 - spread, 1 + spread), 1)

    cost = mix.uniform(0.45, 0.7)
    found = {
        "revenue": revenue,
        "cost_of_sales": part(cost, 0.03),
        "research": part(mix.uniform(0.02, 0.08)),
        "overheads": part(mix.uniform(0.1, 0.17), 0.05),
        "restructuring": part(0.012, 0.5),
        "interest_expense": part(0.014, 0.25),
        "interest_income": part(0.003, 0.5),
    }
    found["gross_profit"] = revenue - found["cost_of_sales"]
    spent = found["research"] + found["overheads"] + found["restructuring"]
    found["operating_income"] = found["gross_profit"] - spent
    found["pretax"] = found["operating_income"] - found["interest_expense"] + found["interest_income"]
    found["tax"] = round(found["pretax"] * random.uniform(0.17, 0.27), 1)
    found["net_income"] = found["pretax"] - found["tax"]
    found["shares"] = round(company.scale * mix.uniform(0.05, 0.2), 1)
    found["eps"] = found["net_income"] / found["shares"]
    shares = {"cash": 0.11, "securities": 0.04, "receivables": 0.13, "inventories": 0.1, "prepaid": 0.03}
    found |= {item: part(share, 0.2) for item, share in shares.items()}
    found["current_assets"] = sum(found[item] for item in shares)
    long = {"fixed_assets": 0.32, "lease_assets": 0.07, "goodwill": 0.21, "intangibles": 0.09, "other_assets": 0.05}
    found |= {item: part(share) for item, share in long.items()}
    found["assets"] = found["current_assets"] + sum(found[item] for item in long)
    owed = {"payables": 0.09, "accrued": 0.08, "deferred_revenue": 0.04, "current_debt": 0.02}
    found |= {item: part(share, 0.15) for item, share in owed.items()}
    found["current_liabilities"] = sum(found[item] for item in owed)
    late = {"long_debt": 0.26, "lease_liabilities": 0.06, "other_liabilities": 0.07}
    found |= {item: part(share) for item, share in late.items()}
    found["liabilities"] = found["current_liabilities"] + sum(found[item] for item in late)
    found["equity"] = found["assets"] - found["liabilities"]
    found["share_capital"] = round(company.scale * 0.12, 1)
    found["retained"] = found["equity"] - found["share_capital"]
    found["claims"] = found["assets"]
    flows = {
        "depreciation": 0.05,
        "share_pay": 0.014,
        "receivables_change": -0.01,
        "inventories_change": -0.008,
        "payables_change": 0.007,
    }
    found |= {item: part(share, 0.3) for item, share in flows.items()}
    found["operating_cash"] = found["net_income"] + sum(found[item] for item in flows)
    invested = {"capex": -0.055, "acquisitions": -0.02, "securities_change": -0.006}
    found |= {item: part(share, 0.3) for item, share in invested.items()}
    found["investing_cash"] = sum(found[item] for item in invested)
    financed = {"borrowed": 0.03, "repaid": -0.034, "dividends": -0.016, "buybacks": -0.02, "other_financing": -0.004}
    found |= {item: part(share, 0.3) for item, share in financed.items()}
    found["financing_cash"] = sum(found[item] for item in financed)
    found["cash_change"] = found["operating_cash"] + found["investing_cash"] + found["financing_cash"]
    found["tax_paid"] = round(found["tax"] * random.uniform(0.8, 1.1), 1)
    cut = sorted((random.uniform(0.3, 0.5), random.uniform(0.6, 0.8)))
    for group in ("segment", "region"):
        parts = [round(revenue * cut[0], 1), round(revenue * (cut[1] - cut[0]), 1)]
        found |= {f"{group}{n}": value for n, value in enumerate((*parts, revenue - sum(parts)))}
        cut = sorted((random.uniform(0.35, 0.55), random.uniform(0.65, 0.85)))
    found["employees"] = float(round(revenue * mix.uniform(2.2, 5.5)))
    return found
