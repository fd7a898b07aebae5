"""Texts of a font's characters, also where pdfminer, or the font's own table, is wrong about them.

Programs that set small letters in capitals ("all caps") may write the letter that was typed into the font's ToUnicode
map. There is one entry for a glyph, so that every "H" of the document reads "h"; the encoding tells the two apart.
Others leave ligatures out of the map, or give them no character: U+FFFE, a private one, a control, nothing. Then the
glyph's name says it, which stands in the file's encoding or in the embedded font program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

from pdfminer.encodingdb import EncodingDB
from pdfminer.pdffont import PDFCIDFont, PDFFont, PDFSimpleFont, PDFTrueTypeFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFResourceManager
from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSLiteral

from tasks.parsers.pdf.characters.character_settings import CHARACTERS
from tasks.parsers.pdf.characters.font_programs import TEX_SIGNS, FontProgram, read_program, text_of_name
from tasks.parsers.pdf.characters.lost_glyphs import MISREAD, UNKNOWN
from tasks.parsers.symbol_fonts import NO_CHARACTER, PRIVATE, built_in, public

_WINANSI = "WinAnsiEncoding"
_BULLETS = frozenset((127, 129, 141, 143, 144, 157))
"""Codes that WinAnsiEncoding leaves unused: they show a bullet (ISO 32000-1, D.2, note 3)."""
_NOTDEF = 0  # The glyph that fonts show for what they lack.
_BLANK = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
"""Controls and marks of no width: they say nothing of a glyph that takes room."""
_FIRST_LETTERS = frozenset("fFtT")  # A ligature whose map gives its first letter only.


class Glyph(NamedTuple):
    """What a glyph says; "" for nothing. One that is not sure is lost, or is a letter that may stand for a ligature."""

    text: str
    is_sure: bool = True


class FontManager(PDFResourceManager):
    """pdfminer's keeper of fonts, which also keeps what the file says of each one."""

    def __init__(self) -> None:
        super().__init__()
        self.specs: dict[PDFFont, Mapping[str, Any]] = {}

    def get_font(self, objid: object, spec: Mapping[str, object]) -> PDFFont:
        """The font of a dictionary; of a composite one, what its descendant says is kept."""
        font = super().get_font(objid, spec)
        self.specs.setdefault(font, spec)
        return font


