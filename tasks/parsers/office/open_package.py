"""Packages of OpenDocument (ODF 1.3 part 2): their type, encryption and properties.

A flat file (part 3, 3.1.2: .fodt, .fods, .fodp) is one XML file with the parts of a package, and is read as a package.
"""

from __future__ import annotations

import re
import zipfile
from contextlib import suppress
from datetime import datetime
from io import BytesIO

from tasks.parsers import refusals
from tasks.parsers.decoder import decode_head
from tasks.parsers.office.office_package import ZipPackage, list_entry_names
from tasks.parsers.office.office_properties import FileDescription, describe_file
from tasks.parsers.parser_contract import Raw
from tasks.parsers.trees import collapse_spaces, find_root_tag, get_tag
from warehouse.errors import UnreadableFile

_MIMETYPE, _MANIFEST = "mimetype", "META-INF/manifest.xml"
_TYPE_BYTES = 200  # Bytes with the type, which is the first entry of the archive, uncompressed.
_CONTENT_PART, _META_PART = "content.xml", "meta.xml"
_FLAT_PARTS = ("styles.xml", _META_PART)
_MIMETYPE_ATTRIBUTE = re.compile(r"\bmimetype\s*=\s*[\"']([^\"']*)")
_DOCUMENT = rb"<(?:\w+:)?document\s"
_OBJECT = re.compile(
    rb"(<(?:\w+:)?object)(?=[\s>])[^>]*>\s*(%b(?:(?!%b).)*?</(?:\w+:)?document\s*>)" % (_DOCUMENT, _DOCUMENT), re.DOTALL
)
"""A document in a document, without another one inside it."""
_MAX_DEPTH = 3  # Documents inside each other.
_PICTURE = re.compile(rb"(<(?:\w+:)?binary-data\s*>)[^<]*")

_ENCRYPTION_ENTRY = re.compile(
    rb"<[^<>]*full-path=\"(?:content\.xml|encrypted-package)\"[^<>]*(?<!/)>\s*<(?:[\w-]+:)?encryption-data"
)
"""The entry of a manifest for encrypted content; macros may be encrypted separately."""


def is_open_document(raw: Raw, media_type: str) -> bool:
    """Whether a file is of a type or a template of it.

    A flat one states it in its root; an archive in its first entry, else in another one or in its manifest.
    """
    if not raw.data.startswith(b"PK"):
        beginning = decode_head(raw.data)
        declared_type = _MIMETYPE_ATTRIBUTE.search(beginning) if find_root_tag(beginning) == "document" else None
        return declared_type is not None and declared_type[1].startswith(media_type)
    if f"{_MIMETYPE}{media_type}".encode() in raw.data[:_TYPE_BYTES]:
        return True
    if _CONTENT_PART not in (list_entry_names(raw.data) or ()):
        return False
    try:
        package = ZipPackage(raw.data, "")
        type_entry = package.read_part(_MIMETYPE)
        if type_entry is not None:
            return type_entry.strip().startswith(media_type.encode())
        return f'"{media_type}'.encode() in (package.read_part(_MANIFEST) or b"")
    except UnreadableFile:
        return False


class OpenPackage(ZipPackage):
    """The parts of a package by name."""

    def __init__(self, data: bytes, noun: str) -> None:
        """Raises `UnreadableFile` for a damaged or encrypted archive."""
        is_flat = not data.startswith(b"PK")
        super().__init__(_pack_flat_file(data) if is_flat else data, noun)
        if is_flat:
            self._entries |= dict.fromkeys(_FLAT_PARTS, self._entries[_CONTENT_PART])
        if _ENCRYPTION_ENTRY.search(self.read_part(_MANIFEST) or b""):
            raise refusals.encrypted()

    def read_properties(self) -> FileDescription:
        """Title, authors, and the days of creation and of the last change (part 3, 4.3)."""
        root = self.read_xml_part(_META_PART)
        texts = {
            get_tag(node): collapse_spaces(node.text or "")
            for node in (() if root is None else root.iterfind("meta/*"))
        }
        times = []
        for key in ("creation-date", "date"):
            with suppress(ValueError):
                times.append(datetime.fromisoformat(texts.get(key, "")[:19]))
        authors = texts.get("initial-creator") or texts.get("creator", "")
        return describe_file(texts.get("title", ""), authors, times)


def _pack_flat_file(data: bytes) -> bytes:
    """A flat file as the content of an archive: without pictures, and with the documents in it as separate parts."""
    archive_bytes, parts = BytesIO(), list[bytes]()

    def extract_part(match: re.Match[bytes]) -> bytes:
        parts.append(match[2])
        return b'%b href="Object %d">' % (match[1], len(parts))

    data = _PICTURE.sub(rb"\1", data)
    for _ in range(_MAX_DEPTH):
        data = _OBJECT.sub(extract_part, data)
    with zipfile.ZipFile(archive_bytes, "w") as archive:
        archive.writestr(_CONTENT_PART, data)
        for number, part in enumerate(parts, 1):
            archive.writestr(f"Object {number}/{_CONTENT_PART}", part)
    return archive_bytes.getvalue()
