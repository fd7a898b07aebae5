"""Records of a question about the collection, and of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from warehouse.records import Kind


class Intent(StrEnum):
    """What is asked of the collection."""

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
    """What documents are called: their kind (None for all), their type of paper, and the unit that is counted.

    A `is_ambiguous` noun has other meanings as well ("notes", "classes"): documents of its kind must be there.
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
    """A marker ("by", "about", "in", "before" the noun) and the words that it stands with."""

    marker: str
    text: str


@dataclass(frozen=True, slots=True)
class CollectionQuestion:
    """A question about the collection.

    `conditions` limit the documents, `modifier` stands before the noun, `field` is what values are asked for or the
    fact of a document, `name` the document that is asked about, `lesson` its number. `names_collection`: the question
    names the collection itself ("here", "do you have"); `count` is how many are asked for, 0 where it is not said.
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
    """A line of an answer, and the place in a document that it leads to, where it leads to one."""

    text: str
    document_id: str = ""
    start: int = 0


@dataclass(frozen=True, slots=True)
class CollectionAnswer:
    """What the records say: a sentence, or the heading of `entries`; `more` counts those that are not listed."""

    head: str
    entries: tuple[AnswerLine, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()

    def format_text(self, numbers: Sequence[int | None] = ()) -> str:
        """The answer in words, each entry with the number of its source where it has one."""
        if not self.entries:
            return f"{self.head}."
        marks = [f" [{number}]" if number else "" for number in numbers] or [""] * len(self.entries)
        lines = [f"- {each.text}{mark}" for each, mark in zip(self.entries, marks, strict=True)]
        more = ["", f"and {self.more:,} more"] if self.more else []
        return "\n".join([f"{self.head}:", "", *lines, *more])
