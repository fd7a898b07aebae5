"""Corrections by people: the company, fiscal year end and date of a document, the scale and currency of a table.

A correction refers to a document by its source, and to a table by its caption, header and row labels, so that it
survives a changed file. It has the right value; the value that was read is recorded where the correction is applied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from itertools import islice

from warehouse.errors import BadInput
from warehouse.identity import digest
from warehouse.records.calendars import parse_year_end_rule
from warehouse.records.document import Table

SCALES = {
    "ones": 0,
    "thousands": 3,
    "ten thousands": 4,
    "millions": 6,
    "hundred millions": 8,
    "billions": 9,
    "trillions": 12,
}
"""The units that the figures of a table may be in, as powers of ten."""
MAX_NAME_LENGTH = 200  # Characters of a company's name.
FIRST_YEAR, LAST_YEAR = 1000, 2200  # The years in which a document may be dated: any other year is a typing error.
MAX_LABELS = 60  # Row labels by which a table is recognized; long tables are recognized by their first ones.
_MIN_COMMON_LABELS_SHARE = 0.5
"""The least share of row labels that two versions of a table have in common: a few rows may be added or removed."""
_CURRENCY = re.compile(r"[A-Z]{3}")
_DASHES = str.maketrans("-_", "  ")


class CorrectedField(StrEnum):
    """The fields that can be corrected; the last two are of a table."""

    COMPANY = "company"
    FISCAL_YEAR_END = "fiscal_year_end"
    DOCUMENT_DATE = "document_date"
    SCALE = "scale"
    CURRENCY = "currency"

    @property
    def is_of_table(self) -> bool:
        """Whether it is a field of a table and not of a document."""
        return self in (CorrectedField.SCALE, CorrectedField.CURRENCY)

    @property
    def words(self) -> str:
        """Its name in a sentence."""
        return self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class TableMark:
    """The properties by which a table is recognized: its caption, the texts of its header, and the labels of its rows.

    It is the `place`-th, from 1, of the `alike` tables of its document with these properties. `number` is the one it
    had when it was corrected.
    """

    number: int
    caption: str
    header: tuple[str, ...]
    labels: tuple[str, ...]
    place: int = 1
    alike: int = 1

    @classmethod
    def from_table(cls, table: Table, tables: Sequence[Table]) -> TableMark:
        """The mark of one of the tables of a document."""
        header = tuple(_normalize(cell) for row in table.rows[: table.header_rows] for cell in row if cell.strip())
        # The labels are the first cell of each row below the header.
        labels = filter(None, (_normalize(row[0]) for row in table.rows[table.header_rows :] if row))
        mark = cls(table.number, _normalize(table.caption), header, tuple(islice(labels, MAX_LABELS)))
        numbers = [table.number for table in tables if mark.looks_like(table)]
        return replace(mark, place=numbers.index(table.number) + 1, alike=len(numbers)) if numbers else mark

    def looks_like(self, table: Table) -> bool:
        """Whether a table has the same caption and header, and half of the row labels at least."""
        other_mark = TableMark.from_table(table, ())
        labels, other_labels = set(self.labels), set(other_mark.labels)
        has_same_header = (other_mark.caption, other_mark.header) == (self.caption, self.header)
        return has_same_header and len(labels & other_labels) >= _MIN_COMMON_LABELS_SHARE * max(
            len(labels), len(other_labels)
        )

    def find(self, tables: Sequence[Table]) -> Table | None:
        """The table among the present ones of its document; None if another number of them looks like it."""
        matching_tables = [table for table in tables if self.looks_like(table)]
        return matching_tables[self.place - 1] if len(matching_tables) == self.alike else None

    def describe_mismatch(self, tables: Sequence[Table]) -> str:
        """Why `find` finds no table; empty where it finds one."""
        count = sum(self.looks_like(table) for table in tables)
        if count == self.alike:
            return ""
        if not count:
            return "no table has this caption, header and these rows any more"
        return f"{count} tables look like it now, {self.alike} did when it was corrected"


def _normalize(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class Correction:
    """A value that a person gave for a field of the document `source`, or of its table.

    `sha256` is the digest of the file at that time, by which a moved document is recognized. `company` is that of the
    document: a fiscal year end holds for all documents of that company. `value` is in the form of `normalize_value`.
    """

    source: str
    sha256: str
    field: CorrectedField
    value: str
    corrected: datetime
    company: str = ""
    table: TableMark | None = None

    @property
    def order(self) -> tuple[str, int, str]:
        """The key for sorting: by source, then documents before their tables."""
        return self.source, self.table.number if self.table else 0, self.field.value


@dataclass(frozen=True, slots=True)
class AppliedCorrection:
    """A correction in a generation: `was` is the value that Kalends had read, `was_from` its origin, if it is known.

    `table` is the table's number in this generation, 0 for the document itself. `shared` says that it was given for
    another document of the same company. `note` says why it is not applied; empty if it is.
    """

    field: CorrectedField
    value: str
    corrected: datetime
    was: str = ""
    was_from: str = ""
    table: int = 0
    shared: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TableCorrection:
    """A person's correction of a table: the power of ten of its amounts, None if not given, and their currency."""

    mark: TableMark
    scale: int | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class DocumentCorrections:
    """All corrections of one document and its tables; `year_end` may be one of another document of its company."""

    own: tuple[Correction, ...] = ()
    year_end: Correction | None = None

    def get_value(self, field: CorrectedField) -> str:
        """The corrected value of a field of the document; empty if it has no correction."""
        return next((correction.value for correction in self.own if correction.field is field), "")

    @property
    def company(self) -> str:
        """The corrected company of the document; empty if it has no correction."""
        return self.get_value(CorrectedField.COMPANY)

    @property
    def fiscal_year_end(self) -> str:
        """The corrected rule for the end of fiscal years; empty if it has no correction."""
        return self.year_end.value if self.year_end else ""

    @property
    def document_date(self) -> date | None:
        """The corrected date of the document; None if it has no correction."""
        value = self.get_value(CorrectedField.DOCUMENT_DATE)
        return date.fromisoformat(value) if value else None

    @property
    def tables(self) -> tuple[TableCorrection, ...]:
        """The corrections of its tables, one for each table."""
        marks = dict.fromkeys(correction.table for correction in self.own if correction.table)
        return tuple(self._build_table_correction(mark) for mark in marks)

    def _build_table_correction(self, mark: TableMark) -> TableCorrection:
        values = {correction.field: correction.value for correction in self.own if correction.table == mark}
        scale = values.get(CorrectedField.SCALE)
        return TableCorrection(mark, None if scale is None else SCALES[scale], values.get(CorrectedField.CURRENCY, ""))

    @property
    def key(self) -> str:
        """The digest of all its values, without their times; empty if there are none."""
        return digest(self._list_values(*CorrectedField)) if self else ""

    @property
    def figure_values(self) -> list[object]:
        """The values that decide the values and periods of cells, JSON-like."""
        return self._list_values(*(field for field in CorrectedField if field is not CorrectedField.COMPANY))

    @property
    def time_values(self) -> list[object]:
        """The values that decide the periods that the text names, JSON-like."""
        return self._list_values(CorrectedField.DOCUMENT_DATE, CorrectedField.FISCAL_YEAR_END)

    def _list_values(self, *fields: CorrectedField) -> list[object]:
        values: list[object] = []
        for correction in (*self.own, self.year_end) if self.year_end else self.own:
            if correction.field in fields:
                mark = correction.table  # Everything in it except its number decides which table it means.
                table = [mark.caption, mark.header, mark.labels, mark.place, mark.alike] if mark else []
                values.append([correction.field.value, correction.value, table])
        return values

    def __bool__(self) -> bool:
        return bool(self.own or self.year_end)


