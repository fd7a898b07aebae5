"""The paths of a warehouse folder.

current -> generations/000007     the one pointer; replaced atomically
warehouse.duckdb -> current/warehouse.duckdb
generations/000007/               manifest.json, documents.parquet, keywords/, warehouse.duckdb …
lake/<table>/<batch>.parquet      immutable stage outputs
indexes/<name>/                   immutable vector bases, shared by generations
inbox/                            what people hand over in the dashboard: a root like any other once it is there
corrections.json                  what people corrected; no part of any generation, applied by the next ingest
reports/                          what `quality-report` last wrote
ingest.lock, ingest.json          held by the process that writes; how far its ingest is
prefect/                          the local server's state, and the results of its tasks
experiments/<fingerprint>/        a warehouse of the same documents under other settings; its lake is a link to this one
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SHARED_LAKE = Path("../../lake")  # Where the link that an experiment has for a lake leads.


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one warehouse folder."""

    folder: Path

    def make(self) -> None:
        """Make the folder if it is not there, for its owner alone; the rights of one that is there are its owner's."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)

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
    def inbox(self) -> Path:
        """The files that people hand over."""
        return self.folder / "inbox"

    @property
    def corrections(self) -> Path:
        """What people corrected, as text."""
        return self.folder / "corrections.json"

    @property
    def reports(self) -> Path:
        """The quality report of the deployment, as files."""
        return self.folder / "reports"

    @property
    def prefect(self) -> Path:
        """The local Prefect server's home."""
        return self.folder / "prefect"

    @property
    def lock(self) -> Path:
        """Held by the process that writes."""
        return self.folder / "ingest.lock"

    @property
    def progress(self) -> Path:
        """How far the ingest is that holds the lock."""
        return self.folder / "ingest.json"

    @property
    def catalog(self) -> Path:
        """The database for any DuckDB client."""
        return self.folder / "warehouse.duckdb"

    @property
    def experiments(self) -> Path:
        """One warehouse for each way to ingest that was tried."""
        return self.folder / "experiments"

    @property
    def home(self) -> Layout:
        """The warehouse that this one is an experiment of; itself if it is none."""
        shared = self.lake.is_symlink() and self.lake.readlink() == SHARED_LAKE
        return Layout(self.folder.resolve().parents[1] if shared else self.folder.resolve())

    @property
    def sharers(self) -> tuple[Layout, ...]:
        """The warehouses whose outputs lie in the same lake, this one among them."""
        tried = sorted(link.parent for link in self.home.experiments.glob("*/current"))
        return (self.home, *map(Layout, tried))

    def generation(self, number: int) -> Path:
        """The folder of one generation."""
        return self.generations / f"{number:06d}"
