"""Where a sentence looks: back or ahead.

The verb nearest before an expression decides, else the first one after it, inside the sentence and a short way off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

_BACK, _AHEAD = 160, 80
_STOP = re.compile(r"[.!?;。！？]\s|\n\s?\n")
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")

_WHEN = re.compile(r"\b(?:in|on|during|back\sin|by|since|until|till|through|of)\s(?:the\s)?\Z", re.IGNORECASE)
_NEXT = 24
_SUBJECT = re.compile(r"\s[a-z]")
"""The word after an expression with no mark between them."""

_WILL = re.compile(r"will|won['’]t|shall|would|until|till|upcoming|forthcoming|deadline|[a-z]+['’]ll")
_MAY = re.compile("should|could|may|might|must|can")
_PLANNED = re.compile(
    "expected|scheduled|due|set|slated|planned|projected|forecast|poised|likely|planning|hoping|ready|about"
)
_WANT = re.compile(
    "(?:plan|expect|hope|aim|intend|agree|want|need|promise|vow|pledge|decide|threaten|prepare|seek)(?:e?[sd])?"
    "|planned|planning|expecting|hoping"
)
_FORESEE = re.compile("(?:expect|predict|anticipate|foresee)s?|forecasts")
_BE = re.compile("is|are|was|were|be|been|being")
_SCHEDULED = re.compile("starts|begins|ends|expires|opens|resumes|concludes|premieres|airs|kicks|matures")
_NEXT_TO = re.compile("to|for|on|by")
_ORDER = re.compile("(?:order|ask|invite|summon|require|urge|force|direct|instruct)(?:e?[sd])?|told|tells")
"""What somebody is told to do is still to come."""
_TO_DO = re.compile(
    r"(?:\A|\n)[^\n.!?]{1,90}(?<!according)(?<!due)(?<!prior)(?<!thanks)(?<!next)(?<!close)(?<!back)\sto\s"
    r"(?!(?:the|an?|its|his|her|their|our|my|this|that|these|those|some|all)\b)[a-z]{2,15}\b[^\n.!?]{0,60}\Z"
)
"""A headline without another verb: "Minister to visit Paris Wednesday"."""
_PAST = re.compile(
    "was|were|had|been|did|said|says|told|came|went|got|made|took|gave|rose|fell|grew|began|met|held|won|lost|led|left"
    "|saw|found|became|ran|hit|sent|kept|wrote|spoke|broke|struck|shot|died|bought|sold|paid|brought|thought|drew|flew"
    "|knew|threw|built|spent|felt|heard|since|ago|[a-z]{2,}ed"
)
_NOT_PAST = re.compile("need|indeed|speed|seed|feed|hundred|united|exceed|proceed|related|based")


class Tense(Enum):
    """Where a sentence looks; it decides which Friday "on Friday" is."""

    PAST = "past"
    FUTURE = "future"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ExpressionSpan:
    """An expression in its text, `text[start:end]`."""

    text: str
    start: int
    end: int

    @property
    def is_adverbial(self) -> bool:
        """Whether a preposition makes it say when something happens: "sold in April", not "an April hearing"."""
        return bool(_WHEN.search(self.text, max(0, self.start - _NEXT), self.start))

    @property
    def tense(self) -> Tense:
        """The tense of the clause around it; what it is the subject of decides first: "a hearing in April will"."""
        after = self.text[self.end : self.end + _AHEAD]
        stop = _STOP.search(after)
        following = _words(after[: stop.start()] if stop else after)
        if following and _SUBJECT.match(after) and _WILL.fullmatch(following[0]):
            return Tense.FUTURE
        before = self.text[max(0, self.start - _BACK) : self.start]
        words = _words(before[max((stop.end() for stop in _STOP.finditer(before)), default=0) :])
        for index in reversed(range(len(words))):
            if tense := _tense(words, index):
                return tense
        tenses = (_tense(following, index) for index in range(len(following)))
        headline = Tense.FUTURE if _TO_DO.search(before) else Tense.UNKNOWN
        return next((tense for tense in tenses if tense), headline)


def _words(clause: str) -> list[str]:
    """Without capitals, but for the month of May, which is no verb."""
    return [word if word == "May" else word.lower() for word in _WORD.findall(clause)]


@dataclass(frozen=True, slots=True)
class _Verb:
    """What a word by itself may say of the tense: in turn the patterns above."""

    will: bool
    may: bool
    planned: bool
    want: bool
    be: bool
    ahead: bool
    next_to: bool
    past: bool
    orders: bool


@lru_cache(maxsize=8192)
def _verb(word: str) -> _Verb:
    """Cached, for a text repeats its words."""
    return _Verb(
        will=bool(_WILL.fullmatch(word)),
        may=bool(_MAY.fullmatch(word)),
        planned=bool(_PLANNED.fullmatch(word)),
        want=bool(_WANT.fullmatch(word)),
        be=bool(_BE.fullmatch(word)),
        ahead=any(pattern.fullmatch(word) for pattern in (_WILL, _FORESEE, _SCHEDULED)),
        next_to=bool(_NEXT_TO.fullmatch(word)),
        past=bool(_PAST.fullmatch(word)) and not _NOT_PAST.fullmatch(word),
        orders=bool(_ORDER.fullmatch(word)),
    )


def _tense(words: list[str], index: int) -> Tense | None:
    """What one word says, with the three before it and the one after; None where it says nothing."""
    word, verb = words[index], _verb(words[index])
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    if _looks_ahead(word, verb, before, after):
        return Tense.FUTURE
    if verb.orders and "to" in words[index + 1 : index + 4]:
        return Tense.FUTURE
    if verb.past:
        return Tense.FUTURE if _led_by_will(words[max(0, index - 3) : index]) else Tense.PAST
    return None


def _looks_ahead(word: str, verb: _Verb, before: str, after: str) -> bool:
    if verb.ahead:
        return True
    if verb.may:
        return after != "have"
    if verb.planned and (_verb(after).next_to or _verb(before).be or (verb.past and not after)):
        return True
    if after == "to":
        return verb.want or verb.be
    return word == "be" and before == "to"


def _led_by_will(before: list[str]) -> bool:
    """Whether a participle looks where its auxiliary does: "will be finalized", "to be held"."""
    if before[-1:] == ["have"]:
        return any(_verb(word).will for word in before)
    return before[-1:] == ["be"] or any(_verb(word).will or _verb(word).may for word in before[-2:])
