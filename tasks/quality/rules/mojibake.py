"""DOC016 mojibake: text that was read in the wrong encoding.

What: characters that appear when UTF-8 is read as Windows-1252 or GBK.
Why it hurts retrieval: the damaged words match no question, and names and prices with them are lost.
Example: `cafÃ©` for `café`, `itâ€™s` for `it’s`
Cure: save the file again as UTF-8, from the program that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tasks.quality.contract import DocumentRule, Scope, Violation
from tasks.quality.encoding import damaged
from tasks.quality.phrases import counted, quoted_snippet
from tasks.quality.subject import CheckedDocument
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
