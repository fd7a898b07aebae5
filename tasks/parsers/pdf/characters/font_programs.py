"""The names that embedded font programs give to their glyphs, as text: Type 1, CFF and TrueType.

They say what a glyph shows where the file's own tables do not. Formats: Adobe Type 1 Font Format (1990), 2.4; Adobe
Technical Note 5176 (CFF), 10 to 13; OpenType 1.9, `cmap` and `post`; names by the Adobe Glyph List Specification.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from unicodedata import normalize

from pdfminer.encodingdb import name2unicode
from pdfminer.pdffont import CFFFont
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psexceptions import PSException

_TEX_NAMES = {
    "angbracketleft": "⟨", "angbracketright": "⟩", "arrownortheast": "↗", "arrownorthwest": "↖", "arrowsoutheast": "↘",
    "arrowsouthwest": "↙", "bardbl": "∥", "ceilingleft": "⌈", "ceilingright": "⌉", "circlecopyrt": "◯",
    "coproduct": "∐", "diamondmath": "⋄", "epsilon1": "ϵ", "equivasymptotic": "≍", "floorleft": "⌊",
    "floorright": "⌋", "follows": "≻", "followsequal": "⪰", "greatermuch": "≫", "intersectionsq": "⊓",
    "latticetop": "⊤", "lessmuch": "≪", "lscript": "ℓ", "mapsto": "↦", "owner": "∋",
    "precedesequal": "⪯", "rho1": "ϱ", "similarequal": "≃", "star": "⋆", "triangleinv": "▽", "turnstileleft": "⊢",
    "turnstileright": "⊣", "unionmulti": "⊎", "unionsq": "⊔", "visiblespace": "␣",
}  # fmt: skip
"""Names of Computer Modern's signs that the Adobe Glyph List lacks (texglyphlist)."""
TEX_SIGNS = frozenset(_TEX_NAMES.values())
"""What pdfminer does not read although an encoding names it: it leaves what that code means in another encoding."""
_TYPE1_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/{}\[\]()<>%]+)\s+put")
_CHARSET, _ENCODING, _CHARSTRINGS, _ROS = 15, 16, 17, 1230
"""Operators of a CFF's Top DICT; those of two bytes, 12 first, count from 1200 here."""
_PREDEFINED = 2
"""Charsets up to this number and encodings below it are standard ones; larger numbers are places in the font."""
_SYMBOLIC = 0xF000  # From here on symbol fonts have their codes in a map for Unicode.
_MAC_ASCII, _MAC_UPPER, _MAC_REST, _OWN_NAMES = 3, 98, 226, 258
"""Glyphs of the standard Macintosh order: from 3 on ASCII's characters, from 98 on MacRoman's upper half, from 226 on
others; from 258 on a font's own names."""
_MOST_CODES = 0x11_0000  # All of Unicode: a character map that claims more is broken.
_UNICODE = frozenset({(0, encoding) for encoding in range(7)} | {(3, 1), (3, 10)})


@dataclass(frozen=True, slots=True)
class FontProgram:
    """What a font program says of its glyphs: the text of each code by its own encoding, and of each glyph's number."""

    by_code: Mapping[int, str] = field(default_factory=dict)
    by_glyph: Mapping[int, str] = field(default_factory=dict)


def read_program(descriptor: Mapping[str, Any]) -> FontProgram:
    """The program that a font's descriptor embeds; an empty one where there is none or it cannot be read."""
    for key, read in _READERS.items():
        found = resolve1(descriptor.get(key))
        if isinstance(found, PDFStream):
            try:
                return read(found.get_data())
            except (struct.error, LookupError, ValueError, TypeError, PSException):
                return FontProgram()
    return FontProgram()


def text_of_name(name: object) -> str:
    """The text that a glyph's name stands for, ligatures letter by letter ("f_i", "fi", "uniFB01"); "" for others."""
    text = name.decode("latin1") if isinstance(name, bytes) else name
    if not isinstance(text, str):
        return ""
    try:
        return _TEX_NAMES.get(text) or normalize("NFKC", name2unicode(text))
    except (KeyError, ValueError):
        return ""


