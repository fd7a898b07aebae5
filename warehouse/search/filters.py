"""Filters: the passages that they allow, as a mask, and the values that they can ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import MAXYEAR, MINYEAR, date
from typing import Any

import numpy as np

from warehouse.records import Filters, Window
from warehouse.records.calendars import Interval
from warehouse.store.columns.passage_columns import NO_DAY, NO_END, NO_START, mask_runs, to_day_number
from warehouse.store.snapshot import Snapshot


def mask_passages_during(snapshot: Snapshot, since: date | None, until: date | None) -> np.ndarray:
    """Whether each passage names a time that overlaps the half-open days, or its entry or document is of one."""
    first, last = to_day_number(since) if since else NO_START, to_day_number(until) if until else NO_END
    passages, mentions, times = snapshot.passages, snapshot.mentions, snapshot.document_times
    is_overlapping = (mentions.start_date < last) & (mentions.end_date > first)
    is_naming = mask_runs(snapshot.mention_runs, is_overlapping)
    reported_mask = (times.reported_start != NO_DAY) & (times.reported_start < last) & (times.reported_end > first)
    is_of_entry = passages.is_entry & mask_passages_on(snapshot, first, last)
    return np.asarray(is_naming | reported_mask[passages.document] | is_of_entry)


def mask_passages_on(snapshot: Snapshot, start: int, end: int) -> np.ndarray:
    """Whether each passage is of a day from `start` up to, but not including, `end` (days since 1970).

    A passage that is dated by its rows needs a row of such a day, if its rows name their days in one expression: an
    event of every Tuesday is not on a Wednesday.
    """
    passages, mentions = snapshot.passages, snapshot.mentions
    mask = (passages.day != NO_DAY) & (passages.day < end) & (passages.day_end > start)
    is_within = (passages.day >= start) & (passages.day_end <= end)
    rows = np.flatnonzero(mask & passages.is_dated_by_rows & ~is_within)
    positions, mention_rows = mentions.find_inside(passages.document[rows], passages.start[rows], passages.end[rows])
    first, after = mentions.start_date[mention_rows], mentions.end_date[mention_rows]
    is_in_passage_days = (first >= passages.day[rows][positions]) & (after <= passages.day_end[rows][positions])
    names_day, is_of_day = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
    names_day[positions[is_in_passage_days]] = True
    is_of_day[positions[is_in_passage_days & (first < end) & (after > start)]] = True
    mask[rows] = is_of_day | ~names_day
    return np.asarray(mask)


def find_latest_known_days(snapshot: Snapshot, candidates: Sequence[Interval]) -> Interval | None:
    """The first of some half-open days within which a passage is of a day or names a time; None where none are.

    Each of the `candidates` begins and ends before the one in front of it. The time is linear in passages and mentions.
    """
    starts, ends = (np.array([to_day_number(days[side]) for days in reversed(candidates)]) for side in (0, 1))
    passages, mentions, latest = snapshot.passages, snapshot.mentions, -1
    for first, after in ((mentions.start_date, mentions.end_date), (passages.day, passages.day_end)):
        # Of the days that begin early enough the last ones end last: no others contain it if they do not.
        index = np.searchsorted(starts, first, side="right") - 1
        latest = max(latest, index[after <= ends[index]].max(initial=-1))
    return candidates[len(candidates) - 1 - latest] if latest >= 0 else None


def mask_entry_passages(snapshot: Snapshot, windows: Iterable[Window]) -> np.ndarray:
    """Whether each passage is of an entry within one of the windows, or of a week or month that contains one.

    A passage that is dated by its rows is of the windows in which it has a row.
    """
    passages = snapshot.passages
    mask = np.zeros(len(passages), np.bool_)
    for window in windows:
        start = to_day_number(window.start) if window.start else NO_START
        end = to_day_number(window.end) if window.end else NO_END
        is_within = (passages.day >= start) & (passages.day_end <= end)
        contains_window = (passages.day <= start) & (passages.day_end >= end)
        has_row = passages.is_dated_by_rows & mask_passages_on(snapshot, start, end)
        mask |= passages.is_entry & np.where(passages.is_dated_by_rows, has_row, is_within | contains_window)
    return mask


def mask_passages_naming(snapshot: Snapshot, wanted_names: Iterable[str]) -> np.ndarray:
    """Whether the document of each passage has one of the names, or the passage contains every word of one."""
    passages, names = snapshot.passages, snapshot.names
    mask = np.zeros(len(passages), dtype=np.bool_)
    for name in wanted_names:
        has_name = np.zeros(len(passages.documents), dtype=np.bool_)
        has_name[names.document[np.isin(names.name, names.get_codes(name))]] = True
        mask |= has_name[passages.document] | snapshot.keywords.match_all_words(name)
    return mask


_Condition = tuple[str, dict[str, Any]]


def mask_allowed(snapshot: Snapshot, filters: Filters) -> np.ndarray | None:
    """The passages that satisfy the filters, as a read-only boolean mask; None if there are no filters."""
    return snapshot.cache_mask(filters, lambda: _mask_allowed(snapshot, filters)) if filters else None


def _mask_allowed(snapshot: Snapshot, filters: Filters) -> np.ndarray:
    documents = snapshot.mask_documents(*build_condition(filters.timeless))
    mask: np.ndarray = documents[snapshot.passages.document]
    for condition_of_passages in _iter_passage_masks(snapshot, filters):
        mask &= condition_of_passages
    if filters.during:
        mask &= mask_passages_during(snapshot, *filters.during)
    if filters.names:
        mask &= mask_passages_naming(snapshot, filters.names)
    return mask


def describe_undated_exclusion(snapshot: Snapshot, filters: Filters) -> tuple[str, ...]:
    """A sentence with the number of undated documents that a filter by date leaves out; none if there are none."""
    if not filters.bounds_dates:
        return ()
    passages = snapshot.passages
    dated_mask = passages.mask_documents(passages.day != NO_DAY)
    count = int(np.count_nonzero(snapshot.mask_documents(*build_condition(filters.timeless)) & ~dated_mask))
    if not count:
        return ()
    subject_and_verb = "1 undated document is" if count == 1 else f"{count:,} undated documents are"
    return (f"{subject_and_verb} left out: a filter by date finds only documents that have one",)


def build_condition(filters: Filters) -> _Condition:
    """A condition on the table `documents` and its parameters, by the dates of documents and not of their entries."""
    by_date = _iter_date_conditions(filters, "document_date", "document_date + 1")
    conditions = [*_iter_document_conditions(filters), *by_date]
    parameters = {name: value for _, values in conditions for name, value in values.items()}
    return " AND ".join(condition for condition, _ in conditions) or "true", parameters


def _iter_document_conditions(filters: Filters) -> Iterator[_Condition]:
    for name, column in {**DOCUMENT_COLUMNS, "documents": "document_id"}.items():
        values = getattr(filters, name)
        if values and name != "tags":
            yield f"lower({column}) IN (SELECT unnest(${name}))", {name: [str(value).lower() for value in values]}
    yield from _iter_any_condition("folders", filters.folders, _FOLDER_SQL, _normalize_folder)
    yield from _iter_any_condition("tags", filters.tags, _TAG_SQL, _normalize_tag)


def _iter_passage_masks(snapshot: Snapshot, filters: Filters) -> Iterator[np.ndarray]:
    """Whether each passage satisfies each condition; days are those of its entry, else of its document."""
    passages = snapshot.passages
    yield from _iter_day_masks(snapshot, filters)
    for column, values in ((passages.page, filters.pages), (passages.lesson, filters.lessons)):
        if values:
            yield np.isin(column, values)
    if filters.tables is not None:
        yield passages.has_table == filters.tables
    if filters.min_quality is not None:
        yield passages.quality >= filters.min_quality
    for condition, parameters in _iter_any_condition("sections", filters.sections, _SECTION_SQL, str.lower):
        yield snapshot.mask_sections(condition, parameters)


def _iter_day_masks(snapshot: Snapshot, filters: Filters) -> Iterator[np.ndarray]:
    """Whether each passage is of the days that the filters demand."""
    since, until, as_of = filters.since, filters.until, filters.as_of
    if since or until or as_of:
        ends = (to_day_number(until) if until else NO_END, to_day_number(as_of) + 1 if as_of else NO_END)
        yield mask_passages_on(snapshot, to_day_number(since) if since else NO_START, min(ends))
    if filters.years:
        first, last = (min(max(year, MINYEAR), MAXYEAR) for year in filters.years)
        yield mask_passages_on(snapshot, to_day_number(date(first, 1, 1)), to_day_number(date(last, 12, 31)) + 1)


def _iter_date_conditions(filters: Filters, start: str, end: str) -> Iterator[_Condition]:
    """Conditions on rows whose days go from the column `start` up to, but not including, the column `end`."""
    for name, condition in (("since", f"{end} >"), ("until", f"{start} <"), ("as_of", f"{start} <=")):
        if day := getattr(filters, name):
            yield f"{condition} ${name}", {name: day}
    if filters.years:
        first, last = filters.years
        condition = f"year({start}) <= $last_year AND year({end} - 1) >= $first_year"
        yield condition, {"first_year": first, "last_year": last}


_FOLDER_SQL = "starts_with(lower(path), value) OR starts_with(lower(source), value)"
_TAG_SQL = "len(list_filter(attributes.tags, lambda tag: starts_with(lower(tag) || '/', value || '/'))) > 0"
_SECTION_SQL = (
    "len(list_filter(string_split(value, ' '), "
    "lambda word: NOT contains(lower(array_to_string(section, ' ')), word))) = 0"
)


def _normalize_folder(path: str) -> str:
    relative_path = path.strip().removeprefix("./").strip("/").lower()
    return f"{relative_path}/" if relative_path not in {"", "."} else ""


def _normalize_tag(tag: str) -> str:
    return tag.strip().lstrip("#").strip("/").lower()


def _iter_any_condition(
    name: str, values: tuple[str, ...], sql: str, normalize: Callable[[str], str]
) -> Iterator[_Condition]:
    """A condition that at least one value fits; its name in `sql` is `value`."""
    if values:
        yield f"len(list_filter(${name}, lambda value: {sql})) > 0", {name: [normalize(value) for value in values]}


DOCUMENT_COLUMNS = {
    "kinds": "kind",
    "roots": "root",
    "topics": "attributes.topic",
    "journals": "attributes.journal",
    "paper_types": "attributes.paper_type",
    "tags": "unnest(attributes.tags)",
    "languages": "language",
}
"""Fields of `Filters` with a limited set of values, and their columns in the table `documents`."""
MAX_LISTED_VALUES = 8  # How many values a sentence lists at most.


def list_filter_values(snapshot: Snapshot, field: str) -> tuple[str, ...]:
    """The values of one of `DOCUMENT_COLUMNS` in the documents, the most frequent first."""
    if field in snapshot.values:
        return snapshot.values[field]
    sql = (
        f"SELECT value FROM (SELECT {DOCUMENT_COLUMNS[field]} AS value FROM documents) "  # noqa: S608
        "WHERE value <> '' GROUP BY value ORDER BY count(*) DESC, value"
    )
    return snapshot.values.setdefault(field, tuple(str(value) for (value,) in snapshot.query_rows(sql)))


def describe_unknown_values(snapshot: Snapshot, filters: Filters) -> Iterator[str]:
    """A sentence for each value in the filters that no document has, with some that documents have."""
    for field in DOCUMENT_COLUMNS:
        values = [str(value) for value in getattr(filters, field)]
        values_in_use = list_filter_values(snapshot, field) if values else ()
        present_values = {value.lower() for value in values_in_use}
        for value in values:
            normalized_value = _normalize_tag(value) if field == "tags" else value.lower()
            if any(
                value == normalized_value or (field == "tags" and value.startswith(f"{normalized_value}/"))
                for value in present_values
            ):
                continue
            field_name = field.removesuffix("s").replace("_", " ")
            if values_in_use:
                ellipsis = ", …" if len(values_in_use) > MAX_LISTED_VALUES else ""
                listed_values = ", ".join(values_in_use[:MAX_LISTED_VALUES])
                yield f"no document has the {field_name} '{value}'; there are {listed_values}{ellipsis}"
            else:
                yield f"no document has a {field_name}, so none has '{value}'"
