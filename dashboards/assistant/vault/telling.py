"""What a tool says of a note that it changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

from dashboards.assistant.tools.contract import ToolContext, ToolResult
from dashboards.assistant.vault.linting import Fault
from dashboards.assistant.vault.notes import Note, Vault
from dashboards.assistant.vault.rereading import reread

_LINES = 60
_WIDTH = 200


def written(
    context: ToolContext, vault: Vault, before: Note | None, after: Note, warnings: Sequence[Fault]
) -> ToolResult:
    """The note's version, what changed in it, the warnings, and whether searches know of it."""
    known = reread(context.settings, vault, after.source)
    change = changed(before, after) if before else []
    verb = "Changed" if before else "Created"
    if before and before.content == after.content:
        verb = "Nothing changed in"
    lines = [
        f"{verb} {after.source} (version {after.version}).",
        *(f"Warning: {warning}" for warning in warnings),
        known,
        *change,
    ]
    facts = [{"rule": each.rule, "line": each.line, "message": each.message} for each in warnings]
    told = {"source": after.source, "version": after.version, "warnings": facts, "change": change, "indexed": known}
    return ToolResult("\n".join(lines), data=told)


def changed(before: Note, after: Note) -> list[str]:
    """The lines that went (-) and came (+), the first of them where there are many."""
    old, new = (note.content.decode("utf-8", "replace").splitlines() for note in (before, after))
    lines = [line[:_WIDTH] for line in unified_diff(old, new, n=1, lineterm="")][2:]
    left = len(lines) - _LINES
    return [*lines[:_LINES], f"… and {left} more lines of changes"] if left > 0 else lines
