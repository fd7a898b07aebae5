"""A question made ready for the search: its times, the subjects that it names, its vector."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from warehouse.records.document import StatementKind
from warehouse.records.search_request import Filters, Ranking

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Window:
    """A time a question asks about, half-open; None is a side left open.

    `required` is whether it names the time ("in Q1 2023", "before 2020") or only prefers it ("latest"). Where a
    second reading was possible (the calendar's quarter and the company's), `other_start` and `other_end` are its days.
    `text` are the question's words, `name` those that context prefixes have for it ("Q3 2023"), if they have some.

    A year, half or quarter has a `period`: the year, the first of its months (1 to 12) and their number, so that each
    document can read it with its own company's calendar; `fiscal` says that the words leave no other reading. `recent`
    asks for the newest there is, `excluded` for any time but this one.
    """

    start: date | None
    end: date | None
    other_start: date | None = None
    other_end: date | None = None
    required: bool = True
    text: str = ""
    name: str = ""
    period: tuple[int, int, int] | None = None
    fiscal: bool = False
    recent: bool = False
    excluded: bool = False

    def overlaps(self, start: date, end: date) -> bool:
        """Whether half-open days share one with it, in the first reading."""
        return (self.end is None or start < self.end) and (self.start is None or self.start < end)


class DayOrder(StrEnum):
    """Which of the passages that answer come first, by their own days."""

    NEWEST = "newest"
    OLDEST = "oldest"


SPACIOUS = 20  # From so many passages a document on, on average, its passages need not name what it is about.


@dataclass(frozen=True, slots=True)
class Subject:
    """Something of the catalogue that a question names: a company, paper, course or note, and its documents.

    `text` are the question's words, `name` is how the catalogue has it, `confidence` in [0, 1] says how surely they are
    the same. The documents hold `passages` in all and report on the `periods`, half-open. `described` is whether the
    question says what the document is about ("the paper on drift"), in words that its passages need not have, and
    `company` whether it names whose reports they are: by a symbol or in short, as they need not say it either.
    """

    text: str
    name: str
    documents: tuple[str, ...]
    confidence: float
    passages: int = 0
    periods: tuple[tuple[date, date], ...] = ()
    described: bool = False
    company: bool = False

    @property
    def spacious(self) -> bool:
        """Whether its documents hold so many passages that its own name tells none of them from the others."""
        return self.passages >= SPACIOUS * len(self.documents)

    @property
    def reporting(self) -> bool:
        """Whether it is a company with reports so long that its name tells none of their passages from the others."""
        return self.company and self.spacious


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """What a question asks for, as reports call it: a line of a statement, or a topic of the text.

    `confidence`, in [0, 1], says how surely it is asked for. `vectors` are those of the `labels`, of unit length,
    float32, shape (labels, dimension), zeros where the model does not read them. `statement` is where it stands, if in
    one.
    """

    name: str
    confidence: float
    labels: tuple[str, ...]
    vectors: np.ndarray
    statement: StatementKind | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RelatedWords:
    """The words by which passages call the items that a question asks for, and their vector."""

    text: str
    vector: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A question made ready for the warehouse.

    `query` is what is looked for: the text with the names of its times. `vector` is that of the query: unit length,
    float32, shape (dimension,). `windows` are the times, `as_of` is the day whose knowledge is asked for, `rest` the
    text without either. `order` is set where the newest is asked for ("latest", "When did I last …"), or the first.
    `names` are the people, places and things it names, `subjects` those that the catalogue knows, `lesson` is the
    number of a course's lesson. `soft_filters` are what passages should rather have, as filters would require it.
    `items` are those of reports that it asks for, looked for in documents that are known, and `related` is how answers
    call them. `foreign` is whether the model of the vectors was not trained for its script.
    """

    text: str
    query: str
    vector: np.ndarray
    windows: tuple[Window, ...] = ()
    as_of: datetime.date | None = None
    order: DayOrder | None = None
    rest: str = ""
    names: tuple[str, ...] = ()
    subjects: tuple[Subject, ...] = ()
    lesson: int | None = None
    soft_filters: Filters = field(default_factory=Filters)
    items: tuple[Item, ...] = ()
    related: RelatedWords | None = None
    foreign: bool = False
    filters: Filters = field(default_factory=Filters)
    ranking: Ranking = field(default_factory=Ranking)
    k: int = 5

    @property
    def named_times(self) -> tuple[Window, ...]:
        """The times that it names and does not exclude."""
        return tuple(each for each in self.windows if each.required and not each.excluded)
