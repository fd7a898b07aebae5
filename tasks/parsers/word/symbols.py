"""Characters of the symbol fonts, which Word keeps as numbers in Unicode's private area (U+F020 to U+F0FF)."""

from __future__ import annotations

from tasks.parsers.private_use import PRIVATE, public
from tasks.parsers.symbol_fonts import WINGDINGS

_SYMBOL = dict(
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


def symbol(font: str, code: str) -> str:
    """The character that a font shows for a hexadecimal code, nothing where it is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    private = 0xF000 <= number <= 0xF0FF
    character = chr(number - 0xF000 if private else number) if 0 < number < 0xD800 or private else ""
    if font.lower() == "symbol":
        return _SYMBOL.get(character, character)
    if font.lower().startswith("wingdings"):
        return WINGDINGS.get(ord(character), "") if character else ""
    return "" if private else character


def readable(font: str, text: str) -> str:
    """The text of a run in a font, private characters as what they show; those of no known meaning stay."""
    return PRIVATE.sub(lambda found: symbol(font, f"{ord(found[0]):X}") or public(found[0], font) or found[0], text)
