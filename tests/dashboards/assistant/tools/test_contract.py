"""What a model reads of a tool's inputs says all that it must keep, and nothing twice."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, create_model

from dashboards.assistant.tools.contract import MAX_DECLARED_BOUND, shorten_schema


class Size(StrEnum):
    """How large something is."""

    SMALL = "small"
    LARGE = "large"


def field(kind: Any, default: Any) -> dict[str, Any]:
    told: dict[str, Any] = shorten_schema(create_model("tool", value=(kind, default)).model_json_schema())[
        "properties"
    ]["value"]
    return told


def test_a_choice_is_told_in_its_place() -> None:
    assert field(Size, Size.LARGE) == {"type": "string", "enum": ["small", "large"], "default": "large"}
    assert field(tuple[Size, ...], ()) == {"type": "array", "items": {"type": "string", "enum": ["small", "large"]}}


def test_a_value_that_may_be_left_out_is_told_by_its_type_alone() -> None:
    assert field(Annotated[bool | None, Field(description="Only tables.")], None) == {
        "type": "boolean",
        "description": "Only tables.",
    }


def test_limits_are_told_where_a_model_may_come_near_them() -> None:
    assert field(Annotated[int, Field(ge=1, le=20)], 5) == {
        "type": "integer",
        "minimum": 1,
        "maximum": 20,
        "default": 5,
    }
    assert field(Annotated[int, Field(ge=0, le=MAX_DECLARED_BOUND + 1)], 0) == {"type": "integer", "minimum": 0}
    assert field(Annotated[str, Field(min_length=1, max_length=9)], "") == {"type": "string"}


def test_what_must_be_given_is_told() -> None:
    told = shorten_schema(create_model("tool", value=(str, ...), other=(str, "")).model_json_schema())
    assert told["required"] == ["value"]
    assert told["additionalProperties"] is False
