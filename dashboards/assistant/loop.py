"""The loop of a conversation: the model uses tools until it answers, and the claims of its answer are checked.

    client = client_of(settings)                    # one for a process; without, each conversation opens its own
    turns = [ConversationTurn("user", "Revenue in Q2?")]
    answer = converse(context, turns, tell=draw, permit=refuse, system=words, client=client)

Tools are offered in every round and the history goes as messages, so that a follow-up after a use of tools is a
conversation like any other. Raises `NoAnswer`, with the tokens spent in vain, where the model cannot be asked, refuses,
or says nothing twice; all text before that is void.

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

    `system` is cached; `circumstances` (the day, the collection) follow it and are not.
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
        self._context, self._tell, self._permit, self._client = context, tell, permit, client
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
        left = self._context.settings.chat.rounds
        message = self._next_message(final=False)
        while left and (message.stop == "pause_turn" or (message.uses and message.stop != "max_tokens")):
            left -= 1
            self._run_round(message)
            message = self._next_message(final=not left)
        if not message.text:
            message = self._ask_for_words()
        self._writer.keep()
        if message.stop == "model_context_window_exceeded":
            self._notes.append("The answer was cut: the conversation is as long as the model can read.")
        return self._answer()

    def _next_message(self, *, final: bool) -> ModelMessage:
        """The next message, whole: one that was cut at the token limit is continued once."""
        if final:
            self._messages = with_text(self._messages, _ENOUGH)
        message = self._ask(final=final)
        if message.stop != "max_tokens":
            return message
        if message.text:
            self._writer.keep(joined=True)
            self._messages = with_text(
                [*self._messages, {"role": "assistant", "content": message.blocks_without_tools}], _GO_ON
            )
        else:
            # The input of a tool, or a thought, was cut: it begins anew with more room.
            self._longest = 2 * self._context.settings.chat.tokens
        rest = self._ask(final=final)
        if rest.stop == "max_tokens":
            self._notes.append(f"The answer was cut at {self._longest} tokens; the setting chat.tokens allows more.")
        if rest.text or (rest.uses and rest.stop != "max_tokens"):
            return rest
        return replace(message, uses=(), stop="end_turn")

    def _ask_for_words(self) -> ModelMessage:
        """An answer from a model that gave no text: it is asked once more, without tools."""
        self._messages = with_text(self._messages, _SPEAK)
        message = self._ask(final=True)
        if not message.text:
            raise self._no_answer("the model gave no answer", "ask again, or in other words")
        return message

    def _ask(self, *, final: bool) -> ModelMessage:
        chat = self._context.settings.chat
        arguments = message_request(
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
            message = stream_message(self._client, arguments, self._writer)
        except NoAnswer as failure:
            raise NoAnswer(failure.problem, failure.cure, failure.tokens + self._usage.total) from None
        self._usage += message.usage
        self._costs.append(message.usage)
        if message.stop == "refusal":
            raise self._no_answer("the model refused to answer", message.explanation or "ask in other words")
        return replace(message, content=message.blocks_without_tools, uses=()) if final else message

    def _run_round(self, message: ModelMessage) -> None:
        self._messages.append({"role": "assistant", "content": message.content})
        self._writer.keep(joined=not message.uses)
        if message.uses:
            outcomes = run_tool_uses(self._context, message.uses, self._tell, self._permit)
            self._messages.append({"role": "user", "content": [self._result(each) for each in outcomes]})

    def _result(self, outcome: ToolUseResult) -> Block:
        """The result of a tool for the model; its text beside passages is recorded, for claims to be looked up in."""
        result: Block = {"type": "tool_result", "tool_use_id": outcome.use.id}
        if outcome.result is None:
            self._calls.append(outcome.call)
            return {**result, "is_error": True, "content": [_text(outcome.call.text)]}
        first = len(self._material.passages) + 1
        passages = self._material.add(outcome.result.hits)
        text = without_passage_lines(outcome.result.text, passages, first if self._marks else None)
        self._calls.append(replace(outcome.call, result=text))
        rest = [_text(text)] if text else []
        if self._marks:
            frames = [numbered_frame(each, number) for number, each in enumerate(passages, first)]
            content = [_text("\n\n".join([*frames, text]).strip() or "Nothing.")]
        else:
            content = [*map(search_result, passages), *rest] or [_text("Nothing.")]
        return {**result, "content": content}

    def _answer(self) -> Answer:
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

    def _no_answer(self, problem: str, cure: str) -> NoAnswer:
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
    turns = [turn for turn in turns if turn.role in _ROLES and turn.text.strip()]
    while turns and turns[0].role != "user":
        turns = turns[1:]
    if not turns or turns[-1].role != "user":
        raise BadInput("the question is empty", "write a question")
    messages: list[Message] = []
    for turn in turns:
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

    `circumstances`, which change from day to day, come after the cached part of the system prompt.

    Tools are sent in every round: the service demands them where a message before used one.
    """
    arguments = {
        "model": model,
        "max_tokens": longest,
        "tools": [*tools[:-1], {**tools[-1], **_MARK}],
        "messages": list(_with_cache_marks(messages)),
        "tool_choice": {"type": "none" if final else "auto"},
    }
    fixed: list[Block] = [{"type": "text", "text": system, **_MARK}] if system.strip() else []
    changing: list[Block] = [{"type": "text", "text": circumstances}] if circumstances.strip() else []
    return {**arguments, "system": fixed + changing} if fixed or changing else arguments


def with_text(messages: Sequence[Message], text: str) -> list[Message]:
    """The messages with this text of the user at their end, in the last message if that is the user's."""
    block = {"type": "text", "text": text}
    *before, last = messages
    if last["role"] != "user":
        return [*messages, {"role": "user", "content": [block]}]
    return [*before, {**last, "content": [*last["content"], block]}]


def _with_cache_marks(messages: Sequence[Message]) -> Iterator[Message]:
    last_two = [place for place, message in enumerate(messages) if message["role"] == "user"][-2:]
    for place, message in enumerate(messages):
        *rest, last = message["content"]
        yield {**message, "content": [*rest, {**last, **_MARK}]} if place in last_two else message
