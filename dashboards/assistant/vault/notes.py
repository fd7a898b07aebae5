"""The vault: its folder, its notes, a note as it is now, and the notes that the warehouse has."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from stat import S_ISREG
from unicodedata import normalize

from dashboards.assistant.vault.note_paths import (
    NOTE,
    convert_path_errors,
    find_name_on_disk,
    open_folder,
    parse_folder_path,
    parse_note_path,
)
from flows.discovery import RootScope, is_folder_of_notes, list_paths
from tasks.parsers.notes import VAULT
from warehouse.errors import BadInput, BadSettings, NoWarehouse
from warehouse.reader import Warehouse
from warehouse.records import Kind, Root
from warehouse.settings.loader import Settings, load_vault_settings
from warehouse.settings.models import VaultSettings

MAX_NOTE_BYTES = 2**20  # Bytes of a note that can be read or written.


@dataclass(frozen=True, slots=True)
class VaultNote:
    """A note as read: its path in the vault, its bytes, and the mode of its file."""

    source: str
    content: bytes
    mode: int

    @property
    def version(self) -> str:
        """The version of this content, another after every change, short enough to be repeated by a model."""
        return hashlib.sha256(self.content).hexdigest()[:12]

    @property
    def text(self) -> str:
        """The content as text. Raises `BadInput` for a note that is not UTF-8."""
        try:
            return self.content.decode("utf-8")
        except UnicodeDecodeError:
            raise BadInput(f"{self.source} is not UTF-8", "save it as UTF-8") from None


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault: notes below `root` are read; those in its folder `write` may also be written, none if it is None."""

    root: Path
    write: tuple[str, ...] | None = None

    def read(self, source: str) -> VaultNote:
        """A note by its path in the vault. Raises `BadInput` where there is none, with the nearest that there are."""
        *folder, name = parse_note_path(source)
        try:
            with open_folder(self.root, folder) as place, convert_path_errors(source):
                name_found = find_name_on_disk(place.descriptor, name)
                if name_found is None:
                    raise FileNotFoundError(source)
                return read_note_file(place.descriptor, name_found, "/".join((*place.parts, name_found)))
        except BadInput as error:
            similar_notes = self._find_similar_notes(source) if error.problem.startswith("there is no ") else ()
            if similar_notes:
                raise BadInput(
                    f"there is no {source} in the vault", f"did you mean {', '.join(similar_notes)}?"
                ) from None
            raise

    def iter_sources(self, folder: str = "", *, deeper: bool = True) -> Iterator[str]:
        """The paths of the notes in a folder, in order; those of its folders too where `deeper`.

        Raises `BadInput` for a folder that is not there. Links and hidden places are left out.
        """
        parts = parse_folder_path(folder.strip("/"))
        with open_folder(self.root, parts) as place:
            start = "/".join(place.parts)
        depth = len(parts) + 1
        for path in list_paths(RootScope(Root("", self.root), (start,) if start else ())):
            is_note = path.lower().endswith(NOTE) and (deeper or path.count("/") + 1 == depth)
            if is_note and not (self.root / path).is_symlink():
                yield path

    def parse_writable_path(self, source: str) -> tuple[str, ...]:
        """The parts of a path that may be written. Raises `BadInput` for one outside of the write vault."""
        parts = parse_note_path(source)
        if self.write is None:
            raise BadInput("notes can only be read", "set the folder to write to: write, in [vault] of kalends.toml")
        inside = tuple(normalize("NFC", part) for part in parts[: len(self.write)])
        if inside != self.write or len(parts) == len(self.write):
            raise BadInput(f"{source} is outside the folder for writing", f"choose a path in '{'/'.join(self.write)}/'")
        return parts

    def _find_similar_notes(self, source: str) -> tuple[str, ...]:
        """Notes of the same name in other folders, else of a similar path."""
        sources = list(self.iter_sources())
        name = source.rpartition("/")[2].casefold()
        same = [path for path in sources if path.rpartition("/")[2].casefold() == name]
        return tuple(same[:3] or get_close_matches(source, sources, n=3, cutoff=0.8))


def open_vault(settings: Settings, warehouse: Warehouse) -> Vault:
    """The vault of the settings, else the first source or ingested folder of notes, with what its own file says.

    Raises `BadSettings`.
    """
    vault_settings = settings.vault
    root = vault_settings.root or next(_iter_candidates(settings, warehouse), None)
    if root is None:
        raise BadSettings("no vault is set", "set its folder: root, in [vault] of kalends.toml")
    root = root.resolve()
    if not root.is_dir():
        raise BadSettings(f"setting 'vault.root': {root} is not a folder", "correct it in kalends.toml")
    if vault_settings == VaultSettings():
        vault_settings = load_vault_settings(root)
        root = vault_settings.root or root
    if vault_settings.write is None:
        return Vault(root)
    if not vault_settings.write.is_relative_to(root):
        raise BadSettings(f"setting 'vault.write': {vault_settings.write} is not in the vault {root}", "correct it")
    return Vault(root, tuple(normalize("NFC", part) for part in vault_settings.write.relative_to(root).parts))


def read_note_file(folder: int, name: str, source: str) -> VaultNote:
    """The note of this name in an open folder.

    Raises `OSError`, and `BadInput` for what is no plain file or too large.
    """
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        status = os.fstat(descriptor)
        if not S_ISREG(status.st_mode):
            raise BadInput(f"{source} is not a regular file", "give the path of a note")
        content = stream.read(MAX_NOTE_BYTES + 1)
    if len(content) > MAX_NOTE_BYTES:
        raise BadInput(f"{source} is larger than {MAX_NOTE_BYTES >> 20} MB", "read passages of it with search_notes")
    return VaultNote(source, content, status.st_mode & 0o777)


def _iter_candidates(settings: Settings, warehouse: Warehouse) -> Iterator[Path]:
    """The folders that may be the vault: declared ones first, and those that say so before those that look so."""
    declared = [Root("", source.folder, kind=source.kind) for source in settings.sources]
    try:
        remembered = warehouse.snapshot.generation.manifest.roots
    except NoWarehouse:
        remembered = ()
    roots = [*declared, *(root for root in remembered if root.only is None)]
    yield from (root.folder for root in roots if root.kind is Kind.NOTE or (root.folder / VAULT).is_dir())
    yield from (root.folder for root in roots if root.folder.is_dir() and is_folder_of_notes(root))


_NOTES = "SELECT document_id, path FROM documents WHERE root = $root AND ends_with(lower(path), $suffix)"


def map_notes_in_warehouse(warehouse: Warehouse, vault: Vault) -> dict[str, str]:
    """The path in the vault of each note that can be found, by the id of its document; none without a warehouse."""
    try:
        snapshot = warehouse.snapshot
    except NoWarehouse:
        return {}
    paths: dict[str, str] = {}
    inside = f"{vault.root}/"
    for root in snapshot.generation.manifest.roots:
        if not (root.folder.is_relative_to(vault.root) or vault.root.is_relative_to(root.folder)):
            continue
        for document_id, path in snapshot.query_rows(_NOTES, {"root": root.name, "suffix": NOTE}):
            place = f"{root.folder}/{path}"
            if place.startswith(inside):
                paths[document_id] = place.removeprefix(inside)
    return paths
