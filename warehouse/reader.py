"""`Warehouse`: the only interface for reading a published generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from threading import Lock
from time import monotonic

import numpy as np

from warehouse.errors import BadInput
from warehouse.journal import record
from warehouse.records import CatalogEntry, Filters, Hit, Kind, Question, Region, Run, Subject, Table
from warehouse.records.calendars import FiscalCalendar
from warehouse.search.catalogue import CATALOGUE_SQL, Catalogue, build_name_key, split_tokens
from warehouse.search.filters import describe_undated_exclusion, describe_unknown_values, list_filter_values
from warehouse.search.hits import cut_lines, read_lines, read_passage
from warehouse.search.name_resolver import NameIndex, Resolution, find_nearest_documents, resolve
from warehouse.search.nearest_dates import describe_nearest_dates
from warehouse.search.periods import (
    describe_missing_periods,
    describe_period_readings,
    explain_absence,
    find_fiscal_calendar,
    find_unknown_names,
)
from warehouse.search.search import search
from warehouse.store import generations
from warehouse.store.arrow_files import to_records
from warehouse.store.generations import find_generation
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.snapshot import Snapshot
from warehouse.store.sql_queries import QueryResult
from warehouse.store.sql_worker import run_query
from warehouse.store.words import fold_text


class OpenGeneration:
    """A generation opened for reading, with its catalogue and name index, each built once."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Nothing is read yet."""
        self.snapshot = snapshot

    @cached_property
    def catalogue(self) -> Catalogue:
        """The names of the documents."""
        return Catalogue.from_rows(self.snapshot.query_records(CATALOGUE_SQL), cache(self.snapshot.has_lowercase_word))

    @cached_property
    def name_index(self) -> NameIndex:
        """The same names by their words."""
        return NameIndex(self.catalogue)