def _type1(data: bytes) -> FontProgram:
    head = data.partition(b"eexec")[0]
    return FontProgram(_texts((int(code), name) for code, name in _TYPE1_ENTRY.findall(head)))


def _cff(data: bytes) -> FontProgram:
    """CFF by itself, or as a table of an OpenType font. Fonts with numbers in place of names say nothing."""
    if data[:4] == b"OTTO":
        data = _tables(data)[b"CFF "]
    file = BytesIO(data)
    file.seek(data[2])
    CFFFont.INDEX(file)
    tops, strings = CFFFont.INDEX(file), CFFFont.INDEX(file)
    top = _top(tops[0])
    if _ROS in top:
        return FontProgram()
    file.seek(top[_CHARSTRINGS])
    count = len(CFFFont.INDEX(file))
    ids, codes = list(range(count)), dict[int, int]()
    if (charset := top.get(_CHARSET, 0)) > _PREDEFINED:
        file.seek(charset)
        ids = [0, *_charset(file, count)]
    standard = CFFFont.STANDARD_STRINGS
    names = [standard[number] if number < len(standard) else strings[number - len(standard)] for number in ids]
    if (encoding := top.get(_ENCODING, 0)) >= _PREDEFINED:
        file.seek(encoding)
        codes = dict(_encoding(file))
    by_code = _texts((code, names[glyph]) for code, glyph in codes.items() if glyph < len(names))
    return FontProgram(by_code, _texts(enumerate(names)))


def _top(data: bytes) -> dict[int, int]:
    """The operators of a Top DICT with the last whole number before each."""
    found: dict[int, int] = {}
    file, number = BytesIO(data), 0
    while head := file.read(1):
        first = head[0]
        if first <= 21:
            found[1200 + file.read(1)[0] if first == 12 else first] = number
        elif first == 28 or first == 29:
            number = int.from_bytes(file.read(2 if first == 28 else 4), "big", signed=True)
        elif first == 30:
            while not any(half == 15 for half in divmod(file.read(1)[0], 16)):
                pass
        elif first < 247:
            number = first - 139
        else:
            high = (first - 247 if first < 251 else first - 251) * 256 + file.read(1)[0] + 108
            number = high if first < 251 else -high
    return found


def _charset(file: BytesIO, count: int) -> Iterator[int]:
    """The string numbers of the glyphs from 1 on."""
    (form,) = file.read(1)
    left = count - 1
    if form == 0:
        yield from struct.unpack(f">{left}H", file.read(2 * left))
        return
    layout = struct.Struct(">HB" if form == 1 else ">HH")
    while left > 0:
        first, more = layout.unpack(file.read(layout.size))
        yield from range(first, first + min(more + 1, left))
        left -= more + 1


def _encoding(file: BytesIO) -> Iterator[tuple[int, int]]:
    """Codes with their glyphs; supplements, by which one glyph has several codes, are left out."""
    (form, count) = file.read(2)
    if form & 0x7F == 0:
        yield from ((code, glyph) for glyph, code in enumerate(file.read(count), start=1))
        return
    glyph = 1
    for first, more in struct.iter_unpack("BB", file.read(2 * count)):
        yield from ((first + step, glyph + step) for step in range(more + 1))
        glyph += more + 1


def _true_type(data: bytes) -> FontProgram:
    tables = _tables(data)
    maps = dict(_character_maps(tables.get(b"cmap", b"")))
    glyphs = _post(tables.get(b"post", b""))
    for key, codes in maps.items():
        if key in _UNICODE:  # ligatures letter by letter; spaces of any kind say nothing
            glyphs |= {glyph: normalize("NFKC", chr(code)) for code, glyph in codes.items() if glyph and code > 0x20}
    by_code = dict(maps.get((1, 0), {}))
    for code, glyph in maps.get((3, 0), {}).items():
        by_code[code - _SYMBOLIC if code >= _SYMBOLIC else code] = glyph
    return FontProgram({code: glyphs[glyph] for code, glyph in by_code.items() if glyph in glyphs}, glyphs)


