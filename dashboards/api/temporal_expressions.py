"""`POST /api/dates`: the temporal expressions of a text, as `kalends dates --json` prints them."""

from __future__ import annotations

import datetime
from datetime import UTC
from typing import Annotated

from fastapi import APIRouter
from pydantic import ConfigDict, Field, StrictBool
from pydantic.config import JsonDict

from dashboards.api.problems import describe_error_responses
from dashboards.api.runtime import Shared
from dashboards.serializers.mentions import ReadDayOrder, ReadLanguage, TextReading, parse_moment, serialize_mention
from dashboards.serializers.problems import DocumentedModel
from warehouse.records import Calendar, Grain, Modifier, TimexType

router = APIRouter()
EXAMPLE: JsonDict = {
    "text": "Revenue rose in the third quarter; we guide to the second half of fiscal 2026.",
    "anchor": "2025-10-30",
    "fiscal_year_end": "09-30",
}


class DatesRequest(DocumentedModel):
    """A text, and how its times are to be read."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    text: str
    """The text, in a language that Kalends reads."""
    anchor: Annotated[str, Field(max_length=40)] = ""
    """The date or time of writing, in ISO 8601, that relative expressions count from; empty for today (UTC)."""
    fiscal_year_end: Annotated[str, Field(max_length=80)] = ""
    """The last day of fiscal years, like `09-30` or `last Saturday of September`; empty for what the text says."""
    day_order: ReadDayOrder | None = None
    language: ReadLanguage = ReadLanguage.ANY
    ages: StrictBool = False
    """Whether ages of people are expressions too, as in TimeML."""


class MentionShape(DocumentedModel):
    """A temporal expression of a text, read as a TIMEX3 value and as days. What does not apply to it is left out."""

    start: int
    """The offset of the expression in the text, in characters."""
    end: int
    text: str
    type: TimexType
    value: str
    """The TIMEX3 value (ISO-TimeML)."""
    start_date: datetime.date | None
    """The first day that is meant; null if it is open, or the expression is a length or a repetition."""
    end_date: datetime.date | None
    """The day after the last one that is meant."""
    grain: Grain | None
    relative: bool
    calendar: Calendar
    anchor: datetime.date | None = None
    """The day that a relative expression was counted from."""
    mod: Modifier | None = None
    quant: str = ""
    freq: str = ""
    other_start_date: datetime.date | None = None
    """The first day of the reading that was not chosen, where there are two."""
    other_end_date: datetime.date | None = None
    basis: str = ""
    """Why this reading was chosen."""


class DatesAnswer(DocumentedModel):
    """The temporal expressions of a text, in its order."""

    anchor: str
    """The day or moment that relative expressions count from."""
    mentions: list[MentionShape]


@router.post(
    "/api/dates",
    tags=["dates"],
    response_model_exclude_unset=True,
    responses=describe_error_responses(400, 413, 422),
)
async def dates(body: DatesRequest, service: Shared) -> DatesAnswer:
    """Find the dates, periods, durations and repetitions in a text, as intervals [from, to). Needs no warehouse."""
    anchor = parse_moment(body.anchor) if body.anchor else datetime.datetime.now(UTC).date()
    reading = TextReading(body.language, body.day_order, body.fiscal_year_end, body.ages)
    mentions_found = await service.run_search(lambda: reading.find_mentions(body.text, anchor))
    mentions = [MentionShape.model_validate(serialize_mention(mention)) for mention in mentions_found]
    return DatesAnswer(anchor=anchor.isoformat(), mentions=mentions)
