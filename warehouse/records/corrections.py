"""Corrections by people: the company, fiscal year end and date of a document, the scale and currency of a table.

A correction belongs to a document by its source, and to a table by its caption, header and row labels, so that both
survive a changed file. It says what is right; what was read instead is noted where it is applied.
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
from warehouse.records.document import Table
from warehouse.records.fiscal import parse_year_end_rule

SCALES = {
    "ones": 0,
    "thousands": 3,
    "ten thousands": 4,
    "millions": 6,
    "hundred millions": 8,
    "billions": 9,
    "trillions": 12,
}
"""What the figures of a table may be counted in, as powers of ten."""
MAX_NAME_LENGTH = 200  # Characters of a company's name.
FIRST_YEAR, LAST_YEAR = 1000, 2200  # The years in which a document may be dated: a year outside is a slip of the pen.
MAX_LABELS = 60  # Row labels by which a table is known again; long tables are known by their first.
_SAME_LABELS = 0.5
"""What share of row labels two states of one table have in common at least: a row or two may come or go."""
_CURRENCY = re.compile(r"[A-Z]{3}")
_DASHES = str.maketrans("-_", "  ")


class CorrectedField(StrEnum):
    """What can be corrected; the last two are of a table."""

    COMPANY = "company"
    FISCAL_YEAR_END = "fiscal_year_end"
    DOCUMENT_DATE = "document_date"
    SCALE = "scale"
    CURRENCY = "currency"

    @property
    def is_of_table(self) -> bool:
        """Whether it is corrected of a table and not of its document."""
        return self in (CorrectedField.SCALE, CorrectedField.CURRENCY)

    @property
    def words(self) -> str:
        """Its name in a sentence."""
        return self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class TableMark:
    """By what a table is known again: its caption, the texts of its header, and the labels of its rows.

    It is the `place`-th, from 1, of the `alike` tables of its document that look like that. `number` is the one it had
    when it was corrected.
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
        numbers = [each.number for each in tables if mark.looks_like(each)]
        return replace(mark, place=numbers.index(table.number) + 1, alike=len(numbers)) if numbers else mark

    def looks_like(self, table: Table) -> bool:
        """Whether a table has the same caption and header, and half of the row labels at least."""
        other = TableMark.from_table(table, ())
        own, labels = set(self.labels), set(other.labels)
        same = (other.caption, other.header) == (self.caption, self.header)
        return same and len(own & labels) >= _SAME_LABELS * max(len(own), len(labels))

    def find(self, tables: Sequence[Table]) -> Table | None:
        """The table among those of its document as it is now; None where it is gone or others look like it now."""
        found = [table for table in tables if self.looks_like(table)]
        return found[self.place - 1] if len(found) == self.alike else None

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

    `sha256` is the content of the file at that time, by which a document that was moved is known again. `company` is
    whose document it was: a fiscal year end holds for all documents of that company. `value` is as `normalize_value`
    gives it.
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
        """The place among others: by source, then documents before their tables."""
        return self.source, self.table.number if self.table else 0, self.field.value


