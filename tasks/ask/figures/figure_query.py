"""Queries for figures: "revenue Q2 2023 AMCOR" parsed into item, times and documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tasks.ask.figures.item_names import Wording, item_wordings, paraphrase_wordings
from tasks.ask.names import names_in, words_of
from tasks.ask.subjects import subjects_in
from tasks.ask.token_budget import short_quote
from tasks.parsers.language import language_of
from tasks.temporal.question import Times, times_of
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, Subject, Window
from warehouse.records.fiscal import FiscalCalendar
from warehouse.search.catalogue import NameKind
from warehouse.search.name_variants import squeezed
from warehouse.store.words import telling_words, words

LONGEST_NAME = 6
"""The most words of a company's name."""
PLAIN_NAME = 5
"""The fewest letters of a company's name that is recognised without a capital."""
_WHOSE = (NameKind.COMPANY, NameKind.SYMBOL, NameKind.BEGINNING)
_EMPTY = frozenset(
    telling_words(
        "amount number figure level size reported recorded company's year period tell give show please much many high"
        " big large spend spent book booked post posted generate generated respective respectively according say"
        " compared across both between hand"
    )
)
"""Words that ask for a figure without saying which."""
_SHARES = re.compile(
    r"%|\b(?:margin|percent(?:age)?|growth|change|ratio|yield|share of"
    r"|rate(?!s?\s+(?:swap|cap|contract|risk|derivative|lock|sensitiv)))\b|率|增长|占比",
    re.IGNORECASE,
)
_CHANGES = re.compile(r"\b(?:growth|changes?|variance|increase|decrease|difference)\b|增长|变动|增减", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FigureQuery:
    """An item of a table: its `text`, the `wordings` it may have, its times, and the `documents` (ids) to search.

    Without documents all are searched. `ratio` and `change` say what sort of figure the words ask for. `names` are
    those in the words that no document is known by.
    """

    text: str
    windows: tuple[Window, ...] = ()
    documents: tuple[str, ...] = ()
    ratio: bool = False
    change: bool = False
    names: tuple[str, ...] = ()
    wordings: tuple[Wording, ...] = ()


def parse_figure_query(
    warehouse: Warehouse, item: str, period: str, documents: tuple[str, ...], today: date
) -> FigureQuery:
    """The query of an item in words; `period` and `documents`, where given, replace those that the item names.

    Raises `BadInput` for an item without words, and a period that is no time.
    """
    subjects = subjects_in(item, warehouse.catalogue, lambda phrase: {}) or _companies(item, warehouse)
    document_ids = documents or tuple(dict.fromkeys(each for subject in subjects for each in subject.documents))
    fiscal = warehouse.fiscal_calendar(subjects, Filters(documents=documents))
    item_times = _times(item, today, fiscal)
    times = _times(period, today, fiscal) if period.strip() else item_times
    if period.strip() and not times.windows:
        raise BadInput(
            f"'{short_quote(period)}' names no time", "write a period like 'Q2 2023', 'FY2022' or '2023-06-30'"
        )
    text = _without(_untimed(item, item_times), subjects)
    item_words = [word for word in telling_words(text) if word not in _EMPTY] or telling_words(text)
    if not words(text):
        raise BadInput(f"'{short_quote(item)}' says no item", "name one, like 'revenue' or 'total assets'")
    return FigureQuery(
        text=text,
        windows=tuple(window for window in times.windows if not (window.excluded or window.recent)),
        documents=document_ids,
        ratio=bool(_SHARES.search(text)),
        change=bool(_CHANGES.search(text)),
        names=names_in(text),
        wordings=tuple({**dict(paraphrase_wordings(text)), **dict(item_wordings(item_words))}.items()),
    )


def _times(text: str, today: date, fiscal: FiscalCalendar | None) -> Times:
    return times_of(" ".join(text.split()), today, language_of(text), fiscal)


def _untimed(item: str, times: Times) -> str:
    """The words without the times; "current" is kept, for it says which receivables rather than when."""
    if not times.windows:
        return item
    kept_words = [word for word in item.split() if word.lower() == "current" and word not in times.rest.split()]
    return " ".join([*kept_words, times.rest])


def _companies(item: str, warehouse: Warehouse) -> tuple[Subject, ...]:
    """The company in words that are no sentence: "EPS PepsiCo", "revenue amcor"; the longest name first."""
    item_tokens = words_of(item)
    for length in range(min(LONGEST_NAME, len(item_tokens)), 0, -1):
        for place in range(len(item_tokens) - length + 1):
            name_tokens = item_tokens[place : place + length]
            entry = warehouse.catalogue.entry(squeezed([word.text for word in name_tokens]))
            if (
                entry
                and entry.sort in _WHOSE
                and (name_tokens[0].capital or sum(len(word.text) for word in name_tokens) >= PLAIN_NAME)
            ):
                return (Subject(item[name_tokens[0].start : name_tokens[-1].end], entry.name, entry.documents, 1.0),)
    return ()


def _without(text: str, subjects: Sequence[Subject]) -> str:
    for name in sorted({each.text for each in subjects}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", text)
    return " ".join(text.split())
