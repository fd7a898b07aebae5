"""What is to be answered for a question: itself, or what it means, or the two to four questions that it consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from dashboards.assistant.asides import aside, usage_of
from dashboards.assistant.history import History
from dashboards.assistant.prompting import tagged
from dashboards.assistant.records import Usage
from dashboards.assistant.signs import leans, may_be_several
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic

_Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=2000)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    questions: list[_Question] = Field(min_length=1, max_length=4, description="Each understood alone.")


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions to answer, and what finding them cost."""

    texts: tuple[str, ...]
    usage: Usage = field(default_factory=Usage)


def questions(text: str, before: History, client: Anthropic, settings: Settings) -> Questions:
    """Costs nothing for a plain question on its own. Where the model fails or does not keep to the schema: the text."""
    from dashboards.assistant.failing import FAILURES

    said = str(before)
    if not (may_be_several(text) or (said and leans(text))):
        return Questions((text,))
    material = "\n\n".join(filter(None, [tagged("conversation", said) if said else "", tagged("question", text)]))
    try:
        message = aside(client, settings, "split", material, _TOOL)
    except FAILURES:
        return Questions((text,))
    given = next((block.input for block in message.content if block.type == "tool_use"), None)
    return Questions(_read(given) or (text,), usage_of(message))


def _read(given: object) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(_Asked.model_validate(given).questions))
    except ValidationError:
        return ()


_TOOL = {
    "name": "ask",
    "description": "Ask the questions that are to be answered.",
    "input_schema": _Asked.model_json_schema(),
}
