"""The background grids of this process: the latest one, and the way to the next."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from dashboards.background.processes import BackgroundProcesses
from dashboards.background.records import GridRun
from flows.lock import writing
from warehouse.settings.loader import Settings
from warehouse.store.layout import Layout


class GridRuns(BackgroundProcesses[GridRun]):
    """The latest grid and the way to the next. Safe to share between threads."""

    kind = "grid"
    module = "dashboards.background.grid_process"

    def start(self, settings: Settings, grid: str, names: Sequence[str], questions: str, count: int | None) -> GridRun:
        """Begin to try the configurations, of these `names`, of a `grid` as YAML on the documents of a warehouse.

        `questions` is "made" or the path of a file or folder; `count` is how many are asked, None for all. Raises
        `Underway`, and `Busy` while another process tries some there.
        """

        def prepared(started: datetime, name: str) -> tuple[GridRun, dict[str, Any]]:
            with writing(Layout(Layout(settings.warehouse).experiments)):
                run = GridRun(id=name, started=started, configurations=dict.fromkeys(names, ""))
            order = {"grid": grid, "questions": questions, "count": count}
            return run, {**order, "settings": settings.model_dump(mode="json")}

        return self._launch(prepared)
