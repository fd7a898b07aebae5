"""Rules that read the words of temporal expressions, the scan that applies them, and the joins of what it found.

A rule names the words an expression of its kind can begin with. The scan walks the tokens of the text once and tries
only the rules of each token's head, each of which looks a bounded distance ahead. Where an expression is told by its
last word ("the past five years"), that is its head, and the rule's lead finds its beginning, a bounded distance back.
What the scan finds are items: meanings, and the signals ("from", "early") that a composer joins with the meanings
beside them: "the first quarter" + "of" + "last year".

A language gives stages of joins. Each stage walks the items once from left to right and replaces what a join takes;
what it made may be taken again by the same stage, so the scan and the walks are linear in the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from typing import TypeVar

from tasks.temporal.readings import Meaning
from warehouse.records import Modifier


class SignalRole(Enum):
    """What a signal does."""

    FROM = "from"
    TO = "to"
    BETWEEN = "between"
    AND = "and"
    OF = "of"
    AT = "at"
    DIVIDED = "what is over of a time, or still to come"
    PART = "the early, middle or late part of a time"
    LENGTH = "about, more or less than a length or a time"
    BOUND = "since, before, after, until"
    AGO = "before now"
    HENCE = "from now"
    EARLIER = "before the time told"
    LATER = "after the time told"
    TRAILING_PART = "the early, middle or late part of the time before it"
    TRAILING_LENGTH = "about the length or the time before it"
    TRAILING_BOUND = "before, after, since or until the time before it, or so much before or after now"
    LEADING_BOUND = "since or until the time right after it"
    QUANTITY = "a number that is no time"


@dataclass(frozen=True, slots=True)
class Signal:
    """A word, or some words, with the TIMEX3 modifier that it puts on what it stands beside."""

    word: SignalRole
    modifier: Modifier | None = None


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

_REACH = 40  # How far a lead looks back, in characters.

_STEM = 3  # A word before a head may be one of a lead if they begin with the same letters, so many of them.

_NAMED_GROUP = re.compile(r"\(\?P<\w+>")
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
Result = TypeVar("Result")


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

    A lead begins with a word; where it may be empty, the expression begins at its head. It may be the beginning of the
    pattern itself: its groups lose their names.
    """
    flags = re.NOFLAG if exact_case else re.IGNORECASE
    before = None if lead is None else re.compile(_NAMED_GROUP.sub("(?:", lead), flags)
    return GrammarRule(frozenset(heads), re.compile(pattern, flags), read, before)


class Bucket:
    """The rules of one head."""

    def __init__(self, rules: Sequence[GrammarRule]) -> None:
        """Keeps their order."""
        self._rules = tuple((each, _stems(each.lead) if each.lead else frozenset()) for each in rules)
        self._has_leads = any(each.lead for each in rules)

    def matches(self, text: str, place: int) -> Iterator[tuple[GrammarRule, re.Match[str]]]:
        """The rules that match with their head at `place`, in their order, each with its longest lead."""
        # The words, digits and marks before the place, nearest first.
        before = list(_WORD_BEFORE.finditer(text, max(0, place - _REACH), place))[::-1] if self._has_leads else ()
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
    if token.lastgroup != "number":
        return CHINESE_NUMBER if token.lastgroup == "numeral" else token[0]
    number, follows = _NUMBERS.get(token.end() - token.start(), ""), text[token.end() : token.end() + 1]
    if follows in _MARKS:
        return number and number + MARKED
    return number and number + (LETTERED if follows.isalpha() or follows in _APOSTROPHES else "")


def _longest(bucket: Bucket, text: str, place: int) -> GrammarItem | None:
    best: GrammarItem | None = None
    for each, match in bucket.matches(text, place):
        if best is not None and match.end() - match.start() <= best.end - best.start:
            continue
        try:
            value = each.read(match)
        except (ValueError, OverflowError):
            continue
        if value is not None:
            best = GrammarItem(match.start(), match.end(), value)
    return best


