"""What is asked."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

import numpy as np

from warehouse.records.document import Kind


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; an empty field asks for nothing. `since` and `until` bound the document's date."""

    kinds: tuple[Kind, ...] = ()
    roots: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Window:
    """A time a question asks about, half-open; None is a side left open.

    `demanded` is whether it names the time ("in Q1 2023", "before 2020") or only leans towards it ("latest"). Where a
    second reading was possible (the calendar's quarter and the company's), `other_start` and `other_end` are its days.
    `text` are the question's words, `name` those that context prefixes have for it ("Q3 2023"), if they have some.
    """

    start: date | None
    end: date | None
    other_start: date | None = None
    other_end: date | None = None
    demanded: bool = True
    text: str = ""
    name: str = ""


class Mode(StrEnum):
    """Which halves of the search bring and score passages."""

    HYBRID = "hybrid"
    DENSE = "dense"
    KEYWORD = "keyword"


class Fusion(StrEnum):
    """How the two halves become one ranking.

    `WEIGHED` chooses the share of the vectors by the question and the scores; `CONVEX` takes a fixed share; `RRF` adds
    reciprocal ranks.
    """

    WEIGHED = "weighed"
    CONVEX = "convex"
    RRF = "rrf"


@dataclass(frozen=True, slots=True)
class Ranking:
    """How passages are ranked: each part can be left out or changed, so that it can be measured.

    `alpha` is the share of the vectors, in [0, 1], for `Fusion.CONVEX`. `times` and `names` say whether the times and
    the names of a question count; `distinct` whether near duplicates take one place; `merge` whether a parent takes the
    place of its leaves. At most `per_document` hits are of one document. `reranker` names one of the family, or none.
    """

    mode: Mode = Mode.HYBRID
    fusion: Fusion = Fusion.WEIGHED
    alpha: float | None = None
    times: bool = True
    names: bool = True
    distinct: bool = True
    merge: bool = True
    per_document: int | None = None
    reranker: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question as somebody asks it: their words, what hits must satisfy, how they are ranked, and how many."""

    text: str
    filters: Filters = Filters()
    ranking: Ranking = Ranking()
    k: int = 5


@dataclass(frozen=True, slots=True)
class Subject:
    """Something of the catalogue that a question names: a company, paper, course or note, and its documents.

    `text` are the question's words, `name` is how the catalogue has it, `likeness` in [0, 1] says how surely they are
    the same.
    """

    text: str
    name: str
    documents: tuple[str, ...]
    likeness: float


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question made ready for the warehouse.

    `query` is what is looked for: the text with the names of its times. `vector` is that of the query: unit length,
    float32, shape (dimension,). `windows` are the times, `as_of` is the day whose knowledge is asked for, `rest` the
    text without either. `names` are the people, places and things it names, `subjects` those that
    the catalogue knows.
    """

    text: str
    query: str
    vector: np.ndarray
    windows: tuple[Window, ...] = ()
    as_of: datetime.date | None = None
    rest: str = ""
    names: tuple[str, ...] = ()
    subjects: tuple[Subject, ...] = ()
    filters: Filters = field(default_factory=Filters)
    ranking: Ranking = Ranking()
    k: int = 5
