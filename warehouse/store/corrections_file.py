"""The file of a warehouse's corrections: `corrections.json` in its folder, one record for each, written atomically.

It belongs to no generation: ingests, upgrades and maintenance do not change it. Each generation
records the corrections that were applied to it. Experiments use the corrections of the warehouse they belong to.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import filterfalse
from typing import Any

from pydantic import TypeAdapter, ValidationError

from warehouse.errors import BadInput
from warehouse.records import CatalogEntry, CorrectedField, Correction, Table, TableMark
from warehouse.records.corrections import normalize_value
from warehouse.store.layout import Layout, open_atomically

VERSION = 1  # The version of the file format.
FACTS = ("source", "sha256", "field", "value", "corrected", "company")
COLUMNS = (*FACTS, "table", "caption", "header", "labels", "place", "alike")
"""The columns of corrections as CSV; the texts of a header and the labels are separated by line ends."""
_ADAPTER = TypeAdapter(tuple[Correction, ...])
_CURE = "mend it by hand, or take it away to begin anew"


def read(layout: Layout) -> tuple[Correction, ...]:
    """All corrections, in order. Raises `BadInput` for a file that holds none."""
    path = layout.home.corrections
    try:
        text = path.read_text(encoding="utf-8", errors="surrogatepass")
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read ({error})", _CURE) from None
    return _parse_json(text, str(path))


def _change(layout: Layout, update: Callable[[tuple[Correction, ...]], Iterable[Correction]]) -> tuple[Correction, ...]:
    """Replace the corrections by those that `update` makes of the present ones, and return the present ones.

    Concurrent changes are made one after the other; the system releases the lock when a process ends. Nothing is
    written if nothing changes.
    """
    home = layout.home
    home.make_folder()
    from filelock import FileLock  # Imported here, as most callers only read corrections.

    with FileLock(home.corrections.with_suffix(".lock")):
        present_corrections = read(home)
        new_corrections = _deduplicate(update(present_corrections))
        if new_corrections != present_corrections:
            with open_atomically(home.corrections) as stream:
                stream.write(as_json(new_corrections).encode("utf-8", "surrogatepass"))
        return present_corrections


def correct(
    layout: Layout,
    entry: CatalogEntry,
    values: dict[CorrectedField, str],
    table: Table | None = None,
    tables: Sequence[Table] = (),
    moment: datetime | None = None,
) -> tuple[Correction, ...]:
    """Store corrections of a document, or of one of its `tables`; returns the corrections of this call.

    `values` are as a person writes them. An equal correction that is stored already stays as it is. Raises `BadInput`
    for an invalid value; then nothing is stored.
    """
    normalized_values = {field: normalize_value(field, value) for field, value in values.items()}
    mark = TableMark.from_table(table, tables) if table else None
    now = (moment or datetime.now(UTC)).replace(microsecond=0)
    company = normalized_values.get(CorrectedField.COMPANY, entry.attributes.company)
    new_corrections = tuple(
        Correction(
            entry.file.source,
            entry.file.sha256,
            field,
            value,
            now,
            company if field is CorrectedField.FISCAL_YEAR_END else "",
            mark if field.is_of_table else None,
        )
        for field, value in normalized_values.items()
    )

    def update(present_corrections: tuple[Correction, ...]) -> Iterator[Correction]:
        present_values = {(*_get_subject(correction), correction.value) for correction in present_corrections}
        changed_values = {
            correction.field: correction
            for correction in new_corrections
            if (*_get_subject(correction), correction.value) not in present_values
        }
        for correction in present_corrections:
            number = _find_table_number(correction, tables) if table else None
            if (
                correction.source != entry.file.source
                or correction.field not in changed_values
                or number != (table and table.number)
            ):
                yield correction
        yield from changed_values.values()

    _change(layout, update)
    return new_corrections


def undo(
    layout: Layout,
    source: str,
    field: CorrectedField | None = None,
    table: int | None = None,
    tables: Sequence[Table] = (),
) -> tuple[Correction, ...]:
    """Remove the corrections of a document, or only those of a field or of one of its `tables`; returns them.

    `table` is the number of a table in `tables` or, if it is not found there, the number it had when it was corrected.
    """

    def is_selected(correction: Correction) -> bool:
        return (
            correction.source == source
            and field in (None, correction.field)
            and table in (None, _find_table_number(correction, tables))
        )

    present_corrections = _change(layout, lambda present: filterfalse(is_selected, present))
    return tuple(filter(is_selected, present_corrections))


def _find_table_number(correction: Correction, tables: Sequence[Table]) -> int | None:
    """The number of a correction's table in `tables`, its earlier number if it is not found; None for a document."""
    if correction.table is None:
        return None
    matching_table = correction.table.find(tables)
    return matching_table.number if matching_table else correction.table.number


def update_sources(layout: Layout, new_sources: dict[str, str], contents: dict[str, str]) -> None:
    """Update the corrections of documents with new sources, by old source, or digests (`contents`), by source."""

    def update(present_corrections: tuple[Correction, ...]) -> Iterator[Correction]:
        for correction in present_corrections:
            source = new_sources.get(correction.source, correction.source)
            yield replace(correction, source=source, sha256=contents.get(source, correction.sha256))

    _change(layout, update)


