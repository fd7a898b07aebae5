"""Attachments: files of a folder that hold no text to read, and are neither documents nor failures.

Pictures, recordings, archives, typefaces and programs, by their suffix, wherever they lie; a vault's boards too. What
is a document and cannot be read (an old Word file, a spreadsheet, a locked PDF) is reported, and so is a file that is
named by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from flows.discovery import VAULT, RootScope, paths
from flows.roots import inner_folders
from warehouse.records import Root

_PICTURES = ".avif .bmp .gif .heic .heif .ico .jfif .jpeg .jpg .png .svg .tif .tiff .webp"
_SOUND = ".3gp .aac .aiff .flac .m4a .mp3 .oga .ogg .opus .wav"
_FILMS = ".avi .m4v .mkv .mov .mp4 .ogv .webm"
_ARCHIVES = ".7z .bz2 .dmg .gz .iso .rar .tar .tgz .xz .zip .zst"
_TYPEFACES = ".eot .otf .ttc .ttf .woff .woff2"
_PROGRAMS = ".apk .class .dll .dylib .exe .jar .msi .o .pyc .so .wasm"
SUFFIXES = frozenset(f"{_PICTURES} {_SOUND} {_FILMS} {_ARCHIVES} {_TYPEFACES} {_PROGRAMS}".split())
"""What no parser reads, and what is no document by its kind. No PDF: that is one."""
_BOARDS = frozenset((".base", ".canvas", ".excalidraw"))
"""What Obsidian's boards write (https://help.obsidian.md/file-formats): other programs use these suffixes for text."""


class VaultFolders:
    """Which folders lie in a vault; each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[Path, bool] = {}

    def hold(self, folder: Path) -> bool:
        """Whether a folder, or one above it, is a vault."""
        found = self._known.get(folder)
        if found is None:
            found = (folder / VAULT).is_dir() or (folder != folder.parent and self.hold(folder.parent))
            self._known[folder] = found
        return found


class AttachmentFilter:
    """Tells the attachments of a root from its documents; of a root that is a list of files none is an attachment."""

    def __init__(self, root: Root) -> None:
        """Opens nothing."""
        self._root = root
        self._vaults = VaultFolders()

    def has(self, path: str) -> bool:
        """Whether the file at a path relative to the root is one."""
        suffix = PurePosixPath(path).suffix.lower()
        if self._root.only is not None:
            return False
        return suffix in SUFFIXES or (suffix in _BOARDS and self._vaults.hold((self._root.folder / path).parent))


def attachments(roots: Iterable[Root]) -> Iterator[str]:
    """The attachments of all roots, as root and path. Looks through their folders, and opens no file."""
    every = tuple(roots)
    for root in every:
        known = AttachmentFilter(root)
        yield from (
            f"{root.name}/{path}" for path in paths(RootScope(root), inner_folders(root, every)) if known.has(path)
        )
