"""The catalogue: by which names the documents of a warehouse are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from posixpath import basename, splitext
from typing import Any, NamedTuple

from warehouse.records import Kind
from warehouse.search.name_variants import (
    beginnings,
    clipped,
    company_key,
    filed_under,
    initials,
    run_together,
    short_names,
    tokens,
)
from warehouse.store.words import words

LONGEST = 16
"""The most words that a name may have to be looked for."""
LONG = 8
"""The fewest letters of a name that is known when misspelt."""
COMMON = 20
"""A title that so many documents have beside others names none of them."""

ROWS = """
    SELECT document_id, kind, title, path, company, attributes.symbols AS symbols, attributes.aliases AS aliases,
        authors, attributes.instructor AS instructor, [lesson.title FOR lesson IN attributes.lessons] AS lessons,
        reported_start, reported_end, chunk_count
    FROM documents ORDER BY source
"""
"""What the catalogue is made of, for `Snapshot.records`."""


class NameKind(StrEnum):
    """What sort of name it is, which decides how plainly a question must say it."""

    COMPANY = "company"
    SYMBOL = "symbol"
    BEGINNING = "beginning"
    TITLE = "title"


SUREST_LAST = (NameKind.TITLE, NameKind.BEGINNING, NameKind.SYMBOL, NameKind.COMPANY)
"""Of a name that is of several sorts the surer one counts."""


@dataclass(frozen=True, slots=True)
class Called:
    """A document and what it says of its names; `period` are the days it reports on, half-open, if it does.

    `by` are its authors or who teaches the course, `lessons` the titles of its lessons.
    """

    document_id: str
    kind: Kind
    title: str
    company: str
    symbols: tuple[str, ...]
    aliases: tuple[str, ...]
    stem: str
    period: tuple[date, date] | None
    chunk_count: int
    by: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CatalogueName:
    """A name and the documents that it means."""

    name: str
    sort: NameKind
    documents: tuple[str, ...]


class Catalogue:
    """The names of documents, looked up by their words run together."""

    def __init__(self, documents: Iterable[Called]) -> None:
        """`documents` in a fixed order, which is that of what is found."""
        self.documents = {each.document_id: each for each in documents}

    @classmethod
    def of(cls, rows: Iterable[dict[str, Any]]) -> Catalogue:
        """From the rows of `ROWS`."""
        return cls(_called(row) for row in rows)

    def entry(self, key: str) -> CatalogueName | None:
        """What words run together (`squeezed`) name, if they name anything."""
        return self._entries.get(key)

    @cached_property
    def long_names(self) -> tuple[str, ...]:
        """The keys of names that are long enough to be known when misspelt."""
        whole = (NameKind.COMPANY, NameKind.TITLE)
        return tuple(key for key, entry in self._entries.items() if entry.sort in whole and len(key) >= LONG)

    @cached_property
    def owners(self) -> dict[str, str]:
        """Whose each document of a company is: its name without legal form, run together, by the document's id."""
        found = {}
        for document_id, each in self.documents.items():
            name = each.company or filed_under(each.stem)
            if name:
                found[document_id] = run_together(list(short_names(name))[-1])
        return found

    @cached_property
    def title_words(self) -> dict[str, tuple[frozenset[str], ...]]:
        """The words of each document's title, aliases and lessons, and of a note's file name, as they are counted."""
        return {
            document_id: tuple(frozenset(words(text)) for text in _told(each))
            for document_id, each in self.documents.items()
        }

    @cached_property
    def _entries(self) -> dict[str, CatalogueName]:
        held: dict[NameKind, dict[str, _Held]] = {sort: {} for sort in SUREST_LAST}
        for each in self.documents.values():
            for sort, name in _names(each):
                key = run_together(name)
                if len(key) > 1 or (key and not key.isascii()):
                    named = held[sort].get(key)
                    if named is None:
                        named = held[sort][key] = _Held(name, {}, set())
                    named.add(each)
        found: dict[str, CatalogueName] = {}
        for sort in SUREST_LAST:
            entries = (
                (key, CatalogueName(each.name, sort, tuple(each.documents)), each) for key, each in held[sort].items()
            )
            found.update({key: entry for key, entry, each in entries if self._tells(entry, len(each.owners))})
        return found

    def _tells(self, entry: CatalogueName, owners: int) -> bool:
        """Whether a name means one thing: no beginning of two names, and no title of half of all documents."""
        if entry.sort in (NameKind.BEGINNING, NameKind.SYMBOL):
            return owners == 1
        return entry.sort is NameKind.COMPANY or len(entry.documents) < max(COMMON, len(self.documents) // 2)


class _Held(NamedTuple):
    """A name as it was first written, the ids of the documents it means, in order, and whose they are."""

    name: str
    documents: dict[str, None]
    owners: set[str]

    def add(self, document: Called) -> None:
        self.documents[document.document_id] = None
        self.owners.add(company_key(document.company) or document.stem)


def _names(document: Called) -> Iterator[tuple[NameKind, str]]:
    filed = filed_under(document.stem)
    for known in filter(None, (document.company, filed)):
        yield from ((NameKind.COMPANY, name) for name in short_names(known))
        yield from ((NameKind.BEGINNING, name) for name in beginnings(known))
        yield from ((NameKind.SYMBOL, name) for name in initials(known))
    yield from ((NameKind.SYMBOL, name) for name in (*document.symbols, *clipped(filed)))
    yield from ((NameKind.TITLE, name) for name in _titles(document))


def _told(document: Called) -> Iterator[str]:
    yield from (document.title, *document.aliases, *document.lessons)
    if document.kind is Kind.NOTE:
        yield document.stem


def _titles(document: Called) -> Iterator[str]:
    whole = (document.title, document.stem if not document.company else "", *document.aliases)
    for title in whole:
        yield title
        if " (" in title:
            yield title.partition(" (")[0]
        before, _, after = title.partition(": ")
        if after and len(tokens(before)) > 1:
            yield before


def _called(row: dict[str, Any]) -> Called:
    return Called(
        document_id=row["document_id"],
        kind=Kind(row["kind"]),
        title=row["title"] or "",
        company=row["company"] or "",
        symbols=tuple(row["symbols"] or ()),
        aliases=tuple(row["aliases"] or ()),
        stem=splitext(basename(row["path"]))[0],
        period=(row["reported_start"], row["reported_end"]) if row["reported_start"] else None,
        chunk_count=int(row["chunk_count"] or 0),
        by=(*(row["authors"] or ()), *([row["instructor"]] if row["instructor"] else ())),
        lessons=tuple(row["lessons"] or ()),
    )
