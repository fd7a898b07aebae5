"""The body of a question: what hits must satisfy, and how passages are ranked, from the one declaration of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, PrivateAttr, create_model, model_validator

from dashboards.assistant.tools.contract import ToolContext
from dashboards.serializers.search_request import WHOLE, current_names, filters_of, input_fields, ranking_of
from tasks.query.filter_values import resolve_filter_names
from warehouse.errors import BadInput
from warehouse.records import SearchRequest
from warehouse.records.search_request import FILTER_FIELDS, LITERAL_TERMS, RANKING_FIELDS, RequestField

_QUESTION_FIELDS = {**FILTER_FIELDS, "literal_terms": LITERAL_TERMS}


class _Body(BaseModel):
    """A model that also reads the earlier names of its fields, and keeps a notice for each."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    declarations: ClassVar[Mapping[str, RequestField]]
    _notices: list[str] = PrivateAttr(default_factory=list)

    @model_validator(mode="wrap")
    @classmethod
    def _by_current_names(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(values, dict):
            return handler(values)
        try:
            current, notices = current_names(values, cls.declarations)
        except BadInput as error:
            raise ValueError(str(error)) from None
        body = handler(current)
        body._notices.extend(notices)
        return body

    def given(self) -> dict[str, Any]:
        """What was given, by the names of the fields."""
        return {name: getattr(self, name) for name in self.declarations if name in self.model_fields_set}


class _RankingBody(_Body):
    declarations = RANKING_FIELDS


class _FilterBody(_Body):
    declarations = _QUESTION_FIELDS


if TYPE_CHECKING:
    RankingBody = _RankingBody
    FilterBody = _FilterBody
else:
    RankingBody = create_model(
        "RankingBody",
        __base__=_RankingBody,
        __doc__="How passages are ranked: each part can be left out or changed.",
        **input_fields(RANKING_FIELDS),
    )
    FilterBody = create_model("FilterBody", __base__=_FilterBody, **input_fields(_QUESTION_FIELDS))


class SearchBody(FilterBody):
    """A question with all that can be demanded of what is found; of several values of a field one is enough."""

    query: str = Field(min_length=1, max_length=10_000, examples=["What was the revenue in Q2 2025?"])
    """The question, in words; the times and names in it count."""
    count: Annotated[int, Field(ge=1, le=50, strict=True), WHOLE] = 5
    """How many passages."""
    ranking: RankingBody = RankingBody()

    def request(self, context: ToolContext) -> SearchRequest:
        """The same as a record, its names resolved.

        Raises `BadInput` for words that name no time, and `UnknownDocument`.
        """
        values = self.given()
        terms = tuple(values.pop("literal_terms", ()))
        filters, ranking = filters_of(values, context.today), ranking_of(self.ranking.given())
        request = resolve_filter_names(
            context.warehouse, SearchRequest(self.query, filters, ranking, self.count, terms)
        )
        return replace(request, notes=(*request.notes, *self._notices, *self.ranking._notices))
