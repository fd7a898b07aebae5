"""Commands and environments of LaTeX by what they do: head sections, cite, define, or say nothing."""

from __future__ import annotations

import re

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
