"""Texts of a font's characters, with corrections where pdfminer, or the font's ToUnicode map, is wrong.

Programs that set small letters in capitals ("all caps") may write the letter that was typed into the font's ToUnicode
map. There is one entry for a glyph, so that every "H" of the document reads "h"; the encoding tells the two apart.
Others leave ligatures out of the map, or give them no character: U+FFFE, a private one, a control, nothing. Then the
text is taken from the glyph's name in the file's encoding or in the embedded font program.

Font programs are read as Type 1, CFF and TrueType. Formats: Adobe Type 1 Font Format (1990), 2.4; Adobe
Technical Note 5176 (CFF), 10 to 13; OpenType 1.9, `cmap` and `post`; names by the Adobe Glyph List Specification.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any, NamedTuple
from unicodedata import normalize

from pdfminer.encodingdb import EncodingDB, name2unicode
from pdfminer.pdffont import CFFFont, PDFCIDFont, PDFFont, PDFSimpleFont, PDFTrueTypeFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFResourceManager
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psexceptions import PSException
from pdfminer.psparser import PSLiteral

from tasks.parsers.office.symbol_fonts import NO_CHARACTER, PRIVATE, decode_private, get_built_in_encoding
from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.embedded_cmaps import use_embedded_cmap
from tasks.parsers.pdf.characters.lost_glyphs import MISREAD_LETTERS, UNKNOWN

_WINANSI = "WinAnsiEncoding"
_BULLET_CODES = frozenset((127, 129, 141, 143, 144, 157))
"""Codes that WinAnsiEncoding leaves unused: they show a bullet (ISO 32000-1, D.2, note 3)."""
_DEFAULT_WIDTH = 0.5  # Of a letter in ems.
_NOTDEF = 0  # The glyph that fonts show for what they lack.
_INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Controls and marks of no width: they say nothing of a glyph that takes room."""
_LIGATURE_FIRST_LETTERS = frozenset("fFtT")  # A ligature whose map gives its first letter only.


class Glyph(NamedTuple):
    """The text of a glyph; it is not sure where the glyph is lost, or is a letter that may stand for a ligature."""

    text: str
    is_sure: bool = True


class FontManager(PDFResourceManager):
    """pdfminer's font manager, which also keeps the dictionary of each font."""

    def __init__(self) -> None:
        super().__init__()
        self.specs: dict[PDFFont, Mapping[str, Any]] = {}

    def get_font(self, objid: object, spec: Mapping[str, object]) -> PDFFont:
        """The font of a dictionary; for a composite font, the dictionary of its descendant is kept."""
        font = super().get_font(objid, spec)
        if font not in self.specs and isinstance(font, PDFCIDFont):
            use_embedded_cmap(font, resolve1(spec.get("Encoding")))
        self.specs.setdefault(font, spec)
        return font


