"""Source folders of a run: those declared in the settings, those remembered from earlier runs, and those named for it.

The warehouse's inbox is one of the remembered ones as soon as it exists. A run over part of a source folder does not
change its other files; a run over one source folder does not change the others.

An unmounted network share appears as a source folder whose documents were all deleted. If more than a certain part of a
folder's documents vanish in one run, the run keeps them, continues with the rest and reports it. Somebody who deleted
them confirms it once; a share that is mounted again loses nothing.

Files that a model or a request names must be in the warehouse's own source folders (`find_permitted_files`).
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from flows.discovery import RootScope, make_source_name
from warehouse.errors import BadInput
from warehouse.records import CatalogEntry, Root
from warehouse.settings.loader import Settings
from warehouse.settings.models import RemovalSettings
from warehouse.store.generations import Generation, find_latest
from warehouse.store.layout import Layout


def select_scopes(
    settings: Settings, generation: Generation | None, paths: Iterable[Path], drop: Collection[str] = ()
) -> list[RootScope]:
    """The scopes of a run. A file or folder that is gone may be named if the warehouse has documents of it.

    Raises `BadInput` for any other path that does not exist, for a source folder to drop that is unknown or still
    declared, or when there is nothing to ingest.
    """
    known_roots = generation.manifest.roots if generation else ()
    roots_by_name = _merge_known_roots(settings, known_roots)
    for name in drop:
        if name not in {root.name for root in known_roots}:
            raise BadInput(
                f"there is no source folder '{name}'", f"choose from {', '.join(sorted(roots_by_name)) or 'none'}"
            )
        if roots_by_name[name].folder in {source.folder.resolve() for source in settings.sources}:
            raise BadInput(f"source folder '{name}' is declared in the settings", "remove it from kalends.toml first")
        if roots_by_name[name].folder == _get_inbox(settings):
            cure = f"delete the files in {roots_by_name[name].folder}"
            raise BadInput(f"source folder '{name}' is the inbox of the warehouse", cure)
        del roots_by_name[name]
    requested_paths = list(paths)
    if not requested_paths and drop:
        return []
    if not requested_paths and not roots_by_name:
        cure = "give one ('kalends ingest FOLDER') or list sources in kalends.toml"
        raise BadInput("there is no folder to ingest", cure)
    if not requested_paths:
        return [RootScope(root) for root in roots_by_name.values()]
    scopes: dict[str, RootScope] = {}
    read_known_paths = cache(lambda: collect_known_paths(generation))
    for path in requested_paths:
        path_on_disk = path.expanduser().resolve()
        if not os.access(path_on_disk, os.F_OK) and str(path_on_disk) not in read_known_paths():
            raise BadInput(f"there is no file or folder {path}", "check the path")
        scope = _make_scope(path_on_disk, roots_by_name)
        roots_by_name[scope.root.name] = scope.root
        inner_roots = [
            root for root in roots_by_name.values() if root.only is None and root.folder.is_relative_to(path_on_disk)
        ]
        for inner_root in (scope, *(RootScope(root) for root in inner_roots if root != scope.root)):
            scopes[inner_root.root.name] = _merge_scopes(scopes.get(inner_root.root.name), inner_root)
    return [_expand_if_renamed(scope, known_roots) for scope in scopes.values()]


def _merge_scopes(one: RootScope | None, other: RootScope) -> RootScope:
    if one is None:
        return other
    if one.parts and other.parts:
        return RootScope(other.root, tuple(dict.fromkeys((*one.parts, *other.parts))))
    return RootScope(other.root)


def _expand_if_renamed(scope: RootScope, known_roots: Sequence[Root]) -> RootScope:
    """The complete source folder, if it has a new name; otherwise its other files would keep the old one."""
    is_renamed = any(root.folder == scope.root.folder and root.name != scope.root.name for root in known_roots)
    return RootScope(scope.root) if is_renamed and scope.root.only is None else scope


def find_absence(root: Root) -> str | None:
    """The reason why a source folder cannot be read now, as the end of a sentence; None if it can."""
    try:
        if root.only is None:
            os.scandir(root.folder).close()
        else:
            root.folder.stat()
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist"
    except OSError as error:
        return f"cannot be listed ({error.strerror})"
    return None


def find_superseded_roots(known_roots: Sequence[Root], scopes: Sequence[RootScope]) -> frozenset[str]:
    """The remembered source folders whose files now belong to another: renamed, or inside a larger folder."""
    complete_roots = [scope.root for scope in scopes if not scope.parts and scope.root.only is None]
    return frozenset(
        old.name
        for old in known_roots
        for new in complete_roots
        if old.name != new.name
        and (old.folder == new.folder or (old.only is not None and old.folder.is_relative_to(new.folder)))
    )


def merge_roots(known_roots: Sequence[Root], scopes: Iterable[RootScope]) -> tuple[Root, ...]:
    """The source folders to remember after a run."""
    roots = {root.name: root for root in known_roots}
    roots.update({scope.root.name: scope.root for scope in scopes})
    return tuple(roots[name] for name in sorted(roots))


def _merge_known_roots(settings: Settings, known_roots: Sequence[Root]) -> dict[str, Root]:
    roots = {root.name: root for root in known_roots}
    for source in settings.sources:
        folder = source.folder.resolve()
        earlier = next((root for root in roots.values() if root.folder == folder), None)
        name = source.name or (earlier.name if earlier else _find_free_name(folder, roots))
        if earlier:
            del roots[earlier.name]
        roots[name] = Root(
            name,
            folder,
            kind=source.kind,
            topic=source.topic,
            fiscal_year_end=source.fiscal_year_end,
            chunking=source.chunk.chunking,
        )
    inbox = _get_inbox(settings)
    if inbox.is_dir() and all(root.folder != inbox for root in roots.values()):
        name = _find_free_name(inbox, roots)
        roots[name] = Root(name, inbox)
    return roots


def _get_inbox(settings: Settings) -> Path:
    return Layout(settings.warehouse).inbox.resolve()


def collect_known_paths(generation: Generation | None) -> frozenset[str]:
    """The paths of all documents of the warehouse and of the folders above them."""
    if generation is None:
        return frozenset()
    folders = {root.name: root.folder for root in generation.manifest.roots}
    files = (folders[entry.file.root] / entry.file.path for entry in generation.read_entries())
    return frozenset(str(path) for file in files for path in (file, *file.parents))


def list_sources(roots: Iterable[Root], file: Path) -> tuple[str, ...]:
    """The sources that a file may have: of the source folders that hold it, the innermost first."""
    containing_roots = [root for root in roots if file.is_relative_to(root.folder)]
    containing_roots.sort(key=lambda root: -len(root.folder.parts))
    return tuple(make_source_name(root, file.relative_to(root.folder).as_posix()) for root in containing_roots)


def _make_scope(path: Path, roots_by_name: dict[str, Root]) -> RootScope:
    complete_roots = (root for root in roots_by_name.values() if root.only is None)
    containing_roots = [root for root in complete_roots if path.is_relative_to(root.folder)]
    if containing_roots:
        root = max(containing_roots, key=lambda root: len(root.folder.parts))
        part = path.relative_to(root.folder).as_posix()
        return RootScope(root) if part == "." else RootScope(root, (part,))
    if path.is_dir():
        partial = next((root for root in roots_by_name.values() if root.folder == path), None)
        return RootScope(replace(partial, only=None) if partial else Root(_find_free_name(path, roots_by_name), path))
    partial = next(
        (root for root in roots_by_name.values() if root.only is not None and root.folder == path.parent), None
    )
    if partial is None:
        return RootScope(
            Root(_find_free_name(path.parent, roots_by_name), path.parent, only=(path.name,)), (path.name,)
        )
    only = tuple(sorted({*(partial.only or ()), path.name}))
    return RootScope(replace(partial, only=only), (path.name,))


def _find_free_name(folder: Path, roots_by_name: dict[str, Root]) -> str:
    base = folder.name or "root"
    names = [base, *(f"{base}-{number}" for number in range(2, len(roots_by_name) + 3))]
    return next(name for name in names if name not in roots_by_name or roots_by_name[name].folder == folder)


class Removal(StrEnum):
    """Which vanished documents may be removed, however many they are."""

    NONE = "none"
    """None: the run was started by a schedule or by events, without a person who names what to remove."""
    NAMED = "named"
    """Those of a file or folder that was named for the run and is gone: to name it is to agree."""
    ALL = "all"
    """All that the run does not find."""


@dataclass(frozen=True, slots=True)
class WithheldDocuments:
    """Documents of a source folder that vanished and are kept; `total_documents` is how many the folder has in all."""

    root: str
    documents: tuple[CatalogEntry, ...]
    total_documents: int

    @property
    def warning(self) -> str:
        """What happened and what to do, in one line."""
        return (
            f"source folder '{self.root}': {len(self.documents)} of its {self.total_documents} documents are missing"
            " and are kept: mount it again, or confirm with 'kalends ingest --allow-removal'"
        )


def select_withheld_documents(
    entries: Iterable[CatalogEntry],
    missing_entries: Iterable[CatalogEntry],
    new_hashes: Collection[str],
    limits: RemovalSettings,
) -> tuple[WithheldDocuments, ...]:
    """The documents among the missing ones that must be kept, by source folder in order of name.

    `new_hashes` are contents (SHA-256) that are new in the same run: a file with another name has only moved. A
    document that was never read is no loss.
    """
    counts = Counter(entry.file.root for entry in entries if _is_read(entry))
    missing: defaultdict[str, list[CatalogEntry]] = defaultdict(list)
    for entry in missing_entries:
        if _is_read(entry) and entry.file.sha256 not in new_hashes:
            missing[entry.file.root].append(entry)
    return tuple(
        WithheldDocuments(root, tuple(documents), counts[root])
        for root, documents in sorted(missing.items())
        if len(documents) >= limits.least and len(documents) > limits.share * counts[root]
    )


def select_confirmed_removals(
    removal: Removal, scopes: Iterable[RootScope], missing_entries: Iterable[CatalogEntry]
) -> frozenset[str]:
    """The sources among the missing documents whose removal is confirmed."""
    if removal is Removal.ALL:
        return frozenset(entry.file.source for entry in missing_entries)
    if removal is Removal.NONE:
        return frozenset()
    scopes_by_root = {}
    for scope in scopes:
        if missing := tuple(part for part in scope.parts if not Path(scope.root.folder, part).exists()):
            scopes_by_root[scope.root.name] = RootScope(scope.root, missing)
    files = (entry.file for entry in missing_entries if entry.file.root in scopes_by_root)
    return frozenset(file.source for file in files if scopes_by_root[file.root].covers(file.path))


def _is_read(entry: CatalogEntry) -> bool:
    return entry.find_output("parse") is not None


def find_permitted_files(settings: Settings, names: Iterable[str]) -> list[Path]:
    """The files and folders of some names, each once.

    A name is a path, or a source ("reports/2023/q1.pdf", its root's name first), or a path in a root. Raises `BadInput`
    for what lies in no declared source and no root of the warehouse, however it is written.
    """
    roots = [scope.root for scope in select_scopes(settings, find_latest(Layout(settings.warehouse)), ())]
    return list(dict.fromkeys(_find_file(name, roots) for name in names))


def _find_file(name: str, roots: Sequence[Root]) -> Path:
    try:
        path = next(
            (file for file in _iter_candidates(name, roots) if any(_contains(root, file) for root in roots)), None
        )
    except (OSError, RuntimeError, ValueError):
        raise BadInput("the name of a file is not valid", "give files by their paths") from None
    if path is None:
        shown_name = " ".join(name[:200].split())
        raise BadInput(f"'{shown_name}' is in none of the source folders", "add it with 'kalends ingest PATH'")
    return path


def _iter_candidates(name: str, roots: Sequence[Root]) -> Iterator[Path]:
    """The paths that a name can refer to, with links resolved."""
    root_name, _, relative_path = name.partition("/")
    yield from ((root.folder / relative_path).resolve() for root in roots if root.name == root_name)
    yield Path(name).expanduser().resolve()
    yield from ((root.folder / name).resolve() for root in roots if (root.folder / name).exists())


def _contains(root: Root, file: Path) -> bool:
    folder = root.folder.resolve()
    if not file.is_relative_to(folder):
        return False
    return root.only is None or file.relative_to(folder).as_posix() in root.only
