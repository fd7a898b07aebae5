"""Characters of the symbol fonts, which Word keeps as numbers in Unicode's private area (U+F020 to U+F0FF)."""

from __future__ import annotations

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
_WINGDINGS = {
    "\xfe": "☑", "\xfd": "☒", "\xa8": "☐", "o": "☐", "q": "❑", "\xfc": "✓", "\xfb": "✗", "\xe0": "→", "\xdf": "←",
    "\xe8": "➔", "\xf0": "⇨", "l": "●", "n": "■", "\xa7": "▪", "\xd8": "➢", "v": "❖", "J": "☺", "(": "☎", "*": "✉",
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
        return _WINGDINGS.get(character, "")
    return "" if private else character
