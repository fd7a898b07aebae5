"""Changing a note."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.tools.create_note import Content
from dashboards.assistant.tools.read_note import Source
from dashboards.assistant.vault.linting import faults
from dashboards.assistant.vault.notes import LARGEST, vault_of
from dashboards.assistant.vault.telling import written
from dashboards.assistant.vault.writing import changing
from warehouse.errors import BadInput

_END = re.compile(r"\r?\n")


def update_note(
    context: ToolContext,
    source: Source,
    content: Content,
    mode: Annotated[
        Literal["overwrite", "append", "replace"],
        Field(description="Put it in place of the whole note, below it, or in place of `passage`."),
    ] = "overwrite",
    passage: Annotated[
        str, Field(max_length=LARGEST, description="For replace: what to replace, as the note has it, once.")
    ] = "",
    version: Annotated[
        str, Field(max_length=64, description="The version that read_note told: a note changed since is left alone.")
    ] = "",
) -> ToolResult:
    """Change a note of the write vault; what changed is told, and searches find it at once.

    The whole is checked as Obsidian Markdown first: new errors are told and nothing is written, warnings are told.
    """
    vault = vault_of(context.settings, context.warehouse)
    with changing(vault, source) as place:
        if place.before is None:
            raise BadInput(f"there is no {source} in the vault", "create_note makes it")
        if version and version != place.before.version:
            raise BadInput(f"{source} has changed since version {version}", "read it again, then decide")
        old = place.before.text
        new = _with_ends_of(old, _joined(old, content, mode, passage, source))
        warnings = faults(new, vault, place.source, before="" if mode == "overwrite" else old)
        after = place.put(new)
    return written(context, vault, place.before, after, warnings)


def _joined(old: str, content: str, mode: str, passage: str, source: str) -> str:
    if mode == "overwrite":
        return content
    if mode == "append":
        return old + ("\n" if old and not old.endswith("\n") else "") + content
    text, sought = (_END.sub("\n", each) for each in (old, passage))
    if not sought or text.count(sought) != 1:
        found = f"is there {text.count(sought)} times" if sought else "is empty"
        raise BadInput(
            f"the passage {found} in {source}", "give it as read_note shows it, long enough to be there once"
        )
    return text.replace(sought, content)


def _with_ends_of(old: str, new: str) -> str:
    """A text with the line ends of another, where that has only those of Windows."""
    ends = set(_END.findall(old))
    return _END.sub("\r\n", new) if ends == {"\r\n"} else new


member = Tool(update_note, writes=True)
