"""Whether a question is worth a call to take it apart; told by its words, for most questions are plain and alone.

Several questions: two question marks, a question word after "and" or a semicolon, a word of comparison, or more than
forty words. Leaning on the conversation, where there is one: a pronoun or "same", an opening such as "and" or "what
about", or three words and fewer.
"""

from __future__ import annotations

import re

_ASKED = r"(?:what|how|who|whom|whose|when|where|which|why|did|does|do|is|are|was|were|has|have|can)"
_SEVERAL = re.compile(
    rf"(?:\band\b|;|\balso\b|,)\s+(?:also\s+)?{_ASKED}\b"
    r"|\b(?:compare[ds]?|comparing|comparison|versus|vs|differen(?:ce|ces|t|tly)|differs?|respectively|each of)\b"
    r"|比较|对比|相比|分别|区别|差异|不同",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^\W*(?:and|but|or|so|also|then|what about|how about|why|what else|the same)\b"
    r"|\b(?:it|its|they|them|their|theirs|he|him|his|she|her|same|former|latter)\b"
    r"|它|他们|她|呢|上述",
    re.IGNORECASE,
)
# "That" joins clauses and "this year" is a time as often as they point back.
_POINTING = re.compile(r"\b(?:this|that|these|those)\b|其|这|那", re.IGNORECASE)
_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")
MANY = 40
FEW = 3


def may_be_several(question: str) -> bool:
    """Whether it may be more than one question."""
    marks = question.count("?") + question.count("？")
    return marks > 1 or bool(_SEVERAL.search(question)) or len(_WORD.findall(question)) > MANY


def leans(question: str) -> bool:
    """Whether it may say less than it means, because of what was said before."""
    return leans_surely(question) or bool(_POINTING.search(question)) or len(_WORD.findall(question)) <= FEW


def leans_surely(question: str) -> bool:
    """Whether it hardly says anything by itself; for those who cannot ask a model what it means."""
    return bool(_LEANING.search(question))


def is_bare(question: str) -> bool:
    """Whether it has no more than a word."""
    return len(_WORD.findall(question)) <= 1
