"""DOC016 mojibake: text that was read in the wrong encoding.

What: characters that appear when UTF-8 is read as Windows-1252 or GBK.
Why it hurts retrieval: the damaged words match no question, and names and prices with them are lost.
Example: `cafÃ©` for `café`, `itâ€™s` for `it’s`
Cure: save the file again as UTF-8, from the program that wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import counted, quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Severity


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """One finding a file, at the first place."""
    text = subject.document.text
    places = list(damaged(text))
    if not places:
        return
    start, end, meant = places[0]
    around = quoted_snippet(text[max(0, start - 20) : end + 20])
    first = f"'{text[start:end]}' stands for '{meant}'" if meant else f"near '{around}'"
    message = f"{counted(len(places), 'piece')} of text read in the wrong encoding, {first}: save it again as UTF-8"
    yield Violation(message, start, end, page=subject.page_of(start))


member = DocumentRule("DOC016", "mojibake", Severity.WARNING, 0.0, Scope.DOCUMENT, __doc__, _found)


_HIGH = "\u0080-\u00bf\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d"
_HIGHER = "\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178"
_LATIN = re.compile(rf"[\u00c2-\u00f4][{_HIGH}{_HIGHER}]{{1,3}}")
_CHINESE = re.compile(r"[\u4e00-\u9fff]{6,60}")
_HIGH_ON_MACS = bytes(range(0x80, 0xC0)).decode("mac_roman")
_MACINTOSH = re.compile(rf"[¬‚„‰][{_HIGH_ON_MACS}]{{1,2}}|(?<=[^\W\d_])[√ƒ≈][{_HIGH_ON_MACS}]")
"""Roots and functions of letters are mathematics, but for those within words."""
_FOREIGN = re.compile(r"[\u00a1-\u00ff]{6,60}")
"""No language of the Latin alphabet writes so many letters in a row that ASCII lacks."""
_LOST = re.compile(
    "(?:锟斤拷)+|(?:烫烫)+烫*"
)  # Replacement characters read as GBK, and what programs show for unset memory.
_LIKELY = re.compile(r"[\u00a0-\u017f\u0370-\u04ff\u2010-\u2044\u20ac\u2122\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")
_CHINESE_TEXT = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")
_UNDEFINED = {code: bytes([code]) for code in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}


def damaged(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and what is meant ("" where that is lost) of each place, in the order of the kinds of damage."""
    for found in _LOST.finditer(text):
        yield found.start(), found.end(), ""
    for found in _LATIN.finditer(text):
        read = (_UNDEFINED.get(ord(char)) or char.encode("cp1252", "ignore") or b"?" for char in found[0])
        meant = _as_utf8(b"".join(read))
        if meant and _LIKELY.fullmatch(meant[0]):
            yield found.start(), found.start() + len(meant[0].encode()), meant[0]
    for found in _MACINTOSH.finditer(text):
        meant = _as_utf8(found[0].encode("mac_roman"))
        if meant and _LIKELY.fullmatch(meant[0]):
            yield found.start(), found.start() + len(meant[0].encode()), meant[0]
    for found in _FOREIGN.finditer(text):
        meant = _from_one_byte(found[0].encode("latin1"))
        if meant:
            yield found.start(), found.end(), meant
    for found in _CHINESE.finditer(text):
        meant = _from_gbk(found[0])
        if meant:
            yield found.start(), found.end(), meant


def _as_utf8(data: bytes) -> str:
    """What the bytes say as UTF-8 from their first on; "" where they are none."""
    for length in range(min(4, len(data)), 1, -1):
        try:
            return data[:length].decode()
        except UnicodeDecodeError:
            continue
    return ""


def _from_one_byte(data: bytes) -> str:
    """The Cyrillic word or the Chinese that the bytes are when they were read as Latin-1; "" where they are neither."""
    word = data.decode("cp1251", "ignore")
    if re.fullmatch("[А-я]+", word):
        return word if word.islower() or word.isupper() or word.istitle() else ""
    meant = data.decode("gb18030", "ignore")
    return meant if _CHINESE_TEXT.fullmatch(meant) else ""


def _from_gbk(text: str) -> str:
    """The Chinese that these characters are when UTF-8 was read as GBK; "" where they are what they seem."""
    for shorter in (0, 1, 2):
        data = text[: len(text) - shorter].encode("gb18030")
        try:
            meant = data.decode()
        except UnicodeDecodeError:
            continue
        return meant if _CHINESE_TEXT.fullmatch(meant) else ""
    return ""
