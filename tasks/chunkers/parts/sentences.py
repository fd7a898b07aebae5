"""Boundaries of sentences, European and Chinese, without a model; full stops of abbreviations and numbers do not count.

A boundary follows closing punctuation if white space and then anything but a small letter come next; Chinese 。！？
need no white space. In a text of small letters only, and after a mark separated from its word (" . ", as in tokenised
corpora), a small letter may come next. The scan is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "rev", "hon", "st", "mt")
)
_WORDS = frozenset(("vs", "cf", "eg", "ie", "e.g", "i.e", "al", "approx", "ca", "dept", "est", "u.s", "u.k", "ph.d"))
_OTHER_LANGUAGES = frozenset(
    (
        *("mio", "mrd", "tsd", "bzw", "vgl", "inkl", "evtl", "ggf", "sog", "z.b", "d.h", "u.a", "i.d.r", "abs", "bspw"),
        *("mme", "mlle", "sr", "sra", "dra", "dott", "mln", "mld", "bijv", "d.w.z", "resp"),
    )
)
"""Abbreviations in German, French, Spanish, Italian, Portuguese and Dutch that end no sentence."""
_REFERENCES = frozenset(
    ("no", "nos", "nr", "fig", "figs", "eq", "eqs", "sec", "secs", "ch", "art", "vol", "vols", "p", "pp")
)
_MONTHS = frozenset(("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"))

ABBREVIATIONS = _TITLES | _WORDS | _OTHER_LANGUAGES
NUMBERED = _REFERENCES | _MONTHS  # Words that are abbreviations if a number follows: "No. 5", "Dec. 31".

_COUNTED = re.compile(
    r"(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Okt|Dezember|Dez|Quartal|(?:Halb|Geschäfts|Lebens)jahr"
    r"|Jahrhundert|Jh|Tag|Woche)\w{0,4}\b"
)
"""Words after the point of a German ordinal: "1. Januar", "im 2. Quartal"; other languages write them small."""
_ALIKE = re.compile(r"(?:April|August|September|November)\b")
_GERMAN_DAY = re.compile(r"(?:\b(?:am|dem|den|der|vom|zum|bis|ab)|,) [0-3]?[0-9]\Z")
"""The words before a German day if the month has the same name in English."""
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|[。！？]++[”’」』）\"]*+")
_VISIBLE = re.compile(r"\S")
_WORD_BEFORE = re.compile(r"[\w.&-]*\Z")
_LONGEST_WORD = 24


def find_sentences(text: str, start: int, end: int) -> Iterator[int]:
    """The start of each sentence of `text[start:end]` after the first."""
    small = text[start:end].islower()
    for stop in _END.finditer(text, start, end):
        following = _VISIBLE.search(text, stop.end(), end)
        if following and _is_sentence_end(text, start, stop, following, small=small):
            yield following.start()


def count_sentences(text: str) -> int:
    """The number of complete sentences, those with closing punctuation, in a text."""
    return sum(1 for _ in find_sentences(text, 0, len(text))) + is_closed(text)


def is_closed(text: str) -> bool:
    """Whether a text ends like a sentence, apart from quotes and brackets."""
    return text.rstrip().rstrip("\"'”’)]」』）*_").endswith((".", "!", "?", "…", "。", "！", "？", "；", ":", "："))


def _is_sentence_end(text: str, start: int, stop: re.Match[str], first: re.Match[str], *, small: bool) -> bool:
    """Whether the sentence ends there; `first` is the first letter or mark after it."""
    following = first[0]
    if text[stop.start()] in "。！？":
        return True
    is_apart = stop.start() > start and text[stop.start() - 1].isspace()
    if following.islower() and not (small or is_apart):
        return False
    if stop[0][0] != "." or len(stop[0]) > 1:
        return True
    before = text[max(start, stop.start() - _LONGEST_WORD) : stop.start()]
    if before[-1:].isdigit() and (
        _COUNTED.match(text, first.start()) or (_ALIKE.match(text, first.start()) and _GERMAN_DAY.search(before))
    ):
        return False
    return not _is_abbreviated(before, is_numbered=following.isdigit())


def _is_abbreviated(before: str, *, is_numbered: bool) -> bool:
    """Whether the word before a full stop is an abbreviation, an initial or the number of a list item."""
    match = _WORD_BEFORE.search(before)
    word = match[0] if match else ""
    is_initial = len(word) == 1 and word.isalpha() and word != "I"
    if word.lower() in ABBREVIATIONS or (is_numbered and word.lower() in NUMBERED) or is_initial:
        return True
    line = before[: len(before) - len(word)].rpartition("\n")[2]
    return word.isdigit() and len(word) <= 2 and not line.strip()
