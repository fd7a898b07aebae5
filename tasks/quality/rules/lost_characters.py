"""CHK013 lost-characters: a passage in which characters are missing that the page shows.

What: `�`, `(cid:12)` or private characters among letters, where the file does not say what its fonts show, most often
the ligatures fi, fl and ff. What the font program or the other words of the document tell is mended and no finding.
Why it hurts retrieval: the damaged words match no question and blur the vector; a figure may be lost altogether.
Example: `the �rst quarter of �scal 2023`
Cure: save the file again from its program with another PDF writer, or read its pages as pictures (extra `ocr`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.phrases import counted, quoted_snippet
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Chunk, Severity

_CODE, _PRIVATE = r"\(cid:\d{1,6}\)", "[\ue000-\uf8ff\U000f0000-\U0010ffff]"
_LOST = re.compile(
    rf"\ufffd|{_CODE}(?=\s?{_CODE}|[^\W\d_])|(?<=\)){_CODE}|(?<=\)\s){_CODE}|(?<=[^\W\d_]){_CODE}"
    rf"|{_PRIVATE}(?=[^\W\d_]|{_PRIVATE})|(?<=[^\W\d_]){_PRIVATE}|(?<={_PRIVATE}){_PRIVATE}"
)
"""A private character by itself is an icon, a code in brackets by itself is written about."""
_MAYBE = re.compile(rf"\ufffd|\(cid:|{_PRIVATE}")
_AROUND = 20
_EACH, _LEAST, _MOST = 2.0, 0.05, 0.5
"""The penalty is twice the share of damaged words, brought between the other two: one word in ten costs .2."""


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """One finding for each chunk and page, at its first place. The first one of a chunk has the penalty of all."""
    for chunk in subject.chunks:
        if not _MAYBE.search(chunk.text):
            continue
        places = [match.span() for match in _LOST.finditer(chunk.text)]
        penalty = _penalty(chunk.text, places)
        for page, same in groupby(places, key=lambda place: subject.page_of(chunk.start + place[0])):
            yield _blame(chunk, page, list(same), penalty)
            penalty = 0.0


def _blame(chunk: Chunk, page: int | None, places: list[tuple[int, int]], penalty: float) -> Violation:
    start, end = places[0]
    near = quoted_snippet(chunk.text[max(0, start - _AROUND) : end + _AROUND])
    where = "" if page is None else f" of page {page}"
    message = f"{counted(len(places), 'character')}{where} cannot be read, first near '{near}'"
    return Violation(message, chunk.start + start, chunk.start + end, chunk, page=page, penalty=penalty)


def _penalty(text: str, places: list[tuple[int, int]]) -> float:
    """By the share of the words that have lost characters."""
    words = [match.span() for match in re.finditer(r"\S+", text)]
    damaged = sum(any(start <= place < end for place, _ in places) for start, end in words) if places else 0
    return round(min(max(_EACH * damaged / max(len(words), 1), _LEAST), _MOST), 2)


member = DocumentRule("CHK013", "lost-characters", Severity.WARNING, _LEAST, Scope.CHUNK, __doc__, _found)
