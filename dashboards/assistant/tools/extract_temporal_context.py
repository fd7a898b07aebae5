"""The tool `extract_temporal_context`: the temporal expressions of a text with their days."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field
from pydantic_core import to_jsonable_python

from dashboards.assistant.tools.contract import After, Text, Tokens, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_spans import format_period
from dashboards.serializers.mentions import serialize_mention
from tasks.parsers.language import detect_language
from tasks.query.filter_values import find_document
from tasks.temporal.fiscal_inference import infer_text_calendar
from tasks.temporal.tagger import tag
from tasks.token_budget import DEFAULT_BUDGET, clip, shorten_quote, take_fitting_lines
from warehouse.errors import BadInput
from warehouse.records import Calendar, Mention

MAX_TEXT_LENGTH = 20_000  # Characters of a text.
WORDS = 20  # Tokens of an expression that are shown.


def extract_temporal_context(
    context: ToolContext,
    text: Annotated[str, Field(min_length=1, max_length=MAX_TEXT_LENGTH, description="English or Chinese.")],
    anchor: Annotated[
        str,
        Field(max_length=20, description="The day it was written, YYYY-MM-DD; else the document's or today."),
    ] = "",
    document: Annotated[Text, Field(description="Whose date and fiscal years count.")] = "",
    after: After = 0,
    tokens: Tokens = DEFAULT_BUDGET,
) -> ToolResult:
    """Find the times a text speaks of, as TIMEX3 values and days, relative ones resolved ("last quarter").

    Dates, periods, lengths and repetitions; fiscal ones by the calendar that the text or the document tells.
    """
    entry = find_document(context.warehouse, document) if document.strip() else None
    day = entry.document_date if entry else context.today
    if anchor.strip():
        try:
            day = date.fromisoformat(anchor.strip())
        except ValueError:
            raise BadInput(f"'{shorten_quote(anchor)}' is not a date", "write it as 2023-05-17") from None
    calendar = infer_text_calendar(text, detect_language(text)) or (entry.fiscal_calendar if entry else None)
    mentions = tag(text, day, detect_language(text), fiscal=calendar)
    lines = [_format_mention(number, mention) for number, mention in enumerate(mentions[after:], after + 1)]
    lines_shown = take_fitting_lines(lines, tokens - 80)
    last = after + len(lines_shown)
    fiscal = f"; fiscal years: {clip(calendar.basis, 40)}" if calendar else ""
    day_note = f"counted from {day}" if day else "relative ones without days, since the document is undated"
    head = f"{len(mentions)} time{'' if len(mentions) == 1 else 's'}, {day_note}{fiscal}:"
    end = [f"{len(mentions) - last} more: after={last}."] if lines_shown and last < len(mentions) else []
    times = to_jsonable_python(list(map(serialize_mention, mentions[after:last])))
    nothing = f"The text names no time (read on {day})." if day else "The text names no time."
    text_shown = "\n".join([head, *lines_shown, *end]) if mentions else nothing
    return ToolResult(text_shown, data={"anchor": day.isoformat() if day else None, "times": times})


def _format_mention(number: int, mention: Mention) -> str:
    fiscal = " fiscal" if mention.calendar is Calendar.FISCAL else ""
    other = format_period(mention.other_start, mention.other_end)
    parts = [
        f"{number}. “{clip(' '.join(mention.text.split()), WORDS)}”",
        f"{mention.type.value} {mention.value}{fiscal}",
        format_period(mention.start_date, mention.end_date),
        mention.modifier.value if mention.modifier else "",
        f"{mention.quant} {mention.freq}".strip(),
        f"or, read otherwise, {other}" if other else "",
        clip(mention.basis, WORDS),
    ]
    return " | ".join(filter(None, parts))


member = Tool(extract_temporal_context)
