"""Boundaries of sentences, English and Chinese, without a model: full stops of abbreviations and numbers are none.

A boundary follows closing punctuation when white space and then something other than a small letter come next; Chinese
。！？ need no white space. In a text of small letters only, and after a mark that stands apart from its word (" . ", as
tokenised corpora have it), a small letter may come next. The scan is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "rev", "hon", "st", "mt")
)
_WORDS = frozenset(("vs", "cf", "eg", "ie", "e.g", "i.e", "al", "approx", "ca", "dept", "est", "u.s", "u.k", "ph.d"))
_REFERENCES = frozenset(("no", "nos", "fig", "figs", "eq", "eqs", "sec", "secs", "ch", "art", "vol", "vols", "p", "pp"))
_MONTHS = frozenset(("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"))

ABBREVIATIONS = _TITLES | _WORDS
NUMBERED = _REFERENCES | _MONTHS  # Words that are shortened where a number follows: "No. 5", "Dec. 31".

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|[。！？]++[”’」』）\"]*+")
_VISIBLE = re.compile(r"\S")
_WORD_BEFORE = re.compile(r"[\w.&-]*\Z")
_LONGEST_WORD = 24


def find_sentences(text: str, start: int, end: int) -> Iterator[int]:
    """Where each sentence of `text[start:end]` after the first begins."""
    small = text[start:end].islower()
    for stop in _END.finditer(text, start, end):
        following = _VISIBLE.search(text, stop.end(), end)
        if following and _closes(text, start, stop, following[0], small=small):
            yield following.start()


def count_sentences(text: str) -> int:
    """How many complete sentences, those with closing punctuation, a text holds."""
    return sum(1 for _ in find_sentences(text, 0, len(text))) + is_closed(text)


def is_closed(text: str) -> bool:
    """Whether a text ends as a sentence does, quotes and brackets aside."""
    return text.rstrip().rstrip("\"'”’)]」』）*_").endswith((".", "!", "?", "…", "。", "！", "？", "；", ":", "："))


def _closes(text: str, start: int, stop: re.Match[str], following: str, *, small: bool) -> bool:
    if text[stop.start()] in "。！？":
        return True
    apart = stop.start() > start and text[stop.start() - 1].isspace()
    if following.islower() and not (small or apart):
        return False
    if stop[0][0] != "." or len(stop[0]) > 1:
        return True
    before = text[max(start, stop.start() - _LONGEST_WORD) : stop.start()]
    return not _abbreviates(before, numbered=following.isdigit())


def _abbreviates(before: str, *, numbered: bool) -> bool:
    """Whether the word a full stop follows is shortened: an abbreviation, an initial or the number of a list item."""
    found = _WORD_BEFORE.search(before)
    word = found[0] if found else ""
    is_initial = len(word) == 1 and word.isalpha() and word != "I"
    if word.lower() in ABBREVIATIONS or (numbered and word.lower() in NUMBERED) or is_initial:
        return True
    line = before[: len(before) - len(word)].rpartition("\n")[2]
    return word.isdigit() and len(word) <= 2 and not line.strip()
