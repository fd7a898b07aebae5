"""Search of figures: cells ranked by label and time, each figure once however many tables show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tasks.ask.figures.figure_cells import FigureCell, find_cells, row_labels
from tasks.ask.figures.figure_query import FigureQuery
from tasks.ask.figures.figure_scores import LabelScorer, score_times
from tasks.ask.figures.item_names import GROUPS, item_wordings
from warehouse.reader import Warehouse
from warehouse.store.words import telling_words

ENOUGH = 0.25
"""How well what a cell is called must fit to be given."""
SHARE = 0.6
"""What a figure must reach of the best one's score to be given."""
SURE = 0.7
"""How well the best must fit, lest it be said that none is called so."""
NEAR = 0.3
"""How well its time must fit, lest it be said that no figure is of the time."""
TIME = 0.7
"""What its time counts where one is asked for."""
NEWNESS = 0.3
"""What its age counts where none is."""
AGREEING = 0.01
"""What each further table adds that shows the same figure, three at most."""
OFFERED, OFFERED_FROM = 6, 60
"""How many rows are offered in place of one that there is not, and their least likeness, of 100."""
ALIKE = 80
"""The least likeness of a misspelt word, of 100, by rapidfuzz's ratio."""
SHORTEST = 5
"""The fewest letters of a word that is known when misspelt."""
SAME_TIME = 0.8
"""The share of all days of two times that both have, for them to be one: a fiscal and a calendar year are."""
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class FigureMatch:
    """A figure with how well its names and its time fit, each in [0, 1], and the tables that show it as well."""

    figure: FigureCell
    label_score: float
    time_score: float
    score: float
    also: tuple[FigureCell, ...] = ()


def search_figures(warehouse: Warehouse, asked: FigureQuery) -> list[FigureMatch]:
    """Every figure that fits, best first; of equal ones that of the earlier table."""
    cells = find_cells(warehouse, [wording for wording, _ in asked.wordings], asked.documents, asked.windows)
    fitting = LabelScorer(asked, cells)
    called = [(cell, fit) for cell in cells if (fit := fitting.of(cell)) >= ENOUGH]
    times = score_times(warehouse, [cell for cell, _ in called], asked.windows).tolist()
    weight = TIME if asked.windows else NEWNESS
    each = [
        FigureMatch(cell, fit, time, fit * (1 - weight + weight * time))
        for (cell, fit), time in zip(called, times, strict=True)
    ]
    best = max((fit.score for fit in each), default=0.0)
    each = [fit for fit in each if fit.score >= SHARE * best]
    each.sort(key=lambda fit: (-fit.score, fit.figure.document_id, fit.figure.table, fit.figure.row, fit.figure.column))
    return sorted(_joined(each), key=lambda fit: -fit.score)


def nearest_labels(warehouse: Warehouse, asked: FigureQuery) -> list[str]:
    """What some rows are called that are most like the item."""
    from rapidfuzz import fuzz, process

    known = dict.fromkeys(label.rpartition(" / ")[2] for label in row_labels(warehouse, asked.documents))
    near = process.extract(asked.text, list(known), scorer=fuzz.token_set_ratio, processor=str.casefold, limit=OFFERED)
    return [label for label, likeness, _ in near if likeness >= OFFERED_FROM]


def correct_spelling(warehouse: Warehouse, asked: FigureQuery) -> tuple[FigureQuery, dict[str, str]] | None:
    """The same with words that no row has put as the rows that are most like them write them, and those words.

    None where there is nothing to put otherwise.
    """
    from rapidfuzz import fuzz, process

    known = _written([*row_labels(warehouse, asked.documents), *(name for group in GROUPS for name in group)])
    changed: dict[str, str] = {}
    for word in _WORD.findall(asked.text):
        near = None
        if len(word) >= SHORTEST and not set(telling_words(word)) & known.keys():
            near = process.extractOne(word.lower(), known, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if near:
            changed[word] = str(near[0])
    if not changed:
        return None
    text = _WORD.sub(lambda match: changed.get(match[0], match[0]), asked.text)
    return replace(asked, text=text, wordings=tuple(item_wordings(telling_words(text)))), changed


def _written(names: Sequence[str]) -> dict[str, str]:
    """The words of names, each as it is written first, by how they are counted."""
    found: dict[str, str] = {}
    for word in dict.fromkeys(word.lower() for name in names for word in _WORD.findall(name)):
        found.setdefault(telling_words(word)[0], word)
    return found


def _joined(fits: Sequence[FigureMatch]) -> list[FigureMatch]:
    """Figures that several tables of a document show, as one, at the place of the best."""
    groups: dict[tuple[object, ...], list[list[FigureMatch]]] = {}
    for fit in fits:
        alike = groups.setdefault(_key(fit.figure), [])
        own = next((group for group in alike if _same(group[0].figure, fit.figure)), None)
        if own is None:
            alike.append([fit])
        else:
            own.append(fit)
    return [_one_of(group) for alike in groups.values() for group in alike]


def _one_of(group: Sequence[FigureMatch]) -> FigureMatch:
    first = group[0]
    others = [fit.figure for fit in group if fit.figure.table != first.figure.table]
    tables = tuple({figure.table: figure for figure in reversed(others)}.values())[::-1]
    return replace(first, score=min(1.0, first.score + AGREEING * min(len(tables), 3)), also=tables)


def _key(figure: FigureCell) -> tuple[object, ...]:
    """What two cells share that show one figure, as far as it can be told by them."""
    where = () if figure.value is not None else (figure.row_header, figure.column_header)
    return (figure.document_id, figure.value, figure.unit, figure.doubt, *where)


def _same(one: FigureCell, other: FigureCell) -> bool:
    """Whether two cells of one value show one figure: in no other currency, and most of their days are the same.

    A cell that has no currency or no days of its own says nothing against it.
    """
    if one.currency and other.currency and one.currency != other.currency:
        return False
    if not (one.period_start and one.period_end and other.period_start and other.period_end):
        return True
    common = min(one.period_end, other.period_end) - max(one.period_start, other.period_start)
    union = max(one.period_end, other.period_end) - min(one.period_start, other.period_start)
    return common >= SAME_TIME * union
