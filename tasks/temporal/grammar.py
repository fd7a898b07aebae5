"""Declarations of a language: rules that read the words of temporal expressions, and joins of their results.

A rule names the words an expression of its kind can begin with, its heads, and is tried only where one of them stands.
Where an expression is known by its last word ("the past five years"), that is its head, and the rule's lead finds its
beginning, a bounded distance back. What the rules find are meanings, and the signals ("from", "early") that a join puts
together with the meanings beside them: "the first quarter" + "of" + "last year".

A language gives stages of joins. `tagger` applies the rules, then each stage once from left to right.

Most rules that begin with a number need a certain word or mark behind it, while most numbers are figures of tables. So
`may_match` tests the characters behind a number before such a rule is tried. Those that may follow are computed from
the parsed pattern and include every character with which a match is possible; conditions, except on what follows, are
ignored. They are computed twice: a mark behind a figure says less than the character behind its decimals. The standard
library's own parser of patterns is private since Python 3.11, and there is no public one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from tasks.temporal.readings import Meaning
from warehouse.records import Modifier


class SignalRole(Enum):
    """The part that a signal plays in a join."""

    FROM = "from"
    TO = "to"
    BETWEEN = "between"
    AND = "and"
    OF = "of"
    AT = "at"
    DIVIDED = "what is over of a time, or still to come"
    PART = "the early, middle or late part of a time"
    LARGER_PART = "from the early to the middle part of a time, or from there to the late one"
    HALF = "the first or the second half of a time"
    LENGTH = "about, more or less than a length or a time"
    BOUND = "since, before, after, until"
    AGO = "before now"
    HENCE = "from now"
    EARLIER = "before the last mention"
    LATER = "after the last mention"
    TRAILING_PART = "the early, middle or late part of the time before it"
    TRAILING_LENGTH = "about the length or the time before it"
    TRAILING_BOUND = "before, after, since or until the time before it, or so much before or after now"
    LEADING_BOUND = "since or until the time right after it"
    QUANTITY = "a number that is no time"


@dataclass(frozen=True, slots=True)
class Signal:
    """A word, or some words, with the TIMEX3 modifier that it gives to its neighbour."""

    role: SignalRole
    modifier: Modifier | None = None


@dataclass(frozen=True, slots=True)
class GrammarItem:
    """A meaning or a signal at `text[start:end]`; `parts` are the items that a join made it of."""

    start: int
    end: int
    value: Meaning | Signal
    parts: tuple[GrammarItem, ...] = ()


SHORT_NUMBER = "#"
MIDDLE_NUMBER = "###"
LONG_NUMBER = "####"
"""The heads that stand for a number of one or two digits, of three, and of four."""
LETTERED, MARKED = "a", "/"
"""Suffixes of a number's head: only before a letter or apostrophe ("15th", "80s"), only before a mark ("3:30")."""
CHINESE_NUMBER = "〇"
CHINESE_DIGITS = "〇零一二三四五六七八九十两百千廿卅"

LETTERS = str.maketrans("ſıİ\u212a", "siIK")
"""Letters that a case-insensitive pattern takes for ASCII letters, one for one: rules contain only the latter."""
SPACE = re.compile(r"[^\S\n]{0,3}\s?")
"""White space inside an expression: at most one line break, so never a paragraph's end."""
NAMED_GROUP = re.compile(r"\(\?P<\w+>")

Reader = Callable[[re.Match[str]], Meaning | Signal | None]
Part = type | SignalRole | tuple[type | SignalRole, ...]


