"""What the person who asks limits documents to, whatever a model asks for."""

from __future__ import annotations

from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import BadInput
from warehouse.search.filtering import predicate


def limited(context: ToolContext, documents: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some documents, of all where none are given, that `context.within` allows; ids in and out.

    Where it demands nothing they stay as they are. Raises `BadInput` where none is left.
    """
    if not context.within:
        return documents
    condition, parameters = predicate(context.within)
    rows = context.warehouse.snapshot.rows(f"SELECT document_id FROM documents WHERE {condition}", parameters)  # noqa: S608
    allowed = {str(row[0]) for row in rows}
    left = tuple(each for each in documents or sorted(allowed) if each in allowed)
    if not left:
        raise BadInput("no such document is within what the person limits the question to", "look in others")
    return left
