"""What companies and documents are called: the short forms of a company's name, and the name that a file's carries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
"""A word, or one Chinese character."""

_AND = ("and", "und", "et", "和", "与", "與")
_FORMS_WORDS = (
    "inc incorporated corp corporation co company companies plc ltd limited llc lp llp sa ag nv se spa ab as asa"
    " oyj kgaa gmbh bv pty bhd kk the"
)
_FORMS = frozenset(_FORMS_WORDS.split())
_LOOSE_WORDS = "group holding holdings international enterprises industries technologies bancorp stores"
_LOOSE = frozenset(_LOOSE_WORDS.split())
_PLAIN_WORDS = (
    "american general first united national international best global north south east west new us great standard"
    " public advanced applied capital energy home bank delta royal federal central pacific atlantic china european"
    " british consolidated universal integrated modern green blue red black white city state old big real foot"
    " estee air sun texas california york san los las saint st the a an of"
)
_PLAIN = frozenset(_PLAIN_WORDS.split())
"""First words of many names; alone they name nobody."""
_STATE = re.compile(r"\s*[/\\][A-Z]{2,3}[/\\]?\s*$")
_PERIOD_OR_FORM = re.compile(
    r"(?:fy|cy)?(?:19|20)\d\d(?:[qh]\d|fy)?|[qh]\d(?:fy)?(?:\d{2,4})?|fy\d\d|\d{1,2}[kq]a?|earnings?|annual|interim"
    r"|quarterly|report|results?|release|form|ex\d+|dated|press|transcript|[1-4]q(?:\d{2,4})?",
    re.IGNORECASE,
)
_ANY_PERIOD_OR_FORM = re.compile(rf"(?<![^\s_\-.])(?:{_PERIOD_OR_FORM.pattern})(?![^\s_\-.])")
_ACCENTS = re.compile("[\u0300-\u036f]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that no normal form takes apart."""
_MOST_INITIALS = 6
_CONSONANTS = re.compile("[B-DF-HJ-NP-TV-XZ]{3,}")
_CHINESE_FORMS = re.compile(r"[（(].{1,6}[）)]|(?:集团|控股)?(?:股份)?有限(?:责任)?公司$")


def folded(text: str) -> str:
    """A text without case and accents, in one form of each character: "Müller Glia" is "muller glia"."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", plain))


def typos_allowed(word: str) -> int:
    """How many letters of a word may be wrong, missing, added or exchanged with the next before it is another word.

    Of four letters none: with one of them wrong it is mostly another name. Of 1,000 common words of five to seven
    letters every seventh is one letter from another, so that only words that nothing has are read so.
    """
    if len(word) < 5 or not word.isascii() or word.isdecimal():
        return 0
    return 1 if len(word) < 8 else 2


def squeezed(words: Sequence[str]) -> str:
    """Words run together without case, accents and "and": how names are compared ("J.P. Morgan" and JPMORGAN)."""
    return "".join(word for word in map(folded, words) if word not in _AND)


def run_together(name: str) -> str:
    """A name's words, `squeezed`."""
    if not name.isascii():
        return squeezed(tokens(name))
    return "".join([word for word in TOKEN.findall(name.lower()) if word not in _AND])


def tokens(text: str) -> list[str]:
    """The words of a name."""
    return TOKEN.findall(text)


def short_names(company: str) -> Iterator[str]:
    """A company's name and what is left of it without its legal form: "PepsiCo, Inc.", "PepsiCo"."""
    name = _STATE.sub("", company)
    yield name
    yield _CHINESE_FORMS.sub("", name)
    words = tokens(name)
    for endings in (_FORMS, _FORMS | _LOOSE):
        words = _without(words, endings)
        yield " ".join(words)


def company_key(company: str) -> str:
    """A company's name as it is compared: "AMCOR PLC" and "Amcor" are one; empty without a name."""
    return squeezed(tokens(list(short_names(company))[-1])) or company if company else ""


def beginnings(company: str) -> Iterator[str]:
    """The first words of a name that may stand for it: "MGM Resorts" and "MGM" of MGM Resorts International."""
    words = _without(tokens(_STATE.sub("", company)), _FORMS)
    for count in range(1, len(words)):
        if count > 1 or (words[0].lower() not in _PLAIN and len(words[0]) > 1 and not words[0].isdigit()):
            yield " ".join(words[:count])


def initials(company: str) -> Iterator[str]:
    """The letters that stand for a name of three words or more, and "JnJ" and "J&J" for two joined by "and"."""
    bare = _STATE.sub("", company)
    words = _without(tokens(bare), _FORMS)
    if 3 <= len(words) <= _MOST_INITIALS and all(word[0].isalpha() for word in words):
        yield "".join(word[0] for word in words).upper()
    joined = re.match(r"(\w)\w* (?:&|and) (\w)\w*", bare)
    if joined:
        yield f"{joined[1]}n{joined[2]}"
        yield f"{joined[1]} {joined[2]}"


def clipped(name: str) -> Iterator[str]:
    """What may stand for a name run together, as files have it: JnJ for JOHNSON JOHNSON, MGM for MGMRESORTS.

    A beginning of three letters or more without a vowel is no word but an abbreviation.
    """
    words = tokens(name)
    if len(words) == 2 and words[0].lower() == words[1].lower():
        yield f"{words[0][0]}n{words[1][0]}"
    consonants = _CONSONANTS.match(words[0]) if len(words) == 1 and name.isupper() else None
    if consonants:
        yield from (consonants[0][:count] for count in range(3, len(consonants[0]) + 1))


def filed_under(stem: str) -> str:
    """The name that a file's begins with, where a period or form follows: AMERICANWATERWORKS_2020_10K; else nothing."""
    if not _ANY_PERIOD_OR_FORM.search(stem.lower()):
        return ""
    parts = re.split(r"[\s_\-.]+", stem)
    names: list[str] = []
    for part in parts:
        if _PERIOD_OR_FORM.fullmatch(part):
            return " ".join(names)
        names.append(part)
    return ""


def _without(words: list[str], endings: frozenset[str]) -> list[str]:
    """Without the endings, and without "The" before them; never nothing."""
    while len(words) > 1 and words[-1].lower() in {*endings, *_AND}:
        words = words[:-1]
    return words[1:] if len(words) > 1 and words[0].lower() == "the" else words
