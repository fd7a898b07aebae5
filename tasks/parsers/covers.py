"""Places where a report says what it is: its cover, and running titles such as "3M Company | 2018 Form 10-K"."""

from __future__ import annotations

import re
from collections import Counter

CHARTER = re.compile(
    r"(?:exact\s+)?name\s+of\s+(?:the\s+)?(?:registrants?|company|issuer)\s*\(?s?\)?,?\s+as\s+(?:it\s+appears|specified|stated)"
    r"|exact\s+name\s+of\s+(?:the\s+)?(?:registrants?|company|issuer)|translation\s+of\s+(?:the\s+)?registrant[’']?s\s+name",
    re.IGNORECASE,
)
"""The words on a cover that say which name is the registrant's, as the forms prescribe them."""
COVERED = 300_000  # How far into a document its cover may stand: the letters of a glossy report come before it.
_BEFORE, _AFTER = 3_000, 6_000  # How far a cover reaches to both sides of these words.

REPORT = (
    r"(?:form\s+(?:10-k|10-q|20-f|40-f)(?:/a)?|(?:integrated\s+|universal\s+)?annual\s+(?:financial\s+)?report"
    r"|integrated\s+report|report\s+(?:and|&)\s+accounts|universal\s+registration\s+document"
    r"|(?:half|mid)[-\s]year(?:ly)?\s+(?:financial\s+)?report|interim\s+(?:financial\s+|consolidated\s+)?report"
    r"|(?:first|second|third|q[1-4])?[-\s]*quarter(?:ly)?\s+(?:financial\s+)?report)(?!\w)"
)
"""What a report is called in its own title."""
_TITLED = re.compile(rf"(?<!\w){REPORT}", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PAGE = re.compile(r"^(?:page\s+)?[\divxl]{1,4}(?:\s*[|·•–—-]\s*|\s+)|(?:\s*[|·•–—-]\s*|\s+)(?:page\s+)?[\divxl]{1,3}$")
_LONGEST = 100
_LEAST = 2  # Pages that must have it: a sentence says such words once.


def find_cover(text: str) -> tuple[int, int]:
    """The span of the cover on which a filing names its registrant; empty where there is none."""
    found = CHARTER.search(text, 0, COVERED)
    return (max(0, found.start() - _BEFORE), min(len(text), found.end() + _AFTER)) if found else (0, 0)


def find_running_titles(text: str) -> tuple[str, ...]:
    """The lines with the name of a report and a year that come again, without their page numbers, the oftenest first.

    Rows of tables are none, nor is a line that ends as a sentence.
    """
    found = Counter(
        " ".join(_PAGE.sub("", line).split())
        for line in map(str.strip, text.splitlines())
        if len(line) <= _LONGEST and line[-1:] not in ".;,|" and _YEAR.search(line) and _TITLED.search(line)
    )
    return tuple(line for line, count in found.most_common() if count >= _LEAST)
