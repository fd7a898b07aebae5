"""The ordinal numbers that count days, quarters and centuries, and years in words."""

from __future__ import annotations

from tasks.temporal.english.lexicon import NUMBERS, S, any_of, number

_ONES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh")
_TEENS = ("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth")
_SIMPLE = {word: count for count, word in enumerate((*_ONES, *_TEENS), 1)} | {"twentieth": 20, "thirtieth": 30}
_TENS = {"twenty": 20, "thirty": 30}

ORDINALS = {
    **_SIMPLE,
    **{f"{tens}-{word}": count + _SIMPLE[word] for tens, count in _TENS.items() for word in _ONES[:9]},
    **{f"{tens} {word}": count + _SIMPLE[word] for tens, count in _TENS.items() for word in _ONES[:9]},
}
ORDINAL_WORD = any_of(ORDINALS)
ORDINAL_HEADS = frozenset((*_SIMPLE, *_TENS))

_UNDER_TEN = any_of(word for word, count in NUMBERS.items() if count < 10)
_TEEN = any_of(word for word, count in NUMBERS.items() if 10 <= count < 20)
_OVER_TEN = rf"(?:{any_of(word for word, count in NUMBERS.items() if count >= 20)}(?:[ -]{_UNDER_TEN})?|{_TEEN})"
_CENTURIES = {"seventeen": 1700, "eighteen": 1800, "nineteen": 1900, "twenty": 2000}
YEAR_WORDS = (
    rf"(?:{any_of(_CENTURIES)}[ -](?:{_OVER_TEN}|oh[ -]{_UNDER_TEN})"
    rf"|(?:one|two){S}thousand(?:{S}{_UNDER_TEN}{S}hundred)?(?:{S}(?:and{S})?(?:{_OVER_TEN}|{_UNDER_TEN}))?)"
)
"""A year in words: "nineteen ninety-nine", "two thousand and eighteen"."""


YEAR_HEADS = frozenset((*_CENTURIES, "one", "two"))


def ordinal(text: str) -> int:
    """The number of an `ORDINAL_WORD`."""
    return ORDINALS[" ".join(text.lower().split())]


def year_of(text: str) -> int:
    """The year that `YEAR_WORDS` name."""
    words = text.lower().replace("-", " ").split()
    if "thousand" not in words:
        return _CENTURIES[words[0]] + number(" ".join(words[1:]))
    place = words.index("thousand")
    return 1000 * number(words[0]) + number(" ".join(words[place + 1 :]))
