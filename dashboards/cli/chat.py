"""`kalends chat`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from dashboards.cli.ask import ExtractsOption
from dashboards.cli.options import JsonOption, WarehouseOption, print_json
from dashboards.cli.search_options import context_of, with_resolved_names, with_search_options
from warehouse.records import SearchRequest


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(with_search_options(chat, question=False))


def chat(
    request: SearchRequest,
    session: Annotated[str, typer.Option("--session", help="Go on with this session, by its id.")] = "",
    sessions: Annotated[bool, typer.Option("--sessions", help="List the sessions there are, and end.")] = False,
    extracts: ExtractsOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Talk with the documents, a question a line: cited answers, kept as a session that can be gone on with.

    In it, /help lists the commands, Ctrl-C stops an answer and Ctrl-D ends. --json prints a line for each event.
    """
    from dashboards.assistant.service import available
    from dashboards.assistant.sessions import Sessions, heads
    from dashboards.cli.chatting import Chat
    from dashboards.cli.screen import Lines, Words

    context = context_of(warehouse)
    kept = Sessions(context.settings.warehouse)
    if sessions:
        listed = list(heads(kept))
        if json:
            print_json(listed)
        else:
            typer.echo("\n".join(map(str, listed)) or "There are no sessions.")
        return
    # A folder without a warehouse is said at once, not at the first question.
    asked = with_resolved_names(context.warehouse.at(), request)
    person = sys.stdin.isatty() and sys.stdout.isatty() and not json
    # Extracts come whole, and look better so.
    live = person and not extracts and available(context.settings)
    screen = Lines() if json else Words(context.settings.chat, live=live)
    begun = kept.open(session) if session else kept.new()
    Chat(context, asked, kept, begun, screen, person=person, extracts_only=extracts).run()
