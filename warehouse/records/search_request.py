"""Search requests: the question, what hits must satisfy, and how they are ranked; and parsed questions.

Every field of `Filters`, `Ranking` and `SearchRequest` that a person or program can set is declared once, here: its
type and default by the dataclass, its help, bounds and names by `RequestField`. The options of the command line, the
bodies of the HTTP API, the tools of agents, the filters of the pages and the documentation are made from that by
`dashboards.serializers.search_request`. A new filter is declared here, and applied in `warehouse.search.filters`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from warehouse.records.document import Kind, StatementKind

if TYPE_CHECKING:
    import numpy as np


class Mode(StrEnum):
    """Which of the two searches, by vectors and by words, find and score passages."""

    HYBRID = "hybrid"
    DENSE = "dense"
    KEYWORD = "keyword"


class Fusion(StrEnum):
    """How the two rankings become one.

    `WEIGHED` chooses the share of the vectors by the question and the scores; `CONVEX` takes a fixed share; `RRF` adds
    reciprocal ranks.
    """

    WEIGHED = "weighed"
    CONVEX = "convex"
    RRF = "rrf"


class Format(StrEnum):
    """The form in which a value of a field is written in a request."""

    TEXTS = "texts"  # Some texts, one of which is enough.
    KINDS = "kinds"  # Some values of `Kind`, one of which is enough.
    NUMBERS = "numbers"  # Some whole numbers, one of which is enough.
    FIRST_DAY = "first day"  # A day or a period in words, read as its first day.
    LAST_DAY = "last day"  # A day or a period in words, read as its last day.
    PERIOD = "period"  # A day or a period in words, read as its days, half-open.
    YEARS = "years"  # A year, or years like 2019-2021, 2019- or -2021; both ends are included.
    YES_NO = "yes or no"  # True, false, or not set.
    SHARE = "share"  # A number from 0 to 1.
    NUMBER = "number"  # A whole number.
    SWITCH = "switch"  # True by default.
    CHOICE = "choice"  # One value of an enumeration.
    TEXT = "text"  # One text; empty for none.


@dataclass(frozen=True, slots=True)
class RequestField:
    """The presentation of a field of a search request in every interface.

    `help` is one sentence; `option` is the name for one value on the command line and in addresses of pages ("kind" of
    `kinds`), `label` the title of its widget. `minimum` and `maximum` bound a number, or each of some. `earlier_names`
    are those of earlier versions, which are still read, with a notice. A filter of `passages` may be satisfied by some
    passages of a document and not by others. `example` is a value in the documentation of the HTTP API.
    """

    format: Format
    help: str
    option: str = ""
    label: str = ""
    minimum: int | None = None
    maximum: int | None = None
    passages: bool = False
    earlier_names: tuple[str, ...] = ()
    example: str = ""


_METADATA_KEY = "request"


_DEFAULTS: dict[Format, Any] = {Format.TEXTS: (), Format.KINDS: (), Format.NUMBERS: (), Format.SWITCH: True}
"""The values of fields that a request does not set, by format; None for other formats."""


def _declare_option(value_format: Format, help_text: str, option: str, label: str = "", **attributes: Any) -> Any:
    """A field of a dataclass that a request can set, with its `default` where that is not the one of its format."""
    default = attributes.pop("default", _DEFAULTS.get(value_format))
    declaration = RequestField(value_format, help_text, option, label, **attributes)
    return field(default=default, metadata={_METADATA_KEY: declaration})


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; an empty field requires nothing, of several values one is enough. Case is ignored.

    Of its document: `documents` are ids once names are resolved, `folders` are paths within a source folder, with or
    without its name (subfolders included); a tag includes those below it ("a" includes "a/b"). `since` and `until`
    bound its date, half-open, `years` too: the first and the last, both included. `as_of` requires documents dated on
    or before a day.

    Of the passage: every word of one of the `sections` must be in the path of its headings. `during`, half-open and
    open where it is None, requires a time that the passage names or its document reports on. `names` requires one
    that its document has as a name, or every word of which is in the passage.
    """

    kinds: tuple[Kind, ...] = _declare_option(Format.KINDS, "Only documents of a given kind.", "kind", "Kind")
    roots: tuple[str, ...] = _declare_option(
        Format.TEXTS, "Only documents of a given source folder, by its name.", "root", "Folder"
    )
    documents: tuple[str, ...] = _declare_option(
        Format.TEXTS,
        "Only given documents: sources, ids, titles or parts of them, or companies.",
        "document",
        "Document",
    )
    since: date | None = _declare_option(
        Format.FIRST_DAY,
        "Only documents dated on or after this day, or the start of this period.",
        "since",
        "Document dated from",
    )
    until: date | None = _declare_option(
        Format.FIRST_DAY,
        "Only documents dated before this day, or the start of this period.",
        "until",
        "Document dated before",
    )
    folders: tuple[str, ...] = _declare_option(
        Format.TEXTS, "Only documents below a given path, like 'reports/2023'.", "folder", "Path"
    )
    topics: tuple[str, ...] = _declare_option(Format.TEXTS, "Only documents of a given topic.", "topic", "Topic")
    journals: tuple[str, ...] = _declare_option(Format.TEXTS, "Only papers of a given journal.", "journal", "Journal")
    paper_types: tuple[str, ...] = _declare_option(
        Format.TEXTS,
        "Only papers of a given type, or reports of a given form, like 'research-article' or '10-K'.",
        "paper-type",
        "Type of paper or report",
    )
    tags: tuple[str, ...] = _declare_option(Format.TEXTS, "Only notes with a given tag, or one below it.", "tag", "Tag")
    languages: tuple[str, ...] = _declare_option(
        Format.TEXTS, "Only documents in a given language: en, zh, und.", "language", "Language"
    )
    years: tuple[int, int] | None = _declare_option(
        Format.YEARS,
        "Only documents dated in this year, or in years like 2019-2021.",
        "years",
        "Years of the document",
        earlier_names=("year", "min_year", "max_year"),
        example="2019-2021",
    )
    as_of: datetime.date | None = _declare_option(
        Format.LAST_DAY, "Only documents dated up to this day, or the end of this period.", "as-of", "Known on"
    )
    pages: tuple[int, ...] = _declare_option(
        Format.NUMBERS, "Only passages of a given page.", "page", "Page", minimum=1, maximum=2**31 - 1, passages=True
    )
    lessons: tuple[int, ...] = _declare_option(
        Format.NUMBERS,
        "Only a given lesson of a course.",
        "lesson",
        "Lesson",
        minimum=0,
        maximum=2**31 - 1,
        passages=True,
    )
    sections: tuple[str, ...] = _declare_option(
        Format.TEXTS, "Only below a heading with given words.", "section", "Section", passages=True
    )
    tables: bool | None = _declare_option(
        Format.YES_NO,
        "Only passages with a table, or only those without.",
        "tables",
        "With a table",
        passages=True,
        earlier_names=("has_table",),
    )
    min_quality: float | None = _declare_option(
        Format.SHARE,
        "Only passages of at least this quality, from 0 to 1.",
        "min-quality",
        "Lowest quality",
        passages=True,
        earlier_names=("quality",),
    )
    during: tuple[date | None, date | None] | None = _declare_option(
        Format.PERIOD,
        "Only passages that mention this period, like 'Q2 2023', or whose document reports on it.",
        "during",
        "Period mentioned",
        passages=True,
        example="Q2 2023",
    )
    names: tuple[str, ...] = _declare_option(
        Format.TEXTS, "Only passages about a given name.", "name", "Name", passages=True
    )

    def __bool__(self) -> bool:
        """Whether it requires anything."""
        return self != Filters()

    @property
    def bounds_dates(self) -> bool:
        """Whether it bounds the date of documents, so that undated ones are excluded."""
        return any((self.since, self.until, self.years, self.as_of))

    @property
    def timeless(self) -> Filters:
        """The same without its conditions on times."""
        return replace(self, during=None, since=None, until=None, years=None, as_of=None)

    @property
    def passage_fields(self) -> tuple[str, ...]:
        """The fields with a condition that some passages of a document may satisfy and others not."""
        names = (name for name, declared in FILTER_FIELDS.items() if declared.passages)
        return tuple(name for name in names if getattr(self, name) not in ((), None))


