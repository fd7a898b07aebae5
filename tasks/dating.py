"""The date a document bears and the title it goes by, where content, name and file disagree or are silent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import PurePosixPath

from tasks.temporal.intervals import DAY
from tasks.temporal.tagger import tag
from warehouse.records import DateClaim, DateOrigin, Grain, Mention

_TRUST = tuple(DateOrigin)
_FINEST = (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF, Grain.YEAR)
_COMPACT = re.compile(r"(?<![0-9])((?:19|20)[0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_JOINTS = re.compile(r"[_\s]+")
_WORD_JOINTS = re.compile(r"(?<=[^\W\d_])-|-(?=[^\W\d_])|_+|\s+")


def document_date(claims: Iterable[DateClaim], name: str, modified: date) -> DateClaim:
    """The most trusted claim, in the order of `DateOrigin`; the first among equals.

    To the claims of the content are added a date in the file's name and, as the last resort, its modification.
    """
    every = [*claims, *_name_claims(name), DateClaim(modified, DateOrigin.MODIFIED)]
    return min(every, key=lambda claim: _TRUST.index(claim.origin))


def date_in_name(name: str) -> date | None:
    """The finest date in a file's name: a day itself, of a longer period its last day (2023Q2 is 2023-06-30)."""
    stem = PurePosixPath(name).stem
    spaced = _JOINTS.sub(" ", _COMPACT.sub(r" \1-\2-\3 ", stem))
    found = [mention for mention in tag(spaced, None, "und") if mention.grain in _FINEST and not mention.relative]
    best = min(found, key=lambda mention: _FINEST.index(mention.grain), default=None)
    return None if best is None else _own_day(best)


def title(document_title: str, name: str) -> str:
    """The content's own title, else the file's name without its suffix, its joints made spaces."""
    own = " ".join(document_title.split())
    stem = PurePosixPath(name).stem
    return own or _WORD_JOINTS.sub(" ", stem).strip() or stem


def _name_claims(name: str) -> Iterator[DateClaim]:
    found = date_in_name(name)
    if found is not None:
        yield DateClaim(found, DateOrigin.FILE_NAME)


def _own_day(mention: Mention) -> date | None:
    if mention.grain is Grain.DAY:
        return mention.start_date
    return mention.end_date - DAY if mention.end_date else None