class Glyphs:
    """The texts of one font's characters."""

    def __init__(self, font: PDFFont, spec: Mapping[str, Any]) -> None:
        """`font` is pdfminer's, `spec` its dictionary in the file."""
        self._font, self._spec = font, spec
        self._name = str(getattr(font, "basefont", ""))
        self._is_composite = isinstance(font, PDFCIDFont)
        self._corrections: dict[int, str] = {}  # the codes that pdfminer reads wrongly
        if not isinstance(font, PDFSimpleFont):
            return
        if font.unicode_map is None:
            encoding = get_built_in_encoding(self._name)
            signs = {code: text for code, text in encoding.items() if not _is_named(font, code)}
            self._corrections = signs | {code: text for code, text in self._differences.items() if text in TEX_SIGNS}
        else:
            self._corrections = _find_capitals(font.cid2unicode, font.unicode_map.cid2unichr)

    def get_width(self, cid: int) -> float:
        """The advance of a character in ems; that of a usual letter where the file gives no width of any."""
        width = float(self._font.char_width(cid))
        return width if width or not self._is_unmeasured else _DEFAULT_WIDTH

    @cached_property
    def _is_unmeasured(self) -> bool:
        return isinstance(self._font, PDFSimpleFont) and not any(self._font.widths.values())

    def read_glyph(self, cid: int, width: float) -> Glyph:
        """The glyph of a character; `width` is its advance, 0 for a combining mark or for an invisible character."""
        corrected = self._corrections.get(cid)
        if corrected is not None:
            return Glyph(corrected)
        try:
            text = self._font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            # Glyph 0 of a composite font stands for what is missing: a blank.
            is_blank = self._is_composite and cid == _NOTDEF
            glyph = None if is_blank else self._find_by_name(cid)
            is_bullet = cid in _BULLET_CODES and not self._is_composite and self._encoding_name == _WINANSI
            return glyph or (Glyph("•") if is_bullet else self._make_lost(cid))
        if text.isascii() and text.isprintable() and text and text not in _LIGATURE_FIRST_LETTERS and text != " ":
            return Glyph(text)
        return self._check_text(cid, text, width)

    def _check_text(self, cid: int, text: str, width: float) -> Glyph:
        """The glyph of a text that may be meaningless, invisible, or only the first letter of a ligature."""
        public_text = self._replace_private(text)
        if _is_meaningless(public_text):
            return self._find_by_name(cid) or self._make_lost(cid)
        visible = _INVISIBLE.sub("", public_text)
        if not visible:
            return (self._find_by_name(cid) or Glyph(UNKNOWN, is_sure=False)) if width else Glyph("")
        if public_text in _LIGATURE_FIRST_LETTERS or public_text == " ":
            glyph = self._find_by_name(cid)
            is_ligature = glyph is not None and len(glyph.text) > 1 and glyph.text.isalpha()
            return glyph if glyph and is_ligature and glyph.text.startswith(public_text.strip()) else Glyph(public_text)
        return (
            (self._find_by_name(cid) or Glyph(public_text, is_sure=False))
            if public_text in MISREAD_LETTERS
            else Glyph(visible)
        )

    def _make_lost(self, cid: int) -> Glyph:
        return Glyph(" ") if self._is_composite and cid == _NOTDEF else Glyph(UNKNOWN, is_sure=False)

    def _find_by_name(self, cid: int) -> Glyph | None:
        """The text of the glyph's name in the file's encoding, in the font program or in a standard encoding."""
        if self._is_composite:
            numbers = self._glyph_numbers
            glyph = int.from_bytes(numbers[2 * cid : 2 * cid + 2], "big") if numbers else cid
            texts = [self._program.by_glyph.get(glyph, "")]
        else:
            standard = EncodingDB.encodings.get(self._encoding_name, {})
            texts = [self._differences.get(cid, ""), self._program.by_code.get(cid, ""), standard.get(cid, "")]
        for public_text in map(self._replace_private, texts):
            if public_text and not _is_meaningless(public_text) and not _INVISIBLE.search(public_text):
                return Glyph(public_text)
        return None

    def _replace_private(self, text: str) -> str:
        return PRIVATE.sub(lambda match: decode_private(match[0], self._name) or match[0], text)

    @cached_property
    def _program(self) -> FontProgram:
        return read_program(self._font.descriptor)

    @cached_property
    def _differences(self) -> dict[int, str]:
        """The texts of the names by which the file's encoding differs from the one that it begins with."""
        encoding = resolve1(self._spec.get("Encoding"))
        texts: dict[int, str] = {}
        code = 0
        entries = resolve1(encoding.get("Differences")) if isinstance(encoding, dict) else None
        for entry in map(resolve1, entries or ()):
            if isinstance(entry, int):
                code = entry
            elif isinstance(entry, PSLiteral):
                texts[code] = parse_glyph_name(entry.name)
                code += 1
        return texts

    @cached_property
    def _encoding_name(self) -> str:
        """The name of the encoding that the file names, or that TrueType fonts have where it names none."""
        encoding = resolve1(self._spec.get("Encoding"))
        base = resolve1(encoding.get("BaseEncoding")) if isinstance(encoding, dict) else encoding
        if isinstance(base, PSLiteral):
            return str(base.name)
        return _WINANSI if isinstance(self._font, PDFTrueTypeFont) and not self._program.by_code else ""

    @cached_property
    def _glyph_numbers(self) -> bytes:
        """The glyphs of the characters of a composite font, two bytes each; empty where they have the same numbers."""
        glyph_map = resolve1(self._spec.get("CIDToGIDMap"))
        return glyph_map.get_data() if isinstance(glyph_map, PDFStream) else b""


