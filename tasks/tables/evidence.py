"""When arithmetic is evidence that a line is the total of others.

The less a label says, the more digits must agree. The thresholds were set on 278 tables of annual reports, where no
figure is wrongly held against its table, and three of four totals that were changed in one digit are noticed.
"""

from __future__ import annotations

import re

from tasks.tables.sums import Fit, SignConvention, SummedLine

_BARE = re.compile(r"(?:(?:grand|sub)[ -]?)?totals?|sum|[合總总小][计計]|总额|合计金额", re.IGNORECASE)
_MARKS = re.compile(r"[\s.:：*†‡]|\([0-9a-z]\)")
_RESULT = re.compile(
    r"^(?:net|gross|closing|ending|operating|profit|loss|income|earnings|surplus|deficit|ebit|balance)\b"
    r"|\b(?:net|end|ending)$|\bat (?:the )?end of\b|净|淨|毛利|余额|餘額|期末|利润|利潤",
    re.IGNORECASE,
)
"""Labels of what comes out in the end."""
_REMAINDER = re.compile(
    r"\b(?:net|gross|profit|loss(?:es)?|income|margin|earnings|surplus|deficit|balance|remain\w*|portion|ebit\w*)\b"
    r"|[净淨]|毛利|余额|餘額|利润|利潤|亏损",
    re.IGNORECASE,
)
"""Labels of what is left when all is deducted from the first; without one it is a part: the total less the others."""
_DEDUCTING = (SignConvention.FROM_FIRST, SignConvention.COSTS_DEDUCTED)
_SURE, _SURE_RESULT, _SURE_IN_PART, _SURE_ACROSS = 4.0, 2.0, 4.5, 6.0
"""The strength that makes a row a total; one named as a result; one of whose figures some disagree; a column."""
_LIKELY, _LIKELY_IN_PART = 1.5, 3.0
"""The strength that a line needs which says that it is a total; the second where some of its figures disagree."""


def is_silent(line: SummedLine, *, across: bool) -> bool:
    """Whether a row without a label stands where totals stand."""
    return not line.label and not across


def is_bare(label: str) -> bool:
    """Whether a label says total and nothing else."""
    return _BARE.fullmatch(_MARKS.sub("", label)) is not None


def holds(fit: Fit, line: SummedLine, *, across: bool) -> bool:
    """Whether a fit shows that a line is the total of the lines before it; `across` says that lines are columns."""
    if len(fit.missed) > len(fit.matched):
        return False
    if fit.signs in _DEDUCTING and (
        (line.label and not _REMAINDER.search(line.label)) or (fit.missed and fit.count > 2)
    ):
        return False
    if line.is_total or is_silent(line, across=across):
        if fit.missed:
            return fit.strength >= (_LIKELY if fit.whole else _LIKELY_IN_PART)
        return fit.strength >= _LIKELY or (fit.whole and bool(fit.matched))
    if across:
        return fit.strength >= _SURE_ACROSS and not fit.missed and len(fit.matched) > 1
    if fit.missed:
        return fit.strength >= _SURE_IN_PART and (len(fit.missed) == 1 or fit.whole)
    return fit.strength >= (_SURE_RESULT if fit.whole and _RESULT.search(line.label) else _SURE)


def is_likely(fit: Fit) -> bool:
    """Whether a fit is good enough for a line that says total, everything agreeing."""
    return not fit.missed and fit.strength >= _LIKELY


def is_sure(fit: Fit) -> bool:
    """Whether a fit is good enough for any row, everything agreeing."""
    return not fit.missed and fit.strength >= _SURE
