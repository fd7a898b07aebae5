"""Scores of candidate cells: how well a cell's labels fit an item, and how well its time fits the times of a query.

Labels are scored by the row first, then the labels above it, the column and the caption; times by the fiscal calendar
of the document's company.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tasks.ask.figures.figure_cells import FigureCell
from tasks.ask.figures.figure_query import FigureQuery
from tasks.ask.question_words import rarity
from warehouse.reader import Warehouse
from warehouse.records import Window
from warehouse.search.intervals import SHORTEST, SLACK, overlap
from warehouse.search.readings import WindowReading, readings
from warehouse.store.clocks import UNKNOWN, Clocks
from warehouse.store.spans import day
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
class CellLabel:
    """The words of a cell's label, of the same without brackets, of the labels beside it, and of its caption."""

    label: frozenset[str]
    main: frozenset[str]
    beside: frozenset[str]
    caption: frozenset[str]

    @classmethod
    def of(cls, own: str, beside: Sequence[str], caption: str) -> CellLabel:
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


class LabelScorer:
    """How cells fit one item; what is said of many cells alike is judged once."""

    def __init__(self, asked: FigureQuery, figures: Sequence[FigureCell]) -> None:
        """Words are weighed by how few of the rows of `figures` have them."""
        self._asked = asked
        pieces = [_stems(label) for label in dict.fromkeys(figure.row_header for figure in figures)]
        self._weights = _weights({word for wording, _ in asked.wordings for word in wording}, pieces)
        self._wordings = [(frozenset(wording), counts) for wording, counts in asked.wordings]
        self._judged: dict[tuple[str, str, str], float] = {}

    def of(self, figure: FigureCell) -> float:
        """How well it fits, in [0, 1]."""
        key = (figure.row_header, figure.column_header, figure.caption)
        if key not in self._judged:
            self._judged[key] = self._called(*key)
        return self._judged[key] * self._sort(figure) * (0.9 + 0.1 * figure.confidence)

    def _called(self, row: str, column: str, caption: str) -> float:
        own, *above = reversed(row.split(" / "))
        across = [part for part in column.split(" / ") if part]
        best = self._best(CellLabel.of(own, [*above, _untimed(" ".join(across))], caption))
        if across and not _untimed(own).strip():
            # A table turned on its side: the columns are the items and the rows are times.
            best = max(best, self._best(CellLabel.of(across[-1], across[:-1], caption)))
        elif across and not _stems(own) - _PLAIN_WORDS:
            # Totals of columns that are the items.
            best = max(best, self._best(CellLabel.of(f"{own} {_untimed(across[-1])}", [*above, *across[:-1]], caption)))
        return best * (1 - PRIMARY) + (PRIMARY if best and _STATEMENT.search(caption) else 0.0)

    def _best(self, called: CellLabel) -> float:
        return max(counts * _fit(asked, self._weights, called) for asked, counts in self._wordings)

    def _sort(self, figure: FigureCell) -> float:
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


def _fit(asked: frozenset[str], weights: Mapping[str, float], called: CellLabel) -> float:
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


UNDATED = 0.4
"""What a figure without a time of its own counts, by the period that its document reports on."""
AT_END = 0.9
"""What a balance counts at the end of the time that is asked about."""
AT_START = 0.1
"""What it counts at its start."""
YEAR = 365.25


def score_times(warehouse: Warehouse, figures: Sequence[FigureCell], windows: Sequence[Window]) -> np.ndarray:
    """How well each figure fits the best of the times, in [0, 1]; by its age where no time is asked for."""
    if not figures:
        return np.zeros(0)
    snapshot = warehouse.snapshot
    ordinals = snapshot.passages.ordinal_of
    # A document all of whose text is too short for a passage has no clock.
    known = np.array([figure.document_id in ordinals for figure in figures])
    documents = np.array([ordinals.get(figure.document_id, 0) for figure in figures], np.int64)
    clocks = snapshot.clocks
    if not windows:
        return np.where(known, _newness(figures, clocks, documents), 0.0)
    each = [_fits(figures, reading, clocks, documents) for w in windows for reading in readings(w, clocks, documents)]
    return np.where(known, np.max(each, axis=0), 0.0)


