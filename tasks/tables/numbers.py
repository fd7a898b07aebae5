"""Numbers and money as tables print them: `1,234`, `(1,234)`, `1,234-`, `$ 5.2 million`, `12.5%`, `3.2亿元`.

Dates, ranges, ratios such as 1:2, fractions, bounds such as <0.05 and values with an error are not numbers: a cell that
says more, or less, than one figure has no value. Currencies are told by symbol, code or word, as ISO 4217 codes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

WORDS = tomllib.loads(Path(__file__).with_name("number_words.toml").read_text(encoding="utf-8"))
"""The tables of `number_words.toml` by name."""
SCALES: dict[str, int] = WORDS["scales"]
SHORT_SCALES: dict[str, int] = WORDS["short_scales"]
SCALE = rf"(?:{'|'.join(SCALES)}|mio|mn|mm|bn|tn|[kmb])\b"
DASHES = "-‐‑‒–—−﹣"

CODE = (
    "USD|EUR|GBP|JPY|CNY|RMB|CAD|AUD|CHF|HKD|INR|KRW|SGD|SEK|NOK|DKK|BRL|MXN|ZAR|TWD|NZD|THB|PLN|ILS|RUB|TRY|AED|SAR"
    "|PHP|MYR|IDR|HUF|CZK"
)
CHINESE_MONEY = "|".join(WORDS["chinese_currencies"])
SYMBOL = r"U\.?S\.?\s?\$|(?:HK|NT|NZ|[CASR])\$|[$€£¥₹₩₽₺₪]|(?<![A-Za-z])(?-i:Rs(?:\.|(?![A-Za-z]))|RM(?![A-Za-z]))"

MONEY = rf"(?:{SYMBOL}|(?:{CODE})(?![A-Za-z])|人民[币幣]|港[币幣])"
"""What may stand before or after the digits of an amount."""

_LAND = "|".join(re.escape(land) for land in WORDS["dollar_countries"])
MONEY_WORD = (
    rf"(?:(?:{_LAND})\s)?dollars?|(?:{'|'.join(word for word in WORDS['currency_words'] if word != 'dollar')})s?"
)
_NAMED = re.compile(
    rf"(?P<symbol>{SYMBOL})|(?:(?<![A-Za-z])|(?<=\b[TKM]))(?P<code>{CODE})(?:(?=m\b|bn\b|[’'])|(?![A-Za-z]))|(?P<chinese>{CHINESE_MONEY})"
    rf"|\b(?P<word>{MONEY_WORD})\b",
    re.IGNORECASE,
)


def code_of(money: str, *, yuan: bool = False) -> str:
    """The code of a symbol, code or Chinese word; `yuan` says that ¥ stands for the yuan, as in Chinese documents."""
    plain = re.sub(r"\s", "", money).upper()
    if plain == "¥" and yuan:
        return "CNY"
    return str(WORDS["currency_symbols"].get(plain) or WORDS["chinese_currencies"].get(money) or plain)


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
        return str(WORDS["dollar_countries"].get(land.strip(), "USD"))
    return str(WORDS["currency_words"].get(word) or WORDS["currency_words"][word.removesuffix("s")])


_SPACE = r"['’\u00a0\u2009\u202f ]"
_PLAIN = re.compile(r"[0-9]+|[0-9]*\.[0-9]+")
_COMMA_GROUPS = re.compile(
    r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_SPACE_GROUPS = re.compile(rf"[0-9]{{1,3}}(?:{_SPACE}[0-9]{{3}})+(?:[.,][0-9]+)?")
_COMMA_DECIMALS = re.compile(r"[0-9]*,[0-9]+")
_LONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_SURE_COMMA = re.compile(
    rf"[0-9]{{1,3}}(?:[.]|{_SPACE})[0-9]{{3}},[0-9]{{1,2}}(?![0-9])|(?<![0-9,.])[0-9]+,[0-9]{{1,2}}(?![0-9,])"
)
_SURE_POINT = re.compile(r"[0-9],[0-9]{3}(?:\.[0-9]|,[0-9]{3})|(?<![0-9.])[0-9]+\.(?:[0-9]{1,2}|[0-9]{4,})(?![0-9.])")


def magnitude(digits: str, *, comma: bool = False) -> Decimal | None:
    """The digits without their thousands separators; None where they are no number at all ("1.2.3", "1,2,3").

    A lone comma or point before exactly three digits sets thousands apart if it is the comma of a table with decimal
    points, or, with `comma`, the point of a table with decimal commas.
    """
    if _LONE_GROUP.fullmatch(digits) and ("," in digits) != comma:
        return Decimal(re.sub(r"[.,]", "", digits))
    if _PLAIN.fullmatch(digits):
        return Decimal(digits)
    if _COMMA_GROUPS.fullmatch(digits) and not comma:
        return Decimal(digits.replace(",", ""))
    if _POINT_GROUPS.fullmatch(digits):
        return Decimal(digits.replace(".", "").replace(",", "."))
    if _SPACE_GROUPS.fullmatch(digits):
        return Decimal(re.sub(_SPACE, "", digits).replace(",", "."))
    if _COMMA_DECIMALS.fullmatch(digits):
        return Decimal(digits.replace(",", "."))
    return None


def has_decimal_comma(cells: Iterable[str]) -> bool:
    """Whether a table writes decimals with a comma: some cell can be read in no other way, and none the other way."""
    found = False
    for cell in cells:
        if _SURE_POINT.search(cell):
            return False
        found = found or _SURE_COMMA.search(cell) is not None
    return found


_AMBIGUOUS = {"m", "mm", "b"}
"""A million, or metres and millimetres: scales only of an amount of money, or in capitals."""
_UNIT = (
    r"%|‰|percentage points?\b|percent\b|per cent\b|pct\b|pp(?:ts?)?\b|pts\b|bps?\b|basis points?\b|x\b|times\b"
    r"|倍|个百分点|(?:years?|months?|weeks?|days?|hours?|employees|shares|tonnes|kg|km|[kMGT]Wh?|[MGT]B)\b|[人家户戶股吨噸辆件台]"
)
_NOTE = r"[*†‡§¶#]|[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾ᵃ-ᵿʰ-ʸⁱⁿ]|\((?:[0-9]{1,2}|[a-z])\)|\[(?:[0-9]{1,2}|[a-z])\]"
_LONGEST = 60
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xFFE5: 0xA5}
_NUMBER = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>[{DASHES}+])?\s?(?P<money>{MONEY})?\s?(?P<open2>\()?(?P<sign2>[{DASHES}])?\s?"
    r"(?P<digits>[0-9][0-9.,'’\u00a0\u2009\u202f ]*|[.,][0-9]+)(?:[×x]\s?10(?P<power>\^?[-−–][0-9]{1,2}|\^[0-9]{1,2}))?"
    rf"(?P<after>[{DASHES}])?\s?(?P<scale>{SCALE}\.?)?"
    rf"(?P<myriad>{'|'.join(WORDS['chinese_scales'])})?\s?(?P<unit>{_UNIT})?\s?(?P<money2>{MONEY}|{CHINESE_MONEY})?"
    rf"\s?(?P<close>\))?\s?(?P<unit2>{_UNIT})?(?:\s?(?:{_NOTE}))*",
    re.IGNORECASE,
)
_NIL = re.compile(
    rf"(?:{MONEY})?\s?(?:[{DASHES}―－][{DASHES}―－\s]*|nil|none|无|無)\s?%?(?:\s?(?:{_NOTE}))*", re.IGNORECASE
)
_UNKNOWN = re.compile(
    r"\(?(?:n\.?/?\s?[am]\.?|nmf|nm|not (?:applicable|meaningful)|不适用|\.{2,3}|…)\)?", re.IGNORECASE
)


_SIGN = re.compile(rf"(?:{MONEY})?\s?[()]?\s?[%)]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Number:
    """A printed number: `printed` is its digits with their sign; `power` the ten's power of its own scale word.

    `grouped` says that thousands are set apart; `marked`, that sign, decimals or symbols tell it from a year or label.
    """

    printed: Decimal
    unit: str = ""
    currency: str = ""
    power: int = 0
    scaled: bool = False
    grouped: bool = False
    marked: bool = False

    @property
    def value(self) -> float:
        """The number with its own scale word applied: "5 million" is 5e6."""
        return float(self.printed.scaleb(self.power))


def number(text: str, *, comma: bool = False, yuan: bool = False) -> Number | None:
    """The number a whole cell prints, or None where the cell is anything else. Parentheses and minus are negative.

    `comma` says that the table writes decimals with a comma, `yuan` that ¥ stands for the yuan.
    """
    plain = text.translate(_FULL_WIDTH).strip()
    return _number(plain, comma=comma, yuan=yuan) if len(plain) <= _LONGEST else None


@lru_cache(maxsize=8192)
def _number(plain: str, *, comma: bool, yuan: bool) -> Number | None:
    """The same cell is asked for by its table's head, its frame, its sums and its quality."""
    match = _NUMBER.fullmatch(plain)
    if match is None:
        return None
    digits = match["digits"].strip()
    size = magnitude(digits, comma=comma)
    negative = _is_negative(match)
    money = match["money"] or match["money2"]
    power = _power(match, money=bool(money))
    if size is None or negative is None or power is None:
        return None
    unit = match["unit"] or match["unit2"] or ""
    return Number(
        printed=-size if negative and size else size,
        unit=WORDS["units"].get(unit.lower(), unit.lower() if unit.isascii() and len(unit) == 1 else unit),
        currency=code_of(money, yuan=yuan) if money else "",
        power=power,
        scaled=bool(match["scale"] or match["myriad"] or match["power"]),
        grouped=bool(re.search(r"[0-9][,'’\s.][0-9]{3}(?![0-9])", digits)) and size >= 1000,
        marked=bool(negative or money or unit or power or not digits.isdigit()),
    )


