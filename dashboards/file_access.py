"""Access to files named by a model or a request: only files in the warehouse's own source folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from flows.roots import select_scopes
from warehouse.errors import BadInput
from warehouse.records import Root
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout


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
    """Paths that a name may stand for, with links resolved."""
    top, _, rest = name.partition("/")
    yield from ((root.folder / rest).resolve() for root in roots if root.name == top)
    yield Path(name).expanduser().resolve()
    yield from ((root.folder / name).resolve() for root in roots if (root.folder / name).exists())


def _contains(root: Root, file: Path) -> bool:
    folder = root.folder.resolve()
    if not file.is_relative_to(folder):
        return False
    return root.only is None or file.relative_to(folder).as_posix() in root.only