NO_CORRECTIONS = DocumentCorrections()


def normalize_value(field: CorrectedField, text: str) -> str:
    """A value in the form that is stored, from a person's text. Raises `BadInput` if it is invalid."""
    value = " ".join(text.split())
    if not value:
        raise BadInput(f"the {field.words} is empty", "give a value, or undo the correction")
    match field:
        case CorrectedField.COMPANY:
            return _normalize_name(value)
        case CorrectedField.FISCAL_YEAR_END:
            return str(parse_year_end_rule(value))
        case CorrectedField.DOCUMENT_DATE:
            return _normalize_date(value)
        case CorrectedField.SCALE:
            return _normalize_scale(value)
        case CorrectedField.CURRENCY:
            if not _CURRENCY.fullmatch(value.upper()):
                raise BadInput(f"'{value[:40]}' is no currency", "write its three letters of ISO 4217, like USD")
            return value.upper()


def _normalize_name(name: str) -> str:
    if len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise BadInput("the company's name is too long or has characters that cannot be shown", "write it on one line")
    if not any(character.isalnum() for character in name):
        raise BadInput(f"'{name}' is no company's name", "write it with a letter or digit")
    return name


def _normalize_date(text: str) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"'{text[:40]}' is no date", "write it as YYYY-MM-DD, like 2023-05-07") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise BadInput(f"no document is dated {day}", f"give a year from {FIRST_YEAR} to {LAST_YEAR}")
    return day.isoformat()


def _normalize_scale(text: str) -> str:
    scale_name = text.casefold().translate(_DASHES)
    scale = next((name for name in SCALES if name == scale_name or name == f"{scale_name}s"), None)
    if scale is None:
        raise BadInput(f"'{text[:40]}' is no scale", f"choose from {', '.join(SCALES)}")
    return scale
