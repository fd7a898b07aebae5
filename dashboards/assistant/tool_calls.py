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

AT_ONCE = 8
"""Tools that run at the same time, at most."""
HEAD = 500
"""Characters of what a tool gave that are kept of a call."""
_REFUSED = "the person did not allow it; do not try again, say what you would have done"


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A use of a tool as the model asks for it; `given` is None where its input was no JSON object."""

    id: str
    name: str
    given: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolUseResult:
    """A use and what came of it: what the tool gave, or the line that says why it gave nothing."""

    use: ToolUse
    call: ToolCall
    given: ToolResult | None


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
        tell(ToolCallStart(use.name, use.given or {}))
    with ThreadPoolExecutor(min(AT_ONCE, len(uses))) as pool:
        begun = [None if _writes(use) else pool.submit(_run, context, use) for use in uses]
        return list(_ended(context, uses, begun, tell, permit))


def _ended(
    context: ToolContext,
    uses: Sequence[ToolUse],
    begun: Sequence[Future[ToolUseResult] | None],
    tell: Tell,
    permit: Permit,
) -> Iterator[ToolUseResult]:
    for use, future in zip(uses, begun, strict=True):
        used = future.result() if future else _written(context, use, permit)
        tell(used.call)
        yield used


def _written(context: ToolContext, use: ToolUse, permit: Permit) -> ToolUseResult:
    if use.given is not None and not permit(use.name, use.given):
        return _failed(use, _REFUSED)
    return _run(context, use)


def _run(context: ToolContext, use: ToolUse) -> ToolUseResult:
    if use.given is None:
        return _failed(use, f"{use.name}: the input is not a JSON object")
    tool = _tool(use)
    if tool is None:
        return _failed(use, f"there is no tool {use.name}: there are {', '.join(sorted(TOOLS))}")
    begun = perf_counter()
    try:
        check_limits(context, use.name, use.given)
        given = tool.call(context, use.given)
    except KalendsError as error:
        return _failed(use, str(error), perf_counter() - begun)
    return ToolUseResult(use, ToolCall(use.name, use.given, given.text[:HEAD], perf_counter() - begun), given)


def _failed(use: ToolUse, line: str, seconds: float = 0.0) -> ToolUseResult:
    return ToolUseResult(use, ToolCall(use.name, use.given or {}, line, seconds, failed=True), None)


def _writes(use: ToolUse) -> bool:
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