@dataclass(frozen=True, slots=True)
class Ranking:
    """How passages are ranked: each part can be left out or changed, so that it can be measured.

    `alpha` is the share of the vectors, in [0, 1], for `Fusion.CONVEX`. At most `per_document` hits are of one
    document. `reranker` names one of the family, or none.
    """

    mode: Mode = _declare_option(
        Format.CHOICE,
        "How to search: by meaning plus words (hybrid), by meaning only (dense), or by words only (keyword).",
        "mode",
        default=Mode.HYBRID,
    )
    fusion: Fusion = _declare_option(
        Format.CHOICE,
        "Combine both rankings by weights that the question decides, by a fixed share (convex), or by ranks (rrf).",
        "fusion",
        default=Fusion.WEIGHED,
    )
    alpha: float | None = _declare_option(Format.SHARE, "Share of the vectors in convex fusion, from 0 to 1.", "alpha")
    times: bool = _declare_option(Format.SWITCH, "Rank by the times in the question.", "times")
    names: bool = _declare_option(Format.SWITCH, "Rank by the names in the question.", "names")
    relevance_feedback: bool = _declare_option(
        Format.SWITCH, "Search again with what the first hit names.", "relevance-feedback"
    )
    query_expansion: bool = _declare_option(
        Format.SWITCH,
        "Search also with the glossary's other words for the same.",
        "query-expansion",
        earlier_names=("related",),
    )
    distinct: bool = _declare_option(Format.SWITCH, "Show near duplicates once.", "distinct")
    merge: bool = _declare_option(
        Format.SWITCH, "Show a section in the place of several of its small passages.", "merge"
    )
    per_document: int | None = _declare_option(
        Format.NUMBER, "At most this many hits of one document.", "per-document", minimum=1, maximum=1000
    )
    half_life: int | None = _declare_option(
        Format.NUMBER,
        "Days after which a passage counts half where the newest is asked for: 14 in diaries, else 365.",
        "half-life",
        minimum=1,
        maximum=36_500,
    )
    reranker: str = _declare_option(
        Format.TEXT,
        "Reorder the best hits with this reranker, or with none.",
        "reranker",
        earlier_names=("rerank",),
        default="",
    )


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question before it is parsed: its text, what hits must satisfy, how they are ranked, and how many.

    `literal_terms` are words of it that are to be read as plain words, whatever their case: not as a time, a name or a
    soft filter. `notes` say how its names were read, a sentence each.
    """

    text: str
    filters: Filters = field(default_factory=Filters)
    ranking: Ranking = field(default_factory=Ranking)
    k: int = 5
    literal_terms: tuple[str, ...] = _declare_option(
        Format.TEXTS,
        "Read given words of the question as plain words, not as a time, a name or a filter.",
        "literal",
        earlier_names=("plainly",),
    )
    notes: tuple[str, ...] = ()


def _collect_fields(record: type) -> Mapping[str, RequestField]:
    declared = (record_field for record_field in fields(record) if _METADATA_KEY in record_field.metadata)
    return MappingProxyType({record_field.name: record_field.metadata[_METADATA_KEY] for record_field in declared})


FILTER_FIELDS = _collect_fields(Filters)  # The declarations of `Filters`, by the name of the field.
RANKING_FIELDS = _collect_fields(Ranking)  # The declarations of `Ranking`, by the name of the field.
LITERAL_TERMS = _collect_fields(SearchRequest)["literal_terms"]


@dataclass(frozen=True, slots=True)
class Window:
    """A time that a question asks about, half-open; None is an open side.

    `required` is whether it names the time ("in Q1 2023", "before 2020") or only prefers it ("latest"). Where a
    second reading was possible (the calendar's quarter and the company's), `other_start` and `other_end` are its days.
    `text` are the question's words, `name` is that of the time in context prefixes ("Q3 2023"), if it has one.

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
    """Which relevant passages come first, by their own days."""

    NEWEST = "newest"
    OLDEST = "oldest"


