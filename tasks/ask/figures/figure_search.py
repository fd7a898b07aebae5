"""Search of figures: cells ranked by label and time, each figure once however many tables show it.

Labels are scored by the row first, then the labels above it, the column and the caption; times by the fiscal calendar
of the document's company.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import fsum

import numpy as np

from tasks.ask.figures.figure_cells import FigureCell, find_cells, read_row_labels
from tasks.ask.figures.figure_query import FigureQuery, list_wordings, load_item_groups, split_item_words
from tasks.parsers.language import has_chinese
from tasks.query.question_parser import weigh_by_rarity
from warehouse.reader import Warehouse
from warehouse.records import Window
from warehouse.search.signals.temporal import MIN_DAYS_WITH_SLACK, SLACK_DAYS, WindowReading, list_readings, overlap
from warehouse.store.columns.passage_columns import NO_DAY, DocumentTimes, to_day_number
from warehouse.store.words import split_content_words

MIN_LABEL_SCORE = 0.25  # The least label score of a result.
MIN_SCORE_SHARE = 0.6  # The least share of the best result's score that a result must reach.
MIN_NAME_SCORE = 0.7  # The label score of the best result below which a note says that no row has the item's name.
MIN_TIME_SCORE = 0.3  # The best time score below which a note says that no figure is of the time.
TIME_WEIGHT = 0.7  # The weight of the time score if a time is asked for.
NEWNESS_WEIGHT = 0.3  # The weight of a figure's age if no time is asked for.
AGREEMENT_BONUS = 0.01  # The score that each further table with the same figure adds, three tables at most.
MAX_SUGGESTIONS, MIN_SUGGESTION_SIMILARITY = 6, 60
"""The number of labels offered for an unknown item, and their least rapidfuzz token set ratio, of 100."""
MIN_SPELLING_SIMILARITY = 80  # The least similarity of a misspelt word, of 100, by rapidfuzz's ratio.
MIN_WORD_LENGTH = 5  # The fewest letters of a word whose spelling is corrected.
MIN_PERIOD_OVERLAP = 0.8
"""The least overlap (intersection over union of days) of two equal periods: a fiscal and a calendar year are equal."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class FigureMatch:
    """A figure with its label score and time score, each in [0, 1], and the cells of other tables that also show it."""

    figure: FigureCell
    label_score: float
    time_score: float
    score: float
    also: tuple[FigureCell, ...] = ()


def search_figures(warehouse: Warehouse, query: FigureQuery) -> list[FigureMatch]:
    """Every figure that matches, best first; of equal scores the earlier table's."""
    cells = find_cells(warehouse, [wording for wording, _ in query.wordings], query.documents, query.windows)
    scorer = LabelScorer(query, cells)
    candidates = [(cell, score) for cell in cells if (score := scorer.score(cell)) >= MIN_LABEL_SCORE]
    times = score_times(warehouse, [cell for cell, _ in candidates], query.windows).tolist()
    weight = TIME_WEIGHT if query.windows else NEWNESS_WEIGHT
    matches = [
        FigureMatch(cell, score, time, score * (1 - weight + weight * time))
        for (cell, score), time in zip(candidates, times, strict=True)
    ]
    best_score = max((match.score for match in matches), default=0.0)
    matches = [match for match in matches if match.score >= MIN_SCORE_SHARE * best_score]
    matches.sort(key=lambda match: (-match.score, *match.figure.place))
    return sorted(_merge_repeated(matches), key=lambda match: -match.score)


def find_nearest_labels(warehouse: Warehouse, query: FigureQuery) -> list[str]:
    """The row labels most like the item."""
    from rapidfuzz import fuzz, process

    labels = dict.fromkeys(label.rpartition(" / ")[2] for label in read_row_labels(warehouse, query.documents))
    nearest = process.extract(
        query.text, list(labels), scorer=fuzz.token_set_ratio, processor=str.casefold, limit=MAX_SUGGESTIONS
    )
    return [label for label, similarity, _ in nearest if similarity >= MIN_SUGGESTION_SIMILARITY]