@dataclass(frozen=True, slots=True)
class AppliedCorrection:
    """A correction as it stands in a generation: `was` is what Kalends had read, `was_from` where from, if it is known.

    `table` is the table's number in this generation, 0 for the document itself. `shared` says that it was given for
    another document of the same company. `note` says why it is not applied; empty where it is.
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
    """What a person says of a table: the power of ten of its amounts, None where unsaid, and their currency."""

    mark: TableMark
    scale: int | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class DocumentCorrections:
    """All that people corrected of one document and its tables; `year_end` may be of another one of its company."""

    own: tuple[Correction, ...] = ()
    year_end: Correction | None = None

    def get_value(self, field: CorrectedField) -> str:
        """The value of a field of the document; empty where nobody corrected it."""
        return next((each.value for each in self.own if each.field is field), "")

    @property
    def company(self) -> str:
        """The company whose document it is; empty where nobody corrected that."""
        return self.get_value(CorrectedField.COMPANY)

    @property
    def fiscal_year_end(self) -> str:
        """The rule by which fiscal years end; empty where nobody corrected it."""
        return self.year_end.value if self.year_end else ""

    @property
    def document_date(self) -> date | None:
        """The day that the document is dated; None where nobody corrected it."""
        value = self.get_value(CorrectedField.DOCUMENT_DATE)
        return date.fromisoformat(value) if value else None

    @property
    def tables(self) -> tuple[TableCorrection, ...]:
        """What is said of its tables, one for each table."""
        marks = dict.fromkeys(each.table for each in self.own if each.table)
        return tuple(self._build_table_correction(mark) for mark in marks)

    def _build_table_correction(self, mark: TableMark) -> TableCorrection:
        values = {each.field: each.value for each in self.own if each.table == mark}
        scale = values.get(CorrectedField.SCALE)
        return TableCorrection(mark, None if scale is None else SCALES[scale], values.get(CorrectedField.CURRENCY, ""))

    @property
    def key(self) -> str:
        """The name of all that it says, whenever that was said; empty where it says nothing."""
        return digest(self._list_values(*CorrectedField)) if self else ""

    @property
    def figure_values(self) -> list[object]:
        """What of it decides the values and periods of cells, JSON-like."""
        return self._list_values(*(field for field in CorrectedField if field is not CorrectedField.COMPANY))

    @property
    def time_values(self) -> list[object]:
        """What of it decides the periods that the text names, JSON-like."""
        return self._list_values(CorrectedField.DOCUMENT_DATE, CorrectedField.FISCAL_YEAR_END)

    def _list_values(self, *fields: CorrectedField) -> list[object]:
        found: list[object] = []
        for each in (*self.own, self.year_end) if self.year_end else self.own:
            if each.field in fields:
                mark = each.table  # All of it but its number decides which table it means.
                table = [mark.caption, mark.header, mark.labels, mark.place, mark.alike] if mark else []
                found.append([each.field.value, each.value, table])
        return found

    def __bool__(self) -> bool:
        return bool(self.own or self.year_end)


NO_CORRECTIONS = DocumentCorrections()


def normalize_value(field: CorrectedField, text: str) -> str:
    """A value as it is kept, from what a person writes. Raises `BadInput` where it cannot be one."""
    plain = " ".join(text.split())
    if not plain:
        raise BadInput(f"the {field.words} is empty", "give a value, or undo the correction")
    match field:
        case CorrectedField.COMPANY:
            return _normalize_name(plain)
        case CorrectedField.FISCAL_YEAR_END:
            return str(parse_year_end_rule(plain))
        case CorrectedField.DOCUMENT_DATE:
            return _normalize_date(plain)
        case CorrectedField.SCALE:
            return _normalize_scale(plain)
        case CorrectedField.CURRENCY:
            if not _CURRENCY.fullmatch(plain.upper()):
                raise BadInput(f"'{plain[:40]}' is no currency", "write its three letters of ISO 4217, like USD")
            return plain.upper()


def _normalize_name(plain: str) -> str:
    if len(plain) > MAX_NAME_LENGTH or not plain.isprintable():
        raise BadInput("the company's name is too long or has characters that cannot be shown", "write it on one line")
    if not any(character.isalnum() for character in plain):
        raise BadInput(f"'{plain}' is no company's name", "write it with a letter or digit")
    return plain


def _normalize_date(plain: str) -> str:
    try:
        day = date.fromisoformat(plain)
    except ValueError:
        raise BadInput(f"'{plain[:40]}' is no date", "write it as YYYY-MM-DD, like 2023-05-07") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise BadInput(f"no document is dated {day}", f"give a year from {FIRST_YEAR} to {LAST_YEAR}")
    return day.isoformat()


def _normalize_scale(plain: str) -> str:
    word = plain.casefold().translate(_DASHES)
    known = next((name for name in SCALES if name == word or name == f"{word}s"), None)
    if known is None:
        raise BadInput(f"'{plain[:40]}' is no scale", f"choose from {', '.join(SCALES)}")
    return known
