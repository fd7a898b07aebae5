"""The loop of a conversation: the model uses tools until it answers, and the claims of its answer are checked.

    client = make_client(settings)                  # one for a process
    turns = [ConversationTurn("user", "Revenue in Q2?")]
    answer = converse(context, turns, on_event=draw, ask_permission=refuse, system=words, client=client)

Tools are offered in every round and the history goes as messages, so that a follow-up after a use of tools is a
conversation like any other. Raises `NoAnswer`, with the tokens spent in vain, where the model cannot be asked, refuses,
or says nothing twice; all text before that is discarded.

Requests mark prefixes for the service's cache (https://platform.claude.com/docs/en/build-with-claude/prompt-caching):
tools, then system, then messages. Four places may be marked: the ends of the tools and of the system, the same for a
session, and the last two messages of the user, so that each round reads what the one before it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import dropwhile, groupby
from operator import itemgetter
from time import perf_counter
from typing import Any

from anthropic import Anthropic

from dashboards.assistant.answer_types import (
    Answer,
    AnswerKind,
    AnswerProgress,
    ConversationTurn,
    EventHandler,
    PermissionCallback,
    ToolCall,
    ToolCallStart,
    Usage,
)
from dashboards.assistant.citable_passages import (
    CitableMaterial,
    build_search_result,
    format_numbered_frame,
    without_passage_lines,
)
from dashboards.assistant.prompts import read_prompt
from dashboards.assistant.proof import check_claims
from dashboards.assistant.service import has_service_citations
from dashboards.assistant.streaming import AnswerWriter, ModelMessage, ToolUse, stream_message, without_marks
from dashboards.assistant.tools.contract import TOOLS, ToolContext, ToolResult
from dashboards.assistant.tools.request_limits import check_limits
from warehouse.errors import BadInput, KalendsError, NoAnswer

Block = dict[str, Any]
Message = dict[str, Any]
_MARK = {"cache_control": {"type": "ephemeral"}}
_ROLES = ("user", "assistant")
_NO_MORE_TOOLS = "Tools cannot be used any more for this question. Answer with what was found, and say what is missing."
_SPEAK = "Answer the question now, in words."
_GO_ON = "Your answer was cut off. Go on exactly where it stopped: repeat nothing and write no preamble."


def converse(
    context: ToolContext,
    turns: Sequence[ConversationTurn],
    *,
    on_event: EventHandler,
    ask_permission: PermissionCallback,
    system: str,
    circumstances: str = "",
    client: Anthropic,
) -> Answer:
    """The model's answer to the last of the turns. `ask_permission` is asked before a tool writes.

    `system` is cached; `circumstances` (the day, the collection) follow it and are not.
    """
    return Conversation(context, turns, on_event, ask_permission, (system, circumstances), client).answer()


class Conversation:
    """One answer in the making; shares nothing with another."""

    def __init__(
        self,
        context: ToolContext,
        turns: Sequence[ConversationTurn],
        on_event: EventHandler,
        ask_permission: PermissionCallback,
        system: tuple[str, str],
        client: Anthropic,
    ) -> None:
        self._context, self._on_event, self._ask_permission, self._client = context, on_event, ask_permission, client
        self._marks = not has_service_citations(context.settings, client)
        fixed_prompt, circumstances = system
        fixed_prompt = f"{fixed_prompt}\n\n{read_prompt('marks')}" if self._marks else fixed_prompt
        self._system = [{**_make_text_block(fixed_prompt), **_MARK}] if fixed_prompt.strip() else []
        self._system += [_make_text_block(circumstances)] if circumstances.strip() else []
        *tools, last_tool = list_tool_definitions()
        self._tools = [*tools, {**last_tool, **_MARK}]
        self._messages = build_opening_messages(turns)
        self._material = CitableMaterial()
        self._writer = AnswerWriter(self._material, on_event, marks=self._marks)
        self._longest = context.settings.chat.tokens
        self._calls: list[ToolCall] = []
        self._notes: list[str] = []
        self._usage = Usage()
        self._costs: list[Usage] = []

    def answer(self) -> Answer:
        """Round after round, the last without tools."""
        remaining_rounds = self._context.settings.chat.rounds
        message = self._ask_whole_message(final=False)
        while remaining_rounds and (message.stop == "pause_turn" or (message.uses and message.stop != "max_tokens")):
            remaining_rounds -= 1
            self._messages.append({"role": "assistant", "content": message.content})
            self._writer.keep(is_joined=not message.uses)
            if message.uses:
                outcomes = run_tool_uses(self._context, message.uses, self._on_event, self._ask_permission)
                self._messages.append(
                    {"role": "user", "content": [self._make_tool_result(outcome) for outcome in outcomes]}
                )
            message = self._ask_whole_message(final=not remaining_rounds)
        if not message.text:
            self._add_user_text(_SPEAK)
            message = self._ask(final=True)
        if not message.text:
            raise self._make_no_answer("the model gave no answer", "ask again, or in other words")
        self._writer.keep()
        if message.stop == "model_context_window_exceeded":
            self._notes.append("The answer was cut: the conversation is as long as the model can read.")
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

    def _ask_whole_message(self, *, final: bool) -> ModelMessage:
        """The next message, whole: one that was cut at the token limit is continued once."""
        if final:
            self._add_user_text(_NO_MORE_TOOLS)
        message = self._ask(final=final)
        if message.stop != "max_tokens":
            return message
        if message.text:
            self._writer.keep(is_joined=True)
            self._messages.append({"role": "assistant", "content": message.blocks_without_tools})
            self._add_user_text(_GO_ON)
        else:
            # The input of a tool, or a thought, was cut: it is requested again with a higher limit.
            self._longest = 2 * self._context.settings.chat.tokens
        remaining_events = self._ask(final=final)
        if remaining_events.stop == "max_tokens":
            self._notes.append(f"The answer was cut at {self._longest} tokens; the setting chat.tokens allows more.")
        if remaining_events.text or (remaining_events.uses and remaining_events.stop != "max_tokens"):
            return remaining_events
        return replace(message, uses=(), stop="end_turn")

    def _add_user_text(self, text: str) -> None:
        """Add a text of the user to the messages, to the last of them if that is the user's."""
        if self._messages[-1]["role"] != "user":
            self._messages.append({"role": "user", "content": []})
        self._messages[-1]["content"].append(_make_text_block(text))

    def _ask(self, *, final: bool) -> ModelMessage:
        chat = self._context.settings.chat
        arguments = {
            "model": chat.model,
            "max_tokens": self._longest,
            # In every round: the service demands the tools where a message before used one.
            "tools": self._tools,
            "messages": list(_with_cache_marks(self._messages)),
            "tool_choice": {"type": "none" if final else "auto"},
            **({"system": self._system} if self._system else {}),
        }
        self._on_event(AnswerProgress(f"Waiting for {chat.model}"))
        try:
            message = stream_message(self._client, arguments, self._writer)
        except NoAnswer as failure:
            raise NoAnswer(failure.problem, failure.cure, failure.tokens + self._usage.total) from None
        self._usage += message.usage
        self._costs.append(message.usage)
        if message.stop == "refusal":
            raise self._make_no_answer("the model refused to answer", message.explanation or "ask in other words")
        return replace(message, content=message.blocks_without_tools, uses=()) if final else message

    def _make_tool_result(self, outcome: ToolUseResult) -> Block:
        """The result of a tool for the model; its text other than passages is recorded, to verify claims."""
        result: Block = {"type": "tool_result", "tool_use_id": outcome.use.id}
        if outcome.result is None:
            self._calls.append(outcome.call)
            return {**result, "is_error": True, "content": [_make_text_block(outcome.call.text)]}
        first = len(self._material.passages) + 1
        passages = self._material.add(outcome.result.hits)
        text = without_passage_lines(outcome.result.text, passages, first if self._marks else None)
        self._calls.append(replace(outcome.call, result=text))
        if self._marks:
            frames = [format_numbered_frame(passage, number) for number, passage in enumerate(passages, first)]
            content = [_make_text_block("\n\n".join([*frames, text]).strip() or "Nothing.")]
        else:
            remaining_text = text or ("" if passages else "Nothing.")
            content = [
                *map(build_search_result, passages),
                *([_make_text_block(remaining_text)] if remaining_text else []),
            ]
        return {**result, "content": content}

    def _make_no_answer(self, problem: str, cure: str) -> NoAnswer:
        return NoAnswer(problem, " ".join(cure.split()), self._usage.total)


