"""Signs and letters that commands of LaTeX show, its accents, and the dashes and quotes of its text."""

from __future__ import annotations

import re
from unicodedata import normalize

SIGNS = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e",
    "BibTeX": "BibTeX",
    "S": "§", "P": "¶", "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™",
    "pounds": "£", "textsterling": "£", "euro": "€", "texteuro": "€", "textyen": "¥", "textendash": "–",
    "textemdash": "—", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^", "textbar": "|",
    "textless": "<", "textgreater": ">", "textdegree": "°", "degree": "°", "textmu": "µ", "textbullet": "•",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "lq": "‘",
    "rq": "’", "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
    "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "ng": "ŋ", "dj": "đ",
    "quad": " ", "qquad": " ", "space": " ", "enspace": " ", "thinspace": " ", "newline": "\n", "linebreak": "\n",
    "slash": "/", "dag": "†", "ddag": "‡", "textdagger": "†", "times": "×", "nobreakspace": " ",
    "textunderscore": "_", "textdollar": "$", "textpercent": "%", "guillemotleft": "«", "guillemotright": "»",
    "og": "« ", "fg": " »", "glqq": "„", "grqq": "“", "flqq": "«", "frqq": "»", "textnumero": "№",
    "textordfeminine": "ª", "textordmasculine": "º", "textonehalf": "½", "textquestiondown": "¿",
    "textexclamdown": "¡", "tabularnewline": "\n",
}  # fmt: skip
ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331",
}  # fmt: skip
SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\t": " ", ">": " ", "!": "", "-": "", "/": "", "@": ""}
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "?`": "¿", "!`": "¡"}
_LIGATURE = re.compile(r"-{2,3}|[?!]`|``|''|[`']")
_DOTLESS = str.maketrans("ıȷ", "ij")


def with_accent(accent: str, letter: str) -> str:
    """A letter, or what stands for one, with an accent of `ACCENTS`."""
    letter = letter.strip()
    return normalize("NFC", letter[:1].translate(_DOTLESS) + ACCENTS[accent]) + letter[1:] if letter else ""


def typeset(text: str) -> str:
    """Text with its dashes and quotes as they are set."""
    return _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
