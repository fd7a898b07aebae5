"""What every request of the server works with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from dashboards.assistant.tools.contract import TOOLS, Tool, ToolContext
from warehouse.reader import Warehouse
from warehouse.settings.loader import Settings


@dataclass(frozen=True, slots=True)
class Service:
    """The settings, the warehouse that follows what is published, and whether tools that write are left out."""

    settings: Settings
    warehouse: Warehouse
    read_only: bool = False

    @property
    def context(self) -> ToolContext:
        """A context of today (UTC), as the command line has it."""
        return ToolContext(self.settings, self.warehouse, datetime.now(UTC).date())

    @property
    def tools(self) -> dict[str, Tool]:
        """Those that may be used, by name."""
        return {name: tool for name, tool in TOOLS.items() if not (self.read_only and tool.writes)}