def _is_meaningless(text: str) -> bool:
    return UNKNOWN in text or PRIVATE.search(text) is not None or NO_CHARACTER.search(text) is not None


def _is_named(font: PDFSimpleFont, code: int) -> bool:
    """Whether a font names a code by itself, not by the encoding that it begins with."""
    text = font.cid2unicode.get(code)
    return text is not None and all(text != standard.get(code) for standard in EncodingDB.encodings.values())


def _find_capitals(encoded: Mapping[int, str], mapped: Mapping[int, str]) -> dict[int, str]:
    """The codes of capitals that are mapped to their small letters.

    None where a letter is mapped to another letter: then the encoding is not what the font shows.
    """
    letters = {code: text for code, text in encoded.items() if text.isalpha() and mapped.get(code, "").isalpha()}
    has_other_letters = any(text.lower() != mapped[code].lower() for code, text in letters.items())
    if has_other_letters or len(letters) < CHARACTERS.min_compared_letters:
        return {}
    return {code: text for code, text in letters.items() if text.isupper() and mapped[code] == text.lower()}


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
"""Signs that pdfminer does not read from an encoding: it gives the character of that code in another encoding."""
_TYPE1_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/([^\s/{}\[\]()<>%]+)\s+put")
_CHARSET, _ENCODING, _CHARSTRINGS, _ROS = 15, 16, 17, 1230
"""Operators of a CFF's Top DICT; those of two bytes, 12 first, count from 1200 here."""
_LAST_PREDEFINED = 2
"""Charsets up to this number and encodings below it are standard ones; larger numbers are places in the font."""
_SYMBOL_OFFSET = 0xF000  # From here on symbol fonts have their codes in a map for Unicode.
_MAC_ASCII, _MAC_UPPER, _MAC_OTHERS, _FIRST_FONT_NAME = 3, 98, 226, 258
"""Glyphs of the standard Macintosh order: from 3 on ASCII's characters, from 98 on MacRoman's upper half, from 226 on
others; from 258 on a font's own names."""
_MAX_CODES = 0x11_0000  # All of Unicode: a character map that claims more is broken.
_UNICODE = frozenset({(0, encoding) for encoding in range(7)} | {(3, 1), (3, 10)})


@dataclass(frozen=True, slots=True)
class FontProgram:
    """The texts of a font program's glyphs: by code in its own encoding, and by glyph number."""

    by_code: Mapping[int, str] = field(default_factory=dict)
    by_glyph: Mapping[int, str] = field(default_factory=dict)


def read_program(descriptor: Mapping[str, Any]) -> FontProgram:
    """The program that a font's descriptor embeds; an empty one where there is none or it cannot be read."""
    for key, read in _READERS.items():
        program = resolve1(descriptor.get(key))
        if isinstance(program, PDFStream):
            try:
                return read(program.get_data())
            except (struct.error, ArithmeticError, LookupError, ValueError, TypeError, PSException):
                return FontProgram()
    return FontProgram()


def parse_glyph_name(name: object) -> str:
    """The text that a glyph's name stands for, ligatures letter by letter ("f_i", "fi", "uniFB01"); "" for others."""
    text = name.decode("latin1") if isinstance(name, bytes) else name
    if not isinstance(text, str):
        return ""
    try:
        return _TEX_NAMES.get(text) or normalize("NFKC", name2unicode(text))
    except (KeyError, ValueError):
        return ""


def _read_type1(data: bytes) -> FontProgram:
    head = data.partition(b"eexec")[0]
    return FontProgram(_read_names((int(code), name) for code, name in _TYPE1_ENTRY.findall(head)))


