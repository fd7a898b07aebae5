"""The places a watch looks at, and what an event there asks of an ingest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flows.discovery import RootScope, could_hold, stands_alone
from flows.roots import inner_folders, look, merged
from tasks.topics import SUFFIX
from warehouse.settings.loader import Settings
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    """A folder to watch, for a scope or one part of it. Folders in `inner` are no part of it.

    `whole` is what an ingest must name to look at all of it: the folder, or the files that are meant in it.
    """

    folder: Path
    scope: RootScope
    inner: frozenset[Path]
    whole: tuple[Path, ...]

    @property
    def deep(self) -> bool:
        """Whether what lies in folders below it belongs to it."""
        return self.whole == (self.folder,)

    def asked(self, path: Path, *, folder: bool) -> tuple[Path, ...]:
        """What is to be looked at after a change of a file or folder; nothing if that is no document's.

        A link and an oddly named file cannot be named to an ingest: the folder they lie in is looked through. A file
        that may say the topics of others concerns all of them.
        """
        if path == self.folder:
            return self.whole
        if not could_hold(self.scope, path.relative_to(self.scope.root.folder).as_posix(), self.inner, folder=folder):
            return ()
        if path.suffix.lower() == SUFFIX and not folder:
            return self.whole
        if stands_alone(path):
            return (path,)
        return (path.parent,) if self.deep else self.whole


def places_of(settings: Settings, generation: Generation | None, paths: Iterable[Path]) -> list[WatchedFolder]:
    """The places of the named folders and files, or of all declared and remembered roots.

    Raises `BadInput` as an ingest of the same would.
    """
    scopes = look(settings, generation, paths)
    roots = merged(generation.manifest.roots if generation else (), scopes)
    home = Layout(settings.warehouse).home.folder
    return [place for scope in scopes for place in _places(scope, inner_folders(scope.root, roots) | {home})]


def _places(scope: RootScope, inner: frozenset[Path]) -> Iterator[WatchedFolder]:
    top = scope.root.folder
    files: dict[Path, list[Path]] = {}
    for start in scope.parts or scope.root.only or ("",):
        path = top / start
        if not start or path.is_dir():
            yield WatchedFolder(path, scope, inner, (path,))
        else:
            files.setdefault(path.parent, []).append(path)
    for folder, named in files.items():
        yield WatchedFolder(folder, scope, inner, tuple(named))


def fewest(paths: Iterable[Path], tops: Iterable[Path], limit: int) -> tuple[Path, ...]:
    """Paths that cover all of `paths`: many in one folder are looked at with the whole folder, within the `tops`.

    Of what lies in a folder that is named itself, nothing is left. There may be more than `limit` only where the tops
    are.
    """
    found, borders = _outermost(set(paths)), set(tops)
    while len(found) > limit:
        raised = {path.parent if not borders.isdisjoint(path.parents) else path for path in found}
        if raised == found:
            break
        found = _outermost(raised)
    return tuple(sorted(found))


def _outermost(paths: set[Path]) -> set[Path]:
    return {path for path in paths if paths.isdisjoint(path.parents)}
