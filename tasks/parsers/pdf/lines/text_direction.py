"""Text from right to left in the order in which it is read (a short form of Unicode's bidirectional algorithm, UAX 9).

A page has its letters where they are seen. Hebrew and Arabic read from the right, numbers and foreign words among them
from the left; brackets stand as they are seen, and Arabic letters in the shape that their neighbours give them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from unicodedata import normalize

_RIGHT = re.compile(r"[\u0590-\u05ff\u0608-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Letters and marks of the scripts that run to the left; the digits of Arabic do not."""
_SHAPED = re.compile(r"[\ufb1d-\ufdff\ufe70-\ufefc]")
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def join_words(words: Sequence[str]) -> str:
    """The words of a line, which stand there from left to right, in the order in which they are read."""
    if not any(map(_RIGHT.search, words)):
        return " ".join(words)
    to_left = sum(len(_RIGHT.findall(word)) for word in words)
    letters = sum(letter.isalpha() for word in words for letter in word)
    kinds = ["R" if _RIGHT.search(word) else "L" if any(map(str.isalpha, word)) else "" for word in words]
    return " ".join(_reordered(words, kinds, "R" if 2 * to_left > letters else "L"))


def read_letters(letters: Sequence[str]) -> str:
    """The letters of a word, which stand there from left to right, in the order in which they are read."""
    if not any(map(_RIGHT.search, letters)):
        return "".join(letters)
    kinds = ["R" if _RIGHT.search(letter) else "L" if letter.isalnum() else "" for letter in letters]
    return "".join(_SHAPED.sub(_plain, letter) for letter in _reordered(letters, kinds, "R", mirrors=True))


def _plain(shaped: re.Match[str]) -> str:
    """A letter without its shape. Marks that stand alone come with a blank."""
    return normalize("NFKC", shaped[0]).strip()


def _reordered(parts: Sequence[str], kinds: Sequence[str], base: str, mirrors: bool = False) -> list[str]:
    """The parts as read; those without a direction have that of both neighbours, or else the `base`."""
    found = list(kinds)
    for place, kind in enumerate(kinds):
        if not kind:
            before = next((other for other in reversed(kinds[:place]) if other), base)
            after = next((other for other in kinds[place:] if other), base)
            found[place] = before if before == after else base
    runs = [
        (kind, [part for _, part in run]) for kind, run in groupby(zip(found, parts, strict=True), lambda one: one[0])
    ]
    if base == "R":
        runs.reverse()
    return [
        part.translate(_MIRRORED) if mirrors and kind == "R" else part
        for kind, run in runs
        for part in (reversed(run) if kind == "R" else run)
    ]
