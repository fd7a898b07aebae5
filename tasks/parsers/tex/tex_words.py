"""Commands and environments of LaTeX by their function, the signs and letters that they show, accents and ligatures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

SECTIONS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6,
    "frametitle": 4,
}  # fmt: skip
TITLE_FIELDS = (
    "title", "subtitle", "author", "date", "institute", "institution", "affil", "affiliation", "address", "email",
    "keywords", "name", "phone", "homepage", "signature",
    "supervisor", "advisor", "department", "university", "school", "degree", "publishers", "dedication",
)  # fmt: skip
"""The fields of a title page, in their order."""
NOTE_COMMANDS = frozenset(["footnote", "thanks", "footnotetext", "marginpar", "marginnote", "sidenote", "endnote"])
CITATION = re.compile(r"[A-Za-z]*cite[a-z]*\*?|no(?:cite)")
REFERENCES = frozenset(["ref", "eqref", "autoref", "cref", "Cref", "pageref", "nameref", "vref", "fref", "subref"])
COMMAND_SETTINGS = {
    "label": 1, "bibliographystyle": 1, "vspace": 1, "hspace": 1, "usepackage": 1, "documentclass": 1, "setlength": 2,
    "addtolength": 2, "setcounter": 2, "addtocounter": 2, "pagestyle": 1, "thispagestyle": 1, "pagenumbering": 1,
    "documentstyle": 1, "hypersetup": 1, "geometry": 1, "newcounter": 1, "newlength": 1, "theoremstyle": 1, "color": 1,
    "definecolor": 3, "graphicspath": 1, "includegraphics": 1,
    "textcolor": 1, "parbox": 1, "resizebox": 2, "scalebox": 1, "raisebox": 1, "rotatebox": 1, "fontsize": 2,
    "colorbox": 1, "fcolorbox": 2, "rule": 2, "phantomsection": 0, "addcontentsline": 3, "cline": 1,
    "selectlanguage": 1, "column": 1,
    "multicolumn": 2, "multirow": 2, "RequirePackage": 1, "PassOptionsToPackage": 2, "usetikzlibrary": 1,
    "makeatletter": 0, "hyphenation": 1,
    "foreignlanguage": 1, "foreignquote": 1, "sethlcolor": 1, "fontfamily": 1, "rowcolor": 1, "cellcolor": 1,
    "columncolor": 1, "hskip": 0, "lstset": 1, "index": 1,
    "bibliography": 0, "newtheorem": 0, "captionsetup": 1, "makebox": 0, "extrarowheight": 0, "stepcounter": 1,
}  # fmt: skip
"""How many arguments of a command are settings: they, and its options, are not text."""
WITHOUT_LAST_OPTION = frozenset(["color", "textcolor", "selectlanguage", "label"])
"""Of these commands, those whose settings end with an argument: a bracket after it is text."""
WORD_COMMANDS = frozenset(["IEEEPARstart", "PARstart", "lettrine", "initial", "dropping"])
"""Commands whose arguments are parts of one word."""
PARAGRAPH_STARTS = frozenset([
    "maketitle", "par", "opening", "closing", "ps", "encl", "cc", "cventry", "cvitem", "cvlistitem", "epigraph",
    "framesubtitle", "minisec", "resumeItem", "resumeSubheading", "choice", "CorrectChoice",
    "question", "IEEEauthorblockN", "IEEEauthorblockA",
])  # fmt: skip
"""Commands that begin a paragraph."""
FILE_COMMANDS = frozenset(["input", "include", "subfile", "bibliography", "addbibresource"])
LISTS = frozenset(["itemize", "enumerate", "description", "compactitem", "compactenum", "list", "trivlist"])
TABLES = {
    "tabular": 1, "tabular*": 2, "tabularx": 2, "tabulary": 2, "longtable": 1, "supertabular": 1, "tabu": 1,
    "xltabular": 2, "longtabu": 1, "array": 1, "tblr": 1,
}  # fmt: skip
ENVIRONMENT_SETTINGS = {
    "minipage": 1, "multicols": 1, "wrapfigure": 2, "wraptable": 2, "thebibliography": 1, "adjustbox": 1, "column": 1,
}  # fmt: skip
"""How many arguments of an environment are settings."""
FLOATS = frozenset(["table", "table*", "figure", "figure*", "wrapfigure", "wraptable", "sidewaystable", "longtable"])
STATEMENTS = re.compile(r"(?:theorem|lemma|proof|definition|corollary|proposition|remark|example|claim)\*?")
DEFINITIONS = frozenset([
    "newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "DeclareMathOperator", "newrobustcmd",
    "def", "gdef", "edef", "xdef", "let", "NewDocumentCommand", "RenewDocumentCommand", "ProvideDocumentCommand",
    "DeclareDocumentCommand", "DeclareSIUnit", "newenvironment", "renewenvironment",
])  # fmt: skip
PREAMBLE_COMMANDS = DEFINITIONS.union(TITLE_FIELDS)
"""The commands before the body that are read."""
SECTION_HEADINGS = {"abstract": "Abstract", "thebibliography": "References"}
"""The headings of environments that are sections."""
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
LINE_END = "\x02"
"""An explicit line end; the source has no control characters."""
OPTIONAL_SPACE = "\x04"
"""A blank before a word, nothing before a sign (xspace)."""
_OPTIONAL_SPACE = re.compile(rf"{OPTIONAL_SPACE}(?P<blank>(?=[\w(\[“‘«$\\]))?")
_BLANKS = re.compile(r"[ \t]*\n[ \t]*|[ \t]+")
ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331",
}  # fmt: skip
SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "\t": " ", ">": " ", "!": "", "-": "", "/": "", "@": ""}
QUANTITY_ARGUMENTS = {
    "num": "n", "SI": "nu", "qty": "nu", "si": "u", "unit": "u", "SIrange": "n-nu", "qtyrange": "n-nu",
    "numrange": "n-n",
    "SIlist": "nu", "qtylist": "nu", "numlist": "n", "numproduct": "n", "qtyproduct": "nu", "complexnum": "n",
    "complexqty": "nu", "ang": "a", "tablenum": "n",
}  # fmt: skip
"""Commands of siunitx and what their arguments are: numbers, the ends of a range, a unit, an angle."""
_PREFIXES = {
    "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m",
    "centi": "c", "deci": "d", "deca": "da", "deka": "da", "hecto": "h", "kilo": "k", "mega": "M", "giga": "G",
    "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y", "kibi": "Ki", "mebi": "Mi", "gibi": "Gi",
    "tebi": "Ti",
}  # fmt: skip
_UNITS = {
    "metre": "m", "meter": "m", "gram": "g", "kg": "kg", "second": "s", "ampere": "A", "kelvin": "K", "mole": "mol",
    "candela": "cd", "becquerel": "Bq", "celsius": "°C",
    "degreeCelsius": "°C", "coulomb": "C", "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H", "joule": "J",
    "katal": "kat", "lumen": "lm", "lux": "lx", "newton": "N", "ohm": "Ω",
    "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv", "steradian": "sr", "tesla": "T", "volt": "V",
    "watt": "W", "weber": "Wb", "day": "d", "hour": "h", "minute": "min", "degree": "°", "arcminute": "′",
    "arcsecond": "″", "hectare": "ha", "litre": "L", "liter": "L", "tonne": "t", "bar": "bar", "electronvolt": "eV",
    "dalton": "Da", "bel": "B", "decibel": "dB", "neper": "Np", "percent": "%", "bit": "bit", "byte": "B",
    "angstrom": "Å", "astronomicalunit": "au", "atomicmassunit": "u", "barn": "b", "knot": "kn", "mmHg": "mmHg",
    "nauticalmile": "M", "squared": "²", "cubed": "³", "square": "²", "cubic": "³", "euro": "€", "um": "µm", "ug": "µg",
    "us": "µs", "ul": "µL", "uL": "µL", "kilogram": "kg",
}  # fmt: skip
_UNIT_PART = re.compile(r"\\(?P<command>[A-Za-z]+)|\^\{?(?P<power>-?\d)\}?|(?P<space>[.~\s]|\\[,;])|(?P<other>[^{}])")
_POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXPONENT = re.compile(r"(?:(?P<digit>[\d.])|\A)[eEdD](?P<power>[+-]?\d+)\Z")
_ANGLE_MARKS = "°′″"
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", "'": "’", "?`": "¿", "!`": "¡"}
_LIGATURE = re.compile(r"-{2,3}|[?!]`|``|''|[`']")
_DOTLESS = str.maketrans("ıȷ", "ij")


@dataclass(slots=True)
class TexFront:
    """The front matter of a source, as words."""

    fields: dict[str, str] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)
    has_abstract: bool = False


def join_lines(text: str) -> str:
    """Text with the explicit line ends of its author, and no others."""
    if OPTIONAL_SPACE in text:
        text = _OPTIONAL_SPACE.sub(lambda match: " " * (match["blank"] is not None), text)
    lines = text.replace("\n", " ").split(LINE_END)
    return "\n".join(line for text in lines if (line := _BLANKS.sub(" ", text).strip()))


def with_accent(accent: str, letter: str) -> str:
    """A letter with an accent of `ACCENTS`."""
    letter = letter.strip()
    return normalize("NFC", letter[:1].translate(_DOTLESS) + ACCENTS[accent]) + letter[1:] if letter else ""


def typeset(text: str) -> str:
    """Text with its dashes and quotes as they are set."""
    return _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)


def typeset_unit(source: str, author_units: Mapping[str, str]) -> str:
    """A unit as siunitx sets it, with a slash before the divisor; `author_units` are those that the source defines.

    Unknown names of units are kept.
    """
    unit, suffix = "", ""
    for part in _UNIT_PART.finditer(source):
        name = part["command"] or ""
        if name in ("square", "cubic"):
            suffix += _UNITS[name]
        elif name in ("squared", "cubed") or part["power"]:
            unit += _UNITS[name] if name else part["power"].translate(_POWERS)
        elif name == "per" or part["other"] == "/":
            unit += "/"
        elif name in _PREFIXES:
            unit += " " * (unit[-1:] not in ("", "/", " ")) + _PREFIXES[name]
            suffix += "\0"
        elif name:
            is_prefixed = "\0" in suffix
            unit += " " * (unit[-1:] not in ("", "/", " ") and not is_prefixed)
            unit += author_units.get(name, _UNITS.get(name, name)) + suffix.replace("\0", "")
            suffix = ""
        else:
            unit += " " if part["space"] else part["other"]
    return unit.strip()


def typeset_number(source: str) -> str:
    """A number, or several between semicolons, as siunitx sets them."""
    numbers = (number.strip().replace("+-", " ± ").replace("\\pm", " ± ") for number in source.split(";"))
    return ", ".join(
        _EXPONENT.sub(lambda match: f"{match['digit'] or ''}{' × ' * bool(match['digit'])}10^{match['power']}", number)
        for number in numbers
    )


def typeset_quantity(name: str, sources: Sequence[str], author_units: Mapping[str, str]) -> str:
    """The text of a command of `QUANTITY_ARGUMENTS` with these arguments."""
    kinds = QUANTITY_ARGUMENTS[name].replace("-", "")
    if kinds == "a":
        pairs = zip(sources[0].split(";"), _ANGLE_MARKS, strict=False)
        return "".join(f"{number.strip()}{mark}" for number, mark in pairs if number)
    numbers = [typeset_number(source) for source, kind in zip(sources, kinds, strict=True) if kind == "n"]
    unit = typeset_unit(sources[-1], author_units) if kinds.endswith("u") else ""
    gap = " " if numbers and unit and unit not in _ANGLE_MARKS else ""
    return "–".join(numbers) + gap + unit
