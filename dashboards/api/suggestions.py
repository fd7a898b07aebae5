"""`GET /api/suggestions`: questions that the documents answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from dashboards.api.problems import describe_error_responses
from dashboards.api.runtime import Shared
from dashboards.assistant.suggestions.suggested_questions import MAX_QUESTIONS, SuggestionKind
from dashboards.serializers.problems import DocumentedModel

router = APIRouter()


class SuggestionShape(DocumentedModel):
    """A question, and the document that it was made from, which its answer quotes first."""

    query: str
    """The question, as `POST /api/query` and `/api/search` take it."""
    kind: SuggestionKind
    document_id: str
    source: str
    """The file: the name of its source folder, and its path in that folder."""
    title: str


class SuggestionList(DocumentedModel):
    """Questions of different kinds; the same ones, in the same order, as long as the generation is published."""

    generation: int
    suggestions: list[SuggestionShape]


@router.get("/api/suggestions", tags=["suggestions"], responses=describe_error_responses(422, 503))
async def suggestions(
    service: Shared, count: Annotated[int, Query(ge=1, le=MAX_QUESTIONS, description="At most so many questions.")] = 6
) -> SuggestionList:
    """Suggest questions that the documents answer, each of which was tried."""

    def suggest() -> SuggestionList:
        generation, questions = service.get_suggestions()
        return SuggestionList(
            generation=generation,
            suggestions=[
                SuggestionShape(
                    query=each.text,
                    kind=each.kind,
                    document_id=each.source.document_id,
                    source=each.source.source,
                    title=each.source.title,
                )
                for each in questions.get_first(count)
            ],
        )

    return await service.run_search(suggest)
