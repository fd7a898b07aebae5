"""Archives of documents: a ZIP file read within bounds, and the Open Packaging Conventions on it (ECMA-376 part 2).

Only the parts that are asked for are unpacked, and all of them together to a bounded size, so that a small file cannot
fill the memory.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals
from tasks.parsers.trees import read_xml

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties
    from lxml.etree import _Element

COMPOUND = b"\xd0\xcf\x11\xe0"
"""How a compound file begins ([MS-CFB]): older Office files, and newer ones that are encrypted."""
_MOST_UNPACKED = 256 * 2**20
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def entry_names(data: bytes) -> tuple[str, ...] | None:
    """The names of an archive's entries with forward slashes; None where its directory cannot be read."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return tuple(name.replace("\\", "/") for name in archive.namelist())
    except _BROKEN:
        return None


class ZipPackage:
    """The parts of a ZIP archive by name, in any case. `noun` names the format in messages: "DOCX file".

    Every reading raises `UnreadableFile` where the archive is cut, damaged or encrypted, or where what is read of it
    swells beyond 256 MB.
    """

    def __init__(self, data: bytes, noun: str) -> None:
        self.noun = noun
        if data.startswith(COMPOUND):
            raise refusals.encrypted()
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except _BROKEN as error:
            early = b"PK\x05\x06" not in data[-66_000:]
            raise refusals.truncated(noun) if early else refusals.damaged(noun, str(error)) from error
        self._entries = {entry.filename.replace("\\", "/").lower(): entry for entry in self._archive.infolist()}
        self._left = _MOST_UNPACKED

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts in lower case, in the order of the archive."""
        return tuple(self._entries)

    def data(self, part: str) -> bytes | None:
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
        except _BROKEN as error:
            raise refusals.damaged(self.noun, str(error)) from error

    def xml(self, part: str) -> _Element | None:
        """The root of an XML part without namespaces, None where there is no such part."""
        data = self.data(part)
        return None if data is None else read_xml(data)


class OfficePackage(ZipPackage):
    """The parts by their relationships, those of ISO/IEC 29500 Strict and Transitional alike.

    `main_part` is the name of the part that the package is about, `usual_main` what it is where no relationship says.
    """

    def __init__(self, data: bytes, noun: str, usual_main: str) -> None:
        super().__init__(data, noun)
        roots = self.relations("")
        self.main_part = next((target for kind, target in roots.values() if kind == "officeDocument"), usual_main)
        self._core = next((target for kind, target in roots.values() if kind == "core-properties"), "")

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The kind and target of each relationship of a part inside the package, by id; "" is the package itself."""
        folder, _, name = part.rpartition("/")
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            attribute(relation, "Id"): (
                attribute(relation, "Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, attribute(relation, "Target"))).lstrip("/"),
            )
            for relation in (() if root is None else root)
            if attribute(relation, "TargetMode") != "External"
        }

    def core_properties(self) -> CoreProperties | None:
        """Title, authors and dates (part 2, 11) as python-docx reads them, if the file has any."""
        data = self.data(self._core) if self._core else None
        if data is None or read_xml(data) is None:
            return None
        from docx.opc.coreprops import CoreProperties
        from docx.oxml.coreprops import CT_CoreProperties
        from docx.oxml.parser import parse_xml

        found = parse_xml(data)
        return CoreProperties(found) if isinstance(found, CT_CoreProperties) else None


def attribute(node: _Element | None, key: str) -> str:
    """An attribute by its local name, or nothing."""
    if node is None:
        return ""
    return next((str(value) for name, value in node.attrib.items() if str(name).rpartition("}")[2] == key), "")
