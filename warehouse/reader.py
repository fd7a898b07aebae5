"""The one face of the warehouse for whoever reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from warehouse.errors import BadInput
from warehouse.records import Filters, Hit, Holding, Question, Run
from warehouse.search.companies import fiscal_year_start
from warehouse.search.searching import search
from warehouse.store import generations
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.querying import QueryResult, open_locked, query
from warehouse.store.snapshot import Snapshot


class Warehouse:
    """Reads the published generation and notices when another takes its place. Safe to share between threads.

    Raises `NoWarehouse` where nothing was ingested yet and `BadWarehouse` where it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is the warehouse's; nothing is opened yet."""
        self.layout = Layout(folder)
        self._snapshot: Snapshot | None = None
        self._lock = Lock()

    @property
    def snapshot(self) -> Snapshot:
        """The generation published now; a caller that asks twice may get two, so one answer asks once."""
        with self._lock:
            found = generations.require(self.layout)
            if self._snapshot is None or self._snapshot.generation != found:
                self._snapshot = Snapshot(self.layout, found)
            return self._snapshot

    @property
    def generation(self) -> int:
        """The number of the published generation."""
        return self.snapshot.generation.manifest.number

    def check_model(self, model: str) -> None:
        """Raise `BadInput` when the published vectors are of another model than the one that will read questions."""
        held = self.snapshot.generation.manifest.model
        if held != model:
            raise BadInput(
                f"the vectors are of {held}, the settings name {model}", "run 'kalends ingest' to embed anew"
            )

    def fiscal_year_start(self, question: str, filters: Filters) -> int | None:
        """The month, 1 to 12, in which the fiscal years begin of the company a question asks about; None if unknown."""
        return fiscal_year_start(self.snapshot, question, filters)

    def search(self, question: Question) -> list[Hit]:
        """The best passages for a question, each with its citation."""
        return search(self.snapshot, question)

    def documents(self) -> tuple[Holding, ...]:
        """Every document, in order of source."""
        return self.snapshot.generation.holdings()

    def runs(self) -> tuple[Run, ...]:
        """The runs that led to the published generation, oldest first."""
        return self.snapshot.generation.runs()

    def findings(self) -> Sequence[dict[str, Any]]:
        """How often each rule was found, by severity: rows of `code`, `name`, `severity`, `count`."""
        sql = "SELECT code, name, severity, count(*) AS count FROM findings GROUP BY ALL ORDER BY count DESC, code"
        return self.snapshot.records(sql)

    def sql(self, text: str, limit: int = 1000, seconds: float = 30.0) -> QueryResult:
        """Run one read-only query with files and network out of reach. Raises `BadQuery`."""
        connection = open_locked(generations.require(self.layout), Lake(self.layout.lake))
        try:
            return query(connection, text, limit, seconds)
        finally:
            connection.close()