def _read_cff(data: bytes) -> FontProgram:
    """CFF by itself, or as a table of an OpenType font. Fonts with numbers in place of names give no texts."""
    if data[:4] == b"OTTO":
        data = _read_tables(data)[b"CFF "]
    file = BytesIO(data)
    file.seek(data[2])
    CFFFont.INDEX(file)
    tops, strings = CFFFont.INDEX(file), CFFFont.INDEX(file)
    top = _parse_top_dict(tops[0])
    if _ROS in top:
        return FontProgram()
    file.seek(top[_CHARSTRINGS])
    count = len(CFFFont.INDEX(file))
    ids, codes = list(range(count)), dict[int, int]()
    if (charset := top.get(_CHARSET, 0)) > _LAST_PREDEFINED:
        file.seek(charset)
        ids = [0, *_read_charset(file, count)]
    standard = CFFFont.STANDARD_STRINGS
    names = [standard[number] if number < len(standard) else strings[number - len(standard)] for number in ids]
    if (encoding := top.get(_ENCODING, 0)) >= _LAST_PREDEFINED:
        file.seek(encoding)
        codes = dict(_read_encoding(file))
    by_code = _read_names((code, names[glyph]) for code, glyph in codes.items() if glyph < len(names))
    return FontProgram(by_code, _read_names(enumerate(names)))


def _parse_top_dict(data: bytes) -> dict[int, int]:
    """The operators of a Top DICT with the last whole number before each."""
    operators: dict[int, int] = {}
    file, number = BytesIO(data), 0
    while byte := file.read(1):
        operator = byte[0]
        if operator <= 21:
            operators[1200 + file.read(1)[0] if operator == 12 else operator] = number
        elif operator == 28 or operator == 29:
            number = int.from_bytes(file.read(2 if operator == 28 else 4), "big", signed=True)
        elif operator == 30:
            while not any(nibble == 15 for nibble in divmod(file.read(1)[0], 16)):
                pass
        elif operator < 247:
            number = operator - 139
        else:
            high = (operator - 247 if operator < 251 else operator - 251) * 256 + file.read(1)[0] + 108
            number = high if operator < 251 else -high
    return operators


def _read_charset(file: BytesIO, count: int) -> Iterator[int]:
    """The string numbers of the glyphs from 1 on."""
    (table_format,) = file.read(1)
    missing = count - 1
    if table_format == 0:
        yield from struct.unpack(f">{missing}H", file.read(2 * missing))
        return
    layout = struct.Struct(">HB" if table_format == 1 else ">HH")
    while missing > 0:
        first, additional = layout.unpack(file.read(layout.size))
        yield from range(first, first + min(additional + 1, missing))
        missing -= additional + 1


def _read_encoding(file: BytesIO) -> Iterator[tuple[int, int]]:
    """Codes with their glyphs; supplements, by which one glyph has several codes, are left out."""
    (table_format, count) = file.read(2)
    if table_format & 0x7F == 0:
        yield from ((code, glyph) for glyph, code in enumerate(file.read(count), start=1))
        return
    glyph = 1
    for first, additional in struct.iter_unpack("BB", file.read(2 * count)):
        yield from ((first + step, glyph + step) for step in range(additional + 1))
        glyph += additional + 1


def _read_true_type(data: bytes) -> FontProgram:
    tables = _read_tables(data)
    maps = dict(_iter_character_maps(tables.get(b"cmap", b"")))
    glyphs = _read_post(tables.get(b"post", b""))
    for key, codes in maps.items():
        if key in _UNICODE:  # ligatures letter by letter; spaces of any kind say nothing
            glyphs |= {glyph: normalize("NFKC", chr(code)) for code, glyph in codes.items() if glyph and code > 0x20}
    by_code = dict(maps.get((1, 0), {}))
    for code, glyph in maps.get((3, 0), {}).items():
        by_code[code - _SYMBOL_OFFSET if code >= _SYMBOL_OFFSET else code] = glyph
    return FontProgram({code: glyphs[glyph] for code, glyph in by_code.items() if glyph in glyphs}, glyphs)


def _read_tables(data: bytes) -> dict[bytes, bytes]:
    (count,) = struct.unpack(">H", data[4:6])
    rows = struct.iter_unpack(">4sLLL", data[12 : 12 + 16 * count])
    return {tag: data[start : start + length] for tag, _, start, length in rows}


