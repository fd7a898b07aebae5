"""Where things lie in a warehouse folder.

current -> generations/000007     the one pointer; replaced atomically
warehouse.duckdb -> current/warehouse.duckdb
generations/000007/               manifest.json, documents.parquet, keywords/, warehouse.duckdb …
lake/<table>/<batch>.parquet      immutable stage outputs
indexes/<name>/                   immutable vector bases, shared by generations
prefect/                          the local server's state, and the results of its tasks
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one warehouse folder."""

    folder: Path

    @property
    def current(self) -> Path:
        """The link to the published generation."""
        return self.folder / "current"

    @property
    def generations(self) -> Path:
        """One folder a generation."""
        return self.folder / "generations"

    @property
    def lake(self) -> Path:
        """One folder a table."""
        return self.folder / "lake"

    @property
    def indexes(self) -> Path:
        """The vector bases."""
        return self.folder / "indexes"

    @property
    def prefect(self) -> Path:
        """The local Prefect server's home."""
        return self.folder / "prefect"

    @property
    def lock(self) -> Path:
        """Held by the process that writes."""
        return self.folder / "ingest.lock"

    @property
    def catalog(self) -> Path:
        """The database for any DuckDB client."""
        return self.folder / "warehouse.duckdb"

    def generation(self, number: int) -> Path:
        """The folder of one generation."""
        return self.generations / f"{number:06d}"
