"""Acronyms that a document uses, and whether it spells them out next to a use.

The long form is recognised by initials of the words before or after the acronym, or, in brackets and after a colon, by
the algorithm of Schwartz and Hearst (2003): its letters are in the long form in order, the first one begins a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile

from tasks.quality.checked_document import PROSE, CheckedDocument, is_back_matter

_ACRONYM = re.compile(r"(?<![\w&./@#$-])[A-Z][A-Z&]{1,3}[A-Z](?=s?(?![\w&/@-])(?!\.\w))")
_PLAIN_WORD = re.compile(r"\b[A-Za-z][a-z]{2,4}\b")
_ROMAN = re.compile(r"[IVXLCDM]+")
_MIN_LOWER_SHARE = 0.5
_MAX_USES = 50
"""The most uses of an acronym that are searched for its long form: if fifty do not explain it, the text does not."""
_COMMON_NAMES_TEXT = """
    USA USD EUR GBP CNY RMB JPY CHF CAD AUD CEO CFO COO CTO CIO PDF HTML HTTP HTTPS XML JSON CSV SQL API URL URI ISO
    IEEE FAQ DIY DVD PCS CPU GPU RAM USB LED GPS WIFI SMS NASA NATO UNESCO UNICEF DNA RNA HIV AIDS MRI BBC CNN IBM
    BMW FBI CIA NYC LLC INC LTD PLC CORP LLP GMBH NYSE NASDAQ SEC IRS FDA GAAP IFRS EBITDA EPS IPO ESG VAT GDP PHD
    MBA JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC MON TUE WED THU FRI SAT SUN UTC GMT EST PST CET COVID TODO
    NOTE TABLE END TBD TBA ETC ASAP RSVP FYI BCE THE AND FOR NOT ALL NEW YES PNG JPG JPEG GIF SVG MIT DOI ISBN ISSN
    CSS IOS IDE SDK README PCR ANOVA WHO BLAST NCBI PMC TIFF TIF XLS DOC RTF ONE ATP ELISA SARS GFP
    FIFA UEFA NBA NFL NHL MLB NCAA NASCAR MTV ABC NBC CBS HBO ESPN IGN BAFTA PBS NPR KGB IRA OPEC IMF OECD WTO WWF UCLA
    DKK SEK NOK PLN RUB TRY INR THB KRW SGD HKD TWD NZD ZAR BRL MXN EMEA APAC OEM LNG ADHD FCC EPA
    HSBC KPMG UBS BMI EMI RCA USS HMS RAF EBIT EBITA LIBOR EURIBOR FTSE GMBH LCD VHS VIP SUV NGO CERN ESA GSM RFID ATM
"""
_COMMON_ACRONYMS = frozenset(_COMMON_NAMES_TEXT.split())


@dataclass(frozen=True, slots=True)
class Acronym:
    """An acronym that a document uses, the number of uses in running text, and the span of the first."""

    name: str
    count: int
    start: int
    end: int


def find_acronyms(subject: CheckedDocument) -> tuple[tuple[Acronym, ...], tuple[str, ...]]:
    """The acronyms of the prose, and those that are spelled out next to one of their uses, anywhere in the text.

    A word that the document also writes in small letters is only emphasised.
    """
    acronyms: dict[str, Acronym] = {}
    explained_names: set[str] = set()
    use_counts: Counter[str] = Counter()
    words = {word.lower() for block in subject.prose for word in _PLAIN_WORD.findall(subject.get_text(block))}
    for block in subject.document.blocks:
        text = subject.get_text(block)
        letters = [letter.islower() for letter in text if letter.isalpha()]
        is_sentence_case = sum(letters) >= _MIN_LOWER_SHARE * len(letters)
        is_prose = block.kind in PROSE and is_sentence_case and not is_back_matter(block)
        for match in _ACRONYM.finditer(text):
            name = match[0]
            if name not in explained_names and use_counts[name] < _MAX_USES:
                use_counts[name] += 1
                if is_spelled_out(name, text, *match.span()):
                    explained_names.add(name)
            if is_prose and not (name in _COMMON_ACRONYMS or _ROMAN.fullmatch(name) or name.lower() in words):
                start = block.start + match.start()
                first = acronyms.get(name, Acronym(name, 0, start, start + len(name)))
                acronyms[name] = replace(first, count=first.count + 1)
    return tuple(acronyms.values()), tuple(sorted(explained_names))


_WORD = re.compile(r"[^\W_][\w'’-]*")
_MAX_DISTANCE = 120  # The greatest distance of a long form from its acronym, in characters.
_OPENING_BRACKETS = ("(", "[", "（")
_INTRODUCTION = re.compile(r"s? ?[,(（:：=–—]")
_INTRODUCING_WORDS = frozenset({"stands", "for", "means", "is", "are", "or", "i", "e", "the", "a", "an", "s"})


def is_spelled_out(name: str, text: str, start: int, end: int) -> bool:
    """Whether the words around `text[start:end]`, a use of the acronym `name`, are its long form."""
    before, after = text[max(0, start - _MAX_DISTANCE) : start], text[end : end + _MAX_DISTANCE]
    max_words = min(len(name) + 5, 2 * len(name))
    last, words_after = _WORD.findall(before)[-max_words:], _WORD.findall(after)
    # The words after it begin after "stands for", "means" or "is".
    first = list(dropwhile(lambda word: word.lower() in _INTRODUCING_WORDS, words_after))[:max_words]
    stretches = [last[index:] for index in range(len(last))] + [first[:index] for index in range(2, len(first) + 1)]
    if any(_has_initials(name, words) for words in stretches):
        return True
    if before.endswith(_OPENING_BRACKETS):
        return any(_has_letters(name, words) for words in stretches[: len(last)])
    introduced_words = words_after[:max_words] if _INTRODUCTION.match(after) else []
    return any(_has_letters(name, introduced_words[:index]) for index in range(1, len(introduced_words) + 1))


def _has_initials(name: str, words: Sequence[str]) -> bool:
    """Whether the letters are initials of the words, or of the parts of hyphenated ones; words may be skipped."""
    letters = _list_letters(name)
    if len(words) < 2 or words[0][:1].lower() != letters[0] or name in words:
        return False
    initials = (part[:1] for word in words for part in word.lower().split("-"))
    return all(letter in initials for letter in letters)


def _has_letters(name: str, words: Sequence[str]) -> bool:
    """Whether the words have the letters, searched from the last to the first, which must begin the first word."""
    long, letters = " ".join(words).lower(), _list_letters(name)
    if name in words or long[:1] != letters[0] or len(long) <= len(name):
        return False
    position = len(long)
    for letter in reversed(letters[1:]):
        position = long.rfind(letter, 1, position)
        if position < 0:
            return False
    return True


def _list_letters(name: str) -> list[str]:
    return [letter for letter in name.lower() if letter != "&"]