def attempt(read: Callable[..., Result], *arguments: object) -> Result | None:
    """What it returns; None where it raises `ValueError` or `OverflowError`: there is no such date."""
    try:
        return read(*arguments)
    except (ValueError, OverflowError):
        return None


def keep_longest(found: Iterable[GrammarItem]) -> list[GrammarItem]:
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


SPACE = re.compile(r"[^\S\n]{0,3}\s?")
"""White space inside an expression: at most one line break, so never a paragraph's end."""

_WIDEST = 24  # No gap is wider, in characters.

Part = type | tuple[type, ...] | SignalRole


@dataclass(frozen=True, slots=True)
class JoinedItems:
    """Items of the given parts, one after the other with `gap` between them, become what `make` says.

    A part is a class of meanings (or some of them), or the word of a signal; there are two at least. `make` takes the
    items' values; None, `ValueError` or `OverflowError` mean that they do not join after all. `gap` matches the whole
    text between two neighbours; a list has one for each gap. The text of the joined item is that of all parts, or of
    the `extent` alone: TIMEX3 leaves out the "since" of "since 2019".
    """

    parts: tuple[Part, ...]
    make: Callable[..., Meaning | Signal | None]
    gap: re.Pattern[str] | Sequence[re.Pattern[str]] = SPACE
    extent: tuple[int, int | None] = (0, None)

    def fits(self, items: Sequence[GrammarItem], text: str) -> bool:
        """Whether the items, as many as there are parts, are of its parts with its gaps."""
        for item, part in zip(items, self.parts, strict=True):
            if not _may_be(_kind(item.value), part):
                return False
        gaps = [self.gap] * (len(items) - 1) if isinstance(self.gap, re.Pattern) else self.gap
        for gap, left, right in zip(gaps, items, items[1:], strict=False):
            if gap.fullmatch(text, left.end, right.start) is None:
                return False
        return True


class Composer:
    """The stages of a language, with the joins of each found by the two parts they end with."""

    def __init__(self, stages: Iterable[Sequence[JoinedItems]]) -> None:
        """The order of the joins of a stage decides between those that fit: the first wins."""
        self._stages = [cache(partial(_ending_with, tuple(joins))) for joins in stages]

    def compose(self, items: Iterable[GrammarItem], text: str) -> list[GrammarItem]:
        """The items after every stage, in order; signals that joined nothing are still among them."""
        found = list(items)
        for joins in self._stages:
            found = _staged(found, text, joins)
        return found


Kind = type | SignalRole
Ending = Callable[[Kind, Kind], Sequence[JoinedItems]]


def _ending_with(joins: Sequence[JoinedItems], before: Kind, last: Kind) -> Sequence[JoinedItems]:
    """The joins whose last two parts may be of these kinds."""
    return tuple(join for join in joins if _may_be(last, join.parts[-1]) and _may_be(before, join.parts[-2]))


def _staged(items: Iterable[GrammarItem], text: str, joins: Ending) -> list[GrammarItem]:
    done: list[GrammarItem] = []
    for item in items:
        done.append(item)
        while len(done) > 1 and done[-1].start - done[-2].end <= _WIDEST and _reduced(done, text, joins):
            pass
    return done


def _reduced(done: list[GrammarItem], text: str, joins: Ending) -> bool:
    """Join the last items where a join fits; whether one did. Each join makes the list shorter."""
    for join in joins(_kind(done[-2].value), _kind(done[-1].value)):
        size = len(join.parts)
        last = done[-size:]
        if len(last) == size and join.fits(last, text):
            made = attempt(join.make, *(item.value for item in last))
            if made is not None:
                shown = last[slice(*join.extent)]
                done[-size:] = [GrammarItem(shown[0].start, shown[-1].end, made)]
                return True
    return False


def _kind(value: Meaning | Signal) -> Kind:
    """The class of a meaning, the word of a signal."""
    return value.word if isinstance(value, Signal) else type(value)


def _may_be(kind: Kind, part: Part) -> bool:
    if isinstance(part, SignalRole) or isinstance(kind, SignalRole):
        return kind is part
    return issubclass(kind, part)
