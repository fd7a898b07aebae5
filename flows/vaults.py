"""The vaults that checked notes belong to, with their templates and what links in them may lead to."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flows.discovery import VAULT, RootScope, paths
from tasks.check.sheets import Sheet
from tasks.quality.targets import Links
from warehouse.records import Root

if TYPE_CHECKING:
    from flows.checked_files import CheckedFile


def templates_among(files: Collection[Path]) -> frozenset[Path]:
    """Those of some files, by their absolute paths, that are templates of the vault they lie in: no documents."""
    set_aside = {parent: _templates(parent) for parent in {file.parent for file in files}}
    return frozenset(file for file in files if (folder := set_aside[file.parent]) and file.is_relative_to(folder))


def _templates(folder: Path) -> Path | None:
    """The folder of templates of the vault that a folder belongs to, as Obsidian's settings name it."""
    for vault in (folder, *folder.parents):
        settings = vault / VAULT / "templates.json"
        if settings.is_file():
            try:
                named = json.loads(settings.read_text(encoding="utf-8")).get("folder")
            except (OSError, ValueError, AttributeError):
                return None
            return vault / named if isinstance(named, str) and named.strip("/ ") else None
    return None


def links_among(files: Sequence[CheckedFile], places: Collection[Path], sheets: Mapping[str, Sheet]) -> Links:
    """The vaults of the notes: a folder with `.obsidian` above them, else the folder that was named."""
    named = [place.resolve() if place.is_dir() else place.resolve().parent for place in places]
    whole = [place.resolve() for place in places if place.is_dir()]
    notes: dict[str, tuple[str, str]] = {}
    for file in files:
        found = sheets[file.path].digest
        if found is not None and found.note is not None:
            vault = _vault(file.absolute, named)
            notes[file.path] = (str(vault), file.absolute.relative_to(vault).as_posix())
    vaults = {vault for vault, _ in notes.values()}
    listed = {vault: tuple(paths(RootScope(Root("", Path(vault))))) for vault in vaults}
    complete = frozenset(vault for vault in vaults if any(Path(vault).is_relative_to(place) for place in whole))
    return Links(listed, notes, complete, frozenset(vault for vault in vaults if (Path(vault) / VAULT).is_dir()))


def _vault(note: Path, named: Sequence[Path]) -> Path:
    marked = next((folder for folder in note.parents if (folder / VAULT).is_dir()), None)
    if marked is not None:
        return marked
    holders = [place for place in named if note.is_relative_to(place)]
    return min(holders, key=lambda place: len(place.parts), default=note.parent)
