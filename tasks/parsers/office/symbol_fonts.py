"""Characters of symbol fonts: Symbol and ZapfDingbats (ISO 32000-1, D.5 and D.6) and Microsoft's Wingdings.

They have built-in encodings, whatever encoding a file names for them. The letter Delta is the increment, as in the
Adobe Glyph List. Of Wingdings only the signs in lists, forms and tables are included.

Some are in Unicode's private area: codes of symbol fonts plus 0xF000 at U+F020 to U+F0FF. Adobe's Glyph List 1.2 has
small capitals and old-style figures at U+F721 to U+F7FF, the code of the normal character plus 0xF700, and others at
unrelated codes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SYMBOL_FONT = re.compile(r"(?:[A-Z]{6}\+)?(?:Symbol(?:MT|PS|Std)?|StandardSym\w*)(?:[,-]\w*)?")
_DINGBATS_FONT = re.compile(r"(?:[A-Z]{6}\+)?(?:ITC)?(?:Zapf)?Dingbats(?:ITC|Std)?(?:[,-]\w*)?")
_WINGDINGS_FONT = re.compile(r"(?:[A-Z]{6}\+)?Wingdings(?:[,-]\w*)?", re.IGNORECASE)
_GREEK = (
    " !∀#∃%&∋()∗+,\u2212./0123456789:;<=>?≅ΑΒΧ\u2206ΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"
    "\u203eαβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}\u223c"
)
_SIGNS = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_ORNAMENTS = (
    (0x21, "✁✂✃✄☎✆✇✈✉☛☞"),
    (0x2C, range(0x270C, 0x2728)),
    (0x48, "★"),
    (0x49, range(0x2729, 0x274C)),
    (0x6C, "●❍■❏❐❑❒▲▼◆❖◗❘❙❚❛❜❝❞"),
    (0x80, range(0x2768, 0x2776)),
    (0xA1, range(0x2761, 0x2768)),
    (0xA8, "♣♦♥♠"),
    (0xAC, range(0x2460, 0x246A)),
    (0xB6, range(0x2776, 0x2795)),
    (0xD5, "→↔↕"),
    (0xD8, range(0x2798, 0x27B0)),
    (0xF1, range(0x27B1, 0x27BF)),
)


def _map_codes(first: int, signs: str | range) -> dict[int, str]:
    texts = signs if isinstance(signs, str) else map(chr, signs)
    return {code: text for code, text in enumerate(texts, start=first) if text != "\0"}


SYMBOL = {**_map_codes(0x20, _GREEK), **_map_codes(0xA0, _SIGNS)}  # The text of each code of Symbol.
DINGBATS = {0x20: " ", **{code: text for first, signs in _ORNAMENTS for code, text in _map_codes(first, signs).items()}}
"""The text of each code of ZapfDingbats."""


WINGDINGS = {
    0x20: " ",
    **_map_codes(0x21, "✏✂✁"),
    **_map_codes(0x28, "☎✆✉"),
    **_map_codes(0x4A, "☺😐☹"),
    **_map_codes(0x6C, "●❍■☐❐❑❒◆◆◆❖◆☒"),
    **_map_codes(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    **_map_codes(0x9E, "·•"),
    **_map_codes(0xA1, "○"),
    **_map_codes(0xA7, "▪☐"),
    **_map_codes(0xAB, "★"),
    **_map_codes(0xD5, "⌫⌦"),
    **_map_codes(0xD8, "➢"),
    **_map_codes(0xDC, "➲"),
    **_map_codes(0xDF, "←→↑↓↖↗↙↘"),
    **_map_codes(0xE8, "➔"),
    **_map_codes(0xEF, "⇦⇨⇧⇩"),
    **_map_codes(0xFB, "✗✓☒☑"),
}
"""The text of the codes of Wingdings that show a sign; its pictures are left out."""


def get_built_in_encoding(font: str) -> Mapping[int, str]:
    """The encoding that is built into a font of this name, with or without the mark of a subset; empty for others."""
    for name, encoding in ((_SYMBOL_FONT, SYMBOL), (_DINGBATS_FONT, DINGBATS), (_WINGDINGS_FONT, WINGDINGS)):
        if name.fullmatch(font):
            return encoding
    return {}


PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""A character whose meaning depends on the font."""
NO_CHARACTER = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(0x10000 * plane + 0xFFFE)}{chr(0x10000 * plane + 0xFFFF)}" for plane in range(17))
    + "]"
)
"""Half a surrogate pair, or a code that is no character (Unicode 15, 23.7): text has none."""
_SYMBOL_OFFSET, _ADOBE_OFFSET = 0xF000, 0xF700
_BULLET = 0xF0B7  # The bullet of Symbol, by far the most common: it is a bullet in any font that a file names.
_FIRST_SIGN = 0xF0A0  # In fonts of other names, codes from here on are read as Wingdings; below it they may be letters.
_ADOBE_CHARACTERS = {
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


def decode_private(character: str, font: str = "") -> str:
    """The text that a private character shows in the font of this name; "" if that is not known."""
    code = ord(character)
    if 0xF020 <= code <= 0xF0FF:
        if encoding := get_built_in_encoding(font):
            return encoding.get(code - _SYMBOL_OFFSET, "")
        if code == _BULLET:
            return "•"
        return WINGDINGS.get(code - _SYMBOL_OFFSET, "") if code >= _FIRST_SIGN else ""
    if 0xF721 <= code <= 0xF7FF:
        return chr(code - _ADOBE_OFFSET)
    return _ADOBE_CHARACTERS.get(code, "")


_SYMBOL_LETTERS = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
) | {
    "\xa3": "≤", "\xa5": "∞", "\xae": "→", "\xac": "←", "\xab": "↔", "\xad": "↑", "\xaf": "↓", "\xb0": "°",
    "\xb1": "±", "\xb2": "″", "\xb3": "≥", "\xb4": "×", "\xb5": "∝", "\xb6": "∂", "\xb7": "•", "\xb8": "÷",
    "\xb9": "≠", "\xba": "≡", "\xbb": "≈", "\xc6": "∅", "\xc7": "∩", "\xc8": "∪", "\xcc": "⊂", "\xce": "∈",
    "\xd0": "∠", "\xd1": "∇", "\xd2": "®", "\xd3": "©", "\xd4": "™", "\xd5": "∏", "\xd6": "√", "\xde": "⇒",
    "\xe5": "∑", "\xf2": "∫", "-": "−", "*": "∗", "@": "≅", "\\": "∴", "~": "∼",
}  # fmt: skip


def decode_symbol(font: str, code: str) -> str:
    """The character that a font shows for a hexadecimal code, nothing where it is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    is_private = 0xF000 <= number <= 0xF0FF
    character = chr(number - 0xF000 if is_private else number) if 0 < number < 0xD800 or is_private else ""
    if font.lower() == "symbol":
        return _SYMBOL_LETTERS.get(character, character)
    if font.lower().startswith("wingdings"):
        return WINGDINGS.get(ord(character), "") if character else ""
    return "" if is_private else character


def decode_run(font: str, text: str) -> str:
    """The text of a run in a font, with private characters replaced; those of unknown meaning are kept."""
    return PRIVATE.sub(
        lambda match: decode_symbol(font, f"{ord(match[0]):X}") or decode_private(match[0], font) or match[0], text
    )
