"""How findings show a piece of text, and what tells a sentence from a line."""

from __future__ import annotations

import re

_SHOWN = 50
_LONGEST_TAGS = 300
_NO_END = ("|", "»", ")", "]", "☐", "☑", "☒")
_TAGS = re.compile(r"(?:(?<!\S)[#^][\w/-]+\s*)+\Z")


def quoted_snippet(text: str) -> str:
    """The beginning of a text on one line, an ellipsis where it goes on."""
    flat = " ".join(text[: 4 * _SHOWN].split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1].rstrip()}…"


def shown_end(text: str) -> str:
    """The end of a text on one line."""
    flat = " ".join(text[-4 * _SHOWN :].split())
    return flat if len(flat) <= _SHOWN else f"…{flat[1 - _SHOWN :].lstrip()}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 file, 2,000 files; `plural` is given where it is not the noun with an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def begins_small(text: str) -> bool:
    """Whether a text begins with a small letter as no sentence does: iPhone, pH and e-mail are names."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return first[:1].islower() and first[1:2] not in ("-", "") and not any(map(str.isupper, first))


def is_sentence(text: str, words: int) -> bool:
    """Whether a line is as long as a sentence and is one: no address, and not a row of names."""
    found = text.split()
    if len(found) < words or text.rstrip().endswith(_NO_END) or "://" in found[-1]:
        return False
    return sum(word[:1].islower() for word in found) * 2 >= len(found)


def without_tags(text: str) -> str:
    """A text without the tags and block ids of a note at its end."""
    return text[:-_LONGEST_TAGS] + _TAGS.sub("", text[-_LONGEST_TAGS:])


def size_words(count: float) -> str:
    """A number of bytes as people write it."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"
