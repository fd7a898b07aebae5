"""Scales that captions and headers give the figures below: "(in millions)", "$'000", "€m", "百万元", "万股"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.tables.numbers import CHINESE_MONEY, CODE, MONEY_WORD, SCALES, SHORT_SCALES, SYMBOL, WORDS

_POWERS: dict[str, int] = SCALES | WORDS["header_scales"]
_SHORT: dict[str, int] = SHORT_SCALES | WORDS["header_short_scales"]
_CHINESE: dict[str, int] = WORDS["chinese_scales"] | WORDS["header_chinese_scales"]
_SIGN = rf"(?:{SYMBOL}|(?<![A-Za-z])(?:{CODE}|(?-i:R)(?=\s?(?:(?-i:m)\b|bn\b|million|billion|thousand|[’'‘]000))))"
_PREFIXED = {"t": 3, "k": 3, "m": 6}
_WORD = "|".join(_POWERS)
_TENS = r"(?:(?P<{0}>tens?|hundreds?|100?)\s(?:of\s)?)?"
_ENGLISH = re.compile(
    # "$ millions", "RMB'Million", "US$ thousand"
    rf"{_SIGN}[\s’'.,]{{0,2}}(?:in\s)?{_TENS.format('t1')}(?P<w1>{_WORD})s?\b"
    # "in millions", "(thousands", "of thousands", and at the start "Thousands of dollars"
    rf"|(?:\bin\s|[(（\[,:]\s?|^(?=\w+s\b)){_TENS.format('t2')}(?P<w2>{_WORD})s?\b(?!\sof\s(?!(?:U\.S\.\s)?{MONEY_WORD}|{_SIGN}))"
    # "million euros", "thousand NT dollars", "Mio. EUR"
    rf"|(?<![0-9]\s)(?<!per\s)\b(?P<w3>{_WORD})(?:s|\.)?\s(?:of\s)?(?:{MONEY_WORD}|{_SIGN})"
    # "€m", "$mm", "USDm"
    rf"|{_SIGN}[\s’']?(?:in\s)?(?P<short>mm?|mn|mln|bn|b|k|tn|cr)\b"
    # "TEUR", "MSEK", "k€"
    r"|\b(?P<prefix>[TKM])(?:€|(?-i:EUR|SEK|NOK|DKK|CHF|USD|GBP)\b)"
    # "$'000", "£000s", "(000's omitted)", "in 000s"
    rf"|(?P<zeros>(?:{_SIGN}\s?[’'‘]?|[’'‘]|\bin\s[’'‘]?|[(（]\s?[’'‘]?)000(?:[’'‘]?s)?(?![0-9]|[,.][0-9]))",
    re.IGNORECASE,
)
_IN_CHINESE = re.compile(
    rf"(?<![0-9])(?P<power>{'|'.join(_CHINESE)})(?:(?P<money>{CHINESE_MONEY})|(?P<thing>[人吨噸辆台件户戶])|股|(?=\s?[)）]))"
)
_WHOLE = re.compile(
    rf"[(（:：]\s?(?:{CHINESE_MONEY})(?:[/每][^)）]{{1,3}})?(?:\s?[)）]|$)|\bin\s(?:whole\s)?(?:{MONEY_WORD})\b",
    re.IGNORECASE,
)
"""Money as it is: "（元）", "(in dollars)"."""
_MONEY = re.compile(rf"{_SIGN}|\b(?:{MONEY_WORD})\b|{CHINESE_MONEY}", re.IGNORECASE)
_OF_SHARES = re.compile(r"(?<!per )\bshares?\b(?! (?:repurchas|buy))|\bADSs?\b|股", re.IGNORECASE)
_PER_SHARE = re.compile(r"(?:\bper\b|/)[\s-]?(?:\w+\s){0,2}(?:shares?|ADSs?|units?)\b|每股", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except(?:ing)?|excluding|other than)\b|除", re.IGNORECASE)
_SPLIT = re.compile(r"[,;:(（)），；：]")
_END = re.compile(r"[,;:(（)），；：]|\band\b|\bexcept", re.IGNORECASE)
_CLOSED = re.compile(r"[)）\]]")
_ITEM = re.compile(r"[,;&]|\b(?:and|or)\b", re.IGNORECASE)
_ITEM_WORD = re.compile(
    r"\b(?!(?:data|amounts?|for|the|figures?|information|numbers?|where|noted|otherwise|stated|indicated|unless|are|which)\b)"
    r"[a-z]{3,}"
)
"""A word that tells what is excepted."""
_MINOR = re.compile(r"\b(?:cents?|pence|sen)\b|¢|\(p\)|港仙", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scale:
    """Powers of ten that figures are counted in: of money, of shares, and of what has no word; None where unsaid.

    "in thousands, except share data" says 3 of money and of others, and 0 of shares. `exempt` are the words of each
    further exemption: ("tce", "rate", "day").
    """

    money: int | None = None
    shares: int | None = None
    other: int | None = None
    exempt: tuple[frozenset[str], ...] = ()

    @property
    def power(self) -> int:
        """The first power that is said."""
        return next(power for power in (self.money, self.shares, self.other) if power is not None)

    @property
    def amounts(self) -> int | None:
        """The power of what is an amount: of money, else of what has no word."""
        return self.other if self.money is None else self.money

    @property
    def of_money(self) -> bool:
        """Whether it speaks of money and of nothing else."""
        return self.money is not None and self.other is None and not self.shares

    @property
    def powers(self) -> frozenset[int]:
        """All powers that are said."""
        return frozenset(power for power in (self.money, self.shares, self.other) if power is not None)

    def exempts(self, *labels: str) -> bool:
        """Whether a label has all words of an exemption."""
        words = frozenset(_plain(word) for label in labels for word in _ITEM_WORD.findall(label.lower()))
        return any(item <= words for item in self.exempt)


def worded_scale(text: str) -> Scale | None:
    """The scales that the words of a caption or header name, of each kind of figure the first."""
    matches = sorted((*_ENGLISH.finditer(text), *_IN_CHINESE.finditer(text)), key=lambda match: match.start())
    if not matches:
        return Scale(money=0) if _WHOLE.search(text) else None
    exempt = _EXCEPT.search(text, matches[0].end())
    powers: dict[str, int] = {}
    for number, match in enumerate(matches):
        before = matches[number - 1].end() if number else 0
        after = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        if exempt and match.start() > exempt.start():
            around = text[max(before, exempt.end()) : after]
            kinds = [kind for kind in _kinds(around) if kind == "shares"]
        else:
            left, right = _SPLIT.split(text[before : match.start()])[-1], _END.split(text[match.end() : after])[0]
            named = match.groupdict()
            kinds = (
                ["money"]
                if named.get("prefix")
                else _kinds(f"{left} {match[0]} {right}", thing=bool(named.get("thing")))
            )
        for kind in kinds:
            powers.setdefault(kind, _power(match.groupdict()))
    exemption = _CLOSED.split(text[exempt.end() :])[0] if exempt else ""
    if "shares" not in powers and _OF_SHARES.search(_PER_SHARE.sub("", exemption)):
        powers["shares"] = 0
    elif "other" in powers and "money" in powers:
        powers.setdefault("shares", powers["other"])
    return Scale(powers.get("money"), powers.get("shares"), powers.get("other"), _items(exemption))


def names_minor_unit(text: str) -> bool:
    """Whether a label counts in hundredths of its currency: cents, pence."""
    return _MINOR.search(text) is not None


def _kinds(around: str, *, thing: bool = False) -> list[str]:
    """The kinds of figures that the words around a scale name; all where they name none, unless it is of a `thing`."""
    money, shares = _MONEY.search(around) is not None, _OF_SHARES.search(_PER_SHARE.sub("", around)) is not None
    if money or shares:
        return ["money"] * money + ["shares"] * shares
    return ["other"] if thing else ["money", "other"]


def _items(exemption: str) -> tuple[frozenset[str], ...]:
    """The words of each exemption, without shares and par values, which have rules of their own."""
    items = (frozenset(map(_plain, _ITEM_WORD.findall(item.lower()))) for item in _ITEM.split(exemption))
    return tuple(item for item in items if item and not item & {"share", "par"})


def _plain(word: str) -> str:
    return word.removesuffix("s")


def _power(groups: dict[str, str | None]) -> int:
    if power := groups.get("power"):
        return _CHINESE[power]
    if groups["zeros"]:
        return 3
    if short := groups["short"]:
        return _SHORT[short.lower()]
    if prefix := groups["prefix"]:
        return _PREFIXED[prefix.lower()]
    word = groups["w1"] or groups["w2"] or groups["w3"] or ""
    tens = (groups["t1"] or groups["t2"] or "").lower()[:3]
    return _POWERS[word.lower()] + {"ten": 1, "10": 1, "hun": 2, "100": 2}.get(tens, 0)
