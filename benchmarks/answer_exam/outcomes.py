"""What an answer counts as, judged by its text and by the passages that it names, as a reader would."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from dashboards.assistant.answer_types import Answer

_FIGURE = re.compile(r"(?<![\w.,])\(?-?[$€£¥]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)|(?<![\w.,])\.\d+")
_MARK = re.compile(r"\s*\[\d{1,3}\](?=\s|$)")
LISTED = ("No direct quote found", "Nothing answers surely")
"""The beginnings of lists of passages, now and in the versions that an answer is compared with."""
DENIED = ("No passage was found", "The documents do not say", "No document")
WORDS = 0.7
"""The share of the words of a gold span that one quotation must have."""


class Outcome(StrEnum):
    """What an answer is."""

    RIGHT = "right"
    WRONG = "wrong"
    LISTED = "listed"
    DENIED = "denied"


class Rule(StrEnum):
    """What the quoted lines of a right answer have: each gold figure, one of them, a gold span, or a gold passage."""

    ALL = "all"
    ANY = "any"
    SPAN = "span"
    PASSAGE = "passage"
    NONE = "none"


@dataclass(frozen=True)
class Verdict:
    """What an answer is; of a list, whether a passage with the gold is among it.

    `scaled`, of a right figure, is whether its quotation names the scale; None where the gold has none.
    """

    outcome: Outcome
    among: bool = False
    scaled: bool | None = None


def judged(answer: Answer, rule: Rule, gold: Sequence[str], scale: str = "") -> Verdict:
    """What an answer counts as."""
    text = _MARK.sub("", answer.text)
    if text.startswith(DENIED):
        return Verdict(Outcome.DENIED)
    passages = [source.hit.text for source in answer.sources]
    if text.startswith(LISTED):
        return Verdict(Outcome.LISTED, fits(passages, rule, gold))
    quotations = re.sub(r"(?m)^(Figures in .*:)\n\n", r"\1\n", text).split("\n\n")
    if not fits(quotations, rule, gold):
        return Verdict(Outcome.WRONG)
    right = [part for part in quotations if fits([part], rule, gold)] or quotations
    return Verdict(Outcome.RIGHT, scaled=any(scale in part.lower() for part in right) if scale else None)


def fits(texts: Sequence[str], rule: Rule, gold: Sequence[str]) -> bool:
    """Whether texts have what a question must find."""
    if rule in (Rule.ALL, Rule.ANY):
        held = {value for text in texts for value in figures(text)}
        return (all if rule is Rule.ALL else any)(figures(each) <= held for each in gold)
    if rule is Rule.SPAN:
        return any(_says(text, each) for text in texts for each in gold)
    if rule is Rule.PASSAGE:
        return any(_solid(line) in _solid(each) for text in texts for line in _lines(text) for each in gold)
    return False


def figures(text: str) -> frozenset[Decimal]:
    """The sizes of the figures of a text, without sign, currency and unit."""
    found = (re.sub(r"[^\d.]", "", match[0]) for match in _FIGURE.finditer(text))
    return frozenset(Decimal(each).normalize() for each in found if any(map(str.isdigit, each)))


def _says(text: str, gold: str) -> bool:
    """Whether a quotation has a gold span, or most of its words; or is itself a part of it that says something."""
    solid, wanted = _solid(text), _solid(gold)
    if wanted in solid or (len(solid) > 30 and solid in wanted):
        return True
    words = [_solid(word) for word in gold.split() if _solid(word)]
    held = {_solid(word) for word in text.split()}
    return len(words) > 4 and sum(word in held for word in words) >= WORDS * len(words)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if len(_solid(line)) > 5]


def _solid(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in plain if char.isalnum())
