"""What the characters of a font say, where pdfminer, or the font's own table, is wrong about it.

Programs that set small letters in capitals ("all caps") may write the letter that was typed into the font's ToUnicode
map. There is one entry for a glyph, so that every "H" of the document reads "h"; the encoding tells the two apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from pdfminer.encodingdb import EncodingDB
from pdfminer.pdffont import PDFCIDFont, PDFFont, PDFSimpleFont, PDFUnicodeNotDefined

from tasks.parsers.pages.symbols import built_in

UNKNOWN = "\ufffd"
"""A glyph that says nothing: neither the file nor its font names it."""
_BULLETS = frozenset((127, 129, 141, 143, 144, 157))
"""Codes that WinAnsiEncoding leaves unused: they show a bullet (ISO 32000-1, D.2, note 3)."""
_FEWEST = 3
_NOTDEF = 0


class Glyphs:
    """The texts of one font's characters."""

    def __init__(self, font: PDFFont) -> None:
        """`font` is pdfminer's."""
        self._font = font
        self._mended = _mended(font) if isinstance(font, PDFSimpleFont) else {}

    def text(self, cid: int) -> str:
        """What a character says; `UNKNOWN` where nothing tells."""
        mended = self._mended.get(cid)
        if mended is not None:
            return mended
        try:
            return self._font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            return undefined(self._font, cid)


def undefined(font: PDFFont, cid: int) -> str:
    """What a glyph without a name says. Glyph 0 of a composite font stands for what is missing: a blank."""
    if isinstance(font, PDFCIDFont):
        return " " if cid == _NOTDEF else UNKNOWN
    return "•" if cid in _BULLETS else UNKNOWN


def _mended(font: PDFSimpleFont) -> Mapping[int, str]:
    """The codes that pdfminer reads wrongly."""
    if font.unicode_map is None:
        own = built_in(str(getattr(font, "basefont", "")))
        return {code: text for code, text in own.items() if not _is_named(font, code)}
    return _capitals(font.cid2unicode, font.unicode_map.cid2unichr)


def _is_named(font: PDFSimpleFont, code: int) -> bool:
    """Whether a font names a code by itself, not by the encoding that it begins with."""
    text = font.cid2unicode.get(code)
    return text is not None and all(text != known.get(code) for known in EncodingDB.encodings.values())


def _capitals(encoded: Mapping[int, str], mapped: Mapping[int, str]) -> dict[int, str]:
    """The codes of capitals that are mapped to their small letters.

    None where a letter is mapped to another letter: then the encoding is not what the font shows.
    """
    letters = {code: text for code, text in encoded.items() if text.isalpha() and mapped.get(code, "").isalpha()}
    if len(letters) < _FEWEST or any(text.lower() != mapped[code].lower() for code, text in letters.items()):
        return {}
    return {code: text for code, text in letters.items() if text.isupper() and mapped[code] == text.lower()}
