"""Names of financial items: groups of synonyms in US GAAP's, IFRS's, everyday and Chinese wordings, and paraphrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from warehouse.store.words import telling_words

GROUPS: tuple[tuple[str, ...], ...] = (
    (
        "revenue",
        "total revenue",
        "net revenue",
        "net sales",
        "sales",
        "turnover",
        "top line",
        "营业收入",
        "收入",
        "营收",
    ),
    ("cost of sales", "cost of revenue", "cost of goods sold", "COGS", "cost of products sold", "营业成本"),
    ("gross profit", "gross income", "gross margin", "毛利", "毛利润"),
    (
        "gross margin",
        "gross profit rate",
        "gross margin rate",
        "gross profit as a percentage of net sales",
        "gross profit as a percentage of revenue",
        "gross profit as a % of revenue",
        "毛利率",
    ),
    ("operating income", "operating profit", "income from operations", "operating earnings", "EBIT", "营业利润"),
    (
        "operating margin",
        "operating income rate",
        "operating income as a percentage of net sales",
        "operating income as a percentage of revenue",
        "operating income as a % of revenue",
        "operating profit margin",
        "营业利润率",
    ),
    (
        "net income",
        "net earnings",
        "net profit",
        "profit for the period",
        "profit for the year",
        "bottom line",
        "净利润",
    ),
    ("pre-tax income", "income before income taxes", "earnings before income taxes", "profit before tax", "利润总额"),
    ("income tax", "provision for income taxes", "income tax expense", "所得税费用"),
    ("tax rate", "effective tax rate", "effective income tax rate"),
    ("EPS", "earnings per share", "net income per share", "每股收益"),
    ("diluted EPS", "diluted earnings per share", "diluted net income per share", "稀释每股收益"),
    ("basic EPS", "basic earnings per share", "basic net income per share", "基本每股收益"),
    ("SG&A", "selling, general and administrative expenses", "selling, general, and administrative"),
    ("R&D", "research and development", "研发费用"),
    ("D&A", "depreciation and amortization", "depreciation, amortization and accretion"),
    (
        "capex",
        "capital expenditures",
        "purchases of property and equipment",
        "purchase of property, plant, and equipment",
        "additions to property, plant and equipment",
        "capital spending",
        "资本支出",
    ),
    (
        "operating cash flow",
        "cash from operations",
        "cash flow from operations",
        "net cash provided by operating activities",
        "经营活动产生的现金流量净额",
    ),
    ("investing cash flow", "net cash used in investing activities", "cash flow from investing"),
    ("financing cash flow", "net cash used in financing activities", "cash flow from financing"),
    ("free cash flow", "FCF", "adjusted free cash flow"),
    ("cash", "cash and cash equivalents", "货币资金"),
    ("inventory", "inventories", "merchandise inventories", "存货"),
    ("receivables", "accounts receivable", "trade receivables", "应收账款"),
    ("payables", "accounts payable", "trade payables", "应付账款"),
    ("PP&E", "PPE", "property, plant and equipment", "property and equipment", "fixed assets", "固定资产"),
    (
        "equity",
        "total equity",
        "shareholders' equity",
        "stockholders' equity",
        "net assets",
        "所有者权益",
        "股东权益",
    ),
    ("total assets", "资产总计", "资产总额"),
    ("total liabilities", "负债合计", "负债总额"),
    ("long-term debt", "long-term debt, less current portion", "long-term borrowings"),
    ("dividends paid", "dividends", "cash dividends", "payment of dividends"),
    ("buybacks", "share repurchases", "repurchases of common stock", "repurchase of treasury stock"),
    ("stock-based compensation", "share-based compensation", "stock compensation"),
    ("interest expense", "finance costs", "interest cost"),
    ("headcount", "employees", "number of employees"),
)
_SHARE = r"\b(?:per|a|each) share\b"
_EARN = r"\b(?:earn|mak|made|profit)\w*\b"
PARAPHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), item)
    for pattern, item in (
        (rf"{_EARN}.*{_SHARE}.*\bdilut|\bdilut\w+\b.*{_EARN}.*{_SHARE}", "diluted earnings per share"),
        (rf"{_EARN}.*{_SHARE}", "earnings per share"),
        (r"\b(?:how much|what) (?:\w+ ){0,3}earn\b|\bafter[- ]tax (?:income|profit)", "net income"),
        (r"(?<!gross )(?<!operating )(?<!taxable )\bprofits?\b(?! (?:margin|before|for|sharing))", "net income"),
        (r"\btake\W*$|\btak(?:e|es|en|ing) in\b|\btook in\b|\b(?:sell|sold)\b|\bproceeds of sales\b", "revenue"),
        (r"\bcash\b.*\b(?:on hand|in hand|coffers|in the bank)\b", "cash and cash equivalents"),
        (r"\bcash (?:pile|position|balance|reserves?|holdings?)\b|\bhold\b.*\bcash\b", "cash and cash equivalents"),
        (r"\b(?:big|large|size|sum|total)\b.*\bbalance sheet\b|\bsum of assets\b", "total assets"),
        (r"\bowe[sd]?\b.*\b(?:suppliers?|vendors?|creditors?)\b", "accounts payable"),
        (r"\b(?:customers?|clients?|buyers?)\b.*\bowe[sd]?\b", "accounts receivable"),
        (r"\bowed? (?:by|from) (?:\w+ )?(?:customers?|clients?)", "accounts receivable"),
        (r"\bcollect\b.*\bfrom\b.*\b(?:customers?|clients?)", "accounts receivable"),
        (r"\b(?:stock|goods|merchandise)\b.*\b(?:in stock|in store|unsold|warehouses?|shelves)\b", "inventories"),
        (r"\b(?:bought|buy|buying) back\b|\bbuy-?backs?\b|\brepurchas", "repurchase of common stock"),
        (r"\bdividends?\b", "dividends paid"),
        (r"\btax(?:es)?\b.*\b(?:book|bill|charge|provision|set aside|owe|pay|paid)\b", "income tax expense"),
        (r"\b(?:book|set aside|provide|pay|paid|owe)\w*\b.*\btax(?:es)?\b", "income tax expense"),
        (r"\binterest\b.*\b(?:pay|paid|cost|owe|debt|borrow\w*)\b", "interest expense"),
        (r"\b(?:pay|paid|cost|owe)\w*\b.*\binterest\b", "interest expense"),
        (r"\b(?:invest|spen[dt]|outlay)\w*\b.*\b(?:plants?|equipment|property|buildings)\b", "capital expenditures"),
        (r"\b(?:borrow\w*|debt)\b.*\blong[- ]term\b|\blong[- ]term\b.*\b(?:borrow\w*|debts?)\b", "long-term debt"),
        (r"\b(?:stock|share|equity)[- ]based\b|\bpaid in (?:stock|shares)\b", "stock-based compensation"),
        (r"\boperat\w+ (?:result|profit|earnings)\b", "operating income"),
        (rf"\boperations\b.*{_EARN}", "operating income"),
        (r"\bdepreciation\b|\bD ?(?:&|and) ?A\b", "depreciation and amortization"),
        (r"\bR ?(?:&|and) ?D\b|\bdevelop\w* (?:new )?products?\b", "research and development"),
        (r"\bhow many (?:people|employees|workers|staff)\b", "number of employees"),
    )
)
"""Indirect wordings of items, and the items as statements call them."""
SYNONYM = 0.95
"""What a row counts that has the item under another of its names."""

Wording = tuple[tuple[str, ...], float]


def item_wordings(item: Sequence[str]) -> list[Wording]:
    """The words of an item as they are, and with each name in them put in other words; each with what it counts."""
    found: dict[tuple[str, ...], float] = {tuple(item): 1.0}
    for place, length, others in _named(tuple(item)):
        for other in others:
            found.setdefault((*item[:place], *other, *item[place + length :]), SYNONYM)
    return list(found.items())


def paraphrase_wordings(text: str) -> list[Wording]:
    """The wordings of the first item that a question names only indirectly: "cash on hand", "owes its suppliers"."""
    item = next((item for pattern, item in PARAPHRASES if pattern.search(text)), "")
    return [(wording, SYNONYM * counts) for wording, counts in item_wordings(telling_words(item))] if item else []


def _named(item: tuple[str, ...]) -> Iterator[tuple[int, int, tuple[tuple[str, ...], ...]]]:
    """The longest name in an item with its place, length and synonyms, those of all its groups."""
    names = _names()
    for length in range(len(item), 0, -1):
        for place in range(len(item) - length + 1):
            others = names.get(item[place : place + length])
            if others:
                yield place, length, others
                return


@cache
def _names() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for group in GROUPS:
        stems = [tuple(telling_words(name)) for name in group]
        for own in stems:
            found.setdefault(own, []).extend(other for other in stems if other != own)
    return {own: tuple(dict.fromkeys(others)) for own, others in found.items()}
