"""Context of a question (the day, the collection, the limits), and the warning below answers from papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from dashboards.assistant.answer_types import AnswerSource
from dashboards.assistant.prompts import tagged
from dashboards.assistant.tools.contract import ToolContext
from warehouse.records import Filters, Kind

_DOCUMENTS_BY_KIND = (
    "SELECT kind, count(*) AS documents, sum(chunk_count)::BIGINT AS passages, min(document_date) AS first, "
    "max(document_date) AS last, count(*) - count(document_date) AS undated FROM documents "
    "WHERE status <> 'unreadable' GROUP BY kind ORDER BY documents DESC, kind"
)


def context_lines(context: ToolContext, condensed: str = "") -> str:
    """Lines for the model: today, the documents by kind, the person's limits, and the condensed conversation."""
    lines = [
        f"Today is {context.today:%A}, {context.today.isoformat()}.",
        f"The documents: {_documents_by_kind(context)}.",
    ]
    if context.within:
        limits = "; ".join(_limits(context.within))
        lines.append(f"The person limits every search to {limits}. The tools keep to that, or say that they cannot.")
    if condensed:
        lines += ["", "What was said before the messages, condensed:", tagged("conversation", condensed)]
    return "\n".join(lines)


def paper_warnings(context: ToolContext, sources: Sequence[AnswerSource]) -> tuple[str, ...]:
    """The warning below an answer from papers: the kinds of the papers, and that this is not medical advice."""
    entries = context.warehouse.snapshot.entries({source.hit.document_id for source in sources})
    papers = [
        f"[{source.number}] {entry.attributes.paper_type or 'paper'}"
        for source in sources
        if (entry := entries.get(source.hit.document_id)) and entry.kind is Kind.PAPER
    ]
    if not papers:
        return ()
    return (f"From research papers ({', '.join(papers)}). This is not medical advice; consult a doctor.",)


def _documents_by_kind(context: ToolContext) -> str:
    rows = context.warehouse.snapshot.records(_DOCUMENTS_BY_KIND)
    parts = [f"{row['documents']} of kind {row['kind']}{_days(row)}" for row in rows]
    return f"{'; '.join(parts)}; {sum(row['passages'] or 0 for row in rows)} passages in all" if rows else "none"


def _days(row: Mapping[str, Any]) -> str:
    """The range of the documents' dates, and how many documents have none."""
    dated = f", dated {row['first']} to {row['last']}" if row["first"] else ""
    if not row["undated"]:
        return dated
    return f"{dated}, {row['undated']} of them undated" if dated else ", undated"


def _limits(filters: Filters) -> Iterator[str]:
    for each in fields(Filters):
        value = getattr(filters, each.name)
        if value not in ((), None):
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            yield f"{each.name.replace('_', ' ')} {text}"
