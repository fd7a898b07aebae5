"""Short lines that stand out as headings do and are none: captions, addresses, figures, remarks in brackets."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[^\W\d_]{2}")
_CAPTION = re.compile(
    r"(?:table|tab\.|figure|fig\.|chart|graph|box)\s*(?:\d+(?:[.\-:]\d+)*|(?-i:[A-Z]\d*|[IVX]+))(?![^\W_])|[表图]\s*\d",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"[(\[].*[)\]]\.?$|(?:see|sources?|refer to)\b|(?:un)?audited\b"
    r"|(?:[$€£¥]|(?:US )?dollars|amounts|figures|shares)?\s*(?:and shares )?in (?:thousands|millions|billions)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:as (?:of|at) |for the |(?:the )?(?:three|six|nine|twelve|thirteen|fourteen|\d{1,2}|fiscal|quarters?|years?)\b)"
    r".{0,60}\b(?:ended|ending|and|weeks?|months?|\d{4})\b.{0,60}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}.{0,60}",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_FIGURES = re.compile(r"[$€£¥]\s?\d|(?<![\d.])(?<!\d,)\d[\d,.]*%?\s+[($]*\d[\d,.]*%?(?!\w)")
_CODE = re.compile(r"\d{5}|\d{3}[-. ]\d{4}|@|https?:|www\.|[{}=|\\]|::")
_LEADER = re.compile(r"\.{4}|(?:\. ){3}|…")
_SECTION = re.compile(r"^\d{1,2}(?:\.\d{1,2})*[.)]?\s+")
_SENTENCE_WORDS = 9
_FEWEST_LETTERS = 3
_TITLED = 0.6
_SMALL_WORD = 3


def is_no_heading(text: str, *, is_labelled: bool) -> bool:
    """Whether a short text can be no heading, however it is set. Labelled are "Item 1." and the like."""
    body = text if is_labelled else _SECTION.sub("", text, count=1)
    letters = letters_of(_BRACKETS.sub("", body))
    if not _WORDS.search(body) or (letters.isascii() and len(letters) < _FEWEST_LETTERS) or body[0].islower():
        return True
    if _CAPTION.match(text) or _REMARK.match(text) or _LEADER.search(text):
        return True
    if _CODE.search(text) or (not is_labelled and _FIGURES.search(body)):
        return True
    return _ends_sentence(text.rstrip(), is_labelled=is_labelled)


def is_remark(text: str) -> bool:
    """Whether a line below a title only says of which period the figures are, in which unit, or whether audited."""
    return _REMARK.match(text) is not None or _PERIOD.fullmatch(text) is not None


def _ends_sentence(text: str, *, is_labelled: bool) -> bool:
    if text.endswith((",", ";", "。", "；", "，")):
        return True
    is_long = len(text.split()) > _SENTENCE_WORDS
    several = text.endswith(".") and ". " in text[3:]
    return not is_labelled and (several or (is_long and text.endswith((".", ":"))))


def letters_of(text: str) -> str:
    """The letters alone."""
    return "".join(letter for letter in text if letter.isalpha())


def is_title_case(text: str) -> bool:
    """Whether most longer words begin with a capital, as those of a title do and those of a sentence do not."""
    words = [match[0] for match in re.finditer(r"[^\W\d_]+", text) if len(match[0]) > _SMALL_WORD]
    return sum(word[0].isupper() or not word.isascii() for word in words) >= _TITLED * len(words)
