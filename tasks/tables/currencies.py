"""Currencies as tables name them, by symbol, code or word, as ISO 4217 codes."""

from __future__ import annotations

import re

_SYMBOLS = {
    "US$": "USD",
    "U.S.$": "USD",
    "HK$": "HKD",
    "NT$": "TWD",
    "NZ$": "NZD",
    "C$": "CAD",
    "A$": "AUD",
    "S$": "SGD",
    "R$": "BRL",
    "RS": "INR",
    "RS.": "INR",
    "RM": "MYR",
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "₽": "RUB",
    "₺": "TRY",
    "₪": "ILS",
}
CODE = (
    "USD|EUR|GBP|JPY|CNY|RMB|CAD|AUD|CHF|HKD|INR|KRW|SGD|SEK|NOK|DKK|BRL|MXN|ZAR|TWD|NZD|THB|PLN|ILS|RUB|TRY|AED|SAR"
    "|PHP|MYR|IDR|HUF|CZK"
)
_CHINESE = {
    "人民币": "CNY",
    "人民幣": "CNY",
    "美元": "USD",
    "美金": "USD",
    "港元": "HKD",
    "港币": "HKD",
    "港幣": "HKD",
    "欧元": "EUR",
    "歐元": "EUR",
    "日元": "JPY",
    "日圆": "JPY",
    "英镑": "GBP",
    "英鎊": "GBP",
    "新台币": "TWD",
    "新台幣": "TWD",
    "新臺幣": "TWD",
    "韩元": "KRW",
    "加元": "CAD",
    "澳元": "AUD",
    "元": "CNY",
    "圆": "CNY",
}
_LANDS = {
    "u.s.": "USD",
    "us": "USD",
    "canadian": "CAD",
    "australian": "AUD",
    "nt": "TWD",
    "hong kong": "HKD",
    "singapore": "SGD",
    "new zealand": "NZD",
}
_WORDS = {
    "dollar": "USD",
    "euro": "EUR",
    "pounds sterling": "GBP",
    "pound sterling": "GBP",
    "sterling": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "rupee": "INR",
    "swiss franc": "CHF",
}

CHINESE_MONEY = "|".join(_CHINESE)
SYMBOL = r"U\.?S\.?\s?\$|(?:HK|NT|NZ|[CASR])\$|[$€£¥₹₩₽₺₪]|(?<![A-Za-z])(?-i:Rs(?:\.|(?![A-Za-z]))|RM(?![A-Za-z]))"

MONEY = rf"(?:{SYMBOL}|(?:{CODE})(?![A-Za-z])|人民[币幣]|港[币幣])"
"""What may stand before or after the digits of an amount."""

_LAND = "|".join(re.escape(land) for land in _LANDS)
MONEY_WORD = rf"(?:(?:{_LAND})\s)?dollars?|(?:{'|'.join(word for word in _WORDS if word != 'dollar')})s?"
_NAMED = re.compile(
    rf"(?P<symbol>{SYMBOL})|(?:(?<![A-Za-z])|(?<=\b[TKM]))(?P<code>{CODE})(?:(?=m\b|bn\b|[’'])|(?![A-Za-z]))|(?P<chinese>{CHINESE_MONEY})"
    rf"|\b(?P<word>{MONEY_WORD})\b",
    re.IGNORECASE,
)


def code_of(money: str, *, yuan: bool = False) -> str:
    """The code of a symbol, code or Chinese word; `yuan` says that ¥ stands for the yuan, as in Chinese documents."""
    plain = re.sub(r"\s", "", money).upper()
    if plain == "¥":
        return "CNY" if yuan else "JPY"
    if plain == "RMB":
        return "CNY"
    return _SYMBOLS.get(plain) or _CHINESE.get(money) or ("USD" if plain in ("US$", "U.S$", "US.$") else plain)


def worded_currency(text: str, *, yuan: bool = False) -> str:
    """The code of the first currency that a caption or header names, or nothing."""
    match = _NAMED.search(text)
    if match is None:
        return ""
    word = (match["word"] or "").lower()
    if not word:
        return code_of(match[0], yuan=yuan)
    land, dollar, _ = word.partition("dollar")
    if dollar:
        return _LANDS.get(land.strip(), "USD")
    return _WORDS.get(word) or _WORDS[word.removesuffix("s")]