@dataclass(frozen=True)
class GrammarRule:
    """`reader` gives the meaning of a match of `pattern`; None, `ValueError` and `OverflowError` mean that it is none.

    `lead` matches what stands before the head and belongs to the expression: the match of `pattern` begins with it.
    Both are compiled when the rule is first tried: a question tries few of the rules, and all take .4 s.
    """

    heads: frozenset[str]
    words: str
    reader: Reader
    lead_words: str
    flags: re.RegexFlag

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern of the lead and of the rule."""
        return re.compile(self.lead_words + self.words, self.flags)

    @cached_property
    def lead(self) -> re.Pattern[str] | None:
        """None for a rule whose expressions begin at their head."""
        return re.compile(NAMED_GROUP.sub("(?:", self.lead_words), self.flags) if self.lead_words else None


def make_rule(
    heads: Iterable[str],
    pattern: str,
    reader_or_meaning: Reader | Meaning | Signal,
    *,
    lead: str = "",
    exact_case: bool = False,
) -> GrammarRule:
    """A rule of a pattern that ignores case unless `exact_case`; heads are lower-case words or kinds of number.

    The `pattern` begins with the head; what stands before it is matched by the `lead`, which begins with a word. Where
    the lead may be empty, the expression begins at its head. `reader_or_meaning` may be what every match means.
    """
    flags = re.NOFLAG if exact_case else re.IGNORECASE
    reader = reader_or_meaning if callable(reader_or_meaning) else lambda _match: reader_or_meaning
    return GrammarRule(frozenset(heads), pattern, reader, lead, flags)


@dataclass(frozen=True, slots=True)
class JoinRule:
    """Items of the given parts, one after the other with `gap` between them, become what `make` returns.

    A part is a class of meanings, the role of a signal, or some of them; there are two at least. `make` takes the
    meanings and, where it `takes_modifier`, after them that of the last signal; None, `ValueError` or `OverflowError`
    mean that they do not join after all. `gap` matches the whole text between two neighbours; a list has one for each
    gap. The text of the joined item is that of all parts, or of the `extent` alone: TIMEX3 leaves out the "since" of
    "since 2019".
    """

    parts: tuple[Part, ...]
    make: Callable[..., Meaning | None]
    gap: re.Pattern[str] | Sequence[re.Pattern[str]] = SPACE
    extent: tuple[int, int | None] = (0, None)
    takes_modifier: bool = False


_ASCII = tuple(map(chr, range(128)))
_BLANKS = "0123456789 \t\n\r\f\v\x1c\x1d\x1e\x1f"
SKIPPED_SETS = (frozenset(_BLANKS), frozenset(f"{_BLANKS}."))
"""Digits and white space, and also points: what is skipped before each of the two characters."""
_CATEGORIES = {
    _constants.CATEGORY_DIGIT: r"\d",
    _constants.CATEGORY_NOT_DIGIT: r"\D",
    _constants.CATEGORY_SPACE: r"\s",
    _constants.CATEGORY_NOT_SPACE: r"\S",
    _constants.CATEGORY_WORD: r"\w",
    _constants.CATEGORY_NOT_WORD: r"\W",
}
_REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}
_CONDITIONS = {_constants.AT, _constants.ASSERT_NOT, _constants.GROUPREF}
"""Parts that consume nothing, or only what a group matched, which is skipped if the group was."""

NextCharacters = tuple[str | None, ...]
"""The characters behind a number, each in lower case: empty at the end of the text, None if nothing is known of it."""


def may_match(pattern: str, next_characters: NextCharacters) -> bool:
    """Whether a pattern that begins with a number may match where these characters follow."""
    return all(
        character is None or possible_characters is None or character in possible_characters
        for character, possible_characters in zip(next_characters, _list_next_characters(pattern), strict=True)
    )


@cache
def _list_next_characters(pattern: str) -> tuple[frozenset[str] | None, ...]:
    """The characters that may follow where a pattern matches, for each set; None if it matches skipped ones alone."""
    parts = _parser.parse(pattern)
    readings = [_read_parts(parts, skipped) for skipped in SKIPPED_SETS]
    return tuple(None if is_skipped else characters for characters, is_skipped in readings)


def _read_parts(parts: Iterable[tuple[Any, Any]], skipped: frozenset[str]) -> tuple[frozenset[str], bool]:
    """The first characters that parts in sequence may match, and whether they can match skipped ones alone."""
    characters: frozenset[str] = frozenset()
    for operation, argument in parts:
        part_characters, is_skipped = _read_part(operation, argument, skipped)
        characters |= part_characters
        if not is_skipped:
            return characters, False
    return characters, True


def _read_part(operation: Any, argument: Any, skipped: frozenset[str]) -> tuple[frozenset[str], bool]:
    if operation in _CONDITIONS:
        return frozenset(), True
    if operation is _constants.ASSERT:
        is_ahead = argument[0] > 0
        return _read_parts(argument[1], skipped) if is_ahead else (frozenset(), True)
    if operation is _constants.SUBPATTERN:
        return _read_parts(argument[-1], skipped)
    if operation is _constants.ATOMIC_GROUP:
        return _read_parts(argument, skipped)
    if operation in _REPEATS:
        characters, is_skipped = _read_parts(argument[2], skipped)
        return characters, is_skipped or not argument[0]
    if operation in (_constants.BRANCH, _constants.GROUPREF_EXISTS):
        branches = argument[1] if operation is _constants.BRANCH else [branch or () for branch in argument[1:]]
        readings = [_read_parts(branch, skipped) for branch in branches]
        return frozenset().union(*(found for found, _ in readings)), any(is_skipped for _, is_skipped in readings)
    matched = _list_matched(operation, tuple(argument) if isinstance(argument, Sequence) else argument)
    return matched - skipped, not matched.isdisjoint(skipped)


@cache
def _list_matched(operation: Any, argument: Any) -> frozenset[str]:
    """The ASCII characters, in lower case, that a part for one character matches in one of their cases."""
    return frozenset(character.lower() for character in _ASCII if _is_matched(ord(character), operation, argument))


def _is_matched(code: int, operation: Any, argument: Any) -> bool:
    if operation is _constants.IN:
        if argument[0][0] is _constants.NEGATE:
            return not any(_is_matched(code, *part) for part in argument[1:])
        return any(_is_matched(code, *part) for part in argument)
    if operation is _constants.LITERAL:
        return bool(code == argument)
    if operation is _constants.RANGE:
        return bool(argument[0] <= code <= argument[1])
    if operation is _constants.CATEGORY:
        return re.match(_CATEGORIES[argument], chr(code)) is not None
    return operation is not _constants.NOT_LITERAL or code != argument