def _make_text_block(text: str) -> Block:
    return {"type": "text", "text": text}


def build_opening_messages(turns: Sequence[ConversationTurn]) -> list[Message]:
    """The turns as messages that alternate and begin and end with the user. Raises `BadInput` without a question.

    Turns of one role that follow each other become one message, empty ones none.
    """
    texts = [(turn.role, without_marks(turn.text) if turn.role == "assistant" else turn.text) for turn in turns]
    texts_kept = [(role, text) for role, text in texts if role in _ROLES and text.strip()]
    texts_kept = list(dropwhile(lambda turn: turn[0] != "user", texts_kept))
    if not texts_kept or texts_kept[-1][0] != "user":
        raise BadInput("the question is empty", "write a question")
    groups = groupby(texts_kept, key=itemgetter(0))
    return [{"role": role, "content": [_make_text_block(text) for _, text in group]} for role, group in groups]


def _with_cache_marks(messages: Sequence[Message]) -> Iterator[Message]:
    last_two = [place for place, message in enumerate(messages) if message["role"] == "user"][-2:]
    for place, message in enumerate(messages):
        *first_blocks, last = message["content"]
        yield {**message, "content": [*first_blocks, {**last, **_MARK}]} if place in last_two else message


MAX_PARALLEL_TOOLS = 8  # Tools that run at the same time, at most.
KEPT_RESULT_LENGTH = 500  # Characters of a tool's result that a `ToolCall` keeps.
_REFUSED = "the person did not allow it; do not try again, say what you would have done"


