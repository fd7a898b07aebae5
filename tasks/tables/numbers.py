"""Numbers as tables print them: `1,234`, `(1,234)`, `1,234-`, `$ 5.2 million`, `12.5%`, `1 234,5 €`, `42 (1)`, `7*`."""

from __future__ import annotations

import re
from dataclasses import dataclass

CURRENCIES = {
    "$": "USD",
    "US$": "USD",
    "C$": "CAD",
    "A$": "AUD",
    "HK$": "HKD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "RMB": "CNY",
}
_CODES = "USD|EUR|GBP|JPY|CNY|RMB|CAD|AUD|CHF|HKD|INR|KRW|SGD"
_SYMBOLS = r"US\$|C\$|A\$|HK\$|[$€£¥]"
_MONEY = rf"(?:{_SYMBOLS}|(?:{_CODES})\b)"

SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "mm": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
_SCALE = rf"(?:{'|'.join(SCALES)}|mn|mm|bn|tn|[kmb])"

_LONGEST = 60
_NUMBER = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>[-−–+])?\s?(?P<money>{_MONEY})?\s?(?P<open2>\()?(?P<sign2>[-−–])?\s?"
    r"(?P<digits>[0-9][0-9.,'’\u00a0\u202f ]*|[.,][0-9]+)"
    rf"(?P<after>\s?[-−])?\s?(?P<scale>{_SCALE}\b\.?)?\s?(?P<unit>%|percent\b|pp\b|bps?\b|x\b)?"
    rf"\s?(?P<money2>{_MONEY})?\s?(?P<close>\))?\s?(?P<unit2>%)?(?:\s?(?:[*†‡§¹²³⁴⁵⁶⁷⁸⁹]|\([0-9a-z]\)|\[[0-9a-z]\]))*",
    re.IGNORECASE,
)
_WORDED_SCALE = re.compile(
    rf"\b(?P<many>{'|'.join(SCALES)})s\b|(?:\bin\s|[$€£¥(]\s?|\b(?:{_CODES})\s)(?P<one>{'|'.join(SCALES)})\b"
    rf"|\b(?P<of>{'|'.join(SCALES)})\s(?:dollar|euro|{_CODES})|[$€£¥]\s?(?P<short>mm?|bn)\b|(?P<zeros>'000|\b000s)\b",
    re.IGNORECASE,
)
_WORDED_MONEY = re.compile(
    rf"{_SYMBOLS}|\b(?:{_CODES})\b|\b(?P<word>dollars?|euros?|pounds? sterling|yen|yuan)\b", re.IGNORECASE
)
_WORDS = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "pounds sterling": "GBP", "yen": "JPY", "yuan": "CNY"}


@dataclass(frozen=True, slots=True)
class Number:
    """A printed number: `value` has the cell's own scale word applied ("5 million" is 5e6), `scaled` says so."""

    value: float
    unit: str = ""
    currency: str = ""
    scaled: bool = False


def number(text: str) -> Number | None:
    """The number a whole cell prints, or None where the cell is anything else. Parentheses and minus are negative."""
    match = _NUMBER.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        return None
    size = _magnitude(match["digits"].strip())
    if size is None:
        return None
    opened = bool(match["open"] or match["open2"])
    if opened != bool(match["close"]):
        return None
    negative = opened or any(match[sign] not in (None, "+") for sign in ("sign", "sign2", "after"))
    word = (match["scale"] or "").lower().rstrip(".")
    scale = SCALES.get(word) or _SHORT_SCALES.get(word, 1.0)
    money = match["money"] or match["money2"]
    return Number(
        value=(-size if negative and size else size) * scale,
        unit=_unit(match["unit"] or match["unit2"]),
        currency=_code(money) if money else "",
        scaled=bool(word),
    )


def worded_scale(text: str) -> float | None:
    """The scale that words such as "(in millions)", "$m" or "£'000" of a caption or header name."""
    match = _WORDED_SCALE.search(text)
    if match is None:
        return None
    if match["zeros"]:
        return 1e3
    if match["short"]:
        return _SHORT_SCALES[match["short"].lower()]
    return SCALES[(match["many"] or match["one"] or match["of"]).lower()]


def worded_currency(text: str) -> str:
    """The ISO 4217 code of the first currency that a caption or header names, or nothing."""
    match = _WORDED_MONEY.search(text)
    if match is None:
        return ""
    word = match["word"]
    return _code(match[0]) if not word else _WORDS.get(word.lower()) or _WORDS[word.lower().rstrip("s")]


def _code(money: str) -> str:
    money = money.upper()
    return CURRENCIES.get(money, money)


def _unit(text: str | None) -> str:
    unit = (text or "").lower()
    return {"percent": "%", "bps": "bp"}.get(unit, unit)


def _magnitude(digits: str) -> float | None:
    """The digits without their thousands separators; a lone comma before other than three digits is decimal."""
    plain = re.sub(r"['’\u00a0\u202f ](?=[0-9]{3}(?![0-9]))", "", digits)
    if plain.rfind(",") > plain.rfind("."):
        whole, _, rest = plain.rpartition(",")
        if "." in whole or ("," not in whole and len(rest) != 3) or whole in ("", "0"):
            plain = f"{whole.replace('.', '')}.{rest}"
        else:
            plain = plain.replace(",", "")
    else:
        plain = plain.replace(",", "")
    return float(plain) if re.fullmatch(r"[0-9]*\.?[0-9]*", plain) and plain not in ("", ".") else None
