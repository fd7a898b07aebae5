"""Finding passages."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dashboards.tools.contract import Desk, Given, Tool
from tasks.ask.excerpts import with_excerpts
from tasks.ask.finding import find
from warehouse.records import Filters, Kind, Wanted


def search(
    desk: Desk,
    question: Annotated[str, Field(description="What to look for, in words; times and names in it count.")],
    kinds: Annotated[list[Kind], Field(description="Only documents of these kinds.")] = [],  # noqa: B006 - never changed
    count: Annotated[int, Field(ge=1, le=20, description="How many passages.")] = 5,
) -> Given:
    """Find the passages of the documents that answer a question best, each with its source, page and date."""
    found = find(desk.warehouse, Wanted(question, Filters(kinds=tuple(kinds)), k=count), desk.embedder, desk.today)
    hits = tuple(with_excerpts(found.question, found.hits, desk.embedder))
    texts = [
        f"[{number}] {hit.citation.formatted}\n{hit.excerpt_text or hit.text}" for number, hit in enumerate(hits, 1)
    ]
    return Given("\n\n".join([*found.notes, *texts]) or "Nothing was found.", hits)


member = Tool(search)
