"""A lake on another filesystem, with a folder here that holds a copy of what this machine made or used.

Files are immutable and named by the work they hold, so a copy is as good as the file, writers need not know of each
other, and search, SQL and catalog read the folder as if there were nothing else. Which file holds an output is told in
ledgers, small files of the lake itself: a machine that has no generation yet finds in them what others have done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa

from warehouse.identity import digest
from warehouse.settings.models import LakeSettings
from warehouse.store.lake import Lake
from warehouse.store.parquet import is_whole, read_parquet
from warehouse.store.remote import Remote

LEDGER = pa.schema([("stage", pa.string()), ("key", pa.string()), ("file", pa.string())])


def open_lake(folder: Path, settings: LakeSettings) -> Lake:
    """The lake in a folder, or that of the settings' URL with the folder as its mirror.

    Raises `LakeFailed` where nothing can be written at the URL.
    """
    if not settings.url:
        return Lake(folder)
    remote = Remote(settings.url, settings.options)
    remote.claim()
    return MirroredLake(folder, remote)


class MirroredLake(Lake):
    """Writes to both; asks the remote what there is; reads here what `bring` brought. Raises `LakeFailed`."""

    def __init__(self, folder: Path, remote: Remote) -> None:
        """`folder` need not exist yet."""
        super().__init__(folder)
        self._remote = remote
        self._listed: dict[str, set[str]] = {}
        self._noted: dict[tuple[str, str], str] = {}
        self._ledgers: set[str] = set()

    def bring(self, places: Iterable[tuple[str, str]]) -> None:
        """Copy what is not whole in the folder; with embeddings all vectors. Sees from now on what others wrote."""
        self._listed.clear()
        chosen = set(places)
        if any(table == "embeddings" for table, _ in chosen):
            chosen.update(("vectors", name) for name in self._vectors_away())
        missing = {place: path for place in chosen if not is_whole(path := self.path(*place))}
        if missing:
            self._remote.get(missing)

    def share(self, places: Iterable[tuple[str, str]]) -> None:
        """Copy there what was written before there was a remote, all vectors too."""
        missing = {(table, name) for table, name in places if name not in self._names(table)}
        for path in super().vector_files():
            if not self._names("vectors").issuperset(self.replaced_by(path) or [path.stem]):
                missing.add(("vectors", path.stem))
        for place in missing:
            self._send(*place)

    def note(self, outputs: Mapping[tuple[str, str], str]) -> None:
        """Write a ledger of what no ledger tells yet."""
        told = self.noted()
        rows = [(stage, key, file) for (stage, key), file in sorted(outputs.items()) if told.get((stage, key)) != file]
        if rows:
            columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
            name = digest("ledger", rows)
            self._keep("ledgers", name, pa.table(columns, schema=LEDGER))
            self._ledgers.add(name)
            self._noted.update({(stage, key): file for stage, key, file in rows})

    def noted(self) -> Mapping[tuple[str, str], str]:
        """All ledgers together; each is read once."""
        new = sorted(self._names("ledgers") - self._ledgers)
        if new:
            self.bring(("ledgers", name) for name in new)
        for name in new:
            columns = read_parquet(self.path("ledgers", name)).to_pydict()
            places = zip(columns["stage"], columns["key"], strict=True)
            self._noted.update(zip(places, columns["file"], strict=True))
        self._ledgers.update(new)
        return self._noted

    def vector_files(self) -> list[Path]:
        """All files of vectors, brought here."""
        if away := self._vectors_away():
            self.bring([("vectors", name) for name in away])
        return super().vector_files()

    def _vectors_away(self) -> list[str]:
        """The files of vectors that are not here, nor merged with others here."""
        here = super().vector_files()
        known = {name for path in here for name in (path.stem, *self.replaced_by(path))}
        return sorted(self._names("vectors") - known)

    def _has_file(self, table: str, name: str) -> bool:
        if name in self._names(table):
            return True
        here = super()._has_file(table, name)
        if here:
            self._send(table, name)
        return here

    def _has_vectors(self, name: str) -> bool:
        if not is_whole(self.path("embeddings", name)):
            self.bring([("embeddings", name)])
        return super()._has_vectors(name)

    def _keep(self, table: str, name: str, rows: pa.Table) -> None:
        super()._keep(table, name, rows)
        self._send(table, name)

    def _send(self, table: str, name: str) -> None:
        self._remote.put(table, name, self.path(table, name))
        self._names(table).add(name)

    def _names(self, table: str) -> set[str]:
        if table not in self._listed:
            self._listed[table] = set(self._remote.names(table))
        return self._listed[table]
