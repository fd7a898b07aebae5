"""What a line is by its words: parted in columns, an item of a list, a caption, a note."""

from __future__ import annotations

import re

from tasks.parsers.pages.rows import PageRow

_MARK = re.compile(
    r"[•‣▪●◦·–—*§➢✓\U00100000-\U0010fffd-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\(\w{1,3}\)|\d{1,2}(?:\.\d{1,2}){1,4}\.?|\*+|\[\d+\]"
)
CAPTION = re.compile(
    r"\s*(?:table|tab\.|figure|fig\.|exhibit|chart|graph|box|tableau|tabelle|表|图)\s*[\dA-Z]+(?:[.\-:]\d+)*\b",
    re.IGNORECASE,
)
NOTE = re.compile(
    r"\(?(?:\d{1,2}|[a-z]|NA|\*{1,3})\)\s|[*†‡¹²³⁴-⁹]+\s?[A-Z]|\d{1,2}/\s?[A-Z]|(?-i:\d{1,2}[A-Z][a-z]|[rpe]\s[A-Z])|"
    r"(?:notes?|sources?|n\.b\.?|see footnotes?)(?:\s*[:.]\s|\s(?:at|on)\s)",
    re.IGNORECASE,
)
UNITS = re.compile(r"[(（]?\s*(?:金额|货币|计量|数量)?(?:单位|币种)\s*[:：]")
"""The line that states the unit above a Chinese table, set to the right; no header of a column."""
_NUMBERED = re.compile(r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)")
_EQUATION = re.compile(r"\s[=≈≤≥≡<>]\s")


def is_parted(row: PageRow) -> bool:
    """Whether a line has several pieces, a list's mark or a heading's or formula's number not counted."""
    if len(row.pieces) == 2 and _MARK.fullmatch(row.pieces[0].text):
        return row.pieces[1].is_figure
    if len(row.pieces) == 2 and _NUMBERED.fullmatch(row.pieces[1].text) and _EQUATION.search(row.pieces[0].text):
        return False
    return len(row.pieces) > 1


def has_figures(row: PageRow) -> bool:
    """Whether a line has a label, or a figure, and figures beside it."""
    return is_parted(row) and any(piece.is_figure for piece in row.pieces[1:])


def is_numbered(row: PageRow) -> bool:
    """Whether a line has the number of a list's item, which may be a column of a table that has a header."""
    mark = row.pieces[0].text
    return len(row.pieces) > 1 and any(sign.isdigit() for sign in mark) and _MARK.fullmatch(mark) is not None
