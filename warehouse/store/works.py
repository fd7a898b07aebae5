"""Works, their copies, and how many documents there are: one count for each name, whichever interface shows it.

Papers may lie in several files: the publisher's XML and a PDF of it, a copy in another folder. Files are of one work
where they have the same DOI or PubMed Central number, or the same title and first author, one of them being a paper.
One of them counts, that with the most passages; the others are its copies, named where it is found.

A *file* is whatever a run looked at and an attachment is not. It is a *document* where some version of it was read, and
else *unreadable*. Documents that hold a work which another holds too are *copies*: search gives a work once, and lists
and answers about the collection count it once and name its copies.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.records import CatalogEntry, Kind, Status

LEAST_TITLE = 20  # Letters of a title at least that tells a work from others: "Editorial" and "Introduction" head many.
ROWS = r"""
    WITH known AS (
        SELECT document_id, kind, title, authors, chunk_count, source, attributes.doi AS doi, attributes.pmcid AS pmcid,
            rtrim(regexp_extract(lower(attributes.doi), '10\.\d{4,9}/\S+'), '.,;)') AS name,
            regexp_replace(upper(attributes.pmcid), '^PMC', '') AS number,
            regexp_replace(lower(strip_accents(title)), '[^\p{L}\p{N}]+', '', 'g') AS plain
        FROM documents WHERE status <> 'unreadable' AND kind IN ('paper', 'report', 'text')
    )
    SELECT document_id, kind, title, authors, doi, pmcid FROM known
    WHERE name IN (SELECT name FROM known WHERE name <> '' GROUP BY name HAVING count(*) > 1)
        OR number IN (SELECT number FROM known WHERE number <> '' GROUP BY number HAVING count(*) > 1)
        OR plain IN (
            SELECT plain FROM known WHERE length(plain) >= $least
            GROUP BY plain HAVING count(*) > 1 AND bool_or(kind = 'paper')
        )
    ORDER BY chunk_count DESC, source
"""
"""The documents that may be of one work, those that count first; `$least` is `LEAST_TITLE`."""
_DOI = re.compile(r"10\.\d{4,9}/\S+")


def copies_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The document that counts in the place of each that is a copy of it, by their ids; `rows` are those of `ROWS`."""
    first: dict[str, str] = {}
    known: dict[str, str] = {}
    titled: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for row in rows:
        own, paper = row["document_id"], row["kind"] == Kind.PAPER
        author, title = _family(row["authors"] or ()), _plain(row["title"] or "")
        same = [known[key] for key in _keys(row) if key in known]
        if len(title) >= LEAST_TITLE:
            same += [
                other
                for other, by, is_paper in titled[title]
                if (paper or is_paper) and (by == author or not (by and author))
            ]
            titled[title].append((same[0] if same else own, author, paper))
        for key in _keys(row):
            known.setdefault(key, same[0] if same else own)
        if same:
            first[own] = same[0]
    return first


def _keys(row: Mapping[str, Any]) -> list[str]:
    doi = _DOI.search((row["doi"] or "").lower())
    pmcid = (row["pmcid"] or "").upper().removeprefix("PMC")
    return [*([doi[0].rstrip(".,;)")] if doi else []), *([f"PMC{pmcid}"] if pmcid else [])]


def _plain(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())


def _family(authors: Sequence[str]) -> str:
    """The family name of the first author, be it written "Jane Smith" or "Smith, J."."""
    name = authors[0] if authors else ""
    family = name.partition(",")[0] if "," in name else (name.split() or [""])[-1]
    return _plain(family)


_WORKS = frozenset((Kind.PAPER, Kind.REPORT, Kind.TEXT))
"""The kinds of which documents may be copies of a paper, as in the query of `works`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What there is: `files` are `documents` and `unreadable` ones.

    `copies` and `outdated` are documents: those of a work that another holds, and those whose file cannot be read as it
    is now, so that their last good version answers. `passages` and `tables` are those of all documents.
    """

    files: int
    documents: int
    copies: int
    outdated: int
    unreadable: int
    passages: int
    tables: int


def counts_of(entries: Iterable[CatalogEntry]) -> Counts:
    """The counts of these holdings."""
    every = list(entries)
    documents = [entry for entry in every if entry.status is not Status.UNREADABLE]
    return Counts(
        files=len(every),
        documents=len(documents),
        copies=len(copies_of(map(_row, sorted(filter(_may_be_copy, documents), key=_order)))),
        outdated=sum(entry.status is Status.STALE for entry in documents),
        unreadable=len(every) - len(documents),
        passages=sum(entry.chunk_count for entry in every),
        tables=sum(entry.table_count for entry in every),
    )


def _may_be_copy(entry: CatalogEntry) -> bool:
    return entry.kind in _WORKS


def _order(entry: CatalogEntry) -> tuple[int, str]:
    """What counts first of a work: the document with the most passages."""
    return -entry.chunk_count, entry.file.source


def _row(entry: CatalogEntry) -> dict[str, Any]:
    return {
        "document_id": entry.document_id,
        "kind": entry.kind,
        "title": entry.title,
        "authors": entry.authors,
        "doi": entry.attributes.doi,
        "pmcid": entry.attributes.pmcid,
    }
