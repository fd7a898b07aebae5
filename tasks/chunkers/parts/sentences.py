"""Sentences, European and Chinese: their boundaries, without a model, and the statement that one makes.

A boundary follows closing punctuation if white space and then anything but a small letter come next; Chinese 。！？
need no white space. In a text of small letters only, and after a mark separated from its word (" . ", as in tokenised
corpora), a small letter may come next. Full stops of abbreviations and numbers do not count. The scan is linear.

A statement is about the present and may be replaced by a later document: it has figures, and no period of its own. "The
plan costs 30 dollars a month" is replaced by the same sentence with another figure, and "The head of the board is Anna
Berg" by that with another name. "Revenue was 3.1 million in 2023" is no statement: it remains true of 2023. "Revenue
was 3.1 million this quarter" is not comparable.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "sen", "rep", "gov", "gen", "col", "lt", "sgt", "capt", "rev", "hon", "st", "mt")
)
_COMMON = frozenset(("vs", "cf", "eg", "ie", "e.g", "i.e", "al", "approx", "ca", "dept", "est", "u.s", "u.k", "ph.d"))
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

ABBREVIATIONS = _TITLES | _COMMON | _OTHER_LANGUAGES
NUMBERED = _REFERENCES | _MONTHS  # Words that are abbreviations if a number follows: "No. 5", "Dec. 31".

_COUNTED = re.compile(
    r"(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Okt|Dezember|Dez|Quartal|(?:Halb|Geschäfts|Lebens)jahr"
    r"|Jahrhundert|Jh|Tag|Woche)\w{0,4}\b"
)
"""Words after the point of a German ordinal: "1. Januar", "im 2. Quartal"; other languages write them small."""
_SHARED = re.compile(r"(?:April|August|September|November)\b")
_GERMAN_DAY = re.compile(r"(?:\b(?:am|dem|den|der|vom|zum|bis|ab)|,) [0-3]?[0-9]\Z")
"""The words before a German day if the month has the same name in English."""
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|[。！？]++[”’」』）\"]*+")
_VISIBLE = re.compile(r"\S")
_WORD_BEFORE = re.compile(r"[\w.&-]*\Z")
_MAX_WORD_LENGTH = 24


def find_sentences(text: str, start: int, end: int) -> Iterator[int]:
    """The start of each sentence of `text[start:end]` after the first."""
    small = text[start:end].islower()
    for stop in _END.finditer(text, start, end):
        following = _VISIBLE.search(text, stop.end(), end)
        if following and _is_sentence_end(text, start, stop, following, small=small):
            yield following.start()


def trim_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without the white space at its ends; None if nothing is left."""
    piece = text[start:end]
    stripped_start = start + len(piece) - len(piece.lstrip())
    return (stripped_start, stripped_start + len(piece.strip())) if piece.strip() else None


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
    before = text[max(start, stop.start() - _MAX_WORD_LENGTH) : stop.start()]
    if before[-1:].isdigit() and (
        _COUNTED.match(text, first.start()) or (_SHARED.match(text, first.start()) and _GERMAN_DAY.search(before))
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


_FIGURE = re.compile(r"(?<!\w)\d(?:[\d.,]*\d)?")
_LABEL = re.compile(r"\b[A-Z][a-z]+\.? (?=\d)|[#§] ?(?=\d)")
"""Words whose number is a name: Note 3, Section 12, No. 7."""
_PLAIN_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\d_]+")
_PAST_VERB = re.compile(
    r"\b(?:was|were|had|rose|fell|grew|reached|amounted|totall?ed|ended|compared|reported|went|came|made|saw"
    r"|(?:in|de)creased|improved|declined|dropped|gained|earned|paid|sold|generated|recorded|posted)\b|了",
    re.IGNORECASE,
)
"""A sentence about the past stays true when another period is reported."""
_LENGTH = re.compile(
    r"\b\d+(?:[ -](?:calendar|business|working))?[ -](?:day|week|month|year|quarter)s?\b"
    r"|\b(?:a|an|per|each|every|all|working|business|week|of) (?:day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
"""Durations and frequencies, which are no period of a statement's own."""
_OFFICE_HOLDER = re.compile(
    r"((?:The|Our|Its|Their) .{8,200}\b(?:is|are|remains?)) ([A-Z][\w.'’-]*(?:\s[A-Z][\w.'’-]*){1,3})\s?\."
)
"""The holder of an office: the last words, a name, may change like a figure."""
NEWLY = re.compile(r"\b(?:now|current(?:ly)?|still|present(?:ly)?|at present)\b ?", re.IGNORECASE)
"""Words that say that a statement is true when it is written, which it is without them as well."""
_MIN_WORDS = 5
_MAX_LENGTH = 400
_NO_STATEMENT = re.compile(
    r"\bdoi\b|https?://|\bet al\b"
    r"|\b(?:quarter|year|month|week|day|period|today|yesterday|to date|fiscal|same time)s?\b|季度|年|月|本期|同期",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence: its words without figures or name (`subject`), its figures or name, and its span."""

    subject: str
    figures: tuple[str, ...]
    start: int
    end: int


def select_single(statements: Sequence[Statement]) -> Iterator[Statement]:
    """The statements that a document makes only once: one repeated with other figures is a form, such as a caption."""
    figures: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for statement in statements:
        figures[statement.subject].add(statement.figures)
    return (statement for statement in statements if len(figures[statement.subject]) == 1)


def parse_statement(sentence: str, start: int) -> Statement | None:
    """The statement of a sentence that begins at `start`; None if it is of a period or the past, or has no figures.

    Whether it names a time is not checked.
    """
    text = sentence.strip()
    if len(text) > _MAX_LENGTH or not is_closed(text) or _LABEL.search(text):
        return None
    # A reference, or a sentence that speaks of a period or of the past.
    if _NO_STATEMENT.search(_LENGTH.sub("", text)) or _PAST_VERB.search(text):
        return None
    plain = NEWLY.sub("", text)
    holder = _OFFICE_HOLDER.fullmatch(plain)
    frame, values = (holder[1], (holder[2],)) if holder else (_FIGURE.sub("0", plain), tuple(_FIGURE.findall(plain)))
    words = _PLAIN_WORD.findall(frame.lower())
    if not values or len(words) < _MIN_WORDS or len(values) * 2 > len(words):
        return None
    return Statement(" ".join(words), values, start, start + len(text))
