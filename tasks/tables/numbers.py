"""Numbers, money and scales printed in tables: `1,234`, `(1,234)`, `$ 5.2 million`, `12.5%`, `3.2亿元`, "(in €m)".

Dates, ranges, ratios such as 1:2, fractions, bounds such as <0.05 and values with an error are not numbers: a cell that
says more, or less, than one figure has no value. Currencies are found by symbol, code or word, as ISO 4217 codes.

Captions and headers give scales to the figures below: "(in millions)", "$'000", "€m", "百万元", "万股".
"""

from __future__ import annotations

import re
import tomllib
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
SYMBOL = (
    r"U\.?S\.?\s?\$|(?:HK|NT|NZ|[CASR])\$|[$€£¥₹₩₽₺₪]|(?<![^\W\d_])(?:zł|Kč)(?![^\W\d_])"
    r"|(?<![A-Za-z])(?-i:Rs(?:\.|(?![A-Za-z]))|RM(?![A-Za-z]))"
)

MONEY = rf"(?:{SYMBOL}|(?:{CODE})(?![A-Za-z])|人民[币幣]|港[币幣])"
"""Currency signs before or after the digits of an amount."""

PREFIX = r"[TKM](?=€|(?-i:EUR|SEK|NOK|DKK|CHF|USD|GBP)\b)"
"""The scale before a currency: TEUR, kEUR, MSEK, k€."""

_COUNTRY = "|".join(re.escape(land) for land in WORDS["dollar_countries"])
MONEY_WORD = (
    rf"(?:(?:{_COUNTRY})\s)?dollars?|(?:{'|'.join(word for word in WORDS['currency_words'] if word != 'dollar')})s?"
)
_CURRENCY_NAME = re.compile(
    rf"(?P<symbol>{SYMBOL})|(?:(?<![A-Za-z])|(?<=\b[TKM]))(?P<code>{CODE})(?:(?=m\b|bn\b|[’'])|(?![A-Za-z]))|(?P<chinese>{CHINESE_MONEY})"
    rf"|\b(?P<word>{MONEY_WORD})\b",
    re.IGNORECASE,
)


def to_currency_code(money: str, *, yuan: bool = False) -> str:
    """The code of a symbol, code or Chinese word; `yuan` says that ¥ stands for the yuan, as in Chinese documents."""
    plain = re.sub(r"\s", "", money).upper()
    if plain == "¥" and yuan:
        return "CNY"
    return str(WORDS["currency_symbols"].get(plain) or WORDS["chinese_currencies"].get(money) or plain)


def find_currency(text: str, *, yuan: bool = False) -> str:
    """The code of the first currency that a caption or header names, or nothing."""
    match = _CURRENCY_NAME.search(text)
    if match is None:
        return ""
    word = (match["word"] or "").lower()
    if not word:
        return to_currency_code(match[0], yuan=yuan)
    country, dollar, _ = word.partition("dollar")
    if dollar:
        return str(WORDS["dollar_countries"].get(country.strip(), "USD"))
    return str(WORDS["currency_words"].get(word) or WORDS["currency_words"][word.removesuffix("s")])


