"""The tool `describe_collection`: questions about the documents themselves, answered from their records."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.document_spans import DocumentSpan, first_hits_at
from dashboards.assistant.tools.inputs import LONGEST, Tokens
from tasks.ask.collection.answers import collection_answer
from tasks.token_budget import BUDGET, clip
from warehouse.records import Filters

UNREAD = (
    "This asks nothing of the collection that its records answer: use search for what documents say, "
    "list_documents for a list by filters."
)


def describe_collection(
    context: ToolContext,
    question: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST, description="Like 'which papers by Berg are from 2020', as a whole."),
    ],
    tokens: Tokens = BUDGET,
) -> ToolResult:
    """Answer a question about the documents themselves from their records, with exact counts and links.

    Which documents are on a topic, by an author, from a year, journal or company; how many; the newest; who teaches a
    course, its outline, what is in a lesson; which topics, companies, tags there are.
    """
    warehouse = context.warehouse.at()
    answer = collection_answer(warehouse, question, context.bound(Filters()), context.today)
    if answer is None:
        return ToolResult(UNREAD, data={"answer": "", "documents": [], "more": 0, "notes": []})
    hits = first_hits_at(
        warehouse, [DocumentSpan(each.document_id, each.start, each.start + 1) for each in answer.entries]
    )
    notes = [f"Note: {note}" for note in answer.notes]
    text = clip("\n".join([*notes, answer.text()]), tokens)
    entries = [
        {"text": entry.text, "source": hit.citation.source if hit else "", "url": hit.citation.url if hit else ""}
        for entry, hit in zip(answer.entries, hits, strict=True)
    ]
    data = {"answer": answer.head, "documents": entries, "more": answer.more, "notes": list(answer.notes)}
    return ToolResult(text, tuple({hit.chunk_id: hit for hit in hits if hit}.values()), data)


member = Tool(describe_collection)
