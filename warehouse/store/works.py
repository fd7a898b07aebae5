"""Works, their copies, and the counts of documents: each count has one meaning in all interfaces.

A paper may be in several files: the publisher's XML and a PDF of it, a copy in another folder. Files are of one work if
they have the same DOI or PubMed Central number, or the same title and first author, and one of them is a paper. The
file with the most passages counts; the others are its copies, which are named wherever it is found.

A *file* is any file that a run considered, except attachments. It is a *document* if a version was read, and otherwise
*unreadable*. Documents that contain the same work as another are *copies*: search gives a work once, and lists
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

MIN_TITLE_LENGTH = 20
"""The fewest letters of a title that identifies a work: many have titles like "Editorial" and "Introduction"."""
COPY_CANDIDATES_SQL = r"""
    WITH candidates AS (
        SELECT document_id, kind, title, authors, chunk_count, source, attributes.doi AS doi, attributes.pmcid AS pmcid,
            rtrim(regexp_extract(lower(attributes.doi), '10\.\d{4,9}/\S+'), '.,;)') AS name,
            regexp_replace(upper(attributes.pmcid), '^PMC', '') AS number,
            regexp_replace(lower(strip_accents(title)), '[^\p{L}\p{N}]+', '', 'g') AS letters
        FROM documents WHERE status <> 'unreadable' AND kind IN ('paper', 'report', 'text')
    )
    SELECT document_id, kind, title, authors, doi, pmcid FROM candidates
    WHERE name IN (SELECT name FROM candidates WHERE name <> '' GROUP BY name HAVING count(*) > 1)
        OR number IN (SELECT number FROM candidates WHERE number <> '' GROUP BY number HAVING count(*) > 1)
        OR letters IN (
            SELECT letters FROM candidates WHERE length(letters) >= $least
            GROUP BY letters HAVING count(*) > 1 AND bool_or(kind = 'paper')
        )
    ORDER BY chunk_count DESC, source
"""
"""The documents that may be of one work, first those that count; `$least` is `MIN_TITLE_LENGTH`."""
_DOI = re.compile(r"10\.\d{4,9}/\S+")


def find_copies(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The id of the document that counts, by the id of each copy of it; `rows` are those of `COPY_CANDIDATES_SQL`."""
    counting_ids: dict[str, str] = {}
    ids_by_key: dict[str, str] = {}
    ids_by_title: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for row in rows:
        document_id, is_paper = row["document_id"], row["kind"] == Kind.PAPER
        author, title = _get_family_name(row["authors"] or ()), _normalize(row["title"] or "")
        doi, pmcid = _DOI.search((row["doi"] or "").lower()), (row["pmcid"] or "").upper().removeprefix("PMC")
        keys = [*([doi[0].rstrip(".,;)")] if doi else []), *([f"PMC{pmcid}"] if pmcid else [])]
        same_works = [ids_by_key[key] for key in keys if key in ids_by_key]
        if len(title) >= MIN_TITLE_LENGTH:
            same_works += [
                other
                for other, other_author, is_other_paper in ids_by_title[title]
                if (is_paper or is_other_paper) and (other_author == author or not (other_author and author))
            ]
            ids_by_title[title].append((same_works[0] if same_works else document_id, author, is_paper))
        for key in keys:
            ids_by_key.setdefault(key, same_works[0] if same_works else document_id)
        if same_works:
            counting_ids[document_id] = same_works[0]
    return counting_ids


def _normalize(text: str) -> str:
    """Letters and digits alone, without accents and case."""
    return "".join(char for char in unicodedata.normalize("NFKD", text).casefold() if char.isalnum())


def _get_family_name(authors: Sequence[str]) -> str:
    """The family name of the first author, be it written "Jane Smith" or "Smith, J."."""
    name = authors[0] if authors else ""
    family = name.partition(",")[0] if "," in name else (name.split() or [""])[-1]
    return _normalize(family)


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


def compute_counts(entries: Iterable[CatalogEntry]) -> Counts:
    """The counts of these documents and unreadable files."""
    all_entries = list(entries)
    documents = [entry for entry in all_entries if entry.status is not Status.UNREADABLE]
    # As in the query of `COPY_CANDIDATES_SQL`: possible copies of a paper, those with the most passages first.
    works = [entry for entry in documents if entry.kind in (Kind.PAPER, Kind.REPORT, Kind.TEXT)]
    works.sort(key=lambda entry: (-entry.chunk_count, entry.file.source))
    rows = (
        {"doi": entry.attributes.doi, "pmcid": entry.attributes.pmcid}
        | {name: getattr(entry, name) for name in ("document_id", "kind", "title", "authors")}
        for entry in works
    )
    return Counts(
        files=len(all_entries),
        documents=len(documents),
        copies=len(find_copies(rows)),
        outdated=sum(entry.status is Status.STALE for entry in documents),
        unreadable=len(all_entries) - len(documents),
        passages=sum(entry.chunk_count for entry in all_entries),
        tables=sum(entry.table_count for entry in all_entries),
    )
