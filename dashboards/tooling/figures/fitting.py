"""How well what a cell is called fits an item: its row first, then the labels above, its column, its caption."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dashboards.tooling.figures.asked import Asked
from dashboards.tooling.figures.candidates import Figure
from tasks.ask.asking import rarity
from warehouse.store.words import telling_words

BESIDE = 0.9
"""What a word of the item counts that stands in a label above or in the column, not in the row's own."""
IN_CAPTION = 0.6
"""What it counts in the caption."""
COVERED = 1.5
"""The power of the share of an item that is said: what lacks a word of it is mostly something else."""
PLAIN = 0.05
"""What a word more in the row's label takes away that hardly changes what is meant, of a whole word."""
ABOVE, MOST_ABOVE = 0.15, 0.3
"""What a word more in the column or the labels above takes away, and all of them at most: some headings are long."""
A_RATIO, NO_RATIO = 0.75, 0.7
"""What a percentage counts where the words ask for none (some items always are one), and an amount where they do."""
A_CHANGE = 0.55
"""What a change counts where a level is asked for."""
A_DOUBT = 0.75
"""What a figure counts whose scale or period is in doubt: a sure one of the same name comes first."""
A_DASH = 0.85
"""What a dash counts beside a figure."""
PRIMARY = 0.08
"""What one of the primary statements adds."""

FAINT = 0.2
"""What a word of the item counts that says what is done with a figure, and hardly which: paid, carried, average."""
_FAINT_WORDS = frozenset(
    telling_words(
        "pay paid owe owed carry carried carries hold holds held have has make made get got receive received give given"
        " take took taken earn earned earns cost costs value worth average averaged sum difference change changed"
        " percentage percent increase increased decrease decreased grow grew grown growth rise rose risen fall fell"
        " drop dropped decline declined year-on-year"
    )
)
_PER_SHARE = frozenset(telling_words("share"))
_PLAIN_WORDS = frozenset(telling_words("total net consolidated gaap reported amount including less our company's"))
_TIMES = re.compile(
    r"\b(?:(?:three|six|nine|twelve|\d+)[- ](?:months?|weeks?)|quarters?|years?|fiscal|months?|weeks?|ended|ending"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?|first|second|third|fourth|[qh][1-4]|fy)\b"
    r"|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)?\b(?=\s*,|$)|\d+[-/.]\d+[-/.]\d+|\d*[年月日季度第财財上下半全一二三四五六七八九十零〇]+",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"%\s*change|\b(?:change|variance|increase|decrease|inc|dec|difference|growth)\b|增减|变动|同比", re.IGNORECASE
)
_STATEMENT = re.compile(
    r"statements? of (?:\w+ ){0,3}(?:income|operations|earnings|cash flows?|financial position|profit)|balance sheets?"
    r"|income statement|profit and loss|利润表|资产负债表|现金流量表",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]")
_RATIOS = ("%", "pp", "bp", "x")


@dataclass(frozen=True, slots=True)
class Called:
    """The words of a cell's label, of the same without brackets, of the labels beside it, and of its caption."""

    label: frozenset[str]
    main: frozenset[str]
    beside: frozenset[str]
    caption: frozenset[str]

    @classmethod
    def of(cls, own: str, beside: Sequence[str], caption: str) -> Called:
        """From the label's and the others' texts."""
        around = frozenset(word for text in beside for word in _stems(text))
        return cls(
            frozenset(_stems(own)), frozenset(_stems(_BRACKETS.sub(" ", own))), around, frozenset(_stems(caption))
        )

    def level(self, word: str) -> float:
        """What a word counts by where it stands."""
        if word in self.label:
            return 1.0
        return BESIDE if word in self.beside else IN_CAPTION if word in self.caption else 0.0


