"""Limits of the person's request, enforced on every tool that a model uses for it.

Tools that search replace their own filters by the limits (`ToolContext.limit_filters`). Those that open a document by
name are checked here: the document must be within the limits. A tool that can do neither is refused, also a new one.
Only a search of passages can keep to limits on passages, such as those on pages or times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from dashboards.assistant.tools.contract import ToolContext
from dashboards.assistant.vault.notes import map_notes_in_warehouse, open_vault
from tasks.query.filter_values import find_document
from warehouse.errors import BadInput
from warehouse.search.filters import build_condition


def select_allowed_documents(context: ToolContext, documents: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of some documents, or of all where none are given, that `context.within` allows.

    Without limits they stay as they are. Raises `BadInput` where none is left.
    """
    if not context.within:
        return documents
    condition, parameters = build_condition(context.within)
    rows = context.warehouse.snapshot.query_rows(f"SELECT document_id FROM documents WHERE {condition}", parameters)  # noqa: S608
    allowed_ids = {str(row[0]) for row in rows}
    selected_documents = tuple(document for document in documents or sorted(allowed_ids) if document in allowed_ids)
    if not selected_documents:
        raise BadInput("no such document is within what the person limits the question to", "look in others")
    return selected_documents


KEEPING = frozenset({"search", "search_notes", "list_documents", "describe_collection"})
"""These put the limits in the place of their own filters."""
SILENT = frozenset({"import_documents", "create_note"})
"""These show nothing of the documents, or only what they replace with the person's permission."""
BY_DOCUMENT = frozenset({"open_passage", "document_outline", "verify_quote", "extract_temporal_context"})
BY_NOTE = frozenset({"read_note", "update_note", "move_note", "delete_note"})
FIGURES = "query_cells"  # It keeps to documents by itself, and to nothing finer.
_INSTEAD = "use search, which keeps to it"


def check_limits(context: ToolContext, tool: str, arguments: Mapping[str, Any]) -> None:
    """Raises `BadInput` for a use of a tool that would show what `context.within` leaves out.

    Input that the tool's schema refuses is left to the tool.
    """
    if not context.within or tool in KEEPING | SILENT:
        return
    if tool not in BY_DOCUMENT | BY_NOTE | {FIGURES}:
        raise BadInput(f"{tool} cannot keep to what the person limits the question to", _INSTEAD)
    if tool in BY_DOCUMENT and not (arguments.get("document") or arguments.get("passage")):
        return
    if finer := [name.replace("_", " ") for name in context.within.passage_fields]:
        raise BadInput(f"{tool} cannot keep to the limits on {', '.join(finer)}", _INSTEAD)
    document, passage, source = (arguments.get(name) for name in ("document", "passage", "source"))
    if tool in BY_DOCUMENT and isinstance(document, str) and document.strip():
        select_allowed_documents(context, (find_document(context.warehouse, document).document_id,))
    if tool in BY_DOCUMENT and isinstance(passage, str) and (row := context.warehouse.read_passage(passage.strip())):
        select_allowed_documents(context, (row[0],))
    if tool in BY_NOTE and isinstance(source, str):
        select_allowed_documents(context, (_find_note_id(context, source),))


def _find_note_id(context: ToolContext, source: str) -> str:
    """The document of a note; empty, which satisfies no filter, for a note that the warehouse does not know."""
    vault = open_vault(context.settings, context.warehouse)
    path = normalize("NFC", vault.read(source).source)
    notes = map_notes_in_warehouse(context.warehouse, vault)
    return next((document_id for document_id, source in notes.items() if normalize("NFC", source) == path), "")
