"""Archives of documents: ZIP files, read within bounds, and the Open Packaging Conventions (ECMA-376 part 2).

Only requested parts are unpacked, and all of them together up to a bounded size, so that a small file cannot fill the
memory.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from tasks import faults
from tasks.parsers import refusals
from tasks.parsers.office.office_properties import EMPTY_DESCRIPTION, FileDescription, describe_file
from tasks.parsers.parser_contract import Raw
from tasks.parsers.trees import make_xml_refusal, read_xml
from warehouse.records import Document, Finding

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_UNPACKED_BYTES = 256 * 2**20  # Of all parts that are read at once.
_MAX_STREAMED_BYTES = 2 * 2**30
"""Bytes of the parts that are read piece by piece, none of which is in memory at once."""
_PIECE_BYTES = 2**18
_ENCRYPTED_FLAG = 0x1
_LOCAL_NAME = re.compile(rb"PK\x03\x04.{22}(?P<length>..).{2}", re.DOTALL)
_CONTENT_TYPES = "[content_types].xml"
_ARCHIVE_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def list_entry_names(data: bytes) -> tuple[str, ...] | None:
    """The names of an archive's entries with forward slashes; None where its directory cannot be read."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return tuple(name.replace("\\", "/") for name in archive.namelist())
    except _ARCHIVE_ERRORS:
        return None


def list_part_names(data: bytes) -> tuple[str, ...]:
    """The names of an archive's entries; where its directory cannot be read, those in the entries themselves."""
    names = list_entry_names(data)
    return tuple(_iter_local_names(data)) if names is None else names


def is_office(raw: Raw, folder: str, main: re.Pattern[str], suffixes: tuple[str, ...]) -> bool:
    """Whether a ZIP archive is an Office file of a kind: one with its main part, which is usually in `folder`.

    If the main part has another name, the folder of the entries decides, and so for an archive without a directory,
    else its suffix.
    """
    names = list_entry_names(raw.data)
    if names is not None and any(map(main.fullmatch, names)):
        return True
    lower_names = [name.lower() for name in (_iter_local_names(raw.data) if names is None else names)]
    folders = {name.partition("/")[0] for name in lower_names} & {"word", "xl", "ppt"}
    if names is not None and (_CONTENT_TYPES not in lower_names or len(folders) > 1):
        return False
    return folder in folders or (
        names is None and not folders and _CONTENT_TYPES in lower_names and raw.suffix in suffixes
    )


def _iter_local_names(data: bytes) -> Iterator[str]:
    """The names in an archive's entries themselves, for one without a directory."""
    for match in _LOCAL_NAME.finditer(data):
        length = int.from_bytes(match["length"], "little")
        yield data[match.end() : match.end() + length].decode("utf-8", "replace")


