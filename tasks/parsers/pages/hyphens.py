"""Words that a line's end parts, made whole again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tasks.parsers.assembly import AssembledLine

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_PARTED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[-\u00ad\u2010]$")
_BEGINS = re.compile(r"[^\W_]+")
_COMPOUNDS = frozenset(
    [
        "all",
        "anti",
        "co",
        "cross",
        "end",
        "ex",
        "full",
        "half",
        "high",
        "in",
        "inter",
        "left",
        "long",
        "low",
        "mid",
        "multi",
        "near",
        "non",
        "off",
        "on",
        "one",
        "over",
        "part",
        "per",
        "post",
        "pre",
        "right",
        "self",
        "semi",
        "short",
        "single",
        "sub",
        "third",
        "three",
        "top",
        "two",
        "under",
        "up",
        "well",
        "year",
    ]
)


def vocabulary(lines: Iterable[str]) -> frozenset[str]:
    """Every word of the lines in small letters, compounds with their hyphen."""
    return frozenset(word.lower() for line in lines for word in _WORD.findall(line))


def rejoin(lines: Sequence[AssembledLine], known: Collection[str]) -> list[AssembledLine]:
    """The lines of one paragraph; a word parted at a line's end loses its hyphen unless it is a compound.

    It is one where the document writes it with a hyphen elsewhere, where the first part often begins one ("long-term")
    and the document nowhere writes it as one word, or where the second part begins with a capital or a digit.
    """
    found = list(lines)
    for number, (line, below) in enumerate(itertools.pairwise(found)):
        parted, begins = _PARTED.search(line.text), _BEGINS.match(below.text)
        if parted is None or begins is None:
            continue
        whole = not line.text.endswith("-") or _is_whole(parted[1].lower(), begins[0], known)
        found[number] = replace(line, text=line.text[:-1] if whole else line.text, joint="")
    return found


def _is_whole(first: str, second: str, known: Collection[str]) -> bool:
    if not second[0].islower() or f"{first}-{second}" in known:
        return False
    return f"{first}{second}" in known or first not in _COMPOUNDS