def merge(layout: Layout, new_corrections: Iterable[Correction]) -> int:
    """Add corrections, each replacing one with the same subject; returns how many are new or different."""
    added = {_get_subject(correction): correction for correction in new_corrections}
    present = _change(
        layout, lambda present: {**{_get_subject(correction): correction for correction in present}, **added}.values()
    )
    return len(set(added.values()) - set(present))


def as_json(corrections: Iterable[Correction]) -> str:
    """Corrections as text, a form that `parse_corrections` reads."""
    rows = _ADAPTER.dump_python(tuple(corrections), mode="json")
    return json.dumps({"version": VERSION, "corrections": rows}, indent=1, ensure_ascii=False) + "\n"


def as_csv(corrections: Iterable[Correction]) -> str:
    """Corrections as CSV, a form that `parse_corrections` reads."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for correction in corrections:
        facts = [
            correction.source,
            correction.sha256,
            correction.field.value,
            correction.value,
            correction.corrected.isoformat(),
            correction.company,
        ]
        mark = correction.table
        texts = [mark.number, mark.caption, "\n".join(mark.header), "\n".join(mark.labels)] if mark else [""] * 4
        writer.writerow([*facts, *texts, *([mark.place, mark.alike] if mark else [""] * 2)])
    return stream.getvalue()


def parse_corrections(text: str, name: str) -> tuple[Correction, ...]:
    """Corrections from the text of an exported file, JSON or CSV. Raises `BadInput` for any other text."""
    return _deduplicate(_parse_json(text, name) if text.lstrip().startswith(("{", "[")) else _parse_csv(text, name))


def _parse_json(text: str, name: str) -> tuple[Correction, ...]:
    try:
        content: Any = json.loads(text)
        version = int(content["version"])
        if version > VERSION:
            raise BadInput(f"{name} is of a newer program", "install the kalends that wrote it")
        return _validate_rows(content["corrections"], name)
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{name} holds no corrections ({_describe_error(error)})", _CURE) from None


def _parse_csv(text: str, name: str) -> tuple[Correction, ...]:
    rows = csv.DictReader(io.StringIO(text), strict=True)
    try:
        if set(rows.fieldnames or ()) != set(COLUMNS):
            raise BadInput(f"{name} holds no corrections", f"its columns must be {', '.join(COLUMNS)}")
        return _validate_rows([_convert_row(row) for row in rows], name)
    except (csv.Error, ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{name} holds no corrections ({_describe_error(error)})", _CURE) from None


def _convert_row(row: dict[str, str]) -> dict[str, Any]:
    facts: dict[str, Any] = {name: row[name] for name in FACTS}
    if not row["table"]:
        return facts
    texts = {name: row[name].split("\n") if row[name] else [] for name in ("header", "labels")}
    numbers = {"number": int(row["table"]), "place": int(row["place"]), "alike": int(row["alike"])}
    return {**facts, "table": {**texts, **numbers, "caption": row["caption"]}}


def _validate_rows(rows: Any, name: str) -> tuple[Correction, ...]:
    """The records of rows, with checked values; those without a time, as people write them, get the present time."""
    if not isinstance(rows, list):
        raise TypeError("'corrections' is not a list")
    defaults = {"sha256": "", "corrected": datetime.now(UTC).replace(microsecond=0).isoformat()}
    corrections = _ADAPTER.validate_python([{**defaults, **row} if isinstance(row, dict) else row for row in rows])
    valid = []
    for number, correction in enumerate(corrections, 1):
        if correction.field.is_of_table != (correction.table is not None):
            wants = "names no table" if correction.field.is_of_table else "names a table"
            raise BadInput(f"{name}, correction {number}: the {correction.field.words} {wants}", _CURE)
        if (mark := correction.table) and not 1 <= mark.place <= mark.alike:
            raise BadInput(f"{name}, correction {number}: no table is number {mark.place} of its kind", _CURE)
        try:
            moment = correction.corrected if correction.corrected.tzinfo else correction.corrected.replace(tzinfo=UTC)
            value = normalize_value(correction.field, correction.value)
            valid.append(replace(correction, value=value, corrected=moment))
        except BadInput as error:
            raise BadInput(f"{name}, correction {number}: {error.problem}", error.cure) from None
    return tuple(valid)


def _describe_error(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first_error = error.errors()[0]
        return f"{'.'.join(map(str, first_error['loc']))}: {first_error['msg']}"
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return " ".join(str(error).split())[:200]


def _get_subject(correction: Correction) -> tuple[object, ...]:
    """The subject of a correction; a table is identified by its mark without its number."""
    mark = correction.table
    return correction.source, correction.field, replace(mark, number=0) if mark else None


def _deduplicate(corrections: Iterable[Correction]) -> tuple[Correction, ...]:
    """The last correction of each subject, in order."""
    last_corrections = {_get_subject(correction): correction for correction in corrections}
    return tuple(sorted(last_corrections.values(), key=lambda correction: (correction.order, repr(asdict(correction)))))
