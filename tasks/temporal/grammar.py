"""Rules that read temporal expressions, and the scan that applies them in time linear in the text.

A rule names the words an expression of its kind can begin with. The scan walks the tokens of the text once and tries
only the rules of each token's head, each of which looks a bounded distance ahead.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from tasks.temporal.intervals import Interval
from warehouse.records import Calendar, Grain, Mention, TimexType

SHORT_NUMBER = "#"
LONG_NUMBER = "####"
CHINESE_NUMBER = "〇"
CHINESE_DIGITS = "〇零一二三四五六七八九十两"

_TOKEN = re.compile(rf"(?<![0-9A-Za-z])(?:[0-9]+|[A-Za-z]+)|[{CHINESE_DIGITS}]+|[去今明前昨后上下本当第过]")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression means: its TIMEX3 value, its interval (None without an anchor to resolve it), its grain."""

    value: str
    interval: Interval | None
    grain: Grain
    relative: bool = False
    calendar: Calendar = Calendar.GREGORIAN


Reader = Callable[[re.Match[str], date | None], Reading | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """`read` makes sense of a match of `pattern`; None, `ValueError` or `OverflowError` mean that it is no date."""

    heads: frozenset[str]
    pattern: re.Pattern[str]
    read: Reader


def rule(heads: Iterable[str], pattern: str, read: Reader, *, exact_case: bool = False) -> Rule:
    """A rule of a pattern that ignores case unless told otherwise."""
    return Rule(frozenset(heads), re.compile(pattern, re.NOFLAG if exact_case else re.IGNORECASE), read)


class Grammar:
    """A set of rules, found by head."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """The order of the rules decides between readings of the same length: the first wins."""
        by_head: defaultdict[str, list[Rule]] = defaultdict(list)
        for each in rules:
            for head in each.heads:
                by_head[head].append(each)
        self._by_head = dict(by_head)

    def scan(self, text: str, anchor: date | None) -> Iterator[Mention]:
        """Every reading in the order of its start: the longest at its place; they may still overlap."""
        find = self._by_head.get
        for token in _TOKEN.finditer(text):
            rules = find(_head(token[0]))
            if rules:
                mention = _longest(rules, text, token.start(), anchor)
                if mention is not None:
                    yield mention


def _head(token: str) -> str:
    if token.isascii():
        if not token[0].isdigit():
            return token.lower()
        return SHORT_NUMBER if len(token) <= 2 else LONG_NUMBER if len(token) == 4 else ""
    return CHINESE_NUMBER if token[0] in CHINESE_DIGITS else token


def _longest(rules: Iterable[Rule], text: str, place: int, anchor: date | None) -> Mention | None:
    best: tuple[int, Reading] | None = None
    for each in rules:
        match = each.pattern.match(text, place)
        if match is None or (best is not None and match.end() <= best[0]):
            continue
        reading = _read(each, match, anchor)
        if reading is not None:
            best = match.end(), reading
    return None if best is None else _mention(text, place, best[0], best[1], anchor)


def _read(each: Rule, match: re.Match[str], anchor: date | None) -> Reading | None:
    try:
        return each.read(match, anchor)
    except (ValueError, OverflowError):
        return None


def _mention(text: str, start: int, end: int, reading: Reading, anchor: date | None) -> Mention:
    since, until = reading.interval or (None, None)
    return Mention(
        start=start,
        end=end,
        text=text[start:end],
        type=TimexType.DATE,
        value=reading.value,
        start_date=since,
        end_date=until,
        grain=reading.grain,
        relative=reading.relative,
        anchor=anchor if reading.relative else None,
        calendar=reading.calendar,
    )
