"""The contract of tools: a tool is a plain typed function whose name, docstring and signature describe it to a model.

    def search(context: ToolContext, question: str, count: Annotated[int, Field(ge=1, le=20)] = 5) -> ToolResult:

The docstring is the description. `ToolContext` is given by the caller, the rest by the model; the JSON schema of the
rest is what pydantic makes of the signature, where a parameter of the type `Filters` or `DocumentFilters` becomes the
filters that a search request declares, all of them or those of documents. Inputs that several tools share are types
here.

The schema is made short: a model reads the schemas of all tools with every question, and pays for each word. Left out
is what says nothing new: titles made of names, empty defaults, definitions apart from their one use, null beside an
optional type, and limits that no sensible value reaches. They are enforced all the same, by the pydantic model. The
family is the modules of this package.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from dashboards.serializers.search_request import build_input_fields, parse_filters, rename_earlier_fields
from tasks.embedders.embedder import Embedder
from tasks.query.question_embedder import find_question_embedder
from tasks.token_budget import MAX_BUDGET
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Filters, Hit
from warehouse.records.search_request import FILTER_FIELDS
from warehouse.registry import Family
from warehouse.settings.loader import Settings

MAX_QUESTION_LENGTH = 2000  # Characters of a question.
Query = Annotated[
    str, Field(min_length=1, max_length=MAX_QUESTION_LENGTH, description="In words; times and names in it count.")
]
Text = Annotated[str, Field(max_length=300)]
Name = Annotated[str, Field(min_length=1, max_length=300)]
Count = Annotated[int, Field(ge=1, le=20, description="At most so many passages.")]
Tokens = Annotated[int, Field(ge=200, le=MAX_BUDGET, description="The longest answer.")]
After = Annotated[int, Field(ge=0, le=1_000_000, description="To go on: so many are left out.")]

DocumentFilters = Annotated[Filters, "of documents, but not which"]
"""The filters that depend on the document alone, not on its passages."""
_FILTERS: dict[Any, tuple[str, ...]] = {
    Filters: tuple(FILTER_FIELDS),
    DocumentFilters: tuple(
        name for name, declaration in FILTER_FIELDS.items() if not declaration.passages and name != "documents"
    ),
}


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The context of a tool: the settings, the warehouse that they name, and the day that relative times count from.

    `within` is what the person who asks demands of every passage. Tools that look for passages or figures use
    `context.limit_filters(filters)` in place of the filters that they get, so that a model keeps within these limits.
    """

    settings: Settings
    warehouse: Warehouse
    today: date
    within: Filters = field(default_factory=Filters)

    @property
    def embedder(self) -> Embedder:
        """The embedder of questions to the warehouse, loaded once a process."""
        return find_question_embedder(self.warehouse, self.settings.embed)

    def limit_filters(self, filters: Filters) -> Filters:
        """The filters with those of `within` in their place, field by field, where it demands something."""
        demanded = {declared.name: getattr(self.within, declared.name) for declared in fields(Filters)}
        return replace(filters, **{name: value for name, value in demanded.items() if value not in ((), None)})


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool: `text` for a person or model, and the passages that it quotes, in its order.

    `data` is the same as JSON-like values for programs.
    """

    text: str
    hits: tuple[Hit, ...] = ()
    data: Any = None


@dataclass(frozen=True)
class Tool:
    """A function with its description and schema. `writes` says whether it changes anything.

    One that is `additive` only adds, and adds nothing when it is called again with the same; others replace or remove.
    """

    function: Callable[..., ToolResult]
    writes: bool = False
    additive: bool = False

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__

    @cached_property
    def description(self) -> str:
        """The docstring, on one line."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of what the model gives, in few words."""
        return shorten_schema(self._inputs.model_json_schema())

    def call(self, context: ToolContext, values: Mapping[str, Any]) -> ToolResult:
        """Run it. Raises `BadInput` for values that the schema refuses, and what the function raises."""
        arguments, _ = rename_earlier_fields(values, FILTER_FIELDS) if self._filters else (dict(values), [])
        try:
            inputs = self._inputs.model_validate(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise BadInput(f"{self.name}: {name}: {first['msg']}", "correct the input") from None
        values = {name: getattr(inputs, name) for name in type(inputs).model_fields}
        for parameter, names in self._filters.items():
            values[parameter] = parse_filters({name: values.pop(name) for name in names}, context.today)
        return self.function(context, **values)

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def _filters(self) -> dict[str, tuple[str, ...]]:
        """The parameters that mean filters, with the names of the filter fields of each."""
        return {name: _FILTERS[hint] for name, hint in self._hints.items() if hint in (Filters, DocumentFilters)}

    @cached_property
    def _inputs(self) -> type[BaseModel]:
        fields: dict[str, Any] = {}
        for parameter in list(inspect.signature(self.function).parameters.values())[1:]:
            if parameter.name in self._filters:
                fields |= build_input_fields({name: FILTER_FIELDS[name] for name in self._filters[parameter.name]})
            else:
                default = ... if parameter.default is inspect.Parameter.empty else parameter.default
                fields[parameter.name] = self._hints[parameter.name], default
        return create_model(self.name, __config__=ConfigDict(extra="forbid"), **fields)


TOOLS: Family[Tool] = Family("dashboards.assistant.tools", "tool")  # All tools by name.


MAX_DECLARED_BOUND = 1000  # A numeric limit beyond this is left out of the schema.
_LEFT_OUT = {"anyOf", "title", "examples", "minLength", "maxLength", "minItems", "maxItems"}
_EMPTY_DEFAULTS: tuple[Any, ...] = (None, "", [], 0)  # False is 0 as well.


def shorten_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object as pydantic makes it, shortened."""
    definitions = {f"#/$defs/{name}": value for name, value in schema.get("$defs", {}).items()}
    fields = {name: _shorten_field(field, definitions) for name, field in schema["properties"].items()}
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": fields, **required, "additionalProperties": False}


def _shorten_field(field: dict[str, Any], definitions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    schema = {
        **field,
        **next((alternative for alternative in field.get("anyOf", ()) if alternative != {"type": "null"}), {}),
    }
    if "$ref" in schema:
        definition = definitions[schema.pop("$ref")]
        schema = {"type": definition["type"], "enum": definition["enum"], **schema}
    if "items" in schema:
        schema["items"] = _shorten_field(schema["items"], definitions)
    omitted_names = {name for name in ("maximum", "minimum") if abs(schema.get(name, 0)) > MAX_DECLARED_BOUND}
    omitted_names |= {"default"} if schema.get("default") in _EMPTY_DEFAULTS else set()
    return {name: value for name, value in schema.items() if name not in omitted_names | _LEFT_OUT}
