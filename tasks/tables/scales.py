"""The scale that captions and headers give the figures below: "(in millions)", "$'000", "€m", "百万元", "万股"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.tables.currencies import CHINESE_MONEY, CODE, MONEY_WORD, SYMBOL

_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "lakh": 5, "crore": 7, "mio": 6}
_SHORT = {"m": 6, "mm": 6, "mn": 6, "mln": 6, "bn": 9, "b": 9, "k": 3, "tn": 12}
_CHINESE = {
    "万亿": 12,
    "萬億": 12,
    "十亿": 9,
    "十億": 9,
    "亿": 8,
    "億": 8,
    "千万": 7,
    "千萬": 7,
    "百万": 6,
    "百萬": 6,
    "万": 4,
    "萬": 4,
    "千": 3,
    "仟": 3,
}
_SIGN = rf"(?:{SYMBOL}|(?<![A-Za-z])(?:{CODE}))"
_WORD = "|".join(_POWERS)
_TENS = r"(?:(?P<{0}>tens?|hundreds?)\s(?:of\s)?)?"
_ENGLISH = re.compile(
    # "$ millions", "RMB'Million", "US$ thousand"
    rf"{_SIGN}[\s’'.,]{{0,2}}(?:in\s)?{_TENS.format('t1')}(?P<w1>{_WORD})s?\b"
    # "in millions", "(thousands", "of thousands", and at the start "Thousands of dollars"
    rf"|(?:\bin\s|[(（\[,:]\s?|^(?=\w+s\b)){_TENS.format('t2')}(?P<w2>{_WORD})s?\b(?!\sof\s(?!(?:U\.S\.\s)?{MONEY_WORD}|{_SIGN}))"
    # "million euros", "thousand NT dollars"
    rf"|(?<![0-9]\s)(?<!per\s)\b(?P<w3>{_WORD})s?\s(?:of\s)?(?:{MONEY_WORD}|{_SIGN})"
    # "€m", "$mm", "USDm"
    rf"|{_SIGN}[\s’']?(?:in\s)?(?P<short>mm?|mn|mln|bn|b|k|tn)\b"
    # "$'000", "£000s", "(000's omitted)", "in 000s"
    rf"|(?P<zeros>(?:{_SIGN}\s?[’'‘]?|[’'‘]|\bin\s[’'‘]?|[(（]\s?[’'‘]?)000(?:[’'‘]?s)?(?![0-9,.]))",
    re.IGNORECASE,
)
_IN_CHINESE = re.compile(
    rf"(?<![0-9])(?P<power>{'|'.join(_CHINESE)})(?:(?P<money>{CHINESE_MONEY})|[股人吨噸辆台件户戶吨]|(?=\s?[)）]))"
)
_WHOLE = re.compile(
    rf"[(（:：]\s?(?:{CHINESE_MONEY})(?:[/每][^)）]{{1,3}})?(?:\s?[)）]|$)|\bin\s(?:whole\s)?(?:{MONEY_WORD})\b",
    re.IGNORECASE,
)
"""Money as it is: "（元）", "(in dollars)"."""
_MONEY = re.compile(rf"{_SIGN}|\b(?:{MONEY_WORD})\b|{CHINESE_MONEY}", re.IGNORECASE)
_OF_SHARES = re.compile(r"\bshares\b", re.IGNORECASE)
_EXCEPT = re.compile(r"\b(?:except|excluding|other than)\b|除", re.IGNORECASE)
_REACH = 20
"""How far from the word of scale its money may stand, in characters: "(Dollars in thousands", "millions of euros"."""


@dataclass(frozen=True, slots=True)
class Scale:
    """`power` is of ten. `of_money` says that it is a scale of amounts alone ("dollars in thousands").

    `exemptions` are the words after "except", in small letters.
    """

    power: int
    of_money: bool = False
    exemptions: str = ""


def worded_scale(text: str) -> Scale | None:
    """The first scale that the words of a caption or header name."""
    match = _ENGLISH.search(text) or _IN_CHINESE.search(text)
    if match is None:
        return Scale(0, of_money=True) if _WHOLE.search(text) else None
    around = text[max(0, match.start() - _REACH) : match.end() + _REACH]
    exempt = _EXCEPT.search(text)
    return Scale(
        power=_power(match.groupdict()),
        of_money=_MONEY.search(around) is not None and not _OF_SHARES.search(around.partition("except")[0]),
        exemptions=text[exempt.end() :].lower() if exempt else "",
    )


def _power(groups: dict[str, str | None]) -> int:
    if power := groups.get("power"):
        return _CHINESE[power]
    if groups["zeros"]:
        return 3
    if short := groups["short"]:
        return _SHORT[short.lower()]
    word = groups["w1"] or groups["w2"] or groups["w3"] or ""
    tens = (groups["t1"] or groups["t2"] or "").lower()[:3]
    return _POWERS[word.lower()] + {"ten": 1, "hun": 2}.get(tens, 0)
