"""`POST /api/search`."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StrictBool
from pydantic.config import JsonDict

from dashboards.api.problems import error_responses
from dashboards.api.schemas import HitShape, Understood
from dashboards.api.search_body import SearchBody
from dashboards.api.service import Shared
from dashboards.assistant.tools.contract import ToolContext
from dashboards.serializers.records import hit_json, question_json
from tasks.ask.excerpts import with_excerpts
from tasks.ask.finding import find
from warehouse.records import Hit

EXAMPLE: JsonDict = {"query": "nitrate drift of moored sensors", "kinds": ["paper"], "min_year": 2020, "boxes": True}
router = APIRouter(tags=["search"])


class SearchParameters(SearchBody):
    """What to look for, and what to tell of it."""

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    excerpts: StrictBool = True
    """Whether the part of each passage that answers is looked for, which takes longer than to find the passages."""
    boxes: StrictBool = False
    """Whether each hit says where on its page that part, or else the passage, stands."""


class SearchAnswer(BaseModel):
    """The passages that answer best."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    question: str
    understood: Understood
    notes: list[str]
    """Where the search departed from what was asked, a sentence each."""
    hits: list[HitShape]
    generation: int
    """The number of the generation that was searched."""


@router.post("/api/search", responses=error_responses(400, 404, 413, 422, 503))
async def search(asked: SearchParameters, service: Shared) -> SearchAnswer:
    """Find the passages that answer a question best, each with its citation and the part of it that answers."""
    return await service.searching(lambda: _found(asked, service.held_desk()))


def _found(asked: SearchParameters, context: ToolContext) -> SearchAnswer:
    found = find(context.warehouse, asked.request(context), context.embedder, context.today)
    hits = with_excerpts(found.question, found.hits, context.embedder) if asked.excerpts else found.hits
    return SearchAnswer(
        question=asked.query,
        understood=question_json(found.question),
        notes=list(found.notes),
        hits=[_shape(hit, context, boxes=asked.boxes) for hit in hits],
        generation=context.warehouse.generation,
    )


def _shape(hit: Hit, context: ToolContext, *, boxes: bool) -> HitShape:
    span = hit.excerpt or (hit.start, hit.end)
    regions = context.warehouse.regions(hit.document_id, *span) if boxes else ()
    return HitShape.model_validate({**hit_json(hit), "regions": regions}, from_attributes=True)