def is_nil(text: str) -> bool:
    """Whether a cell says that there is nothing: dashes, "nil", "none". In a sum it counts as zero; it has no value."""
    return _NIL.fullmatch(text.strip()) is not None


def is_unknown(text: str) -> bool:
    """Whether a cell says that there is no figure: "n/a", "nm", three dots."""
    return _UNKNOWN.fullmatch(text.strip()) is not None


def is_figure(text: str) -> bool:
    """Whether a cell holds a number or says that there is none."""
    return number(text) is not None or is_nil(text) or is_unknown(text)


def is_sign(text: str) -> bool:
    """Whether a cell holds only what belongs to the number in the next or last column: "$", ")", "%"; or nothing."""
    return _SIGN.fullmatch(text.strip()) is not None


def _is_negative(match: re.Match[str]) -> bool | None:
    """The sign; None where the parentheses do not pair, unless the lost one is plain: "1,234 )" is negative."""
    opened, closed = bool(match["open"] or match["open2"]), bool(match["close"])
    if opened and not closed:
        return None
    if closed and not opened and not match.string[: match.start("close")].endswith(" "):
        return None
    return closed or any(match[sign] not in (None, "+") for sign in ("sign", "sign2", "after"))


def _power(match: re.Match[str], *, money: bool) -> int | None:
    """The power of ten of the cell's own scale, 0 without one; None where "m" could be metres."""
    if match["power"]:
        return int(match["power"].lstrip("^").translate(dict.fromkeys(map(ord, "−–"), "-")))
    if match["myriad"]:
        return int(WORDS["chinese_scales"][match["myriad"]])
    word = (match["scale"] or "").rstrip(".")
    if word in _AMBIGUOUS and not money:
        return None
    return SCALES.get(word.lower()) or SHORT_SCALES.get(word.lower(), 0)
