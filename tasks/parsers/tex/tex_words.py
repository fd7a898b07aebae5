"""Commands and environments of LaTeX by what they do, the signs and letters that they show, accents and ligatures."""

from __future__ import annotations

import re
from unicodedata import normalize

SECTIONS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6,
}  # fmt: skip
FRONT = (
    "title", "subtitle", "author", "date", "institute", "institution", "affil", "affiliation", "address", "email",
    "keywords", "supervisor", "advisor", "department", "university", "school", "degree", "publishers", "dedication",
)  # fmt: skip
"""What a title page shows, in this order."""
NOTES = frozenset(["footnote", "thanks", "footnotetext", "marginpar", "marginnote", "sidenote", "endnote"])
CITED = re.compile(r"[A-Za-z]*cite[a-z]*\*?|no(?:cite)")
REFERRED = frozenset(["ref", "eqref", "autoref", "cref", "Cref", "pageref", "nameref", "vref", "fref", "subref"])
DROPPED = {
    "label": 1, "bibliographystyle": 1, "vspace": 1, "hspace": 1, "usepackage": 1, "documentclass": 1, "setlength": 2,
    "addtolength": 2, "setcounter": 2, "addtocounter": 2, "pagestyle": 1, "thispagestyle": 1, "pagenumbering": 1,
    "documentstyle": 1, "hypersetup": 1, "geometry": 1, "newcounter": 1, "newlength": 1, "newenvironment": 3,
    "renewenvironment": 3, "theoremstyle": 1, "color": 1, "definecolor": 3, "graphicspath": 1, "includegraphics": 1,
    "textcolor": 1, "parbox": 1, "resizebox": 2, "scalebox": 1, "raisebox": 1, "rotatebox": 1, "fontsize": 2,
    "colorbox": 1, "fcolorbox": 2, "rule": 2, "phantomsection": 0, "addcontentsline": 3, "cline": 1,
    "selectlanguage": 1,
    "multicolumn": 2, "multirow": 2, "RequirePackage": 1, "PassOptionsToPackage": 2, "usetikzlibrary": 1,
    "makeatletter": 0, "hyphenation": 1,
    "foreignlanguage": 1, "rowcolor": 1, "cellcolor": 1, "columncolor": 1, "hskip": 0, "lstset": 1, "index": 1,
    "bibliography": 0, "newtheorem": 0, "captionsetup": 1, "makebox": 0, "extrarowheight": 0, "stepcounter": 1,
}  # fmt: skip
"""How many arguments of a command are settings: they, and its options, are no words."""
FILES = frozenset(["input", "include", "subfile", "bibliography", "addbibresource"])
LISTS = frozenset(["itemize", "enumerate", "description", "compactitem", "compactenum", "list", "trivlist"])
TABLES = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "supertabular": 1, "tabu": 1,
    "xltabular": 2, "longtabu": 1, "array": 1, "tblr": 1,
}  # fmt: skip
SETTINGS = {"minipage": 1, "multicols": 1, "wrapfigure": 2, "wraptable": 2, "thebibliography": 1, "adjustbox": 1}
"""How many arguments of an environment are settings."""
FLOATS = frozenset(["table", "table*", "figure", "figure*", "wrapfigure", "wraptable", "sidewaystable", "longtable"])
STATEMENTS = re.compile(r"(?:theorem|lemma|proof|definition|corollary|proposition|remark|example|claim)\*?")
DEFINING = frozenset(["newcommand", "renewcommand", "providecommand", "DeclareMathOperator", "def", "let", "gdef"])
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
