"""Characters without a public meaning, and what those of symbol fonts and of Adobe's glyph names show.

Symbol fonts stand at U+F020 to U+F0FF, each code 0xF000 above its own. Adobe's Glyph List 1.2 gave small capitals and
old-style figures U+F721 to U+F7FF, each 0xF700 above the plain character, and others codes of no order.
"""

from __future__ import annotations

import re

from tasks.parsers.symbol_fonts import WINGDINGS, built_in

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""A character that has no meaning but that which a font gives it."""
NO_CHARACTER = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(0x10000 * plane + 0xFFFE)}{chr(0x10000 * plane + 0xFFFF)}" for plane in range(17))
    + "]"
)
"""Half a surrogate pair, or a code that is no character (Unicode 15, 23.7): text has none."""
_SYMBOLS, _PLAIN = 0xF000, 0xF700
_BULLET = 0xF0B7
"""The bullet of Symbol, by far the commonest: it is one in whatever font a file names."""
_FROM = 0xF0A0
"""In fonts of other names, codes from here on are read as Wingdings; below it they may be letters."""
_ADOBE = {
    **dict(zip(range(0xF6D9, 0xF6DF), ("©", "®", "™", "1", "Rp", "—"), strict=True)),
    **dict(zip(range(0xF6DF, 0xF6E9), "¢¢,,$$--..", strict=True)),
    **dict(zip(range(0xF6E9, 0xF6F4), "ᵃᵇᵈᵉⁱˡᵐᵒʳˢᵗ", strict=True)),
    **dict(zip(range(0xF8E5, 0xF8EB), "‾⏐⎯®©™", strict=True)),
    **dict(zip(range(0xF8EB, 0xF8FF), "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True)),
    0xF6BE: "ȷ",
    0xF6BF: "LL",
    0xF6C0: "ll",
    0xF6F9: "ł",
    0xF6FA: "œ",
    0xF6FD: "š",
    0xF6FF: "ž",
}


def public(character: str, font: str = "") -> str:
    """What a private character shows in the font of this name; "" where that is not known."""
    code = ord(character)
    if 0xF020 <= code <= 0xF0FF:
        if own := built_in(font):
            return own.get(code - _SYMBOLS, "")
        if code == _BULLET:
            return "•"
        return WINGDINGS.get(code - _SYMBOLS, "") if code >= _FROM else ""
    if 0xF721 <= code <= 0xF7FF:
        return chr(code - _PLAIN)
    return _ADOBE.get(code, "")
