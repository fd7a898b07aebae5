"""Fonts that every installation of reportlab has, and the setting of words into lines."""

from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont


@dataclass(frozen=True, slots=True)
class Face:
    """The three cuts of a family."""

    plain: str
    bold: str
    italic: str


FACES = {
    "sans": Face("Helvetica", "Helvetica-Bold", "Helvetica-Oblique"),
    "serif": Face("Times-Roman", "Times-Bold", "Times-Italic"),
    "embedded": Face("Vera", "VeraBd", "VeraIt"),
    "mono": Face("Courier", "Courier-Bold", "Courier-Oblique"),
}


def register_faces() -> None:
    """Make the embedded family known to reportlab, which carries its files."""
    for name in ("Vera", "VeraBd", "VeraIt"):
        registerFont(TTFont(name, f"{name}.ttf"))


def width_of(text: str, font: str, size: float) -> float:
    """Return the width of a text in points."""
    return float(stringWidth(text, font, size))


def wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """Break a text into lines no wider than `width` points; a longer word gets a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", font, size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def longest_word(text: str, font: str, size: float) -> float:
    """Return the width of the widest word: the least width that `wrap` can keep to."""
    return max((width_of(word, font, size) for word in text.split()), default=0.0)
