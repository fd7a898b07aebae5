"""Tools as the protocol lists and calls them (https://modelcontextprotocol.io/specification, server/tools)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from typing import Any

import anyio
from mcp import MCPError, types
from pydantic_core import to_jsonable_python

from dashboards.assistant.tools.contract import TOOLS, Tool, ToolContext, ToolResult
from warehouse.errors import KalendsError
from warehouse.journal import record, record_internal_error
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class McpService:
    """State of the server: settings, the published warehouse, and whether tools that write are left out."""

    settings: Settings
    warehouse: Warehouse
    read_only: bool = False

    @property
    def context(self) -> ToolContext:
        """The context of tools, dated today (UTC)."""
        return ToolContext(self.settings, self.warehouse, datetime.now(UTC).date())

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools that may be used, by name."""
        return {name: tool for name, tool in TOOLS.items() if not (self.read_only and tool.writes)}


def list_tools(service: McpService) -> types.ListToolsResult:
    """Every tool with its schema and whether it reads, adds or destroys."""
    return types.ListToolsResult(tools=[_describe_tool(tool) for tool in service.tools.values()])


async def call_tool(service: McpService, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
    """Call a tool on a thread. An error is also a result, of one line, so that the model can correct its input."""
    tool = service.tools.get(name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"there is no tool {name!r}; the tools are {', '.join(service.tools)}")
    work, started = partial(tool.call, service.context, arguments), monotonic()
    try:
        result = await anyio.to_thread.run_sync(work, abandon_on_cancel=not tool.writes)
    except KalendsError as error:
        return _make_error_result(str(error))
    except Exception as error:
        reference = record_internal_error(error)
        _log.exception("the tool %s failed, reference %s", name, reference)
        return _make_error_result(
            f"Internal error in the tool {name}: {type(error).__name__}. Try it once more with other arguments; if it"
            f" happens again, report it with the lines of the server's log for reference {reference}."
        )
    finally:
        record("debug", "tool called", tool=name, seconds=monotonic() - started)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=result.text)], structured_content=_build_structured_content(result)
    )


def _describe_tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(
            title=tool.name.replace("_", " ").capitalize(),
            read_only_hint=not tool.writes,
            destructive_hint=tool.writes and not tool.additive,
            idempotent_hint=not tool.writes or tool.additive,
            open_world_hint=False,
        ),
    )


def _make_error_result(line: str) -> types.CallToolResult:
    text = types.TextContent(type="text", text=" ".join(line.split()))
    return types.CallToolResult(content=[text], is_error=True)


def _build_structured_content(result: ToolResult) -> dict[str, Any] | None:
    """The structured content, always an object: older clients accept nothing else."""
    if result.data is None:
        passages = [
            {
                "text": hit.headed_excerpt or hit.headed_text,
                "source": hit.citation.source,
                "citation": hit.citation.formatted,
                "url": hit.citation.url,
            }
            for hit in result.hits
        ]
        return {"passages": passages} if passages else None
    value = to_jsonable_python(result.data, inf_nan_mode="null", fallback=str)
    return value if isinstance(value, dict) else {"result": value}
