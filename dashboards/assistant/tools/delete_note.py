"""Removing a note, so that it can be had back."""

from __future__ import annotations

from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.read_note import Source
from dashboards.assistant.vault.notes import vault_of
from dashboards.assistant.vault.rereading import reread
from dashboards.assistant.vault.writing import changing
from warehouse.errors import BadInput


def delete_note(context: ToolContext, source: Source) -> ToolResult:
    """Move a note of the write vault to its folder .trash, where its owner can find it; searches forget it."""
    vault = vault_of(context.settings, context.warehouse)
    with changing(vault, source) as place:
        if place.before is None:
            raise BadInput(f"there is no {source} in the vault", "list_notes says what there is")
        trashed = place.trash()
    known = reread(context.settings, vault, place.source)
    return ToolResult(
        f"Moved {place.source} to {trashed}.\n{known}",
        data={"source": place.source, "trashed": trashed, "indexed": known},
    )


member = Tool(delete_note, writes=True)
