"""Where a question speaks of a document by what it is about: "the paper on nitrate drift", "the MCP course"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.ask.question_words import content_words
from warehouse.records import Kind

_KINDS = {
    **dict.fromkeys(("course", "class", "lesson", "lecture", "课程", "課程", "课", "課", "讲座"), Kind.COURSE),
    **dict.fromkeys(("paper", "study", "article", "trial", "review", "letter", "论文", "論文", "文章"), Kind.PAPER),
    **dict.fromkeys(("note", "notes", "笔记", "筆記"), Kind.NOTE),
    **dict.fromkeys(("report", "memo", "报告", "報告", "备忘录"), Kind.REPORT),
}
_LATIN = "|".join(kind for kind in _KINDS if kind.isascii())
_CHINESE = "|".join(kind for kind in _KINDS if not kind.isascii())
_BY = r"(?P<by>[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3})"
_AFTER = re.compile(
    rf"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]hat) (?P<kind>{_LATIN})(?: by {_BY})? (?:on|about|titled|called|named)"
    r" (?P<said>[^?.,;!\n]{3,80})"
)
_BEFORE = re.compile(
    rf"\b(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]hat) (?P<said>(?:(?!(?:the|my|our|that|a|an) )[\w&'-]{{1,30}} ){{1,6}}?)"
    rf"(?P<kind>{_LATIN})\b"
)
_IN_CHINESE = re.compile(
    rf"(?:关于|關於|讲|講)(?P<said>[^，。？！；\s]{{2,30}}?)的(?:那[门門篇份])?(?P<kind>{_CHINESE})"
    rf"|那[门門篇份](?P<said_too>[^，。？！；\s的]{{2,30}}?)的?(?P<kind_too>{_CHINESE})"
)
_CHINESE_TITLE = re.compile(r"《(?P<said>[^》\n]{2,60})》")
_BY_AT_END = re.compile(rf" by {_BY}$")
_GOES_ON = re.compile(
    r" (?:say|says|said|show|shows|showed|reports?|finds?|found|conclude|covers?|explains?|describes?|discuss|mentions?"
    r"|teach|teaches|tells?|recommends?|uses?|used|is|are|was|were|does|do|did|has|have|that|which|who|what|how|when"
    r"|where|why) "
)


@dataclass(frozen=True, slots=True)
class Description:
    """What is said of a document, its kind (None for any), and by whom it is said to be, if by anyone.

    `texts` are how far the words may reach, the longest first; `before` is whether they stand before the kind.
    """

    texts: tuple[str, ...]
    kind: Kind | None
    by: str = ""
    before: bool = False


def descriptions(question: str) -> Iterator[Description]:
    """What a question says of documents, in order of how it says it.

    What stands before the kind must be two words or have a capital: "the retrospective study" says of none which it is.
    """
    for found in _AFTER.finditer(question):
        said = found["said"].strip()
        end = _BY_AT_END.search(said)
        by = found["by"] or (end["by"] if end else "")
        yield Description(_reaches(said[: end.start()] if end else said), _KINDS[found["kind"]], by)
    for found in _BEFORE.finditer(question):
        said = found["said"].strip()
        if len(content_words(said)) > 1 or any(char.isupper() for char in said):
            yield Description((said,), _KINDS[found["kind"]], before=True)
    for found in _IN_CHINESE.finditer(question):
        yield Description((found["said"] or found["said_too"],), _KINDS[found["kind"] or found["kind_too"]])
    for found in _CHINESE_TITLE.finditer(question):
        yield Description((found["said"],), None)


def _reaches(said: str) -> tuple[str, ...]:
    """The words whole, and as far as the first that may begin the rest of the question."""
    cut = next((found.start() for found in _GOES_ON.finditer(said) if len(said[: found.start()].split()) > 1), 0)
    one = _GOES_ON.search(said)
    cut = cut or (one.start() if one else 0)
    return tuple(dict.fromkeys(text for text in (said, said[:cut]) if text))
