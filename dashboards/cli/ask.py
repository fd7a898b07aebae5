"""`kalends ask` and `kalends chat`: answers with sources, one or a conversation."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from functools import partial
from typing import Annotated

import typer

from dashboards.cli.options import OutputFormat, WarehouseOption, print_json, with_format
from dashboards.cli.search_options import load_context, with_resolved_names, with_search_options
from warehouse.records import SearchRequest

ExtractsOption = Annotated[
    bool, typer.Option("--extracts", help="Answer with verbatim extracts, without the language model.")
]


@with_format(OutputFormat.MARKDOWN)
@with_search_options
def ask(
    request: SearchRequest,
    extracts: ExtractsOption = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Answer a question with sources.

    A language model answers if a key is set (ANTHROPIC_API_KEY); otherwise the answer is verbatim extracts.
    """
    from dashboards.assistant.answer_types import refuse_writes
    from dashboards.assistant.answers import answer
    from dashboards.assistant.service import is_model_available
    from dashboards.cli.answer_output import TextScreen
    from dashboards.serializers.answer_json import serialize_answer

    context = load_context(warehouse)
    live = sys.stdout.isatty() and form is OutputFormat.TEXT and not extracts and is_model_available(context.settings)
    screen = TextScreen(context.settings.chat, live=live)
    resolved_request = with_resolved_names(context.warehouse, request)
    result = answer(
        context,
        resolved_request,
        None,
        on_event=screen.show_event,
        ask_permission=refuse_writes,
        extracts_only=extracts,
    )
    if form is OutputFormat.JSON:
        print_json(serialize_answer(request.text, result))
    elif form is OutputFormat.MARKDOWN:
        from dashboards.assistant.sessions import format_exchange, make_exchange

        typer.echo(format_exchange(make_exchange(request.text, result, datetime.now(UTC))))
    else:
        screen.show_answer(request.text, result, "")


@with_format()
@partial(with_search_options, question=False)
def chat(
    request: SearchRequest,
    session: Annotated[str, typer.Option("--session", help="Continue the session with this id.")] = "",
    sessions: Annotated[bool, typer.Option("--sessions", help="List the saved sessions and exit.")] = False,
    extracts: ExtractsOption = False,
    warehouse: WarehouseOption = None,
    form: OutputFormat = OutputFormat.TEXT,
) -> None:
    """Ask one question after another.

    Answers have sources, and the session is saved and can be continued. In the chat, /help lists the commands, Ctrl-C
    stops an answer and Ctrl-D ends the chat. --json prints one line for each event.
    """
    from dashboards.assistant.service import is_model_available
    from dashboards.assistant.sessions import Sessions, iter_session_summaries
    from dashboards.cli.answer_output import JsonScreen, TextScreen
    from dashboards.cli.conversation import Chat

    context = load_context(warehouse)
    store = Sessions(context.settings.warehouse)
    if sessions:
        summaries = list(iter_session_summaries(store))
        if form is OutputFormat.JSON:
            print_json(summaries)
        else:
            typer.echo("\n".join(map(str, summaries)) or "There are no saved sessions.")
        return
    # A folder without a warehouse is said at once, not at the first question.
    resolved_request = with_resolved_names(context.warehouse.pin_generation(), request)
    person = sys.stdin.isatty() and sys.stdout.isatty() and form is OutputFormat.TEXT
    # Extracts come whole, and look better so.
    live = person and not extracts and is_model_available(context.settings)
    screen = JsonScreen() if form is OutputFormat.JSON else TextScreen(context.settings.chat, live=live)
    current = store.open_session(session) if session else store.start_session()
    Chat(context, resolved_request, store, current, screen, person=person, extracts_only=extracts).run()
