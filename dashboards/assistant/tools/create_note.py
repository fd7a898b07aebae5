"""Writing a new note."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.read_note import Source
from dashboards.assistant.vault.linting import faults
from dashboards.assistant.vault.notes import LARGEST, vault_of
from dashboards.assistant.vault.telling import written
from dashboards.assistant.vault.writing import changing
from warehouse.errors import BadInput

Content = Annotated[str, Field(max_length=LARGEST, description="Obsidian Markdown.")]


def create_note(
    context: ToolContext,
    source: Source,
    content: Content,
    *,
    overwrite: Annotated[bool, Field(description="Replace a note that is there.")] = False,
) -> ToolResult:
    """Write a new note into the write vault; searches find it at once.

    The content is checked as Obsidian Markdown first: errors are told and nothing is written, warnings are told.
    """
    vault = vault_of(context.settings, context.warehouse)
    vault.writable(source)
    warnings = faults(content, vault, source)
    with changing(vault, source, make=True) as place:
        if place.before and not overwrite:
            raise BadInput(f"{place.source} is there already", "update_note changes it; overwrite=true replaces it")
        after = place.put(content)
    return written(context, vault, place.before, after, warnings)


member = Tool(create_note, writes=True)
