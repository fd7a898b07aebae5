"""Routing of a question: answered as it is, read in its conversation, or split into two to four questions.

The words of a question decide whether a call to the model is worth its cost, for most questions are single and
independent. Several questions: two question marks, a question word after "and" or a semicolon, a word of comparison,
or more than forty words. Reference to the conversation: a pronoun or "same", an opening such as "and" or "what about",
or three words and fewer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from dashboards.assistant.answer_types import Usage
from dashboards.assistant.auxiliary_calls import ConversationHistory, ask_auxiliary, message_usage
from dashboards.assistant.prompts import tagged
from warehouse.settings.loader import Settings

if TYPE_CHECKING:
    from anthropic import Anthropic


_ASKED = r"(?:what|how|who|whom|whose|when|where|which|why|did|does|do|is|are|was|were|has|have|can)"
_SEVERAL = re.compile(
    rf"(?:\band\b|;|\balso\b|,)\s+(?:also\s+)?{_ASKED}\b"
    r"|\b(?:compare[ds]?|comparing|comparison|versus|vs|differen(?:ce|ces|t|tly)|differs?|respectively|each of)\b"
    r"|比较|对比|相比|分别|区别|差异|不同",
    re.IGNORECASE,
)
_BACK_REFERENCE = re.compile(
    r"^\W*(?:and|but|or|so|also|then|what about|how about|why|what else|the same)\b"
    r"|\b(?:it|its|they|them|their|theirs|he|him|his|she|her|same|former|latter)\b"
    r"|它|他们|她|呢|上述",
    re.IGNORECASE,
)
# "That" joins clauses and "this year" is a time as often as they point back.
_POINTING = re.compile(r"\b(?:this|that|these|those)\b|其|这|那", re.IGNORECASE)
_WORD = re.compile(r"[\u4e00-\u9fff]|\w+")
MANY = 40  # Words above which a question may be several.
FEW = 3  # Words up to which a question may refer to the conversation.


def may_be_several(question: str) -> bool:
    """Whether it may be more than one question."""
    marks = question.count("?") + question.count("？")
    return marks > 1 or bool(_SEVERAL.search(question)) or len(_WORD.findall(question)) > MANY


def refers_back(question: str) -> bool:
    """Whether it may be incomplete without the conversation before it."""
    return surely_refers_back(question) or bool(_POINTING.search(question)) or len(_WORD.findall(question)) <= FEW


def surely_refers_back(question: str) -> bool:
    """Whether it is surely incomplete by itself; for rewriting without a model."""
    return bool(_BACK_REFERENCE.search(question))


def is_single_word(question: str) -> bool:
    """Whether it has no more than a word."""
    return len(_WORD.findall(question)) <= 1


_Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=2, max_length=2000)]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    questions: list[_Question] = Field(min_length=1, max_length=4, description="Each understood alone.")


@dataclass(frozen=True, slots=True)
class SplitQuestions:
    """The questions to answer, and the cost of splitting them."""

    texts: tuple[str, ...]
    usage: Usage = field(default_factory=Usage)


def split_question(text: str, before: ConversationHistory, client: Anthropic, settings: Settings) -> SplitQuestions:
    """The questions that a text consists of, each standalone, by a call to the model where its words suggest several.

    A plain question on its own costs nothing. Where the model fails or violates the schema: the text itself.
    """
    from dashboards.assistant.service_failures import FAILURES

    history = str(before)
    if not (may_be_several(text) or (history and refers_back(text))):
        return SplitQuestions((text,))
    material = "\n\n".join(filter(None, [tagged("conversation", history) if history else "", tagged("question", text)]))
    try:
        message = ask_auxiliary(client, settings, "split", material, _TOOL)
    except FAILURES:
        return SplitQuestions((text,))
    tool_input = next((block.input for block in message.content if block.type == "tool_use"), None)
    return SplitQuestions(_questions_of(tool_input) or (text,), message_usage(message))


def _questions_of(tool_input: object) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(_Asked.model_validate(tool_input).questions))
    except ValidationError:
        return ()


_TOOL = {
    "name": "ask",
    "description": "Ask the questions that are to be answered.",
    "input_schema": _Asked.model_json_schema(),
}
