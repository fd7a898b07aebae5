"""Temporal expressions composed from the rules and joins of the grammar itself, chosen by bytes.

A rule is written by a walk over its regular expression: each word of its lexicon, each branch and each optional part
can come out. A join is written as its parts, one after the other, with its gaps between them; a part may be a join
again. So a word, a rule or a join that is new in the grammar is tried without a change here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, TypeVar

from tasks.temporal import chinese, english, tense
from tasks.temporal.grammar import GrammarRule, JoinRule, Signal, SignalRole
from tasks.temporal.tagger import Grammar, GrammarItem
from warehouse.records.calendars import FiscalCalendar, QuarterEnd, Weeks

RULES: dict[str, tuple[GrammarRule, ...]] = {"en": english.RULES, "zh": (*chinese.RULES, *english.RULES)}
JOINS: dict[str, tuple[JoinRule, ...]] = {
    "en": tuple(join for stage in english.STAGES for join in stage),
    "zh": tuple(join for stage in (*chinese.STAGES, *english.STAGES) for join in stage),
}
ANCHORS: tuple[date | None, ...] = (
    None,
    date(2025, 11, 22),
    datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC),
    date(2023, 1, 31),
    date(2020, 12, 31),
    date(1900, 2, 28),
    date(1, 1, 1),
    date(1, 12, 31),
    date(9999, 1, 1),
    date(9999, 12, 31),
)
CALENDARS: tuple[FiscalCalendar | None, ...] = (
    None,
    FiscalCalendar(9, "ends with September"),
    FiscalCalendar(2, "ends on February 29", 29),
    FiscalCalendar(4, "ends on April 5", 5, named_by_start=True),
    FiscalCalendar(1, "Saturday nearest January 31", weeks=Weeks(5), named_by_start=True),
    FiscalCalendar(8, "Saturday, 12 weeks", weeks=Weeks(5, nearest=False, quarters=(12, 24, 36))),
    FiscalCalendar(
        8,
        "known ends",
        weeks=Weeks(6),
        known=(QuarterEnd(2023, 3, date(2023, 5, 7)), QuarterEnd(2023, 4, date(2023, 9, 3))),
    ),
)
ORDERS = ("", "day first", "month first")
MOST_PARTS = 4
"""Expressions and words of one text."""
DEEPEST = 3
"""Joins of joins."""
_MOST_REPEATS = 2
"""More of a repeated part than its least number."""
_TWO_YEARS = re.compile(r"(?P<first>[12][0-9]{3})(?P<between> ?[-/–] ?)(?P<last>[0-9]{4}|[0-9]{2})(?![0-9])")
_ANY = " a5-'.013"
"""Characters that stand for those of a set that is not spelled out."""
_Option = TypeVar("_Option")

_ODD = (
    ("s", "ſ"),
    ("k", "\u212a"),
    ("i", "ı"),
    ("I", "İ"),
    ("1", "\u0661"),
    (" ", "\u00a0"),
    (" ", "\u3000"),
    ("0", "\uff10"),
)
"""Letters, digits and spaces that regular expressions take for others."""

# The parser of regular expressions has no public name since Python 3.11; hypothesis reads it the same way.
_parser: Any = import_module("re._parser")


class Choices:
    """Choices that bytes make; when they are used up, always the first."""

    def __init__(self, data: bytes) -> None:
        """Reads from the beginning on."""
        self._data, self._place = data, 0

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        if count <= 1:
            return 0
        size = 1 if count <= 256 else 2
        taken = self._data[self._place : self._place + size]
        self._place += size
        return int.from_bytes(taken, "big") % count

    def one(self, options: Sequence[_Option]) -> _Option:
        """One of them."""
        return options[self.below(len(options))]


@cache
def _parsed(pattern: str) -> Any:
    return _parser.parse(pattern)


class _Writer:
    """Writes one match of a regular expression, as far as that can be told without trying.

    `before` is what a leading look-behind asks for, `after` what a trailing look-ahead does.
    """

    def __init__(self, choices: Choices) -> None:
        """Choices decide between branches, characters and numbers of repeats."""
        self._choices = choices
        self._groups: dict[int, str] = {}
        self.before, self.after = "", ""

    def written(self, pattern: str) -> str:
        """The text of the match itself."""
        return self._of(_parsed(pattern), "")

    def _of(self, parsed: Any, so_far: str) -> str:
        text = ""
        for code, value in parsed:
            text += self._part(str(code), value, so_far + text)
        return text

    def _part(self, code: str, value: Any, so_far: str) -> str:
        match code:
            case "LITERAL":
                return self._letter(chr(value))
            case "NOT_LITERAL" | "ANY":
                return self._letter(self._choices.one(_ANY))
            case "IN":
                return self._letter(self._member(value))
            case "BRANCH":
                return self._of(self._choices.one(value[1]), so_far)
            case "SUBPATTERN":
                text = self._of(value[3], so_far)
                self._groups[value[0]] = text
                return text
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, inner = value
                times = least + self._choices.below(min(most - least, _MOST_REPEATS) + 1)
                text = ""
                for _ in range(times):
                    text += self._of(inner, so_far + text)
                return text
            case "GROUPREF":
                return self._groups.get(value, "")
            case "GROUPREF_EXISTS":
                number, present, absent = value
                chosen = present if self._groups.get(number) else absent
                return self._of(chosen, so_far) if chosen else ""
            case "ASSERT":
                self._look(*value, so_far)
                return ""
        return ""

    def _look(self, direction: int, inner: Any, so_far: str) -> None:
        text = _Writer(self._choices).inner(inner)
        if direction > 0:
            self.after = text
        elif not so_far:
            self.before = text

    def inner(self, parsed: Any) -> str:
        """The text of a part that is parsed already."""
        return self._of(parsed, "")

    def _letter(self, letter: str) -> str:
        """What follows a look-ahead is its text; where that is one capital, a capital."""
        ahead, self.after = self.after, ""
        return letter.upper() if len(ahead) == 1 and ahead.isupper() else letter

    def _member(self, members: Any) -> str:
        code, value = self._choices.one(members)
        if str(code) == "RANGE":
            return chr(value[0] + self._choices.below(value[1] - value[0] + 1))
        return chr(value) if str(code) == "LITERAL" else self._choices.one(_characters(tuple(members)))


_CATEGORIES = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_NOT_DIGIT": lambda letter: not letter.isdigit(),
    "CATEGORY_SPACE": str.isspace,
    "CATEGORY_NOT_SPACE": lambda letter: not letter.isspace(),
    "CATEGORY_WORD": str.isalnum,
    "CATEGORY_NOT_WORD": lambda letter: not letter.isalnum(),
}


@cache
def _characters(members: tuple[tuple[Any, Any], ...]) -> str:
    """Some of the characters of a set."""
    codes = [(str(code), value) for code, value in members]
    negated = codes[0][0] == "NEGATE"
    found = [each for each in _ANY if any(_holds(*other, each) for other in codes[negated:]) is not negated]
    return "".join(found)


def _holds(code: str, value: Any, letter: str) -> bool:
    """Whether a member of a set of characters is the letter, or holds it."""
    if code == "CATEGORY":
        return _CATEGORIES[str(value)](letter)
    return value[0] <= ord(letter) <= value[1] if code == "RANGE" else value == ord(letter)


def of_rule(rule: GrammarRule, choices: Choices) -> str:
    """An expression that the rule was made for, with what must stand before and after it; now and then a bare head."""
    words = [head for head in sorted(rule.heads) if head.isalpha()]
    if words and choices.below(8) == 7:
        return choices.one(words)
    lead = _Writer(choices)
    if rule.lead is not None:
        lead.written(rule.lead.pattern)
    writer = _Writer(choices)
    text = writer.written(rule.pattern.pattern)
    if rule.pattern.flags & re.IGNORECASE and choices.below(3) == 1:
        text = text.title()
    if choices.below(2):
        text = _TWO_YEARS.sub(_consecutive, text)
    return f"{writer.before or lead.before}{text}{writer.after}"


def _consecutive(found: re.Match[str]) -> str:
    """A year named by both of its years, as rules for these want it: 2023/24, where chance wrote 2023/71."""
    return f"{found['first']}{found['between']}{str(int(found['first']) + 1)[-len(found['last']) :]}"


def of_join(join: JoinRule, language: str, choices: Choices, depth: int = 1) -> str:
    """The parts of the join and its gaps; a part may be the work of another join."""
    gaps = [join.gap] * (len(join.parts) - 1) if isinstance(join.gap, re.Pattern) else join.gap
    text = ""
    for part, gap in zip(join.parts, [None, *gaps], strict=True):
        text += _Writer(choices).written(gap.pattern) if gap else ""
        joins = JOINS[language] if depth < DEEPEST and not isinstance(part, SignalRole) else ()
        if joins and choices.below(4) == 1:
            text += of_join(choices.one(joins), language, choices, depth + 1)
        else:
            text += of_rule(choices.one(rules_of(part, language)), choices)
    return text


def context(data: bytes) -> tuple[date | None, FiscalCalendar | None, str]:
    """A day of writing, a fiscal calendar and an order of day and month, each by one byte."""
    choices = Choices(data)
    return choices.one(ANCHORS), choices.one(CALENDARS), choices.one(ORDERS)


def composed(data: bytes) -> str:
    """A text of a few expressions with words between them that tell its tense, as the bytes choose."""
    choices = Choices(data)
    language = choices.one(("en", "zh"))
    text = ""
    for _ in range(1 + choices.below(MOST_PARTS)):
        match choices.below(4):
            case 0:
                text += of_rule(choices.one(RULES[language]), choices)
            case 3:
                text += _Writer(choices).written(choices.one(_tenses()))
            case _:
                text += of_join(choices.one(JOINS[language]), language, choices)
        text += choices.one((" ", " ", ", ", "", ". ", "\n", "\n\n", "，", "。"))
    letter, odd = choices.one(_ODD)
    return text.replace(letter, odd) if choices.below(4) == 1 else text


@cache
def rules_of(part: type | tuple[type, ...] | SignalRole, language: str) -> Sequence[GrammarRule]:
    """The rules whose items may be that part of a join; every rule where none was found to."""
    kinds = part if isinstance(part, tuple) else (part,)
    found = [rule for kind, rules in _by_kind(language).items() if _is_one(kind, kinds) for rule in rules]
    return found or RULES[language]


def _is_one(kind: type | SignalRole, kinds: Sequence[type | SignalRole]) -> bool:
    if isinstance(kind, SignalRole):
        return kind in kinds
    return any(isinstance(each, type) and issubclass(kind, each) for each in kinds)


@cache
def _by_kind(language: str) -> dict[type | SignalRole, list[GrammarRule]]:
    """The rules by the kinds of item that samples of them gave."""
    found: defaultdict[type | SignalRole, list[GrammarRule]] = defaultdict(list)
    for rule in RULES[language]:
        for kind in kinds(rule):
            found[kind].append(rule)
    return dict(found)


def is_bounded(pattern: re.Pattern[str]) -> bool:
    """Whether no part of it, look-arounds included, may be repeated without end."""
    return "MAXREPEAT" not in repr(_parsed(pattern.pattern))


def samples(rule: GrammarRule, count: int) -> list[str]:
    """So many texts of a rule, the same in every run."""
    return [of_rule(rule, Choices(Random(seed).randbytes(400))) for seed in range(count)]


_SAMPLES = 40


@cache
def kinds(rule: GrammarRule) -> frozenset[type | SignalRole]:
    """What samples of the rule are read as: classes of meanings and words of signals."""
    grammar = Grammar([rule])
    return frozenset(_kind(item) for text in samples(rule, _SAMPLES) for item in grammar.scan(text))


def _kind(item: GrammarItem) -> type | SignalRole:
    return item.value.role if isinstance(item.value, Signal) else type(item.value)


@cache
def _tenses() -> tuple[str, ...]:
    """The patterns of the words by which the tense of a sentence is told."""
    return tuple(
        value.pattern for name, value in vars(tense).items() if isinstance(value, re.Pattern) and name != "_STOP"
    )
