"""The scale of a table that states none, told by sentences that give its figures in words.

"Net sales for the quarter increased to $52.60 billion" beside the row "Net sales $ 52,604" says that the table counts
in millions. The row's words must stand in the sentence, and all printed digits must agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from warehouse.records import BlockKind, Document, Table

_POWERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12, "bn": 9, "mn": 6}
_SAID = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|CAD|AUD)\s)\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?-?"
    rf"(?P<power>{'|'.join(_POWERS)})\b"
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+(?=[A-Z])")
_WORD = re.compile(r"[a-z]{3,}")
_EMPTY_WORDS = frozenset(["and", "the", "for", "from", "total", "totals", "with", "less", "other", "our"])
_PRINTED = re.compile(r"[($€£¥\s]*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d{3,})\s*\)?")
_SCALES = (3, 6, 9)
_FEWEST_DIGITS, _SURE_DIGITS = 3, 4
"""Digits that a figure in words must have, and as many as let one figure be enough: "$53 billion" fits many a row."""
_MOST = 300
"""Figures in words that are looked at."""


@dataclass(frozen=True, slots=True)
class _Said:
    """An amount in words: the words of its sentence, its value, what its last digit stands for, and its digits."""

    words: frozenset[str]
    value: Decimal
    step: Decimal
    digits: int


class ProseScales:
    """The amounts that the sentences of a document say in words."""

    def __init__(self, document: Document) -> None:
        """The sentences are read when a table first asks."""
        self._document = document
        self._known: tuple[_Said, ...] | None = None

    def power(self, table: Table) -> int | None:
        """The power of ten that the amounts of a table are counted in, as sentences tell; None where they do not."""
        if self._known is None:
            self._known = tuple(_amounts(self._document))[:_MOST]
        rows = [(words, figures) for row in table.rows if (words := _label(row)) and (figures := _figures(row))]
        votes: Counter[int] = Counter()
        for said in self._known:
            near = [figure for words, figures in rows if words <= said.words for figure in figures]
            if any(_fits(figure, 0, said) for figure in near):
                return None
            fitting = {power for power in _SCALES for figure in near if _fits(figure, power, said)}
            votes.update(dict.fromkeys(fitting, 2 if said.digits >= _SURE_DIGITS else 1))
        if len(votes) != 1:
            return None
        ((power, count),) = votes.items()
        return power if count > 1 else None


def _amounts(document: Document) -> Iterator[_Said]:
    for block in document.blocks:
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
            continue
        for sentence in _SENTENCE.split(document.text[block.start : block.end]):
            words = frozenset(_WORD.findall(sentence.lower()))
            for found in _SAID.finditer(sentence):
                digits = found["digits"].replace(",", "")
                step = Decimal(1).scaleb(_POWERS[found["power"]] - len(digits.partition(".")[2]))
                count = len(digits.replace(".", "").lstrip("0"))
                if count >= _FEWEST_DIGITS:
                    yield _Said(words, Decimal(digits).scaleb(_POWERS[found["power"]]), step, count)


def _fits(figure: Decimal, power: int, said: _Said) -> bool:
    """Whether a figure counted so, rounded as the sentence rounds, is the amount that it says."""
    return abs(figure.scaleb(power) - said.value) <= said.step / 2


def _label(row: Sequence[str]) -> frozenset[str]:
    """The words of a row's label that say what it is of."""
    label = next((cell for cell in row if cell), "")
    return frozenset(_WORD.findall(label.lower())) - _EMPTY_WORDS


def _figures(row: Sequence[str]) -> list[Decimal]:
    found = (_PRINTED.fullmatch(cell) for cell in row[1:])
    return [Decimal(match[1].replace(",", "")) for match in found if match]
