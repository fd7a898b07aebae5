"""Tool calls of the model: validated, executed, and answered with a result or an error line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from dashboards.assistant.answer_types import Permit, Tell, ToolCall, ToolCallStart
from dashboards.assistant.tools.contract import TOOLS, Tool, ToolContext, ToolResult
from dashboards.assistant.tools.request_limits import check_limits
from warehouse.errors import KalendsError

AT_ONCE = 8  # Tools that run at the same time, at most.
HEAD = 500  # Characters of a tool's result that a `ToolCall` keeps.
_REFUSED = "the person did not allow it; do not try again, say what you would have done"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A use of a tool as the model asks for it; `arguments` is None where its input was no JSON object."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolUseResult:
    """A use with its call record, and the tool's result; None where the call failed and its text says why."""

    use: ToolUse
    call: ToolCall
    result: ToolResult | None


def tool_definitions() -> list[dict[str, Any]]:
    """All tools as the Messages API describes them, by name, so that the same prefix is cached."""
    return [
        {"name": name, "description": tool.description, "input_schema": tool.schema} for name, tool in TOOLS.items()
    ]


def run_tool_uses(context: ToolContext, uses: Sequence[ToolUse], tell: Tell, permit: Permit) -> list[ToolUseResult]:
    """Each use answered, in order. What only reads runs concurrently; what writes runs alone, and only if permitted.

    `tell` and `permit` are called on the caller's thread.
    """
    for use in uses:
        tell(ToolCallStart(use.name, use.arguments or {}))
    with ThreadPoolExecutor(min(AT_ONCE, len(uses))) as pool:
        begun = [None if _is_writing(use) else pool.submit(_run, context, use) for use in uses]
        return list(_outcomes(context, uses, begun, tell, permit))


def _outcomes(
    context: ToolContext,
    uses: Sequence[ToolUse],
    begun: Sequence[Future[ToolUseResult] | None],
    tell: Tell,
    permit: Permit,
) -> Iterator[ToolUseResult]:
    for use, future in zip(uses, begun, strict=True):
        outcome = future.result() if future else _run_permitted(context, use, permit)
        tell(outcome.call)
        yield outcome


def _run_permitted(context: ToolContext, use: ToolUse, permit: Permit) -> ToolUseResult:
    if use.arguments is not None and not permit(use.name, use.arguments):
        return _failure(use, _REFUSED)
    return _run(context, use)


def _run(context: ToolContext, use: ToolUse) -> ToolUseResult:
    if use.arguments is None:
        return _failure(use, f"{use.name}: the input is not a JSON object")
    tool = _tool(use)
    if tool is None:
        return _failure(use, f"there is no tool {use.name}: there are {', '.join(sorted(TOOLS))}")
    begun = perf_counter()
    try:
        check_limits(context, use.name, use.arguments)
        result = tool.call(context, use.arguments)
    except KalendsError as error:
        return _failure(use, str(error), perf_counter() - begun)
    return ToolUseResult(use, ToolCall(use.name, use.arguments, result.text[:HEAD], perf_counter() - begun), result)


def _failure(use: ToolUse, line: str, seconds: float = 0.0) -> ToolUseResult:
    return ToolUseResult(use, ToolCall(use.name, use.arguments or {}, line, seconds, failed=True), None)


def _is_writing(use: ToolUse) -> bool:
    tool = _tool(use)
    return tool is not None and tool.writes


def _tool(use: ToolUse) -> Tool | None:
    # A family says what it lacks by an error of its own, not by a KeyError.
    return next((TOOLS[name] for name in TOOLS if name == use.name), None)


def parse_json_object(text: str) -> Mapping[str, Any] | None:
    """The JSON object that a model wrote, none for nothing at all; None where it is not one."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
