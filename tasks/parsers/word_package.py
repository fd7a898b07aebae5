"""A DOCX file opened with python-docx, after the checks that make that safe."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

from tasks.parsers import refusals

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

MAIN_PART = "word/document.xml"

_MOST_UNPACKED = 256 * 2**20
_ENCRYPTED = 0x1
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME = re.compile(_STRICT + rb"(\w+)/")


def is_word(data: bytes) -> float:
    """How surely the bytes are a DOCX file; a ZIP archive whose directory is lost might be one."""
    if not data.startswith(b"PK\x03\x04"):
        return 0.0
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return 1.0 if MAIN_PART in archive.namelist() else 0.0
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return 0.6 if b"word/" in data or b"[Content_Types].xml" in data else 0.0


def open_word(data: bytes) -> WordDocument:
    """The document. Raises `UnreadableFile` where the archive is cut, damaged, encrypted or swells when unpacked."""
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
            if any(entry.flag_bits & _ENCRYPTED for entry in entries):
                raise refusals.encrypted()
            if sum(entry.file_size for entry in entries) > _MOST_UNPACKED:
                raise refusals.too_large(f"{_MOST_UNPACKED // 2**20} MB when unpacked")
            strict = _STRICT in archive.read(MAIN_PART)
            return docx.Document(BytesIO(_transitional(archive) if strict else data))
    except zipfile.BadZipFile as error:
        early = b"PK\x05\x06" not in data[-66_000:]
        raise refusals.truncated("DOCX file") if early else refusals.damaged("DOCX file", str(error)) from error
    except (PackageNotFoundError, KeyError) as error:
        raise refusals.damaged("DOCX file", str(error)) from error


def _transitional(archive: zipfile.ZipFile) -> bytes:
    """The package with the names of ISO/IEC 29500 Strict replaced by those of Transitional, which python-docx knows."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as copy:
        for entry in archive.infolist():
            part = archive.read(entry)
            if entry.filename.endswith((".xml", ".rels")):
                part = _STRICT_NAME.sub(rb"http://schemas.openxmlformats.org/\1/2006/", part)
            copy.writestr(entry, part)
    return target.getvalue()
