"""Whether an acronym is spelled out beside a use of it.

By initials in the words before or after it, or, in brackets and after a colon, by the algorithm of Schwartz and Hearst
(2003): its letters stand in the long form in order, the first of them at the beginning of a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\W_][\w'’-]*")
_REACH = 120
"""How far from an acronym its long form may stand, in characters."""
_OPENING = ("(", "[", "（")
_INTRODUCES = re.compile(r"s? ?[,(（:：=–—]")
_LEADING = frozenset({"stands", "for", "means", "is", "are", "or", "i", "e", "the", "a", "an", "s"})


def is_spelled_out(name: str, text: str, start: int, end: int) -> bool:
    """Whether the words around `text[start:end]`, a use of the acronym `name`, are its long form."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    longest = min(len(name) + 5, 2 * len(name))
    last, first = _WORD.findall(before)[-longest:], list(_following(after))[:longest]
    stretches = [last[place:] for place in range(len(last))] + [first[:place] for place in range(2, len(first) + 1)]
    if any(_has_initials(name, words) for words in stretches):
        return True
    if before.endswith(_OPENING):
        return any(_has_letters(name, words) for words in stretches[: len(last)])
    introduced = _WORD.findall(after)[:longest] if _INTRODUCES.match(after) else []
    return any(_has_letters(name, introduced[:place]) for place in range(1, len(introduced) + 1))


def _following(text: str) -> Iterator[str]:
    """The words after an acronym, past "stands for", "means" or "is"."""
    words = iter(_WORD.findall(text))
    for word in words:
        if word.lower() not in _LEADING:
            yield word
            break
    yield from words


def _has_initials(name: str, words: Sequence[str]) -> bool:
    """Whether the letters are the first of the words, or of the parts of hyphened ones, with words passed over."""
    letters = _letters(name)
    if len(words) < 2 or words[0][:1].lower() != letters[0] or name in words:
        return False
    initials = (part[:1] for word in words for part in word.lower().split("-"))
    return all(letter in initials for letter in letters)


def _has_letters(name: str, words: Sequence[str]) -> bool:
    """Whether the letters stand in the words, found from the last to the first, which begins the first word."""
    long, letters = " ".join(words).lower(), _letters(name)
    if name in words or long[:1] != letters[0] or len(long) <= len(name):
        return False
    place = len(long)
    for letter in reversed(letters[1:]):
        place = long.rfind(letter, 1, place)
        if place < 0:
            return False
    return True


def _letters(name: str) -> list[str]:
    return [letter for letter in name.lower() if letter != "&"]
