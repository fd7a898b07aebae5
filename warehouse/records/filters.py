"""What hits must satisfy."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from datetime import date

from warehouse.records.document import Kind


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; an empty field asks for nothing, of several values one is enough. Case never counts.

    Of its document: `kinds`, `roots`, `documents` (ids), `folders` (paths within a root, with or without its name; what
    lies deeper counts), `topics`, `journals`, `paper_types`, `tags` (a tag holds those below it: "a" holds "a/b"),
    `languages` ("en", "zh", "und"). `since` and `until` bound its date, half-open, `years` too: the first and the last,
    both included. `as_of` asks for what was known on a day: documents dated on or before it.

    Of the passage: `pages`, `lessons`, `sections` (every word in the path of its headings), `has_table`, and `quality`,
    the least that it must have.

    `during`, half-open and open where it is None, asks for a time that the passage names or its document reports on.
    `names` asks for one that its document holds as a name, or every word of which is in the passage.
    """

    kinds: tuple[Kind, ...] = ()
    roots: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    folders: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    paper_types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    years: tuple[int, int] | None = None
    as_of: datetime.date | None = None
    pages: tuple[int, ...] = ()
    lessons: tuple[int, ...] = ()
    sections: tuple[str, ...] = ()
    has_table: bool | None = None
    quality: float | None = None
    during: tuple[date | None, date | None] | None = None
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return self != Filters()

    @property
    def bounds_dates(self) -> bool:
        """Whether it asks for the date of a document, which the undated do not have."""
        return any((self.since, self.until, self.years, self.as_of))

    @property
    def timeless(self) -> Filters:
        """The same without what it asks of times."""
        return replace(self, during=None, since=None, until=None, years=None, as_of=None)
