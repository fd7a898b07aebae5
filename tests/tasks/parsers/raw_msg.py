"""Messages of Outlook for tests, and the compound files that they are ([MS-CFB], [MS-OXMSG])."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import parse_as
from warehouse.records import Document

Tree = Mapping[str, "bytes | Tree"]
_SECTOR, _SMALL, _CUTOFF, _END, _NONE = 512, 64, 4096, 0xFFFFFFFE, 0xFFFFFFFF


def compound(tree: Tree) -> bytes:
    """The bytes of a compound file with these streams (bytes) and storages."""
    entries: list[list[object]] = []
    small, small_chain, large, large_chain = bytearray(), list[int](), bytearray(), list[int]()

    def put(data: bytes, into: bytearray, chain: list[int], size: int) -> int:
        if not data:
            return _END
        first, count = len(into) // size, -(-len(data) // size)
        into.extend(data.ljust(count * size, b"\0"))
        chain.extend([*range(first + 1, first + count), _END])
        return first

    def add(name: str, content: bytes | Tree, kind: int) -> int:
        place = len(entries)
        entries.append([name, kind, _NONE, _NONE, 0, 0])
        if isinstance(content, bytes):
            is_large = len(content) >= _CUTOFF
            entries[place][4] = (
                put(content, large, large_chain, _SECTOR) if is_large else put(content, small, small_chain, _SMALL)
            )
            entries[place][5] = len(content)
            return place
        before = None
        for inner, value in content.items():
            added = add(inner, value, 2 if isinstance(value, bytes) else 1)
            if before is None:
                entries[place][3] = added
            else:
                entries[before][2] = added
            before = added
        return place

    add("Root Entry", tree, 5)
    entries[0][4], entries[0][5] = put(bytes(small), large, large_chain, _SECTOR), len(small)
    table = put(struct.pack(f"<{len(small_chain)}I", *small_chain).ljust(1, b"\xff"), large, large_chain, _SECTOR)
    listed = b"".join(
        struct.pack("<64sHBBIII", name.encode("utf-16-le"), 2 * len(name) + 2, kind, 1, _NONE, right, child)  # type: ignore[union-attr, operator, attr-defined]
        + bytes(36)
        + struct.pack("<IQ", start, size)
        for name, kind, right, child, start, size in entries
    )
    directory = put(listed, large, large_chain, _SECTOR)
    own = -(-(len(large_chain) * 4) // (_SECTOR - 4))
    chain = [*large_chain, *[0xFFFFFFFD] * own]
    places = [len(large_chain) + at for at in range(own)] + [_NONE] * (109 - own)
    header = struct.pack(
        "<8s16sHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, 0, own, directory, 0,
        _CUTOFF, table, max(1, -(-len(small_chain) * 4 // _SECTOR)), _END, 0,
    )  # fmt: skip
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(own * _SECTOR, b"\xff")
    return header + struct.pack("<109I", *places) + bytes(large) + fat


def properties(
    texts: Mapping[int, str | bytes] | None = None, numbers: Mapping[int, int | datetime] | None = None, head: int = 8
) -> dict[str, bytes | Tree]:
    """The streams of some properties: characters or bytes, and numbers or times."""
    short = bytes(head)
    for number, value in (numbers or {}).items():
        if isinstance(value, datetime):
            ticks = int((value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000
            short += struct.pack("<HHIQ", 0x40, number, 6, ticks)
        else:
            short += struct.pack("<HHIQ", 3, number, 6, value)
    found: dict[str, bytes | Tree] = {"__properties_version1.0": short}
    for number, text in (texts or {}).items():
        kind, data = ("001F", text.encode("utf-16-le")) if isinstance(text, str) else ("0102", text)
        found[f"__substg1.0_{number:04X}{kind}"] = data
    return found


def message(
    texts: Mapping[int, str | bytes],
    numbers: Mapping[int, int | datetime] | None = None,
    *,
    attached: Sequence[Tree] = (),
    recipients: Sequence[Tree] = (),
    others: Tree | None = None,
    is_inside: bool = False,
) -> Tree:
    """The streams and storages of a message."""
    return {
        **properties(texts, numbers, 24 if is_inside else 32),
        **{f"__recip_version1.0_#{place:08X}": each for place, each in enumerate(recipients)},
        **{f"__attach_version1.0_#{place:08X}": each for place, each in enumerate(attached)},
        **(others or {}),
    }


def file(name: str, data: bytes, kind: str = "application/octet-stream") -> Tree:
    """An attached file."""
    return properties({0x3707: name, 0x370E: kind, 0x3701: data}, {0x3705: 1})


def inner(tree: Tree) -> Tree:
    """A message inside of another."""
    return {**properties({0x3001: "inner"}, {0x3705: 5}), "__substg1.0_3701000D": tree}


def read_msg(tree: Tree) -> Document:
    """The document of a message."""
    return parse_as("msg", Raw("a.msg", compound(tree)))
