"""Values of filters as people and models write them: documents and names (`Warehouse.resolve`), days and periods.

A name that is read as another is reported in a note; an ambiguous one is refused with the candidates on one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tasks.parsers.language import detect_language
from tasks.temporal.question import parse_times
from tasks.token_budget import shorten_quote
from warehouse.errors import BadInput, UnknownDocument
from warehouse.reader import Warehouse
from warehouse.records import CatalogEntry, SearchRequest
from warehouse.search.filters import mask_passages_naming
from warehouse.search.name_resolver import format_names
from warehouse.store.words import fold_text

MIN_SIMILARITY = 85  # The minimum similarity (rapidfuzz's ratio, of 100) of a known name to replace an unknown one.


@dataclass(frozen=True, slots=True)
class NamedDocuments:
    """The ids of the documents of some names, and a note for each name that is read as another."""

    ids: tuple[str, ...]
    notes: tuple[str, ...] = ()


def find_document(warehouse: Warehouse, name: str) -> CatalogEntry:
    """The only document of a name. Raises `UnknownDocument` without one, and `BadInput` if it may be several."""
    resolved = resolve_documents(warehouse, [name]).ids
    if len(resolved) > 1:
        sources = [entry.file.source for entry in warehouse.snapshot.read_entries(resolved).values()]
        raise BadInput(
            f"'{shorten_quote(name)}' names {len(resolved)} documents",
            f"name one by its source: {format_names(sources)}",
        )
    return warehouse.snapshot.read_entries(resolved)[resolved[0]]


def resolve_documents(warehouse: Warehouse, names: Iterable[str]) -> NamedDocuments:
    """The documents of some names; a company's name means all of its documents. Raises as `find_document`."""
    ids: dict[str, None] = {}
    notes = []
    for name in names:
        resolved = warehouse.resolve(name)
        if resolved.candidates:
            cure = f"name one: {format_names(resolved.candidates)}"
            raise BadInput(f"'{shorten_quote(name)}' may mean {len(resolved.candidates)} names", cure)
        if not resolved.documents:
            nearest_names = format_names(warehouse.find_nearest_documents(name))
            cure = (
                f"did you mean {nearest_names}?"
                if nearest_names
                else 'list_documents, or kalends sql "SELECT source, title FROM documents", lists them'
            )
            raise UnknownDocument(f"there is no document '{shorten_quote(name)}'", cure)
        ids.update(dict.fromkeys(resolved.documents))
        if not resolved.exact:
            notes.append(_format_note(warehouse, name, resolved.name, resolved.documents))
    return NamedDocuments(tuple(ids), tuple(notes))


def resolve_filter_names(warehouse: Warehouse, request: SearchRequest) -> SearchRequest:
    """A request with the names in its filters resolved: documents as ids, other names as the documents spell them.

    Raises as `find_document`.
    """
    filters = request.filters
    documents = resolve_documents(warehouse, filters.documents)
    names = [_find_stored_spelling(warehouse, name) for name in filters.names]
    pairs = zip(filters.names, names, strict=True)
    notes = [
        f"the name '{shorten_quote(name)}' is read as “{known_name}”"
        for name, known_name in pairs
        if name != known_name
    ]
    filters = replace(filters, documents=documents.ids, names=tuple(names))
    return replace(request, filters=filters, notes=(*request.notes, *documents.notes, *notes))


def _format_note(warehouse: Warehouse, name: str, read_as: str, ids: tuple[str, ...]) -> str:
    sources = [entry.file.source for entry in warehouse.snapshot.read_entries(ids[:1]).values()]
    location = sources[0] if len(ids) == 1 else f"{len(ids)} documents"
    return f"'{shorten_quote(name)}' is read as “{read_as}” ({location})"


def _find_stored_spelling(warehouse: Warehouse, name: str) -> str:
    """The name as passages or documents spell it, if none has it as written; else the name itself."""
    from rapidfuzz import fuzz, process

    snapshot = warehouse.snapshot
    if mask_passages_naming(snapshot, [name]).any():
        return name
    similar_names = process.extract(
        name, _iter_known_names(warehouse), scorer=fuzz.ratio, processor=fold_text, score_cutoff=MIN_SIMILARITY, limit=5
    )
    resolved = warehouse.resolve(name)
    choices = [*(name for name, _, _ in similar_names), *([resolved.name] if resolved.documents else [])]
    return next((choice for choice in choices if mask_passages_naming(snapshot, [choice]).any()), name)


def _iter_known_names(warehouse: Warehouse) -> Iterator[str]:
    """The names of all entities, companies, authors and titles."""
    yield from dict.fromkeys(warehouse.snapshot.names.names)
    for document in warehouse.catalogue.documents.values():
        yield from filter(None, (document.company, document.title, *document.people))


CURE = "write a day as YYYY-MM-DD, or a period like 'Q2 2023' or 'last year'"


def parse_period(words: str, today: date) -> tuple[date | None, date | None]:
    """The days that words name, half-open, relative ones read from `today`: a day, "Q2 2023", "last year", "2023年".

    None is an open side ("before 2020"). Raises `BadInput` for words that name no time or several, or that have another
    number next to it: "Q9 2022" does not mean a filter for all of 2022.
    """
    windows = parse_times(words, today, detect_language(words)).windows
    if len(windows) != 1:
        raise BadInput(f"'{words}' names {'several times' if windows else 'no time'}", CURE)
    if any(map(str.isdigit, words.replace(windows[0].text, "", 1))):
        raise BadInput(f"of '{words}' only '{windows[0].text}' is a time", CURE)
    return windows[0].start, windows[0].end


def parse_last_day(words: str, today: date) -> date:
    """The last of the days that words name. Raises as `parse_period`, and if they have no end."""
    end = parse_period(words, today)[1]
    if end is None:
        raise BadInput(f"'{words}' has no end", CURE)
    return end - timedelta(days=1)