class Glyphs:
    """The texts of one font's characters."""

    def __init__(self, font: PDFFont, spec: Mapping[str, Any]) -> None:
        """`font` is pdfminer's, `spec` what the file says of it."""
        self._font, self._spec = font, spec
        self._name = str(getattr(font, "basefont", ""))
        self._is_composite = isinstance(font, PDFCIDFont)
        self._mended: dict[int, str] = {}  # the codes that pdfminer reads wrongly
        if isinstance(font, PDFSimpleFont) and font.unicode_map is None:
            own = {code: text for code, text in built_in(self._name).items() if not _is_named(font, code)}
            self._mended = own | {code: text for code, text in self._differences.items() if text in TEX_SIGNS}
        elif isinstance(font, PDFSimpleFont):
            self._mended = _capitals(font.cid2unicode, font.unicode_map.cid2unichr)

    def glyph(self, cid: int, width: float) -> Glyph:
        """What a character says; `width` is its advance, 0 for a mark on another character or for nothing."""
        mended = self._mended.get(cid)
        if mended is not None:
            return Glyph(mended)
        try:
            text = self._font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            # Glyph 0 of a composite font stands for what is missing: a blank.
            is_blank = self._is_composite and cid == _NOTDEF
            named = None if is_blank else self._named(cid)
            is_bullet = cid in _BULLETS and not self._is_composite and self._encoding == _WINANSI
            return named or (Glyph("•") if is_bullet else self._lost(cid))
        if text.isascii() and text.isprintable() and text and text not in _FIRST_LETTERS and text != " ":
            return Glyph(text)
        return self._judged(cid, text, width)

    def _judged(self, cid: int, text: str, width: float) -> Glyph:
        """A text that may be none: of no meaning, invisible, or the beginning of what the glyph shows."""
        shown = self._public(text)
        if _is_meaningless(shown):
            return self._named(cid) or self._lost(cid)
        visible = _BLANK.sub("", shown)
        if not visible:
            return (self._named(cid) or Glyph(UNKNOWN, is_sure=False)) if width else Glyph("")
        if shown in _FIRST_LETTERS or shown == " ":
            named = self._named(cid)
            is_ligature = named is not None and len(named.text) > 1 and named.text.isalpha()
            return named if named and is_ligature and named.text.startswith(shown.strip()) else Glyph(shown)
        return (self._named(cid) or Glyph(shown, is_sure=False)) if shown in MISREAD else Glyph(visible)

    def _lost(self, cid: int) -> Glyph:
        return Glyph(" ") if self._is_composite and cid == _NOTDEF else Glyph(UNKNOWN, is_sure=False)

    def _named(self, cid: int) -> Glyph | None:
        """What the glyph's name says: in the file's encoding, in the font program or in a standard encoding."""
        if self._is_composite:
            numbers = self._glyph_numbers
            glyph = int.from_bytes(numbers[2 * cid : 2 * cid + 2], "big") if numbers else cid
            texts = [self._program.by_glyph.get(glyph, "")]
        else:
            standard = EncodingDB.encodings.get(self._encoding, {})
            texts = [self._differences.get(cid, ""), self._program.by_code.get(cid, ""), standard.get(cid, "")]
        for shown in map(self._public, texts):
            if shown and not _is_meaningless(shown) and not _BLANK.search(shown):
                return Glyph(shown)
        return None

    def _public(self, text: str) -> str:
        return PRIVATE.sub(lambda found: public(found[0], self._name) or found[0], text)

    @cached_property
    def _program(self) -> FontProgram:
        return read_program(self._font.descriptor)

    @cached_property
    def _differences(self) -> dict[int, str]:
        """The texts of the names by which the file's encoding differs from the one that it begins with."""
        encoding = resolve1(self._spec.get("Encoding"))
        found: dict[int, str] = {}
        code = 0
        entries = resolve1(encoding.get("Differences")) if isinstance(encoding, dict) else None
        for entry in map(resolve1, entries or ()):
            if isinstance(entry, int):
                code = entry
            elif isinstance(entry, PSLiteral):
                found[code] = text_of_name(entry.name)
                code += 1
        return found

    @cached_property
    def _encoding(self) -> str:
        """The name of the encoding that the file names, or that TrueType fonts have where it names none."""
        encoding = resolve1(self._spec.get("Encoding"))
        named = resolve1(encoding.get("BaseEncoding")) if isinstance(encoding, dict) else encoding
        if isinstance(named, PSLiteral):
            return str(named.name)
        return _WINANSI if isinstance(self._font, PDFTrueTypeFont) and not self._program.by_code else ""

    @cached_property
    def _glyph_numbers(self) -> bytes:
        """The glyphs of the characters of a composite font, two bytes each; empty where they have the same numbers."""
        found = resolve1(self._spec.get("CIDToGIDMap"))
        return found.get_data() if isinstance(found, PDFStream) else b""


def _is_meaningless(text: str) -> bool:
    return UNKNOWN in text or PRIVATE.search(text) is not None or NO_CHARACTER.search(text) is not None


def _is_named(font: PDFSimpleFont, code: int) -> bool:
    """Whether a font names a code by itself, not by the encoding that it begins with."""
    text = font.cid2unicode.get(code)
    return text is not None and all(text != known.get(code) for known in EncodingDB.encodings.values())


def _capitals(encoded: Mapping[int, str], mapped: Mapping[int, str]) -> dict[int, str]:
    """The codes of capitals that are mapped to their small letters.

    None where a letter is mapped to another letter: then the encoding is not what the font shows.
    """
    letters = {code: text for code, text in encoded.items() if text.isalpha() and mapped.get(code, "").isalpha()}
    other = any(text.lower() != mapped[code].lower() for code, text in letters.items())
    if other or len(letters) < CHARACTERS.fewest_compared_letters:
        return {}
    return {code: text for code, text in letters.items() if text.isupper() and mapped[code] == text.lower()}