class Warehouse:
    """Reads the published generation and notices when another replaces it. Safe to share between threads.

    Raises `NoWarehouse` if nothing was ingested yet and `BadWarehouse` if it cannot be read.
    """

    def __init__(self, folder: Path, generation: OpenGeneration | None = None) -> None:
        """`folder` is the warehouse's; nothing is opened yet. `generation` is read even if another one is published."""
        self.layout = Layout(folder)
        self._pinned_generation = generation
        self._newest: OpenGeneration | None = None
        self._lock = Lock()

    def pin_generation(self, moment: int | datetime | None = None) -> Warehouse:
        """The warehouse that reads one generation: by its number, or the one published at a moment with a time zone.

        Without either it is the present one, even if another is published meanwhile: for answers with several queries.
        Raises `BadInput` for a generation that does not exist or was dropped.
        """
        if moment is None:
            return Warehouse(self.layout.folder, self._open_generation)
        return Warehouse(
            self.layout.folder, OpenGeneration(Snapshot(self.layout, find_generation(self.layout, moment)))
        )

    @property
    def _open_generation(self) -> OpenGeneration:
        if self._pinned_generation is not None:
            return self._pinned_generation
        with self._lock:
            generation = generations.read_current(self.layout)
            if self._newest is None or self._newest.snapshot.generation != generation:
                self._newest = OpenGeneration(Snapshot(self.layout, generation))
            return self._newest

    @property
    def snapshot(self) -> Snapshot:
        """The pinned or the published generation; two calls may return different ones, so an answer calls it once."""
        return self._open_generation.snapshot

    @property
    def generation(self) -> int:
        """The number of the generation that is read."""
        return self.snapshot.generation.manifest.number

    def check_model(self, model: str) -> None:
        """Raise `BadInput` if the published vectors are of another model than the one that will embed questions."""
        published = self.snapshot.generation.manifest.model
        if published != model:
            cure = "run 'kalends ingest' to embed anew, or wait for the run that does"
            raise BadInput(f"the vectors are of {published}, the settings name {model}", cure)

    @property
    def catalogue(self) -> Catalogue:
        """The names of the documents; built once for each generation."""
        return self._open_generation.catalogue

    def read_ahead(self) -> None:
        """Begin to read what every search needs while a question is prepared."""
        self.snapshot.read_ahead()

    def score_titles(self, vector: np.ndarray) -> dict[str, float]:
        """By document id, the cosine of a unit vector with the nearest of its titles, aliases and lessons."""
        return self.snapshot.titles.score_documents(vector)

    def find_fiscal_calendar(self, subjects: Sequence[Subject], filters: Filters) -> FiscalCalendar | None:
        """The fiscal calendar of the company a question asks about; None if unknown."""
        return find_fiscal_calendar(self.snapshot, subjects, filters)

    def search(self, question: Question) -> list[Hit]:
        """The best passages for a question, each with its citation."""
        snapshot, started = self.snapshot, monotonic()
        hits = search(snapshot, question)
        number = snapshot.generation.manifest.number
        record("debug", "searched", generation=number, hits=len(hits), seconds=monotonic() - started)
        return hits

    def describe_missing_periods(self, question: Question, hits: Sequence[Hit] = ()) -> tuple[str, ...]:
        """A sentence for each period that a question demands and neither a report nor one of the `hits` is of."""
        return describe_missing_periods(self.snapshot, question, hits)

    def describe_period_readings(self, question: Question, hits: Sequence[Hit]) -> tuple[str, ...]:
        """A sentence for each period that may be the calendar's or a company's own: which one was used."""
        return describe_period_readings(self.snapshot, question, hits)

    def describe_undated_exclusion(self, filters: Filters) -> tuple[str, ...]:
        """A sentence where filters by date leave out documents because they are undated."""
        return describe_undated_exclusion(self.snapshot, filters)

    def explain_absence(self, question: Question) -> str:
        """Why no document can answer a question: none has its names, or is of its time; else empty."""
        return explain_absence(self.snapshot, question)

    def find_unknown_names(self, question: Question) -> tuple[str, ...]:
        """The names in a question with a word that no passage has."""
        return find_unknown_names(self.snapshot, question)

    def describe_nearest_dates(self, filters: Filters) -> tuple[str, ...]:
        """A phrase for each time that filters demand and no passage is of: the date or period nearest to it."""
        return describe_nearest_dates(self.snapshot, filters)

    def read_lines(self, document_id: str, start: int, end: int) -> tuple[Region, ...]:
        """The complete lines that overlap a span of a document's text, each with its box on a page, if it has pages."""
        return read_lines(self.snapshot, document_id, start, end)

    def read_regions(self, document_id: str, start: int, end: int) -> tuple[Region, ...]:
        """The boxes of the span itself, one for each line."""
        return cut_lines(self.read_lines(document_id, start, end), start, end)

    def read_passage(self, passage_id: str) -> tuple[str, int, str] | None:
        """The document, the start in its text and the words of a chunk, or of the parent of some; None without it."""
        return read_passage(self.snapshot, passage_id)

    def read_text(self, document_id: str) -> str:
        """The canonical text of a document, empty where there is none."""
        return self.snapshot.read_text(document_id)

    def find_document_id(self, source: str) -> str | None:
        """The id of the document of this source, or of this id; None without it."""
        sql = "SELECT document_id FROM documents WHERE $name IN (source, document_id)"
        rows = self.snapshot.query_rows(sql, {"name": source})
        return str(rows[0][0]) if rows else None

    def resolve(self, name: str, kind: Kind | None = None) -> Resolution:
        """The documents of a source, id, file name, title, company or symbol, whatever its spelling.

        Only of `kind`, if that is given.
        """
        name = name.strip()
        document_id = self.find_document_id(name)
        if document_id:
            return Resolution((document_id,), name, exact=True)
        catalogue, stem = self.catalogue, PurePosixPath(name).stem.casefold()
        entry = catalogue.find_entry(build_name_key(split_tokens(name)))
        by_file = tuple(
            document.document_id for document in catalogue.documents.values() if document.stem.casefold() == stem
        )
        document_ids = by_file or (entry.documents if entry else ())
        if not document_ids or (
            kind and any(catalogue.documents[document_id].kind is not kind for document_id in document_ids)
        ):
            resolution = resolve(self._open_generation.name_index, name, kind)
        else:
            resolution = Resolution(document_ids, entry.name if entry else name)
        if len(resolution.documents) != 1:
            return replace(
                resolution, exact=bool(resolution.documents) and fold_text(resolution.name) == fold_text(name)
            )
        document = catalogue.documents[resolution.documents[0]]
        document_names = map(fold_text, (document.title, document.company))
        exact = fold_text(name) in document_names or bool(by_file and PurePosixPath(name).suffix)
        return replace(resolution, name=document.title or document.stem, exact=exact)

    def find_nearest_documents(self, name: str) -> tuple[str, ...]:
        """The sources of the documents whose names are nearest to one that no document has."""
        document_ids = find_nearest_documents(self._open_generation.name_index, name)
        return tuple(catalog_entry.file.source for catalog_entry in self.snapshot.read_entries(document_ids).values())

    def read_tables(self, document_id: str) -> tuple[Table, ...]:
        """The tables of a document, in order; none for an unknown one."""
        query = "SELECT * EXCLUDE document_id FROM tables WHERE document_id = $id ORDER BY number"
        return to_records(Table, self.snapshot.query_records(query, {"id": document_id}))

    def find_file(self, document_id: str) -> tuple[CatalogEntry, Path] | None:
        """A document and the path of its file on this machine; None where there is no such document."""
        if self.find_document_id(document_id) is None:
            return None
        snapshot = self.snapshot
        catalog_entry = snapshot.read_entries([document_id])[document_id]
        folders = {root.name: root.folder for root in snapshot.generation.manifest.roots}
        return catalog_entry, folders[catalog_entry.file.root] / catalog_entry.file.path

    def list_values(self, field: str) -> tuple[str, ...]:
        """The values of documents for a field of `Filters` (kinds, roots, topics, tags …), the most frequent first."""
        return list_filter_values(self.snapshot, field)

    def describe_unknown_values(self, filters: Filters) -> tuple[str, ...]:
        """A sentence for each value in filters that no document has."""
        return tuple(describe_unknown_values(self.snapshot, filters))

    def list_documents(self) -> tuple[CatalogEntry, ...]:
        """Every document, in order of source."""
        return self.snapshot.generation.read_entries()

    def list_runs(self) -> tuple[Run, ...]:
        """The runs that led to the published generation, oldest first."""
        return self.snapshot.generation.read_runs()

    def run_sql(self, text: str, limit: int = 1000, seconds: float = 30.0) -> QueryResult:
        """Run one read-only query, bounded, without access to files and network. Raises `BadQuery`."""
        generation, started = self.snapshot.generation, monotonic()
        result = run_query(generation, Lake(self.layout.lake), text, limit, seconds)
        number, rows = generation.manifest.number, len(result.rows)
        record("debug", "asked in SQL", generation=number, rows=rows, seconds=monotonic() - started)
        return result
