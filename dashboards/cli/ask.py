"""`kalends ask`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.asking import asking, desk_of, known
from dashboards.cli.options import JsonOption, WarehouseOption, print_json
from warehouse.records import SearchRequest

if TYPE_CHECKING:
    from dashboards.assistant.answer_types import Event

ExtractsOption = Annotated[
    bool, typer.Option("--extracts", help="Let the documents speak, even where there is a language model.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(asking(ask))


def ask(
    wanted: SearchRequest, extracts: ExtractsOption = False, warehouse: WarehouseOption = None, json: JsonOption = False
) -> None:
    """Answer with sources: a language model if there is a key for one, else extracts, word for word."""
    from dashboards.assistant.answers import answer
    from dashboards.assistant.service import available
    from dashboards.cli.screen import Words
    from dashboards.serializers.answers import answer_json

    context = desk_of(warehouse)
    live = sys.stdout.isatty() and not json and not extracts and available(context.settings)
    screen = Words(context.settings.chat, live=live)
    asked = known(context.warehouse, wanted)
    found = answer(context, asked, None, tell=_silent if json else screen.tell, permit=refuse, extracts_only=extracts)
    if json:
        print_json(answer_json(wanted.text, found))
    else:
        screen.answer(wanted.text, found, "")


def refuse(name: str, given: Mapping[str, Any]) -> bool:
    """One question is no leave to change anything."""
    return False


def _silent(event: Event) -> None:
    """Nobody sees an answer of JSON before its end."""
