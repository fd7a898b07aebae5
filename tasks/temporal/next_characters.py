"""The characters that may follow the numbers at the beginning of a pattern: a cheap test before a rule is tried.

Most rules that begin with a number need a certain word or mark behind it, while most numbers are figures of tables. The
set is computed from the parsed pattern and includes every character with which a match is possible; conditions, except
on what follows, are ignored. It is computed twice: a mark behind a figure says less than the character behind its
decimals. The standard library's own parser of patterns is private since Python 3.11, and there is no public one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

_ASCII = tuple(map(chr, range(128)))
_BLANKS = "0123456789 \t\n\r\f\v\x1c\x1d\x1e\x1f"
_SKIPPED_SETS = (frozenset(_BLANKS), frozenset(f"{_BLANKS}."))
"""Digits and white space, and also points: what is skipped before each of the two characters."""
_ENDS_OF_SKIPPED = tuple(re.compile(f"[^{re.escape(''.join(sorted(skipped)))}]") for skipped in _SKIPPED_SETS)
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


class NextCharacterFinder:
    """Finds the characters behind the numbers of a text, from left to right, so that nothing is skipped twice."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._positions = [-1] * len(_SKIPPED_SETS)

    def find(self, start: int) -> NextCharacters:
        """The first character from `start` on that is not skipped, once for each of the two sets."""
        for index, position in enumerate(self._positions):
            if position < start:
                match = _ENDS_OF_SKIPPED[index].search(self._text, start)
                self._positions[index] = match.start() if match else len(self._text)
        characters = (self._text[position : position + 1] for position in self._positions)
        return tuple(character.lower() if character.isascii() else None for character in characters)


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
    readings = [_read_parts(parts, skipped) for skipped in _SKIPPED_SETS]
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
