"""The lesson of a course that a question names by its number."""

from __future__ import annotations

import re

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CHINESE = tuple("一二三四五六七八九十")
_LESSON = re.compile(
    rf"\b(?:lesson|lecture)s? (?:no\.? ?|number |#)?(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}) (?:lesson|lecture)\b"
    rf"|第 ?(?P<chinese>\d{{1,3}}|{'|'.join(_CHINESE)}) ?[课課讲講]",
    re.IGNORECASE,
)


def lesson_of(question: str) -> int | None:
    """The number of the lesson that a question names, None without one."""
    found = _LESSON.search(question)
    if not found:
        return None
    word = next(group for group in found.groups() if group).lower()
    if word.isdecimal():
        return int(word)
    names = next(names for names in (_NUMBERS, _ORDINALS, _CHINESE) if word in names)
    return names.index(word) + 1
