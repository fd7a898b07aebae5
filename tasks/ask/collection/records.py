"""Records of a question about the collection, and of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from warehouse.records import Kind


class Intent(StrEnum):
    """The kind of a question about the collection."""

    LIST = "list"
    COUNT = "count"
    NEWEST = "newest"
    OLDEST = "oldest"
    VALUES = "values"
    YEARS = "years"
    PEOPLE = "people"
    LESSON = "lesson"
    OUTLINE = "outline"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun for documents: their kind (None for all), their type of paper, and the unit that is counted.

    An `is_ambiguous` noun has other meanings ("notes", "classes"), so there must be documents of its kind.
    """

    text: str
    kind: Kind | None = None
    paper_type: str = ""
    unit: str = "documents"
    is_ambiguous: bool = False

    @property
    def singular(self) -> str:
        """The name of one of them."""
        return self.text.removesuffix("s")


@dataclass(frozen=True, slots=True)
class Condition:
    """A marker ("by", "about", "in", "before" the noun) and the words that belong to it."""

    marker: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectionQuestion:
    """A question about the collection.

    `conditions` limit the documents, `modifier` are the words before the noun, `field` is the field or fact asked for,
    `name` the document asked about, `lesson` the number of a lesson. `names_collection`: the question names the
    collection itself ("here", "do you have"); `count` is how many documents are asked for, 0 without a number.
    """

    intent: Intent
    noun: Noun = Noun("documents")
    conditions: tuple[Condition, ...] = ()
    modifier: str = ""
    field: str = ""
    name: str = ""
    lesson: int | None = None
    names_collection: bool = False
    count: int = 0


MAX_LISTED = 10  # Documents that an answer lists; the rest are counted.


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer, and the position in a document that it links to, if any."""

    text: str
    document_id: str = ""
    start: int = 0


@dataclass(frozen=True, slots=True)
class CollectionAnswer:
    """An answer from the records: a sentence, or the heading of `entries`; `more` counts unlisted ones."""

    head: str
    entries: tuple[AnswerLine, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()

    def format_text(self, numbers: Sequence[int | None] = ()) -> str:
        """The answer in words, each entry with the number of its source if it has one."""
        if not self.entries:
            return f"{self.head}."
        marks = [f" [{number}]" if number else "" for number in numbers] or [""] * len(self.entries)
        lines = [f"- {entry.text}{mark}" for entry, mark in zip(self.entries, marks, strict=True)]
        more = ["", f"and {self.more:,} more"] if self.more else []
        return "\n".join([f"{self.head}:", "", *lines, *more])
