"""JSON schemas made short: a model reads those of all tools with every question, and pays for each word.

Left out is what says nothing new: titles made of names, defaults that are empty, definitions apart from their one use,
null beside a type that may be left out anyway, and limits that no sensible value reaches. They hold all the same: a
value is checked by the model that the schema was made of.
"""

from __future__ import annotations

from typing import Any

FAR = 1000
"""A limit of numbers beyond this is not told."""
_UNTOLD = {"title", "minLength", "maxLength", "minItems", "maxItems"}
_NOTHING: tuple[Any, ...] = (None, "", [], 0)
"""False is 0 as well."""


def brief(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object as pydantic makes it, shortened."""
    known = {f"#/$defs/{name}": value for name, value in schema.get("$defs", {}).items()}
    fields = {name: _field(field, known) for name, field in schema["properties"].items()}
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": fields, **required, "additionalProperties": False}


def _field(field: dict[str, Any], known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    own = {**field, **next((each for each in field.get("anyOf", ()) if each != {"type": "null"}), {})}
    if "$ref" in own:
        named = known[own.pop("$ref")]
        own = {"type": named["type"], "enum": named["enum"], **own}
    if "items" in own:
        own["items"] = _field(own["items"], known)
    return {name: value for name, value in own.items() if name != "anyOf" and not _is_idle(name, value)}


def _is_idle(name: str, value: Any) -> bool:
    if name in {"maximum", "minimum"}:
        return bool(abs(value) > FAR)
    return name in _UNTOLD or (name == "default" and value in _NOTHING)
