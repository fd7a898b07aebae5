"""Corrections by people, applied to the documents of a run: the corrections of each document, and replaced values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from tasks.document_date import choose_date
from tasks.stage_contract import DocumentFacts
from tasks.tables.reader import TableReader, make_readers
from tasks.temporal.document import with_date
from warehouse.records import (
    NO_CORRECTIONS,
    AppliedCorrection,
    CatalogEntry,
    Content,
    CorrectedField,
    Correction,
    Document,
    DocumentCorrections,
)
from warehouse.records.corrections import SCALES
from warehouse.search.catalogue import make_company_key


class KnownCorrections:
    """The corrections of a warehouse, by document and by company."""

    def __init__(self, records: Iterable[Correction] = ()) -> None:
        """`records` may come in any order."""
        self._by_source: dict[str, list[Correction]] = {}
        for record in sorted(records, key=lambda record: record.corrected):
            self._by_source.setdefault(record.source, []).append(record)
        self._by_content = {
            correction.sha256: correction.source for correction in self._iter_corrections() if correction.sha256
        }
        self._year_ends: dict[str, Correction] = {}
        for correction in sorted(self._iter_corrections(), key=lambda correction: correction.corrected):
            if correction.field is CorrectedField.FISCAL_YEAR_END and (company := self._find_company(correction)):
                self._year_ends[make_company_key(company)] = correction

    def _iter_corrections(self) -> Iterator[Correction]:
        return (record for records in self._by_source.values() for record in records)

    def _find_company(self, year_end: Correction) -> str:
        """The company of a corrected fiscal year end: its document's corrected company, else the one that was read."""
        records = self._by_source[year_end.source]
        return next((record.value for record in records if record.field is CorrectedField.COMPANY), year_end.company)

    def __bool__(self) -> bool:
        return bool(self._by_source)

    def __contains__(self, source: str) -> bool:
        return source in self._by_source

    def find_source(self, sha256: str, present: Collection[str]) -> str:
        """The source under which a document of this content was corrected, if it is not `present`; else empty."""
        source = self._by_content.get(sha256, "")
        return "" if source in present else source

    def select_corrections(self, source: str, company: str) -> DocumentCorrections:
        """All corrections of a document: its own, by `source`, and the fiscal year end of its `company`."""
        if not self._by_source:
            return NO_CORRECTIONS
        records = self._by_source.get(source, ())
        other_corrections = tuple(record for record in records if record.field is not CorrectedField.FISCAL_YEAR_END)
        year_end = next((record for record in records if record.field is CorrectedField.FISCAL_YEAR_END), None)
        if year_end is None and self._year_ends:
            companies = (record.value for record in other_corrections if record.field is CorrectedField.COMPANY)
            corrected_company = next(companies, company)
            year_end = self._year_ends.get(make_company_key(corrected_company)) if corrected_company else None
        return DocumentCorrections(other_corrections, year_end)


@dataclass(frozen=True, slots=True)
class FileCorrections:
    """Corrections of one file of a plan: `source` is the document's source when it was corrected."""

    source: str = ""
    known_corrections: KnownCorrections = field(default_factory=KnownCorrections, repr=False)

    def select_corrections(self, company: str) -> DocumentCorrections:
        """All corrections of the document, given the company that was read from it."""
        return self.known_corrections.select_corrections(self.source, company)

    @property
    def is_known(self) -> bool:
        """Whether the document itself has corrections."""
        return self.source in self.known_corrections

    @property
    def own_key(self) -> str:
        """The key of the document's own corrections."""
        return self.select_corrections("").key


UNCORRECTED = FileCorrections()


def find_file_corrections(
    known_corrections: KnownCorrections, source: str, entry: CatalogEntry | None, entries: Mapping[str, CatalogEntry]
) -> FileCorrections:
    """The corrections of a file. A corrected document whose source changed is recognised by its content.

    `entries` are the documents of the published generation by source.
    """
    if source in known_corrections or entry is None or not entry.correction_key:
        return FileCorrections(source, known_corrections)
    return FileCorrections(
        known_corrections.find_source(entry.file.sha256, entries.keys()) or source, known_corrections
    )


def apply_corrections(
    facts: DocumentFacts, content: Content, document: Document | None
) -> tuple[Content, tuple[AppliedCorrection, ...]]:
    """The content with the corrections of its facts applied, and the corrections with the values they replace.

    `document` is required where the date or a table is corrected. The value that a fiscal year end replaces is known
    only once all documents of the company are read.
    """
    applied_corrections, corrections, source = [], facts.corrections, facts.source
    # The readers without any correction.
    readers = make_readers(document) if document and corrections.tables else ()
    tables = {reader.grid.table.number: reader for reader in readers}
    for correction in corrections.own:
        correction_note = AppliedCorrection(correction.field, correction.value, correction.corrected)
        if correction.field is CorrectedField.COMPANY:
            applied_corrections.append(replace(correction_note, was=content.attributes.company))
        elif correction.field is CorrectedField.DOCUMENT_DATE:
            claim = choose_date(
                content.dates,
                PurePosixPath(source).name,
                facts.kind,
                facts.name_days,
                folder=PurePosixPath(source).parent.name,
            )
            was = (claim.date.isoformat(), claim.origin.value) if claim else ("", "")
            applied_corrections.append(replace(correction_note, was=was[0], was_from=was[1]))
        elif correction.table and document:
            applied_corrections.append(_with_table_value(correction_note, correction, document, tables))
    if corrections.year_end:
        correction = corrections.year_end
        is_shared = correction.source != source
        applied_corrections.append(
            AppliedCorrection(correction.field, correction.value, correction.corrected, shared=is_shared)
        )
    attributes = content.attributes
    if document and corrections.document_date:
        attributes = with_date(document, corrections.document_date).attributes
    if corrections.company:
        attributes = replace(attributes, company=corrections.company)
    return replace(content, attributes=attributes), tuple(applied_corrections)


def _with_table_value(
    applied_correction: AppliedCorrection, correction: Correction, document: Document, tables: Mapping[int, TableReader]
) -> AppliedCorrection:
    mark = correction.table
    if mark is None:
        raise ValueError(f"the {correction.field.words} of no table")
    table = mark.find(document.tables)
    if table is None:
        return replace(applied_correction, table=mark.number, note=mark.describe_mismatch(document.tables))
    reader = tables[table.number]
    if correction.field is CorrectedField.CURRENCY:
        return replace(applied_correction, table=table.number, was=reader.currency_read)
    note = "" if reader.scale_read is not None else "no cell of the table is an amount"
    return replace(applied_correction, table=table.number, was=name_scale(reader.scale_read), note=note)


def name_scale(power: int | None) -> str:
    """The name of a power of ten ("million"); empty for None."""
    if power is None:
        return ""
    return next((name for name, scale_power in SCALES.items() if scale_power == power), f"10 to the power of {power}")


def list_warnings(entries: Iterable[CatalogEntry]) -> Iterator[str]:
    """A line for each correction that could not be applied."""
    for entry in entries:
        for correction in entry.corrections:
            if correction.note:
                source = entry.file.source
                yield (
                    f"{source}: the corrected {correction.field.words} of table {correction.table} is not applied: "
                    f"{correction.note}; "
                    f"correct the table again, or undo it: kalends correct '{source}' --table {correction.table} --undo"
                )
