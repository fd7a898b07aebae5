"""Rules that read the words of temporal expressions, and the scan that applies them in time linear in the text.

A rule names the words an expression of its kind can begin with. The scan walks the tokens of the text once and tries
only the rules of each token's head, each of which looks a bounded distance ahead. Where an expression is told by its
last word ("the past five years"), that is its head, and the rule's lead finds its beginning, a bounded distance back.
What the scan finds are items: meanings, and the signals ("from", "early") that `composing` joins with them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tasks.temporal.meanings.contract import Meaning
from tasks.temporal.signals import Signal

SHORT_NUMBER = "#"
MIDDLE_NUMBER = "###"
LONG_NUMBER = "####"
LETTERED, MARKED = "a", "/"
"""What narrows the head of a number to one right before a letter or apostrophe ("15th", "80s"), or a mark ("3:30")."""
_NUMBERS = {1: SHORT_NUMBER, 2: SHORT_NUMBER, 3: MIDDLE_NUMBER, 4: LONG_NUMBER}
_SHAPES = ("", LETTERED, MARKED)
_MARKS = frozenset(":/.-–—~")
_APOSTROPHES = frozenset("'’")
CHINESE_NUMBER = "〇"
CHINESE_DIGITS = "〇零一二三四五六七八九十两百千廿卅"

LETTERS = str.maketrans("ſıİ\u212a", "siIK")
"""The letters that a pattern which ignores case takes for those of ASCII, one for one: rules know the latter alone."""

# A run of digits or of letters, a Chinese numeral, or any other Chinese character by itself.
_TOKEN = re.compile(
    rf"(?<![0-9A-Za-z])(?:(?P<word>[A-Za-z]+)|(?P<number>[0-9]+))|(?P<numeral>[{CHINESE_DIGITS}]+)|[\u4e00-\u9fff]"
)

_REACH = 40
"""How far a lead looks back, in characters."""

_STEM = 3
"""A word before a head may be one of a lead if they begin with the same letters, so many of them."""

_WORD = re.compile(r"(?<!\\)[A-Za-z]{2,}")
_DIGIT = "0"
_DIGITS, _COUNTS = re.compile(r"[0-9]|\\d"), re.compile(r"\{[0-9,]*\}")
_WORD_BEFORE = re.compile(r"(?<![0-9A-Za-z])(?:[A-Za-z]+|[^\sA-Za-z])")


@dataclass(frozen=True, slots=True)
class GrammarItem:
    """A meaning or a signal at `text[start:end]`."""

    start: int
    end: int
    value: Meaning | Signal


Reader = Callable[[re.Match[str]], Meaning | Signal | None]


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """`read` makes sense of a match of `pattern`; None, `ValueError` or `OverflowError` mean that it is no date.

    `lead` matches what stands before the head and belongs to the expression: the match of `pattern` begins with it.
    """

    heads: frozenset[str]
    pattern: re.Pattern[str]
    read: Reader
    lead: re.Pattern[str] | None = None


def rule(
    heads: Iterable[str], pattern: str, read: Reader, *, exact_case: bool = False, lead: str | None = None
) -> GrammarRule:
    """A rule of a pattern that ignores case unless told otherwise; heads are lower-case words or kinds of number.

    A lead begins with a word; where it may be empty, the expression begins at its head.
    """
    flags = re.NOFLAG if exact_case else re.IGNORECASE
    before = None if lead is None else re.compile(lead, flags)
    return GrammarRule(frozenset(heads), re.compile(pattern, flags), read, before)


class Bucket:
    """The rules of one head."""

    def __init__(self, rules: Sequence[GrammarRule]) -> None:
        """Keeps their order."""
        self._rules = tuple((each, _stems(each.lead) if each.lead else frozenset()) for each in rules)
        self._has_leads = any(each.lead for each in rules)

    def matches(self, text: str, place: int) -> Iterator[tuple[GrammarRule, re.Match[str]]]:
        """The rules that match with their head at `place`, in their order, each with its longest lead."""
        before = _words_before(text, place) if self._has_leads else ()
        for each, stems in self._rules:
            begin: int | None = place
            if each.lead is not None:
                begin = _begin(each.lead, stems, text, place, before)
            if begin is not None and (match := each.pattern.match(text, begin)) and match.end() > place:
                yield each, match


def _stems(lead: re.Pattern[str]) -> frozenset[str]:
    """How the words of a lead begin; a digit stands for every number, where it has one."""
    stems = {word[:_STEM].lower() for word in _WORD.findall(lead.pattern)}
    return frozenset(stems | {_DIGIT} if _DIGITS.search(_COUNTS.sub("", lead.pattern)) else stems)


def _words_before(text: str, place: int) -> Sequence[re.Match[str]]:
    """The words, digits and marks before a place, nearest first."""
    return list(_WORD_BEFORE.finditer(text, max(0, place - _REACH), place))[::-1]


def _begin(
    lead: re.Pattern[str], stems: frozenset[str], text: str, place: int, before: Sequence[re.Match[str]]
) -> int | None:
    """Where the longest lead that ends at `place` begins: only its own words, letters and marks stand in between."""
    begins = [place]
    for word in before:
        stem = word[0][:_STEM].lower()
        if (len(stem) > 1 and stem not in stems) or (stem.isdigit() and _DIGIT not in stems):
            break
        begins.append(word.start())
    return next((start for start in reversed(begins) if lead.fullmatch(text, start, place)), None)


class Grammar:
    """A set of rules, found by head."""

    def __init__(self, rules: Iterable[GrammarRule]) -> None:
        """The order of the rules decides between readings of the same length: the first wins."""
        by_head: defaultdict[str, list[GrammarRule]] = defaultdict(list)
        for each in rules:
            for head in each.heads:
                for shape in _SHAPES if head in _NUMBERS.values() else ("",):
                    by_head[head + shape].append(each)
        self._by_head = {head: Bucket(found) for head, found in by_head.items()}

    def scan(self, text: str) -> Iterator[GrammarItem]:
        """Every item in the order of its head: the longest at its place; they may still overlap."""
        find = self._by_head.get
        for token in _TOKEN.finditer(text):
            bucket = find(token[0].lower() if token.lastgroup == "word" else _head(text, token))
            if bucket is not None:
                item = _longest(bucket, text, token.start())
                if item is not None:
                    yield item


def _head(text: str, token: re.Match[str]) -> str:
    """The head of what is no English word."""
    if token.lastgroup == "number":
        number = _NUMBERS.get(token.end() - token.start(), "")
        return number and number + _shape(text[token.end() : token.end() + 1])
    return CHINESE_NUMBER if token.lastgroup == "numeral" else token[0]


def _shape(follows: str) -> str:
    if follows in _MARKS:
        return MARKED
    return LETTERED if follows.isalpha() or follows in _APOSTROPHES else ""


def _longest(bucket: Bucket, text: str, place: int) -> GrammarItem | None:
    best: GrammarItem | None = None
    for each, match in bucket.matches(text, place):
        if best is not None and match.end() - match.start() <= best.end - best.start:
            continue
        value = _read(each, match)
        if value is not None:
            best = GrammarItem(match.start(), match.end(), value)
    return best


def _read(each: GrammarRule, match: re.Match[str]) -> Meaning | Signal | None:
    try:
        return each.read(match)
    except (ValueError, OverflowError):
        return None


def disjoint(found: Iterable[GrammarItem]) -> list[GrammarItem]:
    """Of items that overlap, the longest, and the first of equals."""
    kept: list[GrammarItem] = []
    for item in found:
        first = len(kept)
        while first and item.start < kept[first - 1].end:
            first -= 1
        size = item.end - item.start
        if all(size > other.end - other.start for other in kept[first:]):
            kept[first:] = [item]
    return kept
