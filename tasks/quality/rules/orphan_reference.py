"""CHK011 orphan-reference: a passage that points to a table or figure which is not in it.

What: it says "the table below", "the following table" or the like and holds none.
Why it hurts retrieval: the passage is found, and what the reader is told to look at is not there.
Example: `The results are shown in the table below.`
Cure: give the table a number and a caption and refer to it by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.quality.checked_document import CheckedDocument
from tasks.quality.rule import DocumentRule, Scope, Violation
from warehouse.records import Severity

_NOUN = (
    r"(?:tables?|charts?|figure|graphs?|diagrams?|images?|pictures?|photos?|photographs?|maps?|illustrations?|plots?)"
)
_VERB = r"(?:(?:shown|given|presented|provided|listed|set (?:out|forth)) )?"
_PLACE = (
    r"(?:below|above|overleaf|opposite|underneath|beneath|that follows"
    r"|on the (?:next|previous|following|facing|opposite) page|(?:to|on) the (?:left|right)|further (?:down|up)"
    r"|(?:at|on) the (?:end|beginning|top|bottom|left|right|foot) of)"
)
_IN_WORDS = "示现現达達明决決态態演扬揚彰面情白层層皮述书書像案片谱譜形纸紙腾騰谋謀标標解文例"
"""Characters that make another word of 表 or 图: 会议上表示 is "said at the meeting"."""
_POINTS = re.compile(
    rf"\b{_NOUN} {_VERB}{_PLACE}\b(?! (?:\d|zero|the (?:rim|average)))"
    rf"|\b(?:below|above|following|preceding|next|previous) {_NOUN}\b(?! (?:of contents|stakes))"
    rf"|[如以见]?[上下](?:方|面|列|述)?的?(?:表格|[图圖]表|[表图圖](?![{_IN_WORDS}]))",
    re.IGNORECASE,
)
_CAPTION = re.compile(r"^\s*(?:figure|fig\.|chart|[图圖])\s*\d", re.IGNORECASE | re.MULTILINE)


def _found(subject: CheckedDocument) -> Iterator[Violation]:
    """Chunks without a table or the caption of a figure."""
    for chunk in subject.chunks:
        found = _POINTS.search(chunk.text)
        if found and not chunk.has_table and not _CAPTION.search(chunk.text):
            start = chunk.start + found.start()
            message = f"'{found[0]}' is not in the passage: refer to it by its number or caption"
            yield Violation(message, start, chunk.start + found.end(), chunk, page=subject.page_of(start))


member = DocumentRule("CHK011", "orphan-reference", Severity.NOTE, 0.0, Scope.CHUNK, __doc__, _found)
"""Its penalty is nothing: a passage that points elsewhere is found as well as any other."""
