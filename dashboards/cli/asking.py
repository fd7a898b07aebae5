"""What `kalends search`, `kalends ask` and `kalends chat` share: the options of a question, and the way to answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from dashboards.cli.options import settings_of
from dashboards.cli.wanting import wanted as wanted_of
from warehouse.records import Found, SearchRequest

if TYPE_CHECKING:
    from dashboards.assistant.tools.contract import ToolContext
    from tasks.embedders.contract import Embedder
    from warehouse.reader import Warehouse


def asking(verb: Callable[..., None], *, question: bool = True) -> Callable[..., None]:
    """The verb with the options of a question before its own, called with what is `wanted` of them.

    Without `question` the words are to come later, and are empty.
    """
    shared = {name: each for name, each in signature(wanted_of).parameters.items() if question or name != "question"}
    own = [parameter for name, parameter in signature(verb).parameters.items() if name != "wanted"]

    @wraps(verb)
    def command(**given: Any) -> None:
        asked = {name: given.pop(name) for name in shared}
        verb(wanted_of(**{"question": "", **asked}), **given)

    hints = {**get_type_hints(wanted_of, include_extras=True), **get_type_hints(verb, include_extras=True)}
    parameters = [each.replace(annotation=hints[each.name]) for each in (*shared.values(), *own)]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    del command.__wrapped__
    return command


def found_for(wanted: SearchRequest, folder: Path | None) -> tuple[Found, Embedder]:
    """What the warehouse finds, and the embedder that read the question."""
    from tasks.ask.finding import find
    from tasks.embedders.choosing import embedder
    from warehouse.reader import Warehouse

    settings = settings_of(folder)
    held, chosen = Warehouse(settings.warehouse), embedder(settings.embed.model)
    return find(held, known(held, wanted), chosen, datetime.now(UTC).date()), chosen


def desk_of(folder: Path | None) -> ToolContext:
    """What answers are made with, today."""
    from dashboards.assistant.tools.contract import ToolContext
    from warehouse.reader import Warehouse

    settings = settings_of(folder)
    return ToolContext(settings, Warehouse(settings.warehouse), datetime.now(UTC).date())


def known(warehouse: Warehouse, wanted: SearchRequest) -> SearchRequest:
    """The same with its names resolved. Raises `BadInput` for a document that there is not, or that may be several."""
    if not (wanted.filters.documents or wanted.filters.names):
        return wanted
    from tasks.ask.document_names import resolved

    return resolved(warehouse.at(), wanted)
