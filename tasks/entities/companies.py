"""Whose report a document is: the registrant of a filing's cover, the company of a release, and its stock symbols.

Covers are those of SEC forms 10-K, 10-Q and 8-K, whose line "(Exact name of registrant as specified in its charter)"
the forms prescribe; releases say "Company Reports Fourth Quarter Results" and "Company, Inc. (NYSE: CMP)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from warehouse.records import Document, Kind

COVER = 12_000
"""How far a cover reaches, in characters."""
_OPENING = 2_000
"""How far the opening of a release reaches, in characters."""
_LONGEST = 90
_MOST_WORDS = 9
_MOST_SYMBOLS = 3

_CHARTER = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?(?:registrants?|company|issuer)", re.IGNORECASE)
_FILED = re.compile(r"\bform\s+\d{1,2}-[kq](?:/a)?\s+for\s+(?P<name>.{2,80}?)\s+filed\b", re.IGNORECASE)
_HEADLINE = re.compile(
    r"(?P<name>\S.{1,60}?),?\s+(?:reports?|announces?|delivers?|posts?|declares?|releases?)\s"
    r"(?=.{0,80}\b(?:results?|earnings|quarter|guidance|dividend|fiscal|full[- ]year)\b)",
    re.IGNORECASE,
)
_EXCHANGE = r"(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|AMEX|LSE|ASX|TSX|HKEX|SEHK|SSE|SZSE)"
_LISTED = re.compile(rf"\(\s*{_EXCHANGE}[^():\n]{{0,20}}[:：]\s*(?P<symbol>[A-Z][A-Z.]{{0,5}})")
_SYMBOL_ON_COVER = re.compile(
    r"(?<![A-Za-z0-9])(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)[ |]{1,5}(?:the )?(?:NASDAQ|Nasdaq|New York Stock|NYSE|Chicago)"
)
_CHINESE = re.compile(r"^(?P<name>[\u3400-\u9fff（）()]{2,30}(?:股份有限公司|有限公司))$", re.MULTILINE)
_DASHES = re.compile(r"\s[-–—]{1,2}\s|[:;]\s|(?<=[a-z]{3})\.\s")
_CAPITALISED = re.compile(r"[A-Z0-9&]|(?:of|and|the|de|da|van|von)$")
_EMPTY = re.compile(r"^[\W_]*$")


def with_company(document: Document) -> Document:
    """A report with the company it is of, where its cover, headline or title says so, and that company's symbols."""
    if document.kind not in (Kind.REPORT, Kind.TEXT):
        return document
    head = document.text[:COVER]
    company = _registrant(head) or _filed(document.title) or _of_release(document.text[:_OPENING])
    if not company:
        return document
    attributes = replace(document.attributes, company=company, symbols=_symbols(head))
    return replace(document, attributes=attributes)


def _registrant(head: str) -> str:
    """The line above the one that says what it is; the form wants it so."""
    found = _CHARTER.search(head)
    if not found:
        return ""
    lines = head[: found.start()].rpartition("\n")[0].splitlines()
    return next((name for line in reversed(lines[-8:]) if (name := _cleaned(line))), "")


def _cleaned(line: str) -> str:
    """A line as a name, empty where it cannot be one."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    name = " ".join(next((cell for cell in cells if not _EMPTY.match(cell)), "").split())
    is_other = "commission file" in name.lower() or name.startswith(("(", "[")) or len(name) > _LONGEST
    return "" if is_other or not any(char.isalpha() for char in name) else name


def _filed(title: str) -> str:
    found = _FILED.search(title)
    return found["name"].strip() if found else ""


def _of_release(opening: str) -> str:
    lines = [line.strip() for line in opening.splitlines() if not _EMPTY.match(line)]
    headlines = (_HEADLINE.match(line) for line in [line for line in lines if len(line) < 250][:5])
    named = [found["name"].strip() for found in headlines if found]
    chinese = _CHINESE.search(opening)
    listed = [name for found in _LISTED.finditer(opening) if (name := _name_before(opening, found.start()))]
    likely = [*listed, *(name for name in named if _is_name(name)), *([chinese["name"]] if chinese else ())]
    return likely[0] if likely else ""


def _name_before(text: str, place: int) -> str:
    """The capitalised words that end before a place."""
    paragraph = text[max(0, place - _LONGEST) : place].rpartition("\n\n")[2]
    piece = _DASHES.split(paragraph.rstrip())[-1]
    words: list[str] = []
    for word in reversed(piece.split()):
        if not _CAPITALISED.match(word) or len(words) == _MOST_WORDS:
            break
        words.insert(0, word)
    while words and words[0][0].islower():
        words.pop(0)
    return " ".join(words)


def _is_name(text: str) -> bool:
    words = text.split()
    return len(words) <= _MOST_WORDS and all(_CAPITALISED.match(word) for word in words)


def _symbols(head: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_symbols_in(head)))[:_MOST_SYMBOLS]


def _symbols_in(head: str) -> Iterator[str]:
    opening = _LISTED.search(head[:_OPENING])
    if opening:
        yield opening["symbol"].rstrip(".")
    if _CHARTER.search(head):
        yield from (found["symbol"] for found in _SYMBOL_ON_COVER.finditer(head))
