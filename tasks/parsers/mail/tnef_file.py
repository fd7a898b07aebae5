"""Files inside of `winmail.dat`, in which Outlook packs attachments as if for another Outlook ([MS-OXTNEF]).

The file is a list of attributes, each with its level, id, length, bytes and checksum; an attachment is what follows the
attribute that describes how it is shown.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from tasks.parsers.mail.header_fields import decode_bytes
from tasks.parsers.trees import collapse_spaces

SIGNATURE = b"\x78\x9f\x3e\x22"
_FIRST = 6  # Bytes of the signature and of the key that follows it.
_HEAD, _CHECKSUM = struct.Struct("<BII"), 2
_BODY, _SHOWN, _TITLE, _DATA = 0x0002800C, 0x00069002, 0x00018010, 0x0006800F
_OF_ATTACHMENT = 2


def unpack_files(data: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """The plain text of the message, which is empty as a rule, and the names and bytes of its attachments."""
    body, name, files = "", "", list[tuple[str, bytes]]()
    for level, attribute, value in _iter_attributes(data):
        if attribute == _BODY:
            body = decode_bytes(value.rstrip(b"\0"), "")
        elif level == _OF_ATTACHMENT and attribute == _SHOWN:
            name = ""
        elif level == _OF_ATTACHMENT and attribute == _TITLE:
            name = collapse_spaces(decode_bytes(value.rstrip(b"\0"), ""))
            # The title may come behind the bytes.
            files[-1:] = [(name, content) for unnamed, content in files[-1:] if not unnamed] or files[-1:]
        elif level == _OF_ATTACHMENT and attribute == _DATA:
            files.append((name, value))
            name = ""
    return body, files


def _iter_attributes(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Level, id and bytes of each attribute, as far as the file goes."""
    place = _FIRST
    while place + _HEAD.size <= len(data):
        level, attribute, length = _HEAD.unpack_from(data, place)
        place += _HEAD.size
        if level not in (1, _OF_ATTACHMENT) or place + length > len(data):
            return
        yield level, attribute, data[place : place + length]
        place += length + _CHECKSUM
