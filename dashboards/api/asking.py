"""How a question is asked: what hits must satisfy, and how passages are ranked."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.tools.inputs import as_of_day, during_of, start_of
from tasks.ask.document_names import resolved
from warehouse.errors import BadInput
from warehouse.records import Filters, Fusion, Kind, Mode, Ranking, SearchRequest


def _whole(given: object) -> object:
    """A number with nothing behind its point is whole in JSON Schema."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


WHOLE = BeforeValidator(_whole)
"""After the bounds, which the description would lose otherwise."""
Word = Annotated[str, Field(min_length=1, max_length=300)]
Many = Annotated[list[Word], Field(max_length=100)]
"""One of the values is enough."""
Lessons = Annotated[list[Annotated[int, Field(ge=0, le=2**31 - 1, strict=True), WHOLE]], Field(max_length=100)]
Pages = Annotated[list[Annotated[int, Field(ge=1, le=2**31 - 1, strict=True), WHOLE]], Field(max_length=100)]
Time = Annotated[str, Field(max_length=100, examples=["Q2 2023"])]
"""A day or a period in words, relative ones read from today; empty for none."""
Year = Annotated[int, Field(ge=MINYEAR, le=MAXYEAR, strict=True), WHOLE]


class Within(BaseModel):
    """What hits must satisfy; an empty field asks for nothing, of several values one is enough. Case never counts."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    kinds: list[Kind] = Field(default=[], max_length=10)
    """Only documents of these kinds."""
    roots: Many = []
    """Only documents of these roots."""
    folders: Many = []
    """Only documents below these folders of a root."""
    documents: Many = []
    """Only these documents: ids, sources, titles or parts of them, or companies."""
    topics: Many = []
    """Only documents of these topics."""
    journals: Many = []
    """Only papers of these journals."""
    paper_types: Many = []
    """Only papers of these types."""
    tags: Many = []
    """Only notes with these tags, or with some below them."""
    languages: Many = []
    """Only documents in these languages: en, zh, und."""
    lessons: Lessons = []
    """Only these lessons of a course."""
    sections: Many = []
    """Only below headings that have these words."""
    pages: Pages = []
    """Only passages of these pages."""
    names: Many = []
    """Only passages about these names."""
    during: Time = ""
    """Only passages that speak of this time, like 'Q2 2023'."""
    since: Time = ""
    """Only documents dated on or after this day, or the start of a time."""
    until: Time = ""
    """Only documents dated before this day, or the start of a time."""
    as_of: Time = ""
    """Only what was known on this day, or at the end of a time."""
    min_year: Year | None = None
    """Only documents dated in this year or later."""
    max_year: Year | None = None
    """Only documents dated in this year or earlier."""
    has_table: StrictBool | None = None
    """Only passages with a table, or only those without."""
    min_quality: float | None = Field(default=None, ge=0, le=1, strict=True)
    """Only passages of at least this quality."""

    def filters(self, context: ToolContext) -> Filters:
        """The same as a record, documents as they are named. Raises `BadInput` for words that name no time."""
        return Filters(
            kinds=tuple(self.kinds),
            roots=tuple(self.roots),
            documents=tuple(self.documents),
            since=start_of(self.since, context.today),
            until=start_of(self.until, context.today),
            folders=tuple(self.folders),
            topics=tuple(self.topics),
            journals=tuple(self.journals),
            paper_types=tuple(self.paper_types),
            tags=tuple(self.tags),
            languages=tuple(self.languages),
            years=self._years(),
            as_of=as_of_day(self.as_of, context.today),
            pages=tuple(self.pages),
            lessons=tuple(self.lessons),
            sections=tuple(self.sections),
            has_table=self.has_table,
            quality=self.min_quality,
            during=during_of(self.during, context.today),
            names=tuple(self.names),
        )

    def _years(self) -> tuple[int, int] | None:
        if self.min_year is None and self.max_year is None:
            return None
        first, last = self.min_year or MINYEAR, self.max_year or MAXYEAR
        if first > last:
            raise BadInput(f"min_year {first} is after max_year {last}", "exchange them")
        return first, last


class Ranked(BaseModel):
    """How passages are ranked: each part can be left out or changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    mode: Mode = Mode.HYBRID
    """Which half of the search is used."""
    fusion: Fusion = Fusion.WEIGHED
    """How the halves become one ranking."""
    alpha: float | None = Field(default=None, ge=0, le=1, strict=True)
    """The share of the vectors in convex fusion."""
    times: StrictBool = True
    """Whether the times of the question count."""
    names: StrictBool = True
    """Whether its names do."""
    related: StrictBool = True
    """Whether other words for the same do."""
    distinct: StrictBool = True
    """Whether near duplicates take one place."""
    merge: StrictBool = True
    """Whether a section takes the place of its small passages."""
    per_document: Annotated[int, Field(ge=1, le=1000, strict=True), WHOLE] | None = None
    """At most this many hits of one document."""
    rerank: str = Field(default="", pattern="^[a-z]*$", max_length=40)
    """Order the best anew with this reranker."""

    def ranking(self) -> Ranking:
        """The same as a record."""
        return Ranking(
            mode=self.mode,
            fusion=self.fusion,
            alpha=self.alpha,
            times=self.times,
            names=self.names,
            related=self.related,
            distinct=self.distinct,
            merge=self.merge,
            per_document=self.per_document,
            reranker=self.rerank,
        )


class SearchBody(Within):
    """A question with all that can be demanded of what is found."""

    query: str = Field(min_length=1, max_length=10_000, examples=["What was the revenue in Q2 2025?"])
    """The question, in words; the times and names in it count."""
    count: Annotated[int, Field(ge=1, le=50, strict=True), WHOLE] = 5
    """How many passages."""
    ranking: Ranked = Ranked()

    def wanted(self, context: ToolContext) -> SearchRequest:
        """The same as a record, its names resolved. Raises as `filters` does, and `UnknownDocument`."""
        return resolved(
            context.warehouse, SearchRequest(self.query, self.filters(context), self.ranking.ranking(), self.count)
        )
