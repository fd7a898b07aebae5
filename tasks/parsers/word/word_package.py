"""A DOCX file as a package of parts (ECMA-376 part 2), its core properties (part 2, 11), and its XML elements.

Only the parts that hold text are unpacked. python-docx reads the core properties only: opening the whole file with it
unpacks every part, pictures too, gives up on a relationship that leads nowhere, and dates a file without properties to
the moment of reading.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.trees import local, read_xml

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties
    from lxml.etree import _Element

_MOST_UNPACKED = 256 * 2**20
_MAIN = "word/document.xml"
_MAIN_NAME = re.compile(r"word/document\d*\.xml", re.IGNORECASE)
_ENCRYPTED = 0x1
_COMPOUND = b"\xd0\xcf\x11\xe0"
_ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
_HIDDEN = frozenset(
    {"pPr", "rPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "del", "moveFrom", "instrText", "delText"}
    | {"delInstrText", "docPr", "nvPr", "positionH", "positionV", "sectPr"}
)
_WRAPPERS = frozenset(["sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"])


def is_word(data: bytes) -> bool:
    """Whether a ZIP archive, or the compound file that an encrypted one is kept in, is a DOCX file.

    An archive whose directory is lost is one if it names a part of such a file.
    """
    if data.startswith(_COMPOUND):
        return _ENCRYPTED_STREAM in data
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return any(map(_MAIN_NAME.fullmatch, archive.namelist()))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return b"word/" in data or b"[Content_Types].xml" in data


class WordPackage:
    """The parts by their relationships, those of ISO/IEC 29500 Strict and Transitional alike.

    `body` is the element that holds the text. Every reading raises `UnreadableFile` where the archive is cut, damaged
    or encrypted, or where its text swells beyond 256 MB.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(_COMPOUND):
            raise refusals.encrypted()
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            early = b"PK\x05\x06" not in data[-66_000:]
            raise refusals.truncated("DOCX file") if early else refusals.damaged("DOCX file", str(error)) from error
        self._entries = {entry.filename.replace("\\", "/").lower(): entry for entry in self._archive.infolist()}
        self._left = _MOST_UNPACKED
        roots = self._relations("")
        self._main = next((target for kind, target in roots.values() if kind == "officeDocument"), _MAIN)
        self._core = next((target for kind, target in roots.values() if kind == "core-properties"), "")
        self._related = self._relations(self._main)
        main = self._read(self._main)
        body = None if main is None else main.find("body")
        if body is None:
            raise refusals.damaged("DOCX file", "there is no text part in it")
        self.body = body

    def part(self, kind: str) -> _Element | None:
        """The root of the part that the text has such a relationship to ("styles", "numbering"), if there is one."""
        return next((self._read(target) for found, target in self._related.values() if found == kind), None)

    def part_of(self, relation: str) -> _Element | None:
        """The root of the part with this relationship id."""
        return self._read(self._related[relation][1]) if relation in self._related else None

    def core_properties(self) -> CoreProperties | None:
        """Title, authors and dates as python-docx reads them, if the file has any."""
        data = self._bytes(self._core) if self._core else None
        if data is None or read_xml(data) is None:
            return None
        from docx.opc.coreprops import CoreProperties
        from docx.oxml.coreprops import CT_CoreProperties
        from docx.oxml.parser import parse_xml

        found = parse_xml(data)
        return CoreProperties(found) if isinstance(found, CT_CoreProperties) else None

    def _relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The kind and the target of each relationship of a part, by id; "" is the package itself."""
        folder, _, name = part.rpartition("/")
        root = self._read(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            attribute(relation, "Id"): (
                attribute(relation, "Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, attribute(relation, "Target"))).lstrip("/"),
            )
            for relation in (() if root is None else root)
            if attribute(relation, "TargetMode") != "External"
        }

    def _read(self, part: str) -> _Element | None:
        """The root of a part, None where there is no such part."""
        data = self._bytes(part)
        return None if data is None else read_xml(data)

    def _bytes(self, part: str) -> bytes | None:
        """A part unpacked, None where there is no such part."""
        entry = self._entries.get(part.lower())
        if entry is None:
            return None
        if entry.flag_bits & _ENCRYPTED:
            raise refusals.encrypted()
        self._left -= entry.file_size
        if self._left < 0:
            raise refusals.too_large(f"{_MOST_UNPACKED // 2**20} MB when unpacked")
        try:
            return self._archive.read(entry)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise refusals.damaged("DOCX file", str(error)) from error


def attribute(node: _Element | None, key: str) -> str:
    """An attribute by its local name, or nothing."""
    if node is None:
        return ""
    return next((str(value) for name, value in node.attrib.items() if str(name).rpartition("}")[2] == key), "")


def child(node: _Element | None, *path: str) -> _Element | None:
    """The first descendant along a path of names."""
    for step in path:
        node = next((part for part in node if local(part) == step), None) if node is not None else None
    return node


def value(node: _Element | None, *path: str) -> str:
    """The `val` attribute of the first descendant along a path, or nothing."""
    return attribute(child(node, *path), "val")


def is_on(node: _Element | None, *path: str) -> bool:
    """Whether a switch such as `vanish` is there and not turned off."""
    switch = child(node, *path)
    return switch is not None and attribute(switch, "val") not in ("0", "false", "off")


def visible_elements(node: _Element) -> Iterator[_Element]:
    """The children that Word shows: no properties, no tracked deletions, one of several alternatives."""
    for part in node:
        if local(part) == "AlternateContent":
            # The first alternative with words in it: Word writes the same words again for programs that know less.
            with_words = (option for option in part if next(option.iter("t"), None) is not None)
            yield from visible_elements(next(with_words, part[0] if len(part) else part))
        elif local(part) not in _HIDDEN:
            yield part


def inside(node: _Element, *wanted: str) -> Iterator[_Element]:
    """The elements of these names in order, through content controls, insertions and other wrappers."""
    for part in visible_elements(node):
        if local(part) in wanted:
            yield part
        elif local(part) in _WRAPPERS:
            yield from inside(part, *wanted)


def text_boxes(node: _Element) -> Iterator[_Element]:
    """The contents of the text boxes anchored in a paragraph, each once."""
    for part in visible_elements(node):
        if local(part) == "txbxContent":
            yield part
        else:
            yield from text_boxes(part)