SPACE = r"['’\u00a0\u2009\u202f ]"
"""The blanks and apostrophes that part thousands."""
_PLAIN = re.compile(r"[0-9]+|[0-9]*\.[0-9]+")
_COMMA_GROUPS = re.compile(
    r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?"
)
_POINT_GROUPS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,}(?:,[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+")
_SPACE_GROUPS = re.compile(rf"[0-9]{{1,3}}(?:{SPACE}[0-9]{{3}})+(?:[.,][0-9]+)?")
_COMMA_DECIMALS = re.compile(r"[0-9]*,[0-9]+")
_ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")


def _parse_magnitude(digits: str, *, comma: bool) -> Decimal | None:
    """The digits without their thousands separators; None if they are not a number ("1.2.3", "1,2,3").

    A lone comma or point before exactly three digits separates thousands if it is the comma of a table with decimal
    points, or, with `comma`, the point of a table with decimal commas.
    """
    if _ONE_GROUP.fullmatch(digits) and ("," in digits) != comma:
        return Decimal(re.sub(r"[.,]", "", digits))
    if _PLAIN.fullmatch(digits):
        return Decimal(digits)
    if _COMMA_GROUPS.fullmatch(digits) and not comma:
        return Decimal(digits.replace(",", ""))
    if _POINT_GROUPS.fullmatch(digits):
        return Decimal(digits.replace(".", "").replace(",", "."))
    if _SPACE_GROUPS.fullmatch(digits) or _COMMA_DECIMALS.fullmatch(digits):
        return Decimal(re.sub(SPACE, "", digits).replace(",", "."))
    return None


_AMBIGUOUS = {"m", "mm", "b"}
"""A million, or metres and millimetres: scales only of an amount of money, or in capitals."""
_UNIT = (
    r"%|‰|percentage points?\b|percent\b|per cent\b|pct\b|pp(?:ts?)?\b|pts\b|bps?\b|basis points?\b|x\b|times\b"
    r"|倍|个百分点|(?:years?|months?|weeks?|days?|hours?|employees|shares|tonnes|kg|km|[kMGT]Wh?|[MGT]B)\b|[人家户戶股吨噸辆件台]"
)
_NOTE = r"[*†‡§¶#]|[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾ᵃ-ᵿʰ-ʸⁱⁿ]|\((?:[0-9]{1,2}|[a-z])\)|\[(?:[0-9]{1,2}|[a-z])\]"
_FLAG = r"\s(?:(?-i:HH?|LL?|(?<!(?:19|20)[0-9]{2}\s)[AE])|high|low|abnormal)\b|\s?[↑↓]|\s\+{1,3}(?!\S)"
"""Flags of laboratories and meters after a reading: "5.6 H", "4,512 A" (actual), "4,618 E" (estimated)."""
_NUMBERED_NOTE = re.compile(r"(?<=[0-9])\s[0-9]{1,2}\)\Z")  # "24.401,0 1)"
_MAX_LENGTH = 60
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xFFE5: 0xA5}
_NUMBER = re.compile(
    rf"(?P<open>\()?\s?(?P<sign>[{DASHES}+])?\s?(?P<prefix>{PREFIX})?(?P<money>{MONEY})?\s?(?P<open2>\()?(?P<sign2>[{DASHES}])?\s?"
    r"(?P<digits>[0-9][0-9.,'’\u00a0\u2009\u202f ]*|[.,][0-9]+)(?:[×x]\s?10(?P<power>\^?[-−–][0-9]{1,2}|\^[0-9]{1,2}))?"
    rf"(?P<after>[{DASHES}](?![A-Za-z]))?\s?(?P<scale>{SCALE}\.?)?"
    rf"(?P<myriad>{'|'.join(WORDS['chinese_scales'])})?\s?(?P<unit>{_UNIT})?\s?(?P<prefix2>{PREFIX})?"
    rf"(?P<money2>{MONEY}|{CHINESE_MONEY})?"
    rf"\s?(?P<close>\))?\s?(?P<unit2>{_UNIT})?(?:\s?(?:{_NOTE})|{_FLAG})*",
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

    `grouped` says that thousands are set apart; `marked`, that a sign, decimals or symbols show it is no year or label.
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


def parse_number(text: str, *, comma: bool = False, yuan: bool = False) -> Number | None:
    """The number that a whole cell prints, or None for any other cell. Parentheses and minus signs mean negative.

    `comma` says that the table writes decimals with a comma, `yuan` that ¥ stands for the yuan.
    """
    plain = text.translate(_FULL_WIDTH).strip()
    return _parse_number(plain, comma=comma, yuan=yuan) if len(plain) <= _MAX_LENGTH else None


@lru_cache(maxsize=8192)
def _parse_number(text: str, *, comma: bool, yuan: bool) -> Number | None:
    """Cached, because the header, the frame, the sums and the quality check of a table parse the same cell."""
    match = _NUMBER.fullmatch(_NUMBERED_NOTE.sub("", text))
    if match is None:
        return None
    digits = match["digits"].strip()
    magnitude = _parse_magnitude(digits, comma=comma)
    is_open, is_closed = match["open"] or match["open2"], bool(match["close"])
    # Parentheses come in pairs, unless it is plain that one is lost: "1,234 )" is negative.
    is_unpaired = not is_closed if is_open else is_closed and not text[: match.start("close")].endswith(" ")
    is_negative = is_closed or any(match[sign] not in (None, "+") for sign in ("sign", "sign2", "after"))
    money = match["money"] or match["money2"]
    power = _read_power(match, money=bool(money))
    if magnitude is None or is_unpaired or power is None:
        return None
    unit = match["unit"] or match["unit2"] or ""
    return Number(
        printed=-magnitude if is_negative and magnitude else magnitude,
        unit=WORDS["units"].get(unit.lower(), unit.lower() if unit.isascii() and len(unit) == 1 else unit),
        currency=to_currency_code(money, yuan=yuan) if money else "",
        power=power,
        scaled=bool(power or match["scale"]),
        grouped=bool(re.search(r"[0-9][,'’\s.][0-9]{3}(?![0-9])", digits)) and magnitude >= 1000,
        marked=bool(is_negative or money or unit or power or not digits.isdigit()),
    )


def is_nil(text: str) -> bool:
    """Whether a cell says that there is nothing: dashes, "nil", "none". In a sum it counts as zero; it has no value."""
    return _NIL.fullmatch(text.strip()) is not None


def is_figure(text: str) -> bool:
    """Whether a cell holds a number or says that there is none: dashes, "n/a", "nm", three dots."""
    return parse_number(text) is not None or is_nil(text) or _UNKNOWN.fullmatch(text.strip()) is not None


def is_sign(text: str) -> bool:
    """Whether a cell is empty or holds only a part of the number in the next or last column: "$", ")", "%"."""
    return _SIGN.fullmatch(text.strip()) is not None


def _read_power(match: re.Match[str], *, money: bool) -> int | None:
    """The power of ten of the cell's own scale, 0 without one; None where "m" could be metres."""
    if match["power"]:
        return int(match["power"].lstrip("^").translate(dict.fromkeys(map(ord, "−–"), "-")))
    if match["myriad"]:
        return int(WORDS["chinese_scales"][match["myriad"]])
    if prefix := match["prefix"] or match["prefix2"]:
        return _PREFIXED[prefix.lower()]
    word = (match["scale"] or "").rstrip(".")
    if word in _AMBIGUOUS and not money:
        return None
    return SCALES.get(word.lower()) or SHORT_SCALES.get(word.lower(), 0)


_POWERS: dict[str, int] = SCALES | WORDS["header_scales"]
_SHORT: dict[str, int] = SHORT_SCALES | WORDS["header_short_scales"]
_CHINESE: dict[str, int] = WORDS["chinese_scales"] | WORDS["header_chinese_scales"]
_MONEY_SIGN = (
    rf"(?:{SYMBOL}|(?<![A-Za-z])(?:{CODE}|(?-i:R)(?=\s?(?:(?-i:m)\b|bn\b|million|billion|thousand|[’'‘]000))))"
)
_PREFIXED = {"t": 3, "k": 3, "m": 6}
_WORD = "|".join(_POWERS)
_TENS_PATTERN = r"(?:(?P<{0}>tens?|hundreds?|100?)\s(?:of\s)?)?"
_ENGLISH_SCALE = re.compile(
    # "$ millions", "RMB'Million", "US$ thousand", "Euro migliaia"
    rf"(?:{_MONEY_SIGN}|\beuro(?=\s))[\s’'.,]{{0,2}}(?:in\s)?{_TENS_PATTERN.format('t1')}(?P<w1>{_WORD})s?\b"
    # "in millions", "(thousands", "of thousands", and at the start "Thousands of dollars"
    rf"|(?:\b(?:in|en|em|nearest)\s|[(（\[,:]\s?|^(?=\w+s\b)){_TENS_PATTERN.format('t2')}(?P<w2>{_WORD})s?\b(?!\sof\s(?!(?:U\.S\.\s)?{MONEY_WORD}|{_MONEY_SIGN}))"
    # "million euros", "thousand NT dollars", "Mio. EUR"
    rf"|(?<![0-9]\s)(?<!per\s)\b(?P<w3>{_WORD})(?:s|\.)?\s(?:(?:of|de|di|van)\s|d['’])?(?:{MONEY_WORD}|{_MONEY_SIGN})"
    # Spanish: "miles €"
    rf"|\b(?P<miles>miles)\s(?=€|euros?\b|eur\b)"
    # "€m", "$mm", "USDm"
    rf"|{_MONEY_SIGN}[\s’']?(?:in\s)?(?P<short>mm?|mn|mln|bn|b|k|tn|cr)\b"
    # "TEUR", "MSEK", "k€"
    rf"|\b(?P<prefix>{PREFIX})"
    # "$'000", "£000s", "(000's omitted)", "in 000s"
    # "in 1 000", "(1.000 EUR)"
    rf"|(?P<thousand>(?:\bin\s|\bx\s|×\s?|[(（]\s?)(?:{_MONEY_SIGN}\s?(?:x\s?)?)?1[\s.,'’\u00a0\u202f]?000)"
    rf"(?=\s?(?:[)）\],;:]|\Z|{_MONEY_SIGN}|(?:{MONEY_WORD})\b))"
    rf"|(?P<zeros>(?:{_MONEY_SIGN}\s?[’'‘]?|[’'‘]|\bin\s[’'‘]?|[(（]\s?[’'‘]?)000(?:[’'‘]?s)?(?![0-9]|[,.][0-9]))",
    re.IGNORECASE,
)
_CHINESE_SCALE = re.compile(
    rf"(?<![0-9])(?P<power>{'|'.join(_CHINESE)})(?:(?P<money>{CHINESE_MONEY})|(?P<thing>[人吨噸辆台件户戶])|股|(?=\s?[)）]))"
)
_UNSCALED_MONEY = re.compile(
    rf"[(（:：]\s?(?:{CHINESE_MONEY})(?:[/每][^)）]{{1,3}})?(?:\s?[)）]|$)|\bin\s(?:whole\s)?(?:{MONEY_WORD})\b",
    re.IGNORECASE,
)
"""Money as it is: "（元）", "(in dollars)"."""
_MONEY = re.compile(rf"{_MONEY_SIGN}|\b(?:{MONEY_WORD})\b|{CHINESE_MONEY}", re.IGNORECASE)
_SHARES = re.compile(r"(?<!per )\bshares?\b(?! (?:repurchas|buy))|\bADSs?\b|股", re.IGNORECASE)
_PER_SHARE = re.compile(r"(?:\bper\b|/)[\s-]?(?:\w+\s){0,2}(?:shares?|ADSs?|units?)\b|每股", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except(?:ing)?|excluding|other than)\b|除", re.IGNORECASE)
_PART_START = re.compile(r"[,;:(（)），；：]")
_PART_END = re.compile(r"[,;:(（)），；：]|\band\b|\bexcept", re.IGNORECASE)
_CLOSING_BRACKET = re.compile(r"[)）\]]")
_ITEM = re.compile(r"[,;&]|\b(?:and|or)\b", re.IGNORECASE)
_ITEM_WORD = re.compile(
    r"\b(?!(?:data|amounts?|for|the|figures?|information|numbers?|where|noted|otherwise|stated|indicated|unless|are|which)\b)"
    r"[a-z]{3,}"
)


@dataclass(frozen=True, slots=True)
class Scale:
    """Powers of ten of figures: of money, of shares, and of figures that no word names; None if not stated.

    "in thousands, except share data" gives 3 for money and others, and 0 for shares. `exempt` are the words of each
    further exemption: ("tce", "rate", "day").
    """

    money: int | None = None
    shares: int | None = None
    other: int | None = None
    exempt: tuple[frozenset[str], ...] = ()

    @property
    def amounts(self) -> int | None:
        """The power of amounts: of money, else of figures that no word names."""
        return self.other if self.money is None else self.money

    @property
    def powers(self) -> frozenset[int]:
        """All powers that are stated."""
        return frozenset(power for power in (self.money, self.shares, self.other) if power is not None)

    def exempts(self, *labels: str) -> bool:
        """Whether a label has all words of an exemption."""
        words = _list_item_words(" ".join(labels))
        return any(item <= words for item in self.exempt)


def find_scale(text: str) -> Scale | None:
    """The scales that the words of a caption or header name, of each kind of figure the first."""
    matches = sorted((*_ENGLISH_SCALE.finditer(text), *_CHINESE_SCALE.finditer(text)), key=lambda match: match.start())
    if not matches:
        return Scale(money=0) if _UNSCALED_MONEY.search(text) else None
    exception = _EXCEPT.search(text, matches[0].end())
    powers: dict[str, int] = {}
    for number, match in enumerate(matches):
        last_end = matches[number - 1].end() if number else 0
        next_start = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        groups = match.groupdict()
        if exception and match.start() > exception.start():
            kinds = [
                kind for kind in _find_kinds(text[max(last_end, exception.end()) : next_start]) if kind == "shares"
            ]
        elif groups.get("prefix"):
            kinds = ["money"]
        else:
            left, right = (
                _PART_START.split(text[last_end : match.start()])[-1],
                _PART_END.split(text[match.end() : next_start])[0],
            )
            kinds = _find_kinds(f"{left} {match[0]} {right}", thing=bool(groups.get("thing")))
        for kind in kinds:
            powers.setdefault(kind, _read_stated_power(groups))
    exemption = _CLOSING_BRACKET.split(text[exception.end() :])[0] if exception else ""
    if "shares" not in powers and _SHARES.search(_PER_SHARE.sub("", exemption)):
        powers["shares"] = 0
    elif "other" in powers and "money" in powers:
        powers.setdefault("shares", powers["other"])
    # Shares and par values have rules of their own.
    items = tuple(
        item for item in map(_list_item_words, _ITEM.split(exemption)) if item and not item & {"share", "par"}
    )
    return Scale(powers.get("money"), powers.get("shares"), powers.get("other"), items)


def _find_kinds(context: str, *, thing: bool = False) -> list[str]:
    """The kinds of figures that the words around a scale name; if they name none, all, or only others for a `thing`."""
    money, shares = _MONEY.search(context) is not None, _SHARES.search(_PER_SHARE.sub("", context)) is not None
    if money or shares:
        return ["money"] * money + ["shares"] * shares
    return ["other"] if thing else ["money", "other"]


def _list_item_words(text: str) -> frozenset[str]:
    """The words that name what is excepted, in the singular."""
    return frozenset(word.removesuffix("s") for word in _ITEM_WORD.findall(text.lower()))


def _read_stated_power(groups: dict[str, str | None]) -> int:
    if power := groups.get("power"):
        return _CHINESE[power]
    if groups["zeros"] or groups["thousand"] or groups["miles"]:
        return 3
    if short := groups["short"]:
        return _SHORT[short.lower()]
    if prefix := groups["prefix"]:
        return _PREFIXED[prefix.lower()]
    word = groups["w1"] or groups["w2"] or groups["w3"] or ""
    tens = (groups["t1"] or groups["t2"] or "").lower()[:3]
    return _POWERS[word.lower()] + {"ten": 1, "10": 1, "hun": 2, "100": 2}.get(tens, 0)