@dataclass(frozen=True, slots=True)
class ToolUseResult:
    """A use with its call record, and the tool's result; None where the call failed and its text says why."""

    use: ToolUse
    call: ToolCall
    result: ToolResult | None


def list_tool_definitions() -> list[Block]:
    """All tools as the Messages API describes them, by name, so that the same prefix is cached."""
    return [
        {"name": name, "description": tool.description, "input_schema": tool.schema} for name, tool in TOOLS.items()
    ]


def run_tool_uses(
    context: ToolContext, uses: Sequence[ToolUse], on_event: EventHandler, ask_permission: PermissionCallback
) -> list[ToolUseResult]:
    """Each use answered, in order. What only reads runs concurrently; what writes runs alone, and only if permitted.

    `on_event` and `ask_permission` are called on the caller's thread.
    """
    for use in uses:
        on_event(ToolCallStart(use.name, use.arguments or {}))
    outcomes = []
    with ThreadPoolExecutor(min(MAX_PARALLEL_TOOLS, len(uses))) as pool:
        writing = [use.name in TOOLS and TOOLS[use.name].writes for use in uses]
        futures = [
            None if writes else pool.submit(_run_tool, context, use) for use, writes in zip(uses, writing, strict=True)
        ]
        for use, future in zip(uses, futures, strict=True):
            if future:
                outcome = future.result()
            elif use.arguments is None or ask_permission(use.name, use.arguments):
                outcome = _run_tool(context, use)
            else:
                outcome = _make_failure(use, _REFUSED)
            on_event(outcome.call)
            outcomes.append(outcome)
    return outcomes


def _run_tool(context: ToolContext, use: ToolUse) -> ToolUseResult:
    if use.arguments is None:
        return _make_failure(use, f"{use.name}: the input is not a JSON object")
    if use.name not in TOOLS:
        return _make_failure(use, f"there is no tool {use.name}: there are {', '.join(TOOLS)}")
    started = perf_counter()
    try:
        check_limits(context, use.name, use.arguments)
        result = TOOLS[use.name].call(context, use.arguments)
    except KalendsError as error:
        return _make_failure(use, str(error), perf_counter() - started)
    return ToolUseResult(
        use, ToolCall(use.name, use.arguments, result.text[:KEPT_RESULT_LENGTH], perf_counter() - started), result
    )


def _make_failure(use: ToolUse, line: str, seconds: float = 0.0) -> ToolUseResult:
    return ToolUseResult(use, ToolCall(use.name, use.arguments or {}, line, seconds, failed=True), None)