def correct_spelling(warehouse: Warehouse, query: FigureQuery) -> tuple[FigureQuery, dict[str, str]] | None:
    """The query in which the most similar word of the rows replaces each word that no row has, and the replacements.

    None if no word is replaced.
    """
    from rapidfuzz import fuzz, process

    names = [*read_row_labels(warehouse, query.documents), *(name for group in load_item_groups() for name in group)]
    # The words as first written, by their stem.
    stems: dict[str, str] = {}
    for word in dict.fromkeys(word.lower() for name in names for word in _WORD.findall(name)):
        stems.setdefault(split_content_words(word)[0], word)
    corrections: dict[str, str] = {}
    for word in _WORD.findall(query.text):
        is_unknown = len(word) >= MIN_WORD_LENGTH and not set(split_content_words(word)) & stems.keys()
        nearest = (
            process.extractOne(word.lower(), stems, scorer=fuzz.ratio, score_cutoff=MIN_SPELLING_SIMILARITY)
            if is_unknown
            else None
        )
        if nearest:
            corrections[word] = str(nearest[0])
    if not corrections:
        return None
    text = _WORD.sub(lambda match: corrections.get(match[0], match[0]), query.text)
    return replace(query, text=text, wordings=tuple(list_wordings(split_item_words(text)))), corrections


def _merge_repeated(matches: Sequence[FigureMatch]) -> list[FigureMatch]:
    """The matches, with equal figures in several tables of a document merged into the best match."""
    groups: defaultdict[tuple[object, ...], list[list[FigureMatch]]] = defaultdict(list)
    for match in matches:
        # All cells of one figure share this key.
        cell = match.figure
        headers = () if cell.value is not None else (cell.row_header, cell.column_header)
        same_value = groups[cell.document_id, cell.value, cell.unit, cell.doubt, *headers]
        same_group = next((group for group in same_value if _is_same_figure(group[0].figure, cell)), None)
        if same_group is None:
            same_value.append([match])
        else:
            same_group.append(match)
    results = []
    for first, *repeated_matches in (group for same_value_groups in groups.values() for group in same_value_groups):
        cells = [match.figure for match in repeated_matches if match.figure.table != first.figure.table]
        tables = tuple({cell.table: cell for cell in reversed(cells)}.values())[::-1]
        results.append(replace(first, score=min(1.0, first.score + AGREEMENT_BONUS * min(len(tables), 3)), also=tables))
    return results


def _is_same_figure(first: FigureCell, second: FigureCell) -> bool:
    """Whether two cells with one value show the same figure: their currencies and most of their days agree.

    A cell without a currency or a period agrees with any.
    """
    if first.currency and second.currency and first.currency != second.currency:
        return False
    if not (first.period_start and first.period_end and second.period_start and second.period_end):
        return True
    overlap_days = min(first.period_end, second.period_end) - max(first.period_start, second.period_start)
    union_days = max(first.period_end, second.period_end) - min(first.period_start, second.period_start)
    return overlap_days >= MIN_PERIOD_OVERLAP * union_days


ADJACENT_WEIGHT = 0.9  # The weight of an item's word that is in a label above or in the column, not in that of the row.
CAPTION_WEIGHT = 0.6  # The weight of an item's word that is only in the caption.
COVERAGE_EXPONENT = (
    1.5  # The exponent of the item's covered share: a label that lacks a word of it is mostly another item.
)
MINOR_PENALTY = (
    0.05  # The penalty of a surplus word in the row's label that hardly changes the meaning, as a share of a word.
)
ADJACENT_PENALTY, MAX_ADJACENT_PENALTY = 0.15, 0.3
"""The penalty of a surplus word in the column or the labels above, and its maximum: some headings are long."""
RATIO_FACTOR, AMOUNT_FACTOR = 0.75, 0.7
"""The factor of a percentage if none is asked for (some items always are one), of an amount if a percentage is."""
CHANGE_FACTOR = 0.55  # The factor of a change if a level is asked for.
COUNT_FACTOR = 0.5  # The factor of an amount of money or a fraction if a count is asked for.
DOUBT_FACTOR = 0.75  # The factor of a figure with a doubtful scale or period: a sure one of the same name comes first.
DASH_FACTOR = 0.85  # The factor of a dash instead of a figure.
STATEMENT_BONUS = 0.08  # The bonus of a table that is a primary financial statement.

