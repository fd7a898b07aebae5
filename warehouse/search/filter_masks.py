"""Filters as SQL predicates, and the passages they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from warehouse.records import Filters
from warehouse.search.marked import naming, speaking
from warehouse.store.snapshot import Snapshot

_Condition = tuple[str, dict[str, Any]]


def predicate(filters: Filters) -> _Condition:
    """A condition on the table `documents` and its parameters."""
    return _joined(_of_documents(filters))


def allowed_rows(snapshot: Snapshot, filters: Filters) -> np.ndarray | None:
    """The passages that satisfy the filters, as a boolean mask over all; None when nothing is asked for."""
    if not filters:
        return None
    mask: np.ndarray = _document_mask(snapshot, filters)[snapshot.passages.document]
    condition, parameters = _joined(_of_passages(filters))
    if parameters:
        allowed = np.zeros_like(mask)
        allowed[snapshot.numbers(f"SELECT rowid FROM passages WHERE {condition}", parameters)] = True  # noqa: S608
        mask &= allowed
    if filters.during:
        mask &= speaking(snapshot, *filters.during)
    if filters.names:
        mask &= naming(snapshot, filters.names)
    return mask


def undated_note(snapshot: Snapshot, filters: Filters) -> tuple[str, ...]:
    """A sentence that says how many documents a filter by date leaves out because they have none; none without any."""
    if not filters.bounds_dates:
        return ()
    condition, parameters = predicate(filters.timeless)
    sql = f"SELECT count(*) FROM documents WHERE {condition} AND document_date IS NULL AND chunk_count > 0"  # noqa: S608
    ((count,),) = snapshot.rows(sql, parameters)
    if not count:
        return ()
    left_out = "1 undated document is" if count == 1 else f"{count:,} undated documents are"
    return (f"{left_out} left out: a filter by date finds only documents that have one",)


def _document_mask(snapshot: Snapshot, filters: Filters) -> np.ndarray:
    condition, parameters = predicate(filters)
    found = snapshot.rows(f"SELECT document_id FROM documents WHERE {condition}", parameters)  # noqa: S608
    ordinals = snapshot.passages.ordinal_of
    mask = np.zeros(len(ordinals), dtype=np.bool_)
    mask[[ordinals[document] for (document,) in found if document in ordinals]] = True
    return mask


def _joined(conditions: Iterable[_Condition]) -> _Condition:
    found = tuple(conditions)
    parameters = {name: value for _, named in found for name, value in named.items()}
    return " AND ".join(condition for condition, _ in found) or "true", parameters


def _of_documents(filters: Filters) -> Iterator[_Condition]:
    yield from _one_of("kind", "kinds", filters.kinds)
    yield from _one_of("root", "roots", filters.roots)
    yield from _one_of("document_id", "documents", filters.documents)
    yield from _one_of("attributes.topic", "topics", filters.topics)
    yield from _one_of("attributes.journal", "journals", filters.journals)
    yield from _one_of("attributes.paper_type", "paper_types", filters.paper_types)
    yield from _one_of("language", "languages", filters.languages)
    yield from _any("folders", filters.folders, _FOLDER, _folder)
    yield from _any("tags", filters.tags, _TAG, lambda tag: tag.strip().lstrip("#").strip("/").lower())
    yield from _dated(filters)


def _dated(filters: Filters) -> Iterator[_Condition]:
    if filters.since:
        yield "document_date >= $since", {"since": filters.since}
    if filters.until:
        yield "document_date < $until", {"until": filters.until}
    if filters.as_of:
        yield "document_date <= $as_of", {"as_of": filters.as_of}
    if filters.years:
        first, last = filters.years
        yield "year(document_date) BETWEEN $first_year AND $last_year", {"first_year": first, "last_year": last}


def _of_passages(filters: Filters) -> Iterator[_Condition]:
    if filters.pages:
        yield "page IN (SELECT unnest($pages))", {"pages": list(filters.pages)}
    if filters.lessons:
        yield "lesson IN (SELECT unnest($lessons))", {"lessons": list(filters.lessons)}
    if filters.tables is not None:
        yield "has_table = $tables", {"tables": filters.tables}
    if filters.min_quality is not None:
        yield "quality >= $min_quality", {"min_quality": filters.min_quality}
    yield from _any("sections", filters.sections, _SECTION, str.lower)


_FOLDER = "starts_with(lower(path), asked) OR starts_with(lower(source), asked)"
_TAG = "len(list_filter(attributes.tags, lambda tag: starts_with(lower(tag) || '/', asked || '/'))) > 0"
_SECTION = (
    "len(list_filter(string_split(asked, ' '), "
    "lambda word: NOT contains(lower(array_to_string(section, ' ')), word))) = 0"
)


def _folder(path: str) -> str:
    inner = path.strip().removeprefix("./").strip("/").lower()
    return f"{inner}/" if inner not in {"", "."} else ""


def _one_of(column: str, name: str, values: tuple[Any, ...]) -> Iterator[_Condition]:
    if values:
        yield f"lower({column}) IN (SELECT unnest(${name}))", {name: [str(value).lower() for value in values]}


def _any(name: str, values: tuple[str, ...], sql: str, read: Callable[[str], str]) -> Iterator[_Condition]:
    """At least one value, `asked` in the SQL, fits."""
    if values:
        yield f"len(list_filter(${name}, lambda asked: {sql})) > 0", {name: [read(value) for value in values]}
