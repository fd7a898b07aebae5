"""The options with which a question is asked: one for each field that a search request declares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dashboards.cli.options import declare_parameters, load_settings
from warehouse.records import Kind, Ranking, SearchRequest
from warehouse.records.search_request import FILTER_FIELDS, LITERAL_TERMS, RANKING_FIELDS, Format, RequestField

if TYPE_CHECKING:
    from dashboards.assistant.tools.contract import ToolContext
    from warehouse.reader import Warehouse

_DECLARED = {
    **FILTER_FIELDS,
    **{f"rank_{name}": field for name, field in RANKING_FIELDS.items()},
    "literal": LITERAL_TERMS,
}
"""Each option's parameter and declaration: filters and parts of the ranking share some names."""
_MAX_SHOWN_BOUND = 10_000  # Bounds beyond this only keep a number within what the warehouse stores, and are left to it.


def with_search_options(function: Callable[..., None], *, question: bool = True) -> Callable[..., None]:
    """The command function with the options of a question before its own, called with the `request` that they make.

    Without `question` the words are to come later, and are empty.
    """
    search_parameters = list(_iter_parameters())[0 if question else 1 :]
    parameters = signature(function, eval_str=True).parameters.values()

    @wraps(function)
    def command(**values: Any) -> None:
        options = {parameter.name: values.pop(parameter.name) for parameter in search_parameters}
        function(_build_request(options), **values)

    return declare_parameters(
        command, [*search_parameters, *(parameter for parameter in parameters if parameter.name != "request")]
    )


def load_context(folder: Path | None) -> ToolContext:
    """The context of tools for a warehouse, dated today (UTC)."""
    from dashboards.assistant.tools.contract import ToolContext
    from warehouse.reader import Warehouse

    settings = load_settings(folder)
    return ToolContext(settings, Warehouse(settings.warehouse), datetime.now(UTC).date())


def with_resolved_names(warehouse: Warehouse, request: SearchRequest) -> SearchRequest:
    """The request with the names in its filters resolved. Raises `BadInput` for an unknown or ambiguous document."""
    if not (request.filters.documents or request.filters.names):
        return request
    from tasks.query.filter_values import resolve_filter_names

    return resolve_filter_names(warehouse.pin_generation(), request)


def _build_request(options: Mapping[str, Any]) -> SearchRequest:
    """Raises `BadInput` for values that say nothing; tells on standard error of options by earlier names."""
    from dashboards.serializers.search_request import parse_filters, parse_ranking

    values = {name: value for name, value in options.items() if value not in (None, "", [])}
    filters, ranking = _select_fields(values, "", FILTER_FIELDS), _select_fields(values, "rank_", RANKING_FIELDS)
    literal = _select_fields(values, "", {"literal": LITERAL_TERMS}).get("literal", ())
    question, parsed_filters = values.get("question", ""), parse_filters(filters, datetime.now(UTC).date())
    return SearchRequest(question, parsed_filters, parse_ranking(ranking), values["count"], tuple(literal))


def _select_fields(values: Mapping[str, Any], prefix: str, declarations: Mapping[str, RequestField]) -> dict[str, Any]:
    from dashboards.serializers.search_request import rename_earlier_fields

    names = {
        f"{prefix}{earlier_name}": earlier_name
        for name, field in declarations.items()
        for earlier_name in (name, *field.earlier_names)
    }
    current, notices = rename_earlier_fields(
        {names[name]: values[name] for name in values if name in names}, declarations
    )
    for notice in notices:
        typer.echo(f"note: {notice}", file=sys.stderr)
    return current


def _iter_parameters() -> Iterator[Parameter]:
    yield _make_parameter("question", Annotated[str, typer.Argument(help="What to look for.")], Parameter.empty)
    yield _make_parameter("count", Annotated[int, typer.Option("--count", "-k", help="How many hits.")], 5)
    for name, field in _DECLARED.items():
        yield _make_option(name, field, field.option)
        for earlier in field.earlier_names:
            prefix = "rank_" if name.startswith("rank_") else ""
            yield _make_option(f"{prefix}{earlier}", field, earlier.replace("_", "-"), is_hidden=True)


def _make_option(name: str, field: RequestField, flag: str, *, is_hidden: bool = False) -> Parameter:
    bounds = {"min": field.minimum, "max": field.maximum if (field.maximum or 0) <= _MAX_SHOWN_BOUND else None}
    panel = "Options for ranking" if name.startswith("rank_") or name == "literal" else "Filters"
    more: dict[str, Any] = {"help": field.help, "hidden": is_hidden, "rich_help_panel": panel}
    flags = [f"--{flag}"]
    match field.format:
        case Format.TEXTS:
            kind: Any = list[str] | None
        case Format.KINDS:
            kind = list[Kind] | None
        case Format.NUMBERS:
            kind, more = list[int] | None, {**more, **bounds}
        case Format.NUMBER:
            kind, more = int | None, {**more, **bounds}
        case Format.SHARE:
            kind, more = float | None, {**more, "min": 0, "max": 1}
        case Format.YES_NO:
            kind, flags = bool | None, [f"--{flag}/--no-{flag}"]
        case Format.SWITCH:
            kind, flags = bool | None, [f"--{flag}/--no-{flag}"]
            more["help"] = f"{field.help} [default: on]"
        case Format.CHOICE:
            default = getattr(Ranking(), name.removeprefix("rank_"))
            kind, more = type(default) | None, {**more, "help": f"{field.help} [default: {default}]"}
        case _:
            kind = str | None
    return _make_parameter(name, Annotated[kind, typer.Option(*flags, **more)], None)


def _make_parameter(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation)
