"""What a table prints as a figure: numbers, amounts, and the signs for one that is missing."""

from __future__ import annotations

import re

_FIGURE = re.compile(
    r"[(\[<>~≈±+−–-]*\s*(?:US|HK|[CA])?[$€£¥]?\s*[(+−–-]?\s*[$€£¥]?\s*(?:\d[\d,.'’:/\u00a0 ]*|[.,]\d+)\s*"
    r"(?:%|bps?|pp|pts?|[xX]|[kKmMbB]n?)?\s*[)\]]*\s*%?(?:\s?(?:[*†‡§#a-z]|\([\w]{1,2}\)|\[\w{1,2}\]|[¹²³⁴-⁹])){0,2}"
)
_BLANK = re.compile(
    r"[-−–—.:*…xX•✓]{1,3}|n/?[adm]\.?|\((?:NA|X|D|Z|S|B|L)\)|nil|N/?[AMD]\.?|NM|\(?[a-z]\)", re.IGNORECASE
)


_YEAR = re.compile(r"\(?(?:FY|CY)?\s?(?:19|20)\d\d(?:[-/–]\d{2,4})?[a-z*†)]?(?:\s*\(?[a-zA-Z]\)?)?")


def is_figure(text: str) -> bool:
    """Whether a text is a number as tables print them, or a sign that one is missing ("-", "n/a", ":")."""
    return len(text) < 40 and bool(_FIGURE.fullmatch(text) or _BLANK.fullmatch(text))


def is_amount(text: str) -> bool:
    """Whether a text is a figure other than a year."""
    return is_figure(text) and not _YEAR.fullmatch(text)
