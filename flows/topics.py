"""Topics of papers, from the metadata files of a source folder; those files are no documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from flows.discovery import RootScope, list_paths, source_name
from tasks.pipeline import parse_key
from tasks.topics import LARGEST, SUFFIX, Topics, merge_topics, read_topics
from warehouse.records import Attributes, CatalogEntry, Root
from warehouse.settings.loader import Settings


@dataclass(frozen=True, slots=True)
class RootTopics:
    """Topics of a source folder: from its metadata files, those files (relative paths), and the folder's own."""

    topics: Topics
    files: frozenset[str]
    default: str

    def of(self, title: str, attributes: Attributes) -> str:
        """The topic of a document of the source folder."""
        return self.topics.of(title, attributes.pmcid, attributes.doi) or self.default


def root_topics(
    root: Root, inner: frozenset[Path], by_source: Mapping[str, CatalogEntry], settings: Settings
) -> RootTopics:
    """The topics of a source folder, read from all of it, since a run over a part needs them as well.

    A file that this version of the program has already read as a document is not opened again.
    """
    found: dict[str, Topics] = {}
    for path in list_paths(RootScope(root), inner, SUFFIX):
        if not _is_document(root, path, by_source, settings):
            topics = _read(root.folder / path)
            if topics is not None:
                found[path] = topics
    return RootTopics(merge_topics(found.values()), frozenset(found), root.topic)


def _is_document(root: Root, path: str, by_source: Mapping[str, CatalogEntry], settings: Settings) -> bool:
    entry = by_source.get(source_name(root, path))
    parsed = entry.output("parse") if entry else None
    if entry is None or parsed is None or parsed.key != parse_key(entry.file.sha256, SUFFIX, settings):
        return False
    try:
        status = (root.folder / path).stat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (entry.file.size, entry.file.modified_ns)


def _read(path: Path) -> Topics | None:
    """The topics in a file; None where it holds none or cannot be opened, which discovery reports."""
    try:
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else b""
    except OSError:
        return None
    return read_topics(data, path.name)