class Fitting:
    """How cells fit one item; what is said of many cells alike is judged once."""

    def __init__(self, asked: Asked, figures: Sequence[Figure]) -> None:
        """Words are weighed by how few of the rows of `figures` have them."""
        self._asked = asked
        pieces = [_stems(label) for label in dict.fromkeys(figure.row_header for figure in figures)]
        self._weights = _weights({word for wording, _ in asked.wordings for word in wording}, pieces)
        self._wordings = [(frozenset(wording), counts) for wording, counts in asked.wordings]
        self._judged: dict[tuple[str, str, str], float] = {}

    def of(self, figure: Figure) -> float:
        """How well it fits, in [0, 1]."""
        key = (figure.row_header, figure.column_header, figure.caption)
        if key not in self._judged:
            self._judged[key] = self._called(*key)
        return self._judged[key] * self._sort(figure) * (0.9 + 0.1 * figure.confidence)

    def _called(self, row: str, column: str, caption: str) -> float:
        own, *above = reversed(row.split(" / "))
        across = [part for part in column.split(" / ") if part]
        best = self._best(Called.of(own, [*above, _untimed(" ".join(across))], caption))
        if across and not _untimed(own).strip():
            # A table turned on its side: the columns are the items and the rows are times.
            best = max(best, self._best(Called.of(across[-1], across[:-1], caption)))
        elif across and not _stems(own) - _PLAIN_WORDS:
            # Totals of columns that are the items.
            best = max(best, self._best(Called.of(f"{own} {_untimed(across[-1])}", [*above, *across[:-1]], caption)))
        return best * (1 - PRIMARY) + (PRIMARY if best and _STATEMENT.search(caption) else 0.0)

    def _best(self, called: Called) -> float:
        return max(counts * _fit(asked, self._weights, called) for asked, counts in self._wordings)

    def _sort(self, figure: Figure) -> float:
        """What the sort of a figure takes away: a percentage where an amount is asked for, a change for a level."""
        factor = 1.0 if figure.value is not None else A_DASH
        factor *= A_DOUBT if figure.doubt else 1.0
        if figure.unit in _RATIOS:
            factor *= 1.0 if self._asked.ratio else A_RATIO
        elif self._asked.ratio and not self._asked.change:
            factor *= NO_RATIO
        return factor * (A_CHANGE if _CHANGE.search(figure.column_header) and not self._asked.change else 1.0)


def _weights(words: Collection[str], pieces: Sequence[frozenset[str]]) -> dict[str, float]:
    """What words count by how few rows have them; those that none has, which tell nothing, count as the others do."""
    weights = rarity(words, pieces)
    known = [weights[word] for word in words if any(word in piece for piece in pieces)]
    usual = sum(known) / len(known) if known else 1.0
    capped = {
        word: min(weight, usual) if weight == max(weights.values()) else weight for word, weight in weights.items()
    }
    faint = _FAINT_WORDS.intersection(words) if set(words) - _FAINT_WORDS else frozenset()
    return {word: weight * (FAINT if word in faint else 1.0) for word, weight in capped.items()}


def _fit(asked: frozenset[str], weights: Mapping[str, float], called: Called) -> float:
    """The share of the item that is said, less what is said more than the item; 0 where the row itself says nothing.

    What is earned per share is no other figure, whatever other words the two have in common.
    """
    common = called.label & asked
    if asked & _PER_SHARE and not _PER_SHARE & (called.label | called.beside):
        return 0.0
    if not common - _FAINT_WORDS and asked - _FAINT_WORDS:
        return 0.0
    if not common - (_PLAIN_WORDS if asked - _PLAIN_WORDS else frozenset()):
        return 0.0
    coverage = sum(weights[word] * called.level(word) for word in asked) / sum(weights[word] for word in asked)
    more = sum(PLAIN if word in _PLAIN_WORDS else 1.0 for word in called.main - asked)
    more += min(ABOVE * len(called.beside - asked - _PLAIN_WORDS), MOST_ABOVE)
    return float(coverage**COVERED * (0.4 + 0.6 * len(common) / (len(common) + more)))


@lru_cache(maxsize=1 << 12)
def _untimed(text: str) -> str:
    return _TIMES.sub(" ", text)


@lru_cache(maxsize=1 << 16)
def _stems(text: str) -> frozenset[str]:
    return frozenset(telling_words(text)) if any(map(str.isalnum, text)) else frozenset()
