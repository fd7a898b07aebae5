"""Encodings of composite fonts that a file brings itself: how its codes lead to glyphs (ISO 32000-1, 9.7.5.4).

pdfminer knows the predefined ones by name and decodes nothing with any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdfminer.cmapdb import CMap, CMapBase, FileUnicodeMap
from pdfminer.pdffont import PDFCIDFont
from pdfminer.pdftypes import PDFStream

_CODE_SPACES = re.compile(rb"begincodespacerange(.*?)endcodespacerange", re.DOTALL)
_CHARS = re.compile(rb"begincidchar(.*?)endcidchar", re.DOTALL)
_RANGES = re.compile(rb"begincidrange(.*?)endcidrange", re.DOTALL)
_CODE = re.compile(rb"<\s*([0-9a-fA-F\s]+)>")
_CHAR = re.compile(rb"<\s*([0-9a-fA-F]+)\s*>\s*(\d+)")
_RANGE = re.compile(rb"<\s*([0-9a-fA-F]+)\s*>\s*<\s*([0-9a-fA-F]+)\s*>\s*(\d+)")
_MAX_CODES = 1 << 16  # Codes of a character map: two bytes have no more.


class EmbeddedCMap(CMapBase):
    """Codes of one or several bytes and their glyphs' numbers.

    It decodes to the codes themselves where a map from codes to text is in the file (`by_code`), else to the numbers.
    """

    def __init__(self, data: bytes, *, by_code: bool) -> None:
        """`data` is the decoded stream."""
        super().__init__()
        code_sizes = [
            len(b"".join(code.split())) // 2 for part in _CODE_SPACES.findall(data) for code in _CODE.findall(part)
        ]
        self._sizes = sorted({size for size in code_sizes if 0 < size <= 4}) or [2]
        self._by_code = by_code
        self.numbers = dict(_iter_glyph_numbers(data))

    def decode(self, code: bytes) -> Iterator[int]:
        """The codes in a string, or their glyphs' numbers; what the map lacks may be in that to text."""
        position = 0
        while position < len(code):
            size, number = self._read_code(code[position:])
            if self._by_code or number in self.numbers:
                yield number if self._by_code else self.numbers[number]
            position += size

    def _read_code(self, code: bytes) -> tuple[int, int]:
        """How many bytes the first code of a string has, and the code; the longest where the map has none of them."""
        pairs = [(size, int.from_bytes(code[:size], "big")) for size in self._sizes]
        return next((pair for pair in pairs if pair[1] in self.numbers), pairs[-1])


def _iter_glyph_numbers(data: bytes) -> Iterator[tuple[int, int]]:
    """Codes with their glyphs' numbers."""
    for part in _CHARS.findall(data):
        yield from ((int(code, 16), int(number)) for code, number in _CHAR.findall(part))
    for part in _RANGES.findall(data):
        for first, last, number in _RANGE.findall(part):
            codes = range(int(first, 16), min(int(last, 16) + 1, int(first, 16) + _MAX_CODES))
            yield from ((code, int(number) + index) for index, code in enumerate(codes))


def use_embedded_cmap(font: PDFCIDFont, encoding: object) -> None:
    """Gives a font the encoding that its file brings, where pdfminer has none for it."""
    if not isinstance(encoding, PDFStream) or not isinstance(font.cmap, CMap) or font.cmap.code2cid:
        return
    by_code = isinstance(font.unicode_map, FileUnicodeMap)
    cmap = EmbeddedCMap(encoding.get_data(), by_code=by_code)
    if not cmap.numbers:
        return
    font.cmap = cmap
    if by_code:
        widths = font.widths
        font.widths = {code: widths[number] for code, number in cmap.numbers.items() if number in widths}
