"""Search of figures: cells ranked by label and time, each figure once however many tables show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tasks.ask.figures.figure_cells import FigureCell, find_cells, row_labels
from tasks.ask.figures.figure_query import FigureQuery, item_groups, item_wordings
from tasks.ask.figures.figure_scores import LabelScorer, score_times
from warehouse.reader import Warehouse
from warehouse.store.words import telling_words

ENOUGH = 0.25  # The least label score of a result.
SHARE = 0.6  # The least share of the best result's score that a result must reach.
SURE = 0.7  # The label score of the best result below which a note says that no row has the item's name.
NEAR = 0.3  # The time score below which a note says that no figure is of the time.
TIME = 0.7  # The weight of the time score where a time is asked for.
NEWNESS = 0.3  # The weight of a figure's age where no time is asked for.
AGREEING = 0.01  # The score that each further table with the same figure adds, three tables at most.
OFFERED, OFFERED_FROM = 6, 60
"""The labels offered in place of an unknown item, and their least likeness of 100, by rapidfuzz's token set ratio."""
ALIKE = 80  # The least likeness of a misspelt word, of 100, by rapidfuzz's ratio.
SHORTEST_WORD = 5  # The fewest letters of a word whose spelling is corrected.
SAME_TIME = 0.8
"""The least overlap (intersection over union of days) of two equal periods: a fiscal and a calendar year are equal."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class FigureMatch:
    """A figure with its label score and time score, each in [0, 1], and the cells of other tables that show it too."""

    figure: FigureCell
    label_score: float
    time_score: float
    score: float
    also: tuple[FigureCell, ...] = ()


def search_figures(warehouse: Warehouse, query: FigureQuery) -> list[FigureMatch]:
    """Every figure that matches, best first; of equal scores the earlier table's."""
    cells = find_cells(warehouse, [wording for wording, _ in query.wordings], query.documents, query.windows)
    scorer = LabelScorer(query, cells)
    candidates = [(cell, score) for cell in cells if (score := scorer.of(cell)) >= ENOUGH]
    times = score_times(warehouse, [cell for cell, _ in candidates], query.windows).tolist()
    weight = TIME if query.windows else NEWNESS
    matches = [
        FigureMatch(cell, score, time, score * (1 - weight + weight * time))
        for (cell, score), time in zip(candidates, times, strict=True)
    ]
    best = max((match.score for match in matches), default=0.0)
    matches = [match for match in matches if match.score >= SHARE * best]
    matches.sort(key=lambda match: (-match.score, *match.figure.place))
    return sorted(_merge_repeated(matches), key=lambda match: -match.score)


def nearest_labels(warehouse: Warehouse, query: FigureQuery) -> list[str]:
    """The row labels most like the item."""
    from rapidfuzz import fuzz, process

    words_known = dict.fromkeys(label.rpartition(" / ")[2] for label in row_labels(warehouse, query.documents))
    nearest = process.extract(
        query.text, list(words_known), scorer=fuzz.token_set_ratio, processor=str.casefold, limit=OFFERED
    )
    return [label for label, likeness, _ in nearest if likeness >= OFFERED_FROM]


def correct_spelling(warehouse: Warehouse, query: FigureQuery) -> tuple[FigureQuery, dict[str, str]] | None:
    """The query with each word that no row has replaced by the most similar word of the rows, and the replacements.

    None where no word is replaced.
    """
    from rapidfuzz import fuzz, process

    names = [*row_labels(warehouse, query.documents), *(name for group in item_groups() for name in group)]
    known = _spelled_words(names)
    corrections: dict[str, str] = {}
    for word in _WORD.findall(query.text):
        nearest = None
        if len(word) >= SHORTEST_WORD and not set(telling_words(word)) & known.keys():
            nearest = process.extractOne(word.lower(), known, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if nearest:
            corrections[word] = str(nearest[0])
    if not corrections:
        return None
    text = _WORD.sub(lambda match: corrections.get(match[0], match[0]), query.text)
    return replace(query, text=text, wordings=tuple(item_wordings(telling_words(text)))), corrections


def _spelled_words(names: Sequence[str]) -> dict[str, str]:
    """The words of names as first written, by their stem."""
    by_stem: dict[str, str] = {}
    for word in dict.fromkeys(word.lower() for name in names for word in _WORD.findall(name)):
        by_stem.setdefault(telling_words(word)[0], word)
    return by_stem


def _merge_repeated(matches: Sequence[FigureMatch]) -> list[FigureMatch]:
    """Figures that several tables of a document show, as one match of the best of them."""
    groups: dict[tuple[object, ...], list[list[FigureMatch]]] = {}
    for match in matches:
        # All cells of one figure share this key.
        cell = match.figure
        headers = () if cell.value is not None else (cell.row_header, cell.column_header)
        own = groups.setdefault((cell.document_id, cell.value, cell.unit, cell.doubt, *headers), [])
        same = next((group for group in own if _is_same_figure(group[0].figure, cell)), None)
        if same is None:
            own.append([match])
        else:
            same.append(match)
    return [_merge_group(group) for own in groups.values() for group in own]


def _merge_group(group: Sequence[FigureMatch]) -> FigureMatch:
    first = group[0]
    others = [match.figure for match in group if match.figure.table != first.figure.table]
    tables = tuple({figure.table: figure for figure in reversed(others)}.values())[::-1]
    return replace(first, score=min(1.0, first.score + AGREEING * min(len(tables), 3)), also=tables)


def _is_same_figure(one: FigureCell, other: FigureCell) -> bool:
    """Whether two cells of one value show one figure: their currencies agree, and most of their days.

    A cell without a currency or a period agrees with any.
    """
    if one.currency and other.currency and one.currency != other.currency:
        return False
    if not (one.period_start and one.period_end and other.period_start and other.period_end):
        return True
    common = min(one.period_end, other.period_end) - max(one.period_start, other.period_start)
    union = max(one.period_end, other.period_end) - min(one.period_start, other.period_start)
    return common >= SAME_TIME * union
