"""How much of a passage is words that stand in every document of its sort, and which."""

from __future__ import annotations

import re

_SORTS: dict[str, tuple[str, ...]] = {
    "copyright notice": (
        r"all rights reserved|copyright (?:©|\(c\)|\d{4})|© ?\d{4}|may not be reproduced|no part of this",
        r"reproduced, distributed|registered trademarks?|trademarks? (?:of|are)",
        r"版权所有|保留所有权利|未经.{0,8}许可",
    ),
    "cautionary statement": (
        r"forward-looking statements?|safe harbor|private securities litigation reform|differ materially",
        r"actual results (?:may|could|to) differ|undertakes? no (?:obligation|duty)|前瞻性陈述",
        r"not? (?:obligated|obligation) to (?:publicly )?(?:update|revise)",
    ),
    "disclaimer": (
        r"for informational purposes only|without warrant(?:y|ies)|no (?:representation|warranty)",
        r"(?:does|do|should) not (?:constitute|be construed as) .{0,40}(?:advice|offer)",
        r"accepts? no (?:liability|responsibility)|intended (?:solely|only) for the (?:addressee|use of)",
        r"if you (?:have )?received this .{0,20}in error|投资有风险|不构成.{0,8}建议",
    ),
    "navigation": (
        r"skip to (?:main )?content|back to top|privacy policy|terms (?:of (?:use|service)|and conditions)",
        r"cookie (?:policy|settings|preferences)|(?:we|site) uses? cookies|accept (?:all )?cookies",
        r"sign (?:in|up)\b|log ?in\b|subscribe (?:to|now)|unsubscribe|follow us|share this|click here",
        r"page intentionally left blank|上一页|下一页|返回顶部|隐私政策",
    ),
}
_MARKS = {sort: re.compile("|".join(patterns), re.IGNORECASE) for sort, patterns in _SORTS.items()}
_CONTENTS = re.compile(r"(?:\.[ .]{3,}|…{2,}|\s{2,}|\t)\s*(?:\d{1,4}|[ivxl]{1,6})\s*$")
_PIECES = re.compile(r"\n|(?<=[.!?。！？])\s+")


def boilerplate(text: str) -> tuple[float, str]:
    """The share of the text, 0 to 1, in sentences and lines of boilerplate, and what most of it is."""
    sizes = dict.fromkeys((*_MARKS, "table of contents"), 0)
    pieces = [piece for piece in _PIECES.split(text) if piece.strip()]
    for piece in pieces:
        sort = _sort(piece)
        if sort:
            sizes[sort] += len(piece)
    whole = sum(map(len, pieces))
    most = max(sizes, key=lambda sort: sizes[sort])
    return (sum(sizes.values()) / whole if whole else 0.0), most


def _sort(piece: str) -> str:
    if _CONTENTS.search(piece) and len(piece) > 8:
        return "table of contents"
    return next((sort for sort, mark in _MARKS.items() if mark.search(piece)), "")