DOCUMENT_TIME_WEIGHT = (
    0.4  # The weight of the document's reported period, else of its day, for a figure without a period.
)
END_BALANCE_SCORE = 0.9  # The time score of a balance at the end of the query's window.
START_BALANCE_SCORE = 0.1  # The time score of a balance at the window's start.
DAYS_PER_YEAR = 365.25  # Days.

VAGUE_WEIGHT = 0.2
"""The weight of an item's word that hardly distinguishes figures: paid, carried, average."""
_VAGUE_WORDS = frozenset(
    split_item_words(
        "pay paid owe owed carry carried carries hold holds held have has make made get got receive received give given"
        " take took taken earn earned earns cost costs value worth average averaged sum difference change changed"
        " percentage percent increase increased decrease decreased grow grew grown growth rise rose risen fall fell"
        " drop dropped decline declined year-on-year"
    )
)
_PER_SHARE = frozenset(split_item_words("share"))
_CHANGE_WORDS = frozenset(split_item_words("change changes increase decrease growth variance difference"))
_MINOR_WORDS = frozenset(split_item_words("total net consolidated gaap reported amount including less our company's"))
_TIME_WORDS = re.compile(
    r"\b(?:(?:three|six|nine|twelve|\d+)[- ](?:months?|weeks?)|quarters?|years?|fiscal|months?|weeks?|ended|ending"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?|first|second|third|fourth|[qh][1-4]|fy)\b"
    r"|\b(?:19|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th)?\b(?=\s*,|$)|\d+[-/.]\d+[-/.]\d+|\d*[年月日季度第财財上下半全一二三四五六七八九十零〇]+",
    re.IGNORECASE,
)
_CHANGE_LABEL = re.compile(
    r"%\s*change|\b(?:change|variance|increase|decrease|inc|dec|difference|growth)\b|增减|变动|同比", re.IGNORECASE
)
_STATEMENT_TITLE = re.compile(
    r"statements? of (?:\w+ ){0,3}(?:income|operations|earnings|cash flows?|financial position|profit)|balance sheets?"
    r"|income statement|profit and loss|利润表|资产负债表|现金流量表",
    re.IGNORECASE,
)
_ROW_CHANGE = re.compile(
    r"%\s*change|\bchanges? in\b|\b(?:in|de)creases?\b(?:\s*\((?:in|de)creases?\))?\s+(?:in|of)\b|\bgrowth\b"
    r"|增减|变动|同比",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(r"[(（\[][^()（）\[\]]*[)）\]]|, (?:net|less|including|excluding|of which)\b.*", re.IGNORECASE)
"""Words of a label in brackets or about deductions: "Receivables, net of allowances of $23"."""
_EXCLUDED_PART = re.compile(r"\b(?:before|excluding|exclusive of|other than|net of|less)\b.*", re.IGNORECASE)
"""Words of what a figure excludes: "earnings before interest" is not interest."""
_EXCLUDING_WORDS = frozenset(split_item_words("before excluding exclusive other less"))
_RATIO_UNITS = ("%", "pp", "bp", "x")


@dataclass(frozen=True, slots=True)
class CellLabel:
    """Word stems of a cell's labels.

    `label` is the row's label, `included` that without what the figure excludes, `unqualified` that without qualifiers.
    `adjacent_labels` are the labels above and the column, `caption` the table's.
    """

    label: frozenset[str]
    included: frozenset[str]
    unqualified: frozenset[str]
    adjacent_labels: frozenset[str]
    caption: frozenset[str]

    def get_matching_words(self, item: frozenset[str]) -> frozenset[str]:
        """The words that may match an item; those of excluded parts only if the item excludes them as well."""
        return self.label if item & _EXCLUDING_WORDS else self.included

    def weigh_word(self, word: str, label_words: frozenset[str]) -> float:
        """The weight of a word by the label that has it, `label_words` first; 0 if none has it."""
        if word in label_words:
            return 1.0
        return ADJACENT_WEIGHT if word in self.adjacent_labels else CAPTION_WEIGHT if word in self.caption else 0.0


class LabelScorer:
    """Scores of cells for one item; cells with the same labels are scored once."""

    def __init__(self, query: FigureQuery, figures: Sequence[FigureCell]) -> None:
        """Words are weighed by how few of the rows of `figures` have them."""
        self._query = query
        pieces = [_split_stems(label) for label in dict.fromkeys(figure.row_header for figure in figures)]
        self._weights = _weigh_words({word for wording, _ in query.wordings for word in wording}, pieces)
        self._wordings = [(frozenset(wording), counts) for wording, counts in query.wordings]
        self._minor_words = _MINOR_WORDS | _CHANGE_WORDS if query.change else _MINOR_WORDS
        self._scores_by_labels: dict[tuple[str, str, str], float] = {}

    def score(self, figure: FigureCell) -> float:
        """The label score of a cell, in [0, 1]."""
        key = (figure.row_header, figure.column_header, figure.caption)
        if key not in self._scores_by_labels:
            self._scores_by_labels[key] = self._score_labels(*key)
        return self._scores_by_labels[key] * self._compute_kind_factor(figure) * (0.9 + 0.1 * figure.confidence)

    def _score_labels(self, row: str, column: str, caption: str) -> float:
        label, *labels_above = reversed(row.split(" / "))
        column_labels = [part for part in column.split(" / ") if part]
        best_score = self._score_best_wording(label, [*labels_above, _remove_times(" ".join(column_labels))], caption)
        if column_labels and not _remove_times(label).strip():
            # A transposed table: the columns are the items and the rows are times.
            best_score = max(best_score, self._score_best_wording(column_labels[-1], column_labels[:-1], caption))
        elif column_labels and not _split_stems(label) - _MINOR_WORDS:
            # Totals of columns that are the items.
            total = f"{label} {_remove_times(column_labels[-1])}"
            best_score = max(best_score, self._score_best_wording(total, [*labels_above, *column_labels[:-1]], caption))
        return best_score * (1 - STATEMENT_BONUS) + (
            STATEMENT_BONUS if best_score and _STATEMENT_TITLE.search(caption) else 0.0
        )

    def _score_best_wording(self, label: str, adjacent_labels: Sequence[str], caption: str) -> float:
        adjacent_words = frozenset(word for text in adjacent_labels for word in _split_stems(text))
        included_stems = _split_stems(_EXCLUDED_PART.sub(" ", label)) or _split_stems(label)
        cell_label = CellLabel(
            _split_stems(label),
            included_stems,
            _split_stems(_QUALIFIER.sub(" ", label)),
            adjacent_words,
            _split_stems(caption),
        )
        return max(
            counts * _score_label(query_words, self._weights, cell_label, self._minor_words)
            for query_words, counts in self._wordings
        )

    def _compute_kind_factor(self, figure: FigureCell) -> float:
        """The factor of a figure's kind, below 1 for a percentage if an amount is asked for, a change if a level is."""
        factor = 1.0 if figure.value is not None else DASH_FACTOR
        factor *= DOUBT_FACTOR if figure.doubt else 1.0
        if figure.unit in _RATIO_UNITS:
            factor *= 1.0 if self._query.ratio or self._query.change else RATIO_FACTOR
        elif self._query.ratio and not self._query.change:
            factor *= AMOUNT_FACTOR
        if self._query.count and (figure.currency or (figure.value is not None and figure.value % 1)):
            factor *= COUNT_FACTOR
        is_change = _CHANGE_LABEL.search(figure.column_header) or _ROW_CHANGE.search(figure.row_header)
        return factor * (CHANGE_FACTOR if is_change and not self._query.change else 1.0)


def _weigh_words(words: Collection[str], pieces: Sequence[frozenset[str]]) -> dict[str, float]:
    """The weights of words by how few rows have them; words that no row has get at most the mean weight."""
    weights = weigh_by_rarity(words, pieces)
    known_weights = [weights[word] for word in words if any(word in piece for piece in pieces)]
    mean_weight = fsum(known_weights) / len(known_weights) if known_weights else 1.0
    max_weight = max(weights.values(), default=0.0)
    capped_weights = {
        word: min(weight, mean_weight) if weight == max_weight else weight for word, weight in weights.items()
    }
    vague_words = _VAGUE_WORDS.intersection(words) if set(words) - _VAGUE_WORDS else frozenset()
    return {word: weight * (VAGUE_WEIGHT if word in vague_words else 1.0) for word, weight in capped_weights.items()}


def _score_label(
    query_words: frozenset[str], weights: Mapping[str, float], cell_label: CellLabel, minor_words: frozenset[str]
) -> float:
    """The share of an item that a label covers, reduced for surplus words, of which `minor_words` hardly count.

    0 if the label of the row has no word of the item.

    An item per share matches only figures per share, whatever other words the two have in common.
    """
    label_words = cell_label.get_matching_words(query_words)
    common_words = label_words & query_words
    if query_words & _PER_SHARE and not _PER_SHARE & (cell_label.label | cell_label.adjacent_labels):
        return 0.0
    if not common_words - _VAGUE_WORDS and query_words - _VAGUE_WORDS:
        return 0.0
    if not common_words - (_MINOR_WORDS if query_words - _MINOR_WORDS else frozenset()):
        return 0.0
    # Exact sums: the order of a set, and with it the last digit of a plain sum, differs from process to process.
    pieces = sum(map(has_chinese, query_words))
    if pieces < len(query_words):
        # Next to words of other scripts the pieces of a name in Chinese count as one.
        weights = {word: weights[word] / (pieces if has_chinese(word) else 1) for word in query_words}
    covered_weight = fsum(weights[word] * cell_label.weigh_word(word, label_words) for word in query_words)
    coverage = covered_weight / fsum(weights[word] for word in query_words)
    surplus = fsum(MINOR_PENALTY if word in minor_words else 1.0 for word in cell_label.unqualified - query_words)
    surplus += min(ADJACENT_PENALTY * len(cell_label.adjacent_labels - query_words - minor_words), MAX_ADJACENT_PENALTY)
    return float(coverage**COVERAGE_EXPONENT * (0.4 + 0.6 * len(common_words) / (len(common_words) + surplus)))


@lru_cache(maxsize=1 << 12)
def _remove_times(text: str) -> str:
    return _TIME_WORDS.sub(" ", text)


@lru_cache(maxsize=1 << 16)
def _split_stems(text: str) -> frozenset[str]:
    return (
        frozenset(split_item_words(text) or split_content_words(text)) if any(map(str.isalnum, text)) else frozenset()
    )


def score_times(warehouse: Warehouse, figures: Sequence[FigureCell], windows: Sequence[Window]) -> np.ndarray:
    """The time score of each figure in [0, 1], by the best of the windows; by its age if there are none."""
    if not figures:
        return np.zeros(0)
    snapshot = warehouse.snapshot
    ordinals = snapshot.passages.ordinal_of
    # A document whose text is too short for a passage has no times.
    has_passages = np.array([figure.document_id in ordinals for figure in figures])
    documents = np.array([ordinals.get(figure.document_id, 0) for figure in figures], np.int64)
    times = snapshot.document_times
    if not windows:
        return np.where(has_passages, _score_newness(figures, times, documents), 0.0)
    scores = [
        _score_window(figures, reading, times, documents)
        for window in windows
        for reading in list_readings(window, times, documents)
    ]
    return np.where(has_passages, np.max(scores, axis=0), 0.0)


def _score_window(
    figures: Sequence[FigureCell], window: WindowReading, times: DocumentTimes, documents: np.ndarray
) -> np.ndarray:
    start, end, has_days = _list_days(figures)
    time_scores = np.where(
        end - start <= 1, _score_balance(start, end, window), overlap(start, end, window.start, window.end)
    )
    fiscal_year = overlap(*_find_fiscal_years(figures, times, documents), window.start, window.end)
    days = times.reported_start[documents].astype(np.int64), times.reported_end[documents].astype(np.int64)
    published = times.published[documents].astype(np.int64)
    is_published = (published != NO_DAY) & (published >= window.start) & (published < window.end)
    document_scores = DOCUMENT_TIME_WEIGHT * np.where(
        days[0] != NO_DAY, overlap(*days, window.start, window.end), is_published
    )
    return np.asarray(window.weight * np.where(has_days, np.maximum(time_scores, fiscal_year), document_scores))


def _score_balance(start: np.ndarray, end: np.ndarray, window: WindowReading) -> np.ndarray:
    """Time scores of single days: the balance of a year is that at its end; that at its start is the year before's."""
    overlap_scores = overlap(start, end, window.start, window.end)
    is_long = window.end - window.start >= MIN_DAYS_WITH_SLACK
    is_at_end = is_long & (np.abs(end - window.end) <= SLACK_DAYS)
    is_at_start = is_long & (np.abs(end - window.start) <= SLACK_DAYS)
    return np.select(
        [is_at_end, is_at_start],
        [np.maximum(overlap_scores, END_BALANCE_SCORE), np.minimum(overlap_scores, START_BALANCE_SCORE)],
        overlap_scores,
    )


def _find_fiscal_years(
    figures: Sequence[FigureCell], times: DocumentTimes, documents: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The fiscal years that columns headed only by a year may mean, else an empty time in 1970."""
    years = np.array([_get_calendar_year(figure) for figure in figures], np.int64)
    first = times.first_month[documents].astype(np.int64)
    first_years = years - ((first > 1) & ~times.named_by_start[documents])
    start = ((first_years - 1970) * 12 + first - 1).astype("datetime64[M]")
    is_fiscal = (years > 0) & (first > 1)
    days = [np.where(is_fiscal, edge.astype("datetime64[D]").astype(np.int64), 0) for edge in (start, start + 12)]
    return days[0], np.where(is_fiscal, days[1], 0)


def _get_calendar_year(figure: FigureCell) -> int:
    """The calendar year of a figure by its headers, 0 for any other period."""
    start, end = figure.period_start, figure.period_end
    if start is None or end is None or (start.month, start.day, end.month, end.day) != (1, 1, 1, 1):
        return 0
    return start.year if end.year == start.year + 1 else 0


def _score_newness(figures: Sequence[FigureCell], times: DocumentTimes, documents: np.ndarray) -> np.ndarray:
    """1 for a figure that ends with its document's period, less before or after it; newer documents count more."""
    _, end, has_days = _list_days(figures)
    fiscal = _find_fiscal_years(figures, times, documents)[1]
    end = np.where(fiscal > 0, fiscal, end)
    ends, published = (days[documents].astype(np.int64) for days in (times.reported_end, times.published))
    document_days = np.where(ends != NO_DAY, ends, published)
    newest = document_days.max()
    age = np.abs(np.where(has_days, end, document_days - DAYS_PER_YEAR) - document_days) / DAYS_PER_YEAR
    lateness = np.where(document_days == NO_DAY, 5.0, np.minimum((newest - document_days) / DAYS_PER_YEAR, 5.0))
    return np.asarray(1 / (1 + np.minimum(age, 50.0) + 0.5 * lateness))


def _list_days(figures: Sequence[FigureCell]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts and ends in days since 1970, and which figures have them."""
    pairs = [(figure.period_start, figure.period_end) for figure in figures]
    has_days = np.array([start is not None and end is not None for start, end in pairs])
    start = np.array([to_day_number(start) if start and end else 0 for start, end in pairs], np.int64)
    end = np.array([to_day_number(end) if start and end else 0 for start, end in pairs], np.int64)
    return start, end, has_days