def _iter_character_maps(table: bytes) -> Iterator[tuple[tuple[int, int], dict[int, int]]]:
    """Each character map by its platform and encoding: codes with their glyphs, of the formats that subsets use."""
    if not table:
        return
    (count,) = struct.unpack(">H", table[2:4])
    for platform, encoding, start in struct.iter_unpack(">HHL", table[4 : 4 + 8 * count]):
        (table_format,) = struct.unpack(">H", table[start : start + 2])
        if table_format in _FORMATS:
            yield (platform, encoding), _FORMATS[table_format](table[start:])


def _read_segments(table: bytes) -> dict[int, int]:
    (doubled_count,) = struct.unpack(">H", table[6:8])
    positions = (14, 16 + doubled_count, 16 + 2 * doubled_count, 16 + 3 * doubled_count)
    ends, starts, steps, offsets = (
        struct.unpack_from(f">{doubled_count // 2}{letter}", table, position)
        for letter, position in zip("HHhH", positions, strict=True)
    )
    glyphs: dict[int, int] = {}
    _check_size(max(end - start, 0) for start, end in zip(starts, ends, strict=True))
    for number, (start, end, step, offset) in enumerate(zip(starts, ends, steps, offsets, strict=True)):
        for code in range(start, min(end, 0xFFFE) + 1):
            glyph = code
            if offset:
                position = 16 + 3 * doubled_count + 2 * number + offset + 2 * (code - start)
                (glyph,) = struct.unpack_from(">H", table, position)
            if glyph or not offset:
                glyphs[code] = (glyph + step) & 0xFFFF
    return glyphs


def _read_trimmed(table: bytes) -> dict[int, int]:
    first, count = struct.unpack(">HH", table[6:10])
    return dict(enumerate(struct.unpack_from(f">{count}H", table, 10), start=first))


def _read_groups(table: bytes) -> dict[int, int]:
    (count,) = struct.unpack(">L", table[12:16])
    groups = list(struct.iter_unpack(">LLL", table[16 : 16 + 12 * count]))
    _check_size(max(last - first, 0) for first, last, _ in groups)
    codes = ((range(first, min(last, sys.maxunicode) + 1), glyph - first) for first, last, glyph in groups)
    return {code: code + shift for run, shift in codes for code in run}


def _check_size(lengths: Iterable[int]) -> None:
    """Raises `ValueError` for runs that are longer together than a sound table's."""
    if sum(lengths) > _MAX_CODES:
        raise ValueError("a character map of more codes than there are")


def _read_post(table: bytes) -> dict[int, str]:
    """The texts of the glyphs' names, where the table has them (version 2)."""
    if table[:4] != b"\x00\x02\x00\x00":
        return {}
    (count,) = struct.unpack(">H", table[32:34])
    numbers = struct.unpack_from(f">{count}H", table, 34)
    names, position = [], 34 + 2 * count
    while position < len(table):
        length = table[position]
        names.append(table[position + 1 : position + 1 + length])
        position += 1 + length
    font_names = {number: parse_glyph_name(name) for number, name in enumerate(names, _FIRST_FONT_NAME)}
    texts = ((glyph, font_names.get(number) or _decode_macintosh(number)) for glyph, number in enumerate(numbers))
    return {glyph: text for glyph, text in texts if text}


def _decode_macintosh(number: int) -> str:
    """The text of a glyph of the standard Macintosh order; "" for those that MacRoman lacks."""
    if _MAC_ASCII < number < _MAC_UPPER:
        return chr(number - _MAC_ASCII + 0x20)
    if _MAC_UPPER <= number < _MAC_OTHERS:
        return normalize("NFKC", bytes([number - _MAC_UPPER + 0x80]).decode("mac_roman")).strip()
    return ""


def _read_names(names: Any) -> dict[int, str]:
    return {number: text for number, name in names if (text := parse_glyph_name(name))}


_FORMATS: Mapping[int, Callable[[bytes], dict[int, int]]] = {
    0: lambda table: dict(enumerate(table[6:262])),
    4: _read_segments,
    6: _read_trimmed,
    12: _read_groups,
}
_READERS: Mapping[str, Callable[[bytes], FontProgram]] = {
    "FontFile": _read_type1,
    "FontFile2": _read_true_type,
    "FontFile3": _read_cff,
}