MIN_PASSAGES_PER_DOCUMENT = 20  # From this mean on, the passages of a document need not name its subject.


@dataclass(frozen=True, slots=True)
class Subject:
    """Something of the catalogue that a question names: a company, paper, course or note, and its documents.

    `text` are the question's words, `name` is how the catalogue has it, `confidence` in [0, 1] says how surely they are
    the same. The documents have `passages` in all and report on the `periods`, half-open. `described` is whether the
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
    def has_many_passages(self) -> bool:
        """Whether its documents have so many passages that its name does not distinguish them."""
        return self.passages >= MIN_PASSAGES_PER_DOCUMENT * len(self.documents)

    @property
    def is_large_company(self) -> bool:
        """Whether it is a company with reports so long that its name does not distinguish their passages."""
        return self.company and self.has_many_passages


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A line of a statement, or a topic of the text, that a question asks for, as reports call it.

    `confidence`, in [0, 1], says how surely it is asked for. `vectors` are those of the `labels`, of unit length,
    float32, shape (labels, dimension), zeros where the model does not read them. `statement` is the one that
    contains it, if any.
    """

    name: str
    confidence: float
    labels: tuple[str, ...]
    vectors: np.ndarray
    statement: StatementKind | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RelatedWords:
    """The words that passages use for an item that a question asks for, and their vector.

    `weight`, in (0, 1], is the item's confidence as a share of the surest one's.
    """

    text: str
    vector: np.ndarray
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A parsed question.

    `query` is the text to search for: that of the question with the names of its times. `vector` is that of the query:
    unit length, float32, shape (dimension,). `windows` are the times, `as_of` is the day up to which documents may be
    dated, `rest` the text without either. `order` is set where the newest is asked for ("latest", "When did I
    last …"), or the first. `names` are the people, places and things it names, `subjects` those that the catalogue
    knows, `lesson` is the number of a course's lesson. `soft_filters` are conditions that passages should satisfy, as
    filters would require it. `items` are those of reports that it asks for, if documents are known, and `related` are
    the words that answers use for each of them. `foreign` is whether the model of the vectors was not trained for
    its script.
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
    related: tuple[RelatedWords, ...] = ()
    foreign: bool = False
    filters: Filters = field(default_factory=Filters)
    ranking: Ranking = field(default_factory=Ranking)
    k: int = 5

    @property
    def named_times(self) -> tuple[Window, ...]:
        """The times that it names and does not exclude."""
        return tuple(window for window in self.windows if window.required and not window.excluded)