def _tables(data: bytes) -> dict[bytes, bytes]:
    (count,) = struct.unpack(">H", data[4:6])
    rows = struct.iter_unpack(">4sLLL", data[12 : 12 + 16 * count])
    return {tag: data[start : start + length] for tag, _, start, length in rows}


def _character_maps(table: bytes) -> Iterator[tuple[tuple[int, int], dict[int, int]]]:
    """Each character map by its platform and encoding: codes with their glyphs, of the formats that subsets use."""
    if not table:
        return
    (count,) = struct.unpack(">H", table[2:4])
    for platform, encoding, start in struct.iter_unpack(">HHL", table[4 : 4 + 8 * count]):
        (form,) = struct.unpack(">H", table[start : start + 2])
        if form in _FORMATS:
            yield (platform, encoding), _FORMATS[form](table[start:])


def _segments(table: bytes) -> dict[int, int]:
    (twice,) = struct.unpack(">H", table[6:8])
    count = twice // 2
    ends, starts, steps, offsets = (
        struct.unpack_from(f">{count}{letter}", table, place)
        for letter, place in zip("HHhH", (14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice), strict=True)
    )
    found: dict[int, int] = {}
    _check_size(max(end - start, 0) for start, end in zip(starts, ends, strict=True))
    for number, (start, end, step, offset) in enumerate(zip(starts, ends, steps, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                place = 16 + 3 * twice + 2 * number + offset + 2 * (code - start)
                (glyph,) = struct.unpack_from(">H", table, place)
            if glyph or not offset:
                found[code] = (glyph + step) & 0xFFFF
    return found


def _trimmed(table: bytes) -> dict[int, int]:
    first, count = struct.unpack(">HH", table[6:10])
    return dict(enumerate(struct.unpack_from(f">{count}H", table, 10), start=first))


def _groups(table: bytes) -> dict[int, int]:
    (count,) = struct.unpack(">L", table[12:16])
    groups = list(struct.iter_unpack(">LLL", table[16 : 16 + 12 * count]))
    _check_size(max(last - first, 0) for first, last, _ in groups)
    return {
        code: glyph + code - first
        for first, last, glyph in groups
        for code in range(first, min(last, sys.maxunicode) + 1)
    }


def _check_size(lengths: Iterable[int]) -> None:
    """Raises `ValueError` for runs that are longer together than a sound table's."""
    if sum(lengths) > _MOST_CODES:
        raise ValueError("a character map of more codes than there are")


def _post(table: bytes) -> dict[int, str]:
    """The texts of the glyphs' names, where the table has them (version 2)."""
    if table[:4] != b"\x00\x02\x00\x00":
        return {}
    (count,) = struct.unpack(">H", table[32:34])
    numbers = struct.unpack_from(f">{count}H", table, 34)
    names, place = [], 34 + 2 * count
    while place < len(table):
        length = table[place]
        names.append(table[place + 1 : place + 1 + length])
        place += 1 + length
    own = {number: text_of_name(name) for number, name in enumerate(names, _OWN_NAMES)}
    found = ((glyph, own.get(number) or _macintosh(number)) for glyph, number in enumerate(numbers))
    return {glyph: text for glyph, text in found if text}


def _macintosh(number: int) -> str:
    """The text of a glyph of the standard Macintosh order; "" for those that MacRoman lacks."""
    if _MAC_ASCII < number < _MAC_UPPER:
        return chr(number - _MAC_ASCII + 0x20)
    if _MAC_UPPER <= number < _MAC_REST:
        return normalize("NFKC", bytes([number - _MAC_UPPER + 0x80]).decode("mac_roman")).strip()
    return ""


def _texts(named: Any) -> dict[int, str]:
    return {number: text for number, name in named if (text := text_of_name(name))}


_FORMATS: Mapping[int, Callable[[bytes], dict[int, int]]] = {
    0: lambda table: dict(enumerate(table[6:262])),
    4: _segments,
    6: _trimmed,
    12: _groups,
}
_READERS: Mapping[str, Callable[[bytes], FontProgram]] = {
    "FontFile": _type1,
    "FontFile2": _true_type,
    "FontFile3": _cff,
}
