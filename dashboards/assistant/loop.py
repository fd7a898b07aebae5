"""The loop of a conversation: the model uses tools until it answers, and the claims of its answer are checked.

    client = client_of(settings)                    # one for a process; without, each conversation opens its own
    found = converse(context, [Turn("user", "Revenue in Q2?")], tell=draw, permit=refuse, system=words, client=client)

Tools are offered in every round and the history goes as messages, so that a follow-up after a use of tools is a
conversation like any other. Raises `NoAnswer`, with the tokens spent in vain, where the model cannot be asked, refuses,
or says nothing twice; all text told before is void then.

Requests mark prefixes for the service's cache (https://platform.claude.com/docs/en/build-with-claude/prompt-caching):
tools, then system, then messages. Four places may be marked: the ends of the tools and of the system, the same for a
session, and the last two messages of the user, so that each round reads what the one before it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    ConversationTurn,
    Permit,
    Tell,
    ToolCall,
    Usage,
)
from dashboards.assistant.citable_passages import CitableMaterial, numbered_frame, search_result, without_passage_lines
from dashboards.assistant.prompts import prompt
from dashboards.assistant.proof import check_claims
from dashboards.assistant.service import cites_itself, client_of
from dashboards.assistant.streaming import AnswerWriter, ModelMessage, stream_message, without_marks
from dashboards.assistant.tool_calls import ToolUseResult, run_tool_uses, tool_definitions
from dashboards.assistant.tools.contract import ToolContext
from warehouse.errors import BadInput, NoAnswer

if TYPE_CHECKING:
    from anthropic import Anthropic


_ENOUGH = "Tools cannot be used any more for this question. Answer with what was found, and say what is missing."
_SPEAK = "Answer the question now, in words."
_GO_ON = "Your answer was cut off. Go on exactly where it stopped: repeat nothing and write no preamble."


def converse(
    context: ToolContext,
    turns: Sequence[ConversationTurn],
    *,
    tell: Tell,
    permit: Permit,
    system: str,
    circumstances: str = "",
    client: Anthropic | None = None,
) -> Answer:
    """The model's answer to the last of the turns. `permit` is asked before a tool writes.

    `system` is cached; `circumstances` (the day, what there is) follow it and are not.
    """
    if client is not None:
        return Conversation(context, turns, tell, permit, (system, circumstances), client).answer()
    with client_of(context.settings) as own:
        return Conversation(context, turns, tell, permit, (system, circumstances), own).answer()


class Conversation:
    """One answer in the making; shares nothing with another."""

    def __init__(
        self,
        context: ToolContext,
        turns: Sequence[ConversationTurn],
        tell: Tell,
        permit: Permit,
        system: tuple[str, str],
        client: Anthropic,
    ) -> None:
        """As `converse`; `system` is its fixed part and the circumstances."""
        self._desk, self._tell, self._permit, self._client = context, tell, permit, client
        self._marks = not cites_itself(context.settings, client)
        fixed, self._circumstances = system
        self._system = f"{fixed}\n\n{prompt('marks')}" if self._marks else fixed
        self._messages, self._tools = opening_messages(turns), tool_definitions()
        self._material = CitableMaterial()
        self._writer = AnswerWriter(self._material, tell, marks=self._marks)
        self._longest = context.settings.chat.tokens
        self._calls: list[ToolCall] = []
        self._notes: list[str] = []
        self._usage = Usage()
        self._costs: list[Usage] = []

    def answer(self) -> Answer:
        """Round after round, the last without tools."""
        left = self._desk.settings.chat.rounds
        said = self._hear(final=False)
        while left and (said.stop == "pause_turn" or (said.uses and said.stop != "max_tokens")):
            left -= 1
            self._go_round(said)
            said = self._hear(final=not left)
        if not said.text:
            said = self._again()
        self._writer.keep()
        if said.stop == "model_context_window_exceeded":
            self._notes.append("The answer was cut: the conversation is as long as the model can read.")
        return self._finished()

    def _hear(self, *, final: bool) -> ModelMessage:
        """A message, whole: one that was cut at its longest is gone on with once."""
        if final:
            self._messages = with_text(self._messages, _ENOUGH)
        said = self._ask(final=final)
        if said.stop != "max_tokens":
            return said
        if said.text:
            self._writer.keep(joined=True)
            self._messages = with_text([*self._messages, {"role": "assistant", "content": said.spoken}], _GO_ON)
        else:
            # What was cut is the input of a tool, or thought: it is begun anew with more room.
            self._longest = 2 * self._desk.settings.chat.tokens
        rest = self._ask(final=final)
        if rest.stop == "max_tokens":
            self._notes.append(f"The answer was cut at {self._longest} tokens; the setting chat.tokens allows more.")
        if rest.text or (rest.uses and rest.stop != "max_tokens"):
            return rest
        return replace(said, uses=(), stop="end_turn")

    def _again(self) -> ModelMessage:
        """The model said nothing: it is asked once more, without tools."""
        self._messages = with_text(self._messages, _SPEAK)
        said = self._ask(final=True)
        if not said.text:
            raise self._nothing("the model gave no answer", "ask again, or in other words")
        return said

    def _ask(self, *, final: bool) -> ModelMessage:
        chat = self._desk.settings.chat
        asked = message_request(
            chat.model,
            self._longest,
            self._system,
            self._tools,
            self._messages,
            final=final,
            circumstances=self._circumstances,
        )
        self._tell(AnswerProgress(f"Waiting for {chat.model}"))
        try:
            said = stream_message(self._client, asked, self._writer)
        except NoAnswer as failure:
            raise NoAnswer(failure.problem, failure.cure, failure.tokens + self._usage.total) from None
        self._usage += said.usage
        self._costs.append(said.usage)
        if said.stop == "refusal":
            raise self._nothing("the model refused to answer", said.explanation or "ask in other words")
        return replace(said, content=said.spoken, uses=()) if final else said

    def _go_round(self, said: ModelMessage) -> None:
        self._messages.append({"role": "assistant", "content": said.content})
        self._writer.keep(joined=not said.uses)
        if said.uses:
            used = run_tool_uses(self._desk, said.uses, self._tell, self._permit)
            self._messages.append({"role": "user", "content": [self._result(each) for each in used]})

    def _result(self, used: ToolUseResult) -> Block:
        """What a tool gave, for the model; what it said beside passages is kept, for claims to be looked up in."""
        result: Block = {"type": "tool_result", "tool_use_id": used.use.id}
        if used.result is None:
            self._calls.append(used.call)
            return {**result, "is_error": True, "content": [_text(used.call.text)]}
        first = len(self._material.passages) + 1
        passages = self._material.add(used.result.hits)
        said = without_passage_lines(used.result.text, passages, first if self._marks else None)
        self._calls.append(replace(used.call, result=said))
        around = [_text(said)] if said else []
        if self._marks:
            frames = [numbered_frame(each, number) for number, each in enumerate(passages, first)]
            content = [_text("\n\n".join([*frames, said]).strip() or "Nothing.")]
        else:
            content = [*map(search_result, passages), *around] or [_text("Nothing.")]
        return {**result, "content": content}

    def _finished(self) -> Answer:
        text, sources = self._writer.text.strip(), self._writer.sources
        return Answer(
            text,
            AnswerKind.MODEL,
            sources,
            check_claims(text, sources, self._calls),
            tuple(self._notes),
            self._material.hits,
            tuple(self._calls),
            self._usage,
            costs=tuple(self._costs),
        )

    def _nothing(self, problem: str, cure: str) -> NoAnswer:
        return NoAnswer(problem, " ".join(cure.split()), self._usage.total)


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


Block = dict[str, Any]
Message = dict[str, Any]
_MARK = {"cache_control": {"type": "ephemeral"}}
_ROLES = ("user", "assistant")


def opening_messages(turns: Sequence[ConversationTurn]) -> list[Message]:
    """The turns as messages that alternate and begin and end with the user. Raises `BadInput` without a question.

    Turns of one role that follow each other become one message, empty ones none.
    """
    said = [turn for turn in turns if turn.role in _ROLES and turn.text.strip()]
    while said and said[0].role != "user":
        said = said[1:]
    if not said or said[-1].role != "user":
        raise BadInput("there is no question", "ask one")
    messages: list[Message] = []
    for turn in said:
        block = {"type": "text", "text": without_marks(turn.text) if turn.role == "assistant" else turn.text}
        if not block["text"].strip():
            continue
        if messages and messages[-1]["role"] == turn.role:
            messages[-1]["content"].append(block)
        else:
            messages.append({"role": turn.role, "content": [block]})
    return messages


def message_request(
    model: str,
    longest: int,
    system: str,
    tools: Sequence[Block],
    messages: Sequence[Message],
    *,
    final: bool,
    circumstances: str = "",
) -> dict[str, Any]:
    """The arguments of `messages.stream`. `longest` is in tokens; `final` says that no tool may be used any more.

    `circumstances`, which change from day to day, stand after the cached part of the system's words.

    Tools are sent in every round: the service demands them where a message before used one.
    """
    asked = {
        "model": model,
        "max_tokens": longest,
        "tools": [*tools[:-1], {**tools[-1], **_MARK}],
        "messages": list(_marked(messages)),
        "tool_choice": {"type": "none" if final else "auto"},
    }
    fixed: list[Block] = [{"type": "text", "text": system, **_MARK}] if system.strip() else []
    changing: list[Block] = [{"type": "text", "text": circumstances}] if circumstances.strip() else []
    return {**asked, "system": fixed + changing} if fixed or changing else asked


def with_text(messages: Sequence[Message], text: str) -> list[Message]:
    """The messages with this text of the user at their end, in the last message if that is the user's."""
    block = {"type": "text", "text": text}
    *before, last = messages
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": [block]}]
    return [*before, {**last, "content": [*last["content"], block]}]


def _marked(messages: Sequence[Message]) -> Iterator[Message]:
    asked = [place for place, message in enumerate(messages) if message["role"] == "user"][-2:]
    for place, message in enumerate(messages):
        *rest, last = message["content"]
        yield {**message, "content": [*rest, {**last, **_MARK}]} if place in asked else message
