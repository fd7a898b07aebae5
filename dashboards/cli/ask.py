"""`kalends ask`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import JsonOption, WarehouseOption, print_json
from dashboards.cli.search_options import context_of, with_resolved_names, with_search_options
from warehouse.records import SearchRequest

if TYPE_CHECKING:
    from dashboards.assistant.answer_types import Event

ExtractsOption = Annotated[
    bool, typer.Option("--extracts", help="Let the documents speak, even where there is a language model.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(with_search_options(ask))


def ask(
    request: SearchRequest,
    extracts: ExtractsOption = False,
    warehouse: WarehouseOption = None,
    json: JsonOption = False,
) -> None:
    """Answer with sources: a language model if there is a key for one, else extracts, word for word."""
    from dashboards.assistant.answers import answer
    from dashboards.assistant.service import available
    from dashboards.cli.screen import Words
    from dashboards.serializers.answers import answer_json

    context = context_of(warehouse)
    live = sys.stdout.isatty() and not json and not extracts and available(context.settings)
    screen = Words(context.settings.chat, live=live)
    asked = with_resolved_names(context.warehouse, request)
    found = answer(context, asked, None, tell=_silent if json else screen.tell, permit=refuse, extracts_only=extracts)
    if json:
        print_json(answer_json(request.text, found))
    else:
        screen.answer(request.text, found, "")


def refuse(name: str, given: Mapping[str, Any]) -> bool:
    """One question is no leave to change anything."""
    return False


def _silent(event: Event) -> None:
    """Nobody sees an answer of JSON before its end."""