def _fits(figures: Sequence[FigureCell], asked: WindowReading, clocks: Clocks, documents: np.ndarray) -> np.ndarray:
    start, end, dated = _days(figures)
    own = np.where(end - start <= 1, _balance(start, end, asked), overlap(start, end, asked.start, asked.end))
    named = overlap(*_fiscal_years(figures, clocks, documents), asked.start, asked.end)
    reported = clocks.reported_start[documents].astype(np.int64), clocks.reported_end[documents].astype(np.int64)
    by_document = np.where(reported[0] != UNKNOWN, UNDATED * overlap(*reported, asked.start, asked.end), 0.0)
    return np.asarray(asked.weight * np.where(dated, np.maximum(own, named), by_document))


def _balance(start: np.ndarray, end: np.ndarray, asked: WindowReading) -> np.ndarray:
    """How well single days fit: the balance of a year is that at its end; at its start it was the year before's."""
    plain = overlap(start, end, asked.start, asked.end)
    long = asked.end - asked.start >= SHORTEST
    ends = long & (np.abs(end - asked.end) <= SLACK)
    begins = long & (np.abs(end - asked.start) <= SLACK)
    return np.select([ends, begins], [np.maximum(plain, AT_END), np.minimum(plain, AT_START)], plain)


def _fiscal_years(
    figures: Sequence[FigureCell], clocks: Clocks, documents: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The fiscal years that columns headed by a bare year may mean, else nothing (an empty time long ago)."""
    years = np.array([_bare_year(figure) for figure in figures], np.int64)
    first = clocks.first_month[documents].astype(np.int64)
    begins = years - ((first > 1) & ~clocks.early[documents])
    start = ((begins - 1970) * 12 + first - 1).astype("datetime64[M]")
    applies = (years > 0) & (first > 1)
    days = [np.where(applies, side.astype("datetime64[D]").astype(np.int64), 0) for side in (start, start + 12)]
    return days[0], np.where(applies, days[1], 0)


def _bare_year(figure: FigureCell) -> int:
    """The calendar year that a figure is of, by its headers, 0 where it is of another time."""
    start, end = figure.period_start, figure.period_end
    if start is None or end is None or (start.month, start.day, end.month, end.day) != (1, 1, 1, 1):
        return 0
    return start.year if end.year == start.year + 1 else 0


def _newness(figures: Sequence[FigureCell], clocks: Clocks, documents: np.ndarray) -> np.ndarray:
    """1 for what ends with its document's period, less for what lies before or after; newer documents count more."""
    _, end, dated = _days(figures)
    fiscal = _fiscal_years(figures, clocks, documents)[1]
    end = np.where(fiscal > 0, fiscal, end)
    reported, published = (side[documents].astype(np.int64) for side in (clocks.reported_end, clocks.published))
    until = np.where(reported != UNKNOWN, reported, published)
    newest = until.max()
    age = np.abs(np.where(dated, end, until - YEAR) - until) / YEAR
    late = np.where(until == UNKNOWN, 5.0, np.minimum((newest - until) / YEAR, 5.0))
    return np.asarray(1 / (1 + np.minimum(age, 50.0) + 0.5 * late))


def _days(figures: Sequence[FigureCell]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts and ends in days since 1970, and which figures have them."""
    pairs = [(figure.period_start, figure.period_end) for figure in figures]
    dated = np.array([start is not None and end is not None for start, end in pairs])
    start = np.array([day(start) if start and end else 0 for start, end in pairs], np.int64)
    end = np.array([day(end) if start and end else 0 for start, end in pairs], np.int64)
    return start, end, dated
