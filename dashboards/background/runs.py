"""The background ingests of this process: the latest one, and the way to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from dashboards.background.processes import Processes
from dashboards.background.records import IngestRun
from flows.lock import writing
from flows.roots import look
from warehouse.settings import Settings
from warehouse.store.generations import latest
from warehouse.store.layout import Layout


class Runs(Processes[IngestRun]):
    """The latest ingest and the way to the next. Safe to share between threads."""

    kind = "ingest"
    module = "dashboards.background.ingesting"

    def __init__(self, published: Callable[[], None] | None = None) -> None:
        """`published` is called, in a thread of its own, when a run has published."""

        def ended(run: IngestRun) -> None:
            if published and run.report and run.report.generation is not None:
                published()

        super().__init__(ended)

    def start(self, settings: Settings, files: Sequence[Path] = (), drop: Sequence[str] = ()) -> IngestRun:
        """Begin a run over these files, or over all folders, that forgets the roots to `drop`.

        Raises `BadInput` for what cannot be looked at, `Underway`, and `Busy` for a run of others.
        """

        def prepared(started: datetime, name: str) -> tuple[IngestRun, dict[str, Any]]:
            layout = Layout(settings.warehouse)
            look(settings, latest(layout), files, drop)
            with writing(layout):
                run = IngestRun(id=name, files=[str(file) for file in files], drop=list(drop), started=started)
            return run, {"settings": settings.model_dump(mode="json"), "files": run.files, "drop": run.drop}

        return self._launch(prepared)
