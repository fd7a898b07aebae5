"""Declarations of a language: rules that read the words of temporal expressions, and joins of their results.

A rule names the words an expression of its kind can begin with, its heads, and is tried only where one of them stands.
Where an expression is known by its last word ("the past five years"), that is its head, and the rule's lead finds its
beginning, a bounded distance back. What the rules find are meanings, and the signals ("from", "early") that a join puts
together with the meanings beside them: "the first quarter" + "of" + "last year".

A language gives stages of joins. `tagger` applies the rules, then each stage once from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

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