class ZipPackage:
    """The parts of a ZIP archive by name, in any case. `noun` names the format in messages: "DOCX file".

    Every reading raises `UnreadableFile` where the archive is cut, damaged, encrypted, or exceeds 256 MB when unpacked.
    A part with a wrong checksum is read nevertheless, with one of `findings`.
    """

    def __init__(self, data: bytes, noun: str) -> None:
        self.noun = noun
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
        except _ARCHIVE_ERRORS as error:
            is_truncated = b"PK\x05\x06" not in data[-66_000:]
            raise refusals.truncated(noun) if is_truncated else refusals.damaged(noun, str(error)) from error
        self._entries = {entry.filename.replace("\\", "/").lower(): entry for entry in self._archive.infolist()}
        self._checksums = {part: entry.CRC for part, entry in self._entries.items()}
        for entry in self._archive.infolist():
            del entry.CRC  # Without it, zipfile gives the bytes of a part whatever its checksum is.
        self.findings: list[Finding] = []
        self._remaining_bytes, self._remaining_streamed = _MAX_UNPACKED_BYTES, _MAX_STREAMED_BYTES

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts in lower case, in the order of the archive."""
        return tuple(self._entries)

    def has(self, part: str) -> bool:
        """Whether there is such a part."""
        return part.lower() in self._entries

    def read_part(self, part: str) -> bytes | None:
        """A part unpacked, None where there is no such part."""
        entry = self._find_entry(part)
        if entry is None:
            return None
        self._remaining_bytes -= entry.file_size
        if self._remaining_bytes < 0:
            raise refusals.too_large(f"{_MAX_UNPACKED_BYTES // 2**20} MB when unpacked")
        try:
            data = self._archive.read(entry)
        except _ARCHIVE_ERRORS as error:
            raise refusals.damaged(self.noun, str(error)) from error
        self._verify_checksum(part, zlib.crc32(data))
        return data

    def with_findings(self, document: Document) -> Document:
        """The document with the findings on its package."""
        return replace(document, findings=(*document.findings, *self.findings))

    def _verify_checksum(self, part: str, checksum: int) -> None:
        """Adds a finding where a part has another checksum than in the archive's directory, once."""
        if self._checksums.get(part.lower(), checksum) != checksum:
            message = f"the checksum of {part} in the file is wrong, so that some of its content may be damaged"
            self.findings.append(faults.LOST_PART.make_finding(message))
            del self._checksums[part.lower()]

    def _find_entry(self, part: str) -> zipfile.ZipInfo | None:
        entry = self._entries.get(part.lower())
        if entry is not None and entry.flag_bits & _ENCRYPTED_FLAG:
            raise refusals.encrypted()
        return entry

    def iter_elements(self, part: str, *tags: str) -> Iterator[_Element]:
        """The elements of these local names in an XML part, each yielded when its end is read, then freed.

        Their tags keep their namespaces. The part is unpacked as it is consumed; nothing where there is none.
        """
        from lxml import etree

        entry = self._find_entry(part)
        if entry is None:
            return
        parser = etree.XMLPullParser(
            events=("end",),
            tag=[f"{{*}}{tag}" for tag in tags],
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )
        data, checksum = b"", 0
        try:
            with self._archive.open(entry) as stream:
                while piece := stream.read(_PIECE_BYTES):
                    data, checksum = piece, zlib.crc32(piece, checksum)
                    self._remaining_streamed -= len(piece)
                    if self._remaining_streamed < 0:
                        raise refusals.too_large(f"{_MAX_STREAMED_BYTES // 2**20} MB when unpacked")
                    parser.feed(piece)
                    for _, element in parser.read_events():
                        if isinstance(element, etree._Element):
                            yield element
                            _clear_element(element)
            parser.close()
            self._verify_checksum(part, checksum)
        except etree.XMLSyntaxError as error:
            raise make_xml_refusal(error, data, f"XML of {part}") from error
        except _ARCHIVE_ERRORS as error:
            raise refusals.damaged(self.noun, str(error)) from error

    def read_xml_part(self, part: str) -> _Element | None:
        """The root of an XML part without namespaces, None where there is no such part."""
        data = self.read_part(part)
        return None if data is None else read_xml(data, f"XML of {part}")


class OfficePackage(ZipPackage):
    """The parts by their relationships, those of ISO/IEC 29500 Strict and Transitional alike.

    `main_part` is the name of the main part, `default_main` its name where no relationship states it.
    `core_part` has the core properties, if there is one.
    """

    def __init__(self, data: bytes, noun: str, default_main: str) -> None:
        super().__init__(data, noun)
        roots = self.read_relations("")
        self.main_part = next((target for kind, target in roots.values() if kind == "officeDocument"), default_main)
        self.core_part = next((target for kind, target in roots.values() if kind == "core-properties"), "")

    def read_relations(self, part: str) -> dict[str, tuple[str, str]]:
        """The kind and target of each relationship of a part inside the package, by id; "" is the package itself."""
        folder, _, name = part.rpartition("/")
        root = self.read_xml_part(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            get_attribute(relation, "Id"): (
                get_attribute(relation, "Type").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, get_attribute(relation, "Target"))).lstrip("/"),
            )
            for relation in (() if root is None else root)
            if get_attribute(relation, "TargetMode") != "External"
        }

    def read_properties(self) -> FileDescription:
        """Title, authors and days (part 2, 11) as python-docx reads them; empty where they cannot be read."""
        data = self.read_part(self.core_part) if self.core_part else None
        if data is None:
            return EMPTY_DESCRIPTION
        from docx.opc.coreprops import CoreProperties
        from docx.oxml.coreprops import CT_CoreProperties
        from docx.oxml.parser import parse_xml
        from lxml.etree import XMLSyntaxError

        try:
            core = parse_xml(data)
        except XMLSyntaxError:
            return EMPTY_DESCRIPTION
        for empty_part in [part for part in core if not (part.text or "").strip()]:
            core.remove(empty_part)  # python-docx fails on an empty day.
        if not isinstance(core, CT_CoreProperties):
            return EMPTY_DESCRIPTION
        properties = CoreProperties(core)
        return describe_file(properties.title, properties.author, (properties.created, properties.modified))


def _clear_element(element: _Element) -> None:
    """Clear an element and its previous siblings."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def get_attribute(node: _Element | None, key: str) -> str:
    """An attribute by its local name, or nothing."""
    if node is None:
        return ""
    return next((str(value) for name, value in node.attrib.items() if str(name).rpartition("}")[2] == key), "")
