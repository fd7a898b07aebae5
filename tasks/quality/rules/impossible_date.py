"""TMP003 impossible-date: a date that there is not.

What: a day that its month does not have, or a month above twelve.
Why it hurts retrieval: it stands for no day, so no question about a time finds the passage.
Example: `February 30, 2023`, `2023-13-05`
Cure: correct the date.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    for start, end in impossible_dates(subject.document.text):
        message = f"there is no {subject.document.text[start:end]}: correct the date"
        yield Violation(message, start, end, page=subject.page_of(start))


member = DocumentRule("TMP003", "impossible-date", Severity.WARNING, 0.05, Scope.CHUNK, __doc__, _found)


_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|Aug(?:ust|\.)?"
    r"|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d|21\d\d)"
_FORMS = (
    re.compile(rf"\b(?P<name>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? {_YEAR}\b|(?!\d|[.,:/-]\d| \w))"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<name>{_MONTH})(?:,? {_YEAR})?\b"),
    re.compile(rf"(?<![\d./-]){_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?![\d/-]|\.\d)"),
    re.compile(rf"(?<![\w.,/+-]){_YEAR}(?P<month>0[1-9]|1[0-2])(?P<day>3[0-9])(?![\w/+-]|[.,]\d)"),
    re.compile(rf"(?:{_YEAR}年)?(?<!\d)(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})[日号號]"),
)
_NUMERIC = re.compile(rf"(?<![\d./-])(\d{{1,2}})([/.-])(\d{{1,2}})\2{_YEAR}(?![\d/-]|\.\d)")
_LEAP = 2024
_MOST = 31


def impossible_dates(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each; without a year, 29 February and numbers over 31 are let pass."""
    for form in _FORMS:
        for found in form.finditer(text):
            month, day, year = _month(found), int(found["day"]), found["year"]
            if (year or day <= _MOST) and not _exists(int(year or _LEAP), month, day):
                yield found.start(), found.end()
    for found in _NUMERIC.finditer(text):
        first, second, year = int(found[1]), int(found[3]), int(found["year"])
        if not (_exists(year, first, second) or _exists(year, second, first)):
            yield found.start(), found.end()


def _month(found: re.Match[str]) -> int:
    parts = found.groupdict()
    return _NAMES.index(parts["name"][:3].lower()) + 1 if "name" in parts else int(parts["month"])


def _exists(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
