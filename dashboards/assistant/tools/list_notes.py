"""What notes there are."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from pydantic import Field

from dashboards.assistant.tools.contract import Tool, ToolContext, ToolResult
from dashboards.assistant.vault.notes import vault_of
from tasks.ask.token_budget import BUDGET, pages


def list_notes(
    context: ToolContext,
    vault: Annotated[
        str, Field(max_length=1000, description="The vault among several, or a first folder; empty for all.")
    ] = "",
    folder: Annotated[str, Field(max_length=1000, description="Only notes in this folder of it.")] = "",
    *,
    recursive: Annotated[bool, Field(description="Those in its folders too.")] = True,
    after: Annotated[str, Field(max_length=1000, description="Go on after this path of a list that was cut.")] = "",
) -> ToolResult:
    """List the paths of the vault's notes, in order, by vault and folder."""
    place = "/".join(filter(None, (vault.strip("/"), folder.strip("/"))))
    listed = sorted(vault_of(context.settings, context.warehouse).sources(place, deeper=recursive))
    left = [source for source in listed if source > after]
    page = next(pages(left, BUDGET - 40), [])
    shown = list(islice(left, len(page)))
    more = [f"({len(left) - len(shown)} more: list_notes with after={shown[-1]!r}.)"] if len(left) > len(shown) else []
    head = f"{len(listed)} notes in {place or 'the vault'}" + (":" if shown else ".")
    data = {"notes": shown, "count": len(listed), "more": len(left) - len(shown)}
    return ToolResult("\n".join([head, *shown, *more]), data=data)


member = Tool(list_notes)
