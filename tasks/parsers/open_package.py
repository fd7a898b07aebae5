"""Packages of OpenDocument (ODF 1.3 part 2): what one is of, whether it is encrypted, and what it says of itself."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from tasks.parsers import refusals
from tasks.parsers.office_package import ZipPackage, entry_names
from tasks.parsers.parser_contract import Raw
from tasks.parsers.trees import local, squeezed
from warehouse.errors import UnreadableFile

_MANIFEST = "META-INF/manifest.xml"
_FIRST = 200  # Bytes in which the type stands, which is the first entry of the archive, unpacked.


def is_open_document(raw: Raw, media_type: str) -> bool:
    """Whether an archive is of a type or a template of it: by the type at its beginning, else by its manifest."""
    if f"mimetype{media_type}".encode() in raw.data[:_FIRST]:
        return True
    if not {"content.xml", _MANIFEST}.issubset(entry_names(raw.data) or ()):
        return False
    try:
        return f'"{media_type}'.encode() in (ZipPackage(raw.data, "").data(_MANIFEST) or b"")
    except UnreadableFile:
        return False


class OpenPackage(ZipPackage):
    """The parts of a package by name."""

    def __init__(self, data: bytes, noun: str) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        super().__init__(data, noun)
        if b"encryption-data" in (self.data(_MANIFEST) or b""):
            raise refusals.encrypted()

    def properties(self) -> tuple[str, str, list[datetime]]:
        """Title, author, and the times of creation and of the last change (part 3, 4.3)."""
        root = self.xml("meta.xml")
        found = {local(node): squeezed(node.text or "") for node in (root.iter() if root is not None else ())}
        times = []
        for key in ("creation-date", "date"):
            with suppress(ValueError):
                times.append(datetime.fromisoformat(found.get(key, "")[:19]))
        return found.get("title", ""), found.get("initial-creator") or found.get("creator", ""), times
