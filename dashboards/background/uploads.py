"""Uploads from a page or over HTTP: the limit of a file, and which of the stored files the library lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dashboards.background.inbox import MAX_MEGABYTES, StagedUpload, StoredUpload, make_inbox, make_safe_file_name
from flows.roots import select_scopes
from warehouse.errors import UnreadableFile
from warehouse.records import CatalogEntry, Status
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class Upload:
    """A stored file; `is_known` says that the library has it with the same content."""

    stored: StoredUpload
    source: str
    size: int
    sha256: str
    is_known: bool

    @property
    def file(self) -> Path:
        """The path of the file."""
        return self.stored.file


class InboxFiles:
    """The inbox of a warehouse with what the published generation has of it: its source folder and its documents."""

    def __init__(self, settings: Settings, entries: Sequence[CatalogEntry]) -> None:
        """`entries` are the documents of the published generation. Raises `UnwritableInbox`."""
        layout = Layout(settings.warehouse)
        self.folder = make_inbox(layout)
        (scope,) = select_scopes(settings, find_latest(layout), [self.folder])
        self.root = scope.root.name
        self.most_megabytes = min(MAX_MEGABYTES, settings.parse.max_file_megabytes)
        self._others = frozenset(
            name for each in entries if each.file.root != self.root for name in (each.document_id, each.file.source)
        )
        self._entries = {each.file.path: each for each in entries if each.file.root == self.root}

    def check(self, staged: StagedUpload) -> None:
        """Raise `UnreadableFile` for a file that no parser reads, or that was added before and could not be read."""
        staged.check()
        for entry in self._entries.values():
            if entry.file.sha256 == staged.sha256 and entry.status is not Status.PUBLISHED:
                raise UnreadableFile(f"added before as {entry.file.path}, and could not be read: {entry.reason}")

    def store(self, staged: StagedUpload, *, replace: bool) -> Upload:
        """Store a file that was checked. Raises `UnwritableInbox`."""
        stored = staged.store(replace=replace)
        entry = self._entries.get(stored.file.name)
        is_known = entry is not None and entry.file.sha256 == staged.sha256
        return Upload(stored, f"{self.root}/{stored.file.name}", staged.size, staged.sha256, is_known)

    def find_path(self, document: str) -> str | None:
        """The path in the inbox of an uploaded file, by the id or source of its document; None for any other."""
        path = next((path for path, entry in self._entries.items() if entry.document_id == document), None)
        root, _, rest = document.partition("/")
        is_new = bool(rest) and rest == make_safe_file_name(rest) and (self.folder / rest).is_file()
        return path or (rest if root == self.root and (rest in self._entries or is_new) else None)

    def is_elsewhere(self, document: str) -> bool:
        """Whether an id or source is that of a document in another source folder."""
        return document in self._others

    def holds(self, path: str) -> bool:
        """Whether the published generation has a document of the file at a path of the inbox."""
        return path in self._entries
