"""A question without its dates, as a person would have asked it without them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Span = tuple[int, int]

_REACH = 40
_BEFORE = re.compile(
    r"(?:\b(?:as|at|around|back|before|after|between|by|dated|during|end|ended|ending|for|from|in|of|on|over|prior"
    r"|since|starting|than|the|through|throughout|till|to|until|up|versus|vs\.?|within)[ ]|[在于於从從自截至止到直])+$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:['’]s?(?![a-z])| ?(?:onwards?|respectively|(?:and|or) (?:later|earlier|after|before))\b"
    r"|以[来來前后後]|之[前后後]|期间|期間|的|[中里裡内內间間])*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:\s|[,，、&]|\b(?:and|or|to|with|vs\.?|versus|than|against|compared|through|respectively)\b|[和与與至到跟比])*",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t]{2,}")
_EMPTY = re.compile(r"[(（]\s{0,3}[)）]")
_STRAY = re.compile(r" (?=[?.,;:!)）？。，])|(?<=[(（]) |^(?:[\s,，;、]|of\b)+|(?<=,),")


def without(question: str, spans: Sequence[Span]) -> str:
    """The question without the spans, which are in order, and without the words that led to them.

    The whole question where nothing else would be left.
    """
    kept, place = [], 0
    for start, end in _joined([_widened(question, span) for span in spans], question):
        kept.append(question[place:start])
        place = max(place, end)
    text = " ".join([*kept, question[place:]]) if question.isascii() else "".join([*kept, question[place:]])
    rest = _STRAY.sub("", _SPACES.sub(" ", _EMPTY.sub("", text))).strip(" ,，")
    return rest if any(character.isalnum() for character in rest) else question


def _widened(question: str, span: Span) -> Span:
    """A span with the preposition before it and the particle after it."""
    before = _BEFORE.search(question[max(0, span[0] - _REACH) : span[0]])
    after = _AFTER.match(question, span[1])
    return span[0] - (len(before[0]) if before else 0), after.end() if after else span[1]


def _joined(spans: Sequence[Span], question: str) -> Iterator[Span]:
    """Spans with only words between them that joined them: "2021 and 2022", "FY23 vs FY22"."""
    current: Span | None = None
    for span in spans:
        if current is None:
            current = span
        elif _BETWEEN.fullmatch(question, current[1], max(current[1], span[0])):
            current = current[0], max(current[1], span[1])
        else:
            yield current
            current = span
    if current is not None:
        yield current
