"""The stages in their order: parse, tables, temporal, entities, chunk, score, embed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from tasks.chunkers.chunk_builder import make_chunks, make_parents
from tasks.chunkers.chunker import choose_chunker, get_identity
from tasks.document_date import find_date_disputes
from tasks.embedders.embedder import Embedder, open_embedder
from tasks.entities.companies import with_company
from tasks.entities.names import find_entities
from tasks.parsers.reader import Job, list_versions, read_files
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.scoring import score_document
from tasks.stage_contract import BatchItem, BatchWork, DocumentFacts, Records, Stage
from tasks.stage_meter import record_progress
from tasks.tables.cells import read_cells
from tasks.tables.line_items import iter_row_labels
from tasks.tables.totals import find_totals
from tasks.temporal.document import find_mentions, with_date, with_times
from warehouse.errors import UnreadableFile
from warehouse.identity import digest, make_vector_id
from warehouse.records import Cell, Chunk, Content, Document, Embedding, Entity, Finding, Kind, Mention, Severity, Total
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake, build_content, read_documents
from warehouse.store.titles import list_titles

TEXTS_PER_STEP = 512  # Texts between two reports of progress: some 15 s of the default model.


def make_parse_key(sha256: str, suffix: str, settings: Settings) -> str:
    """The name of the parse output of some bytes. It does not depend on the file's folder."""
    return digest(
        "parse", PARSE_VERSION, list_versions(), settings.parse.model_dump(exclude={"processes"}), sha256, suffix
    )


MARK_SEPARATOR = "-"  # Between the key of a parse output and the mark of a run that read the file again on demand.


def mark_key(key: str, mark: str) -> str:
    """The parse key of a file that is read again on demand, which no cache knows; nor those of what follows from it."""
    return f"{key}{MARK_SEPARATOR}{mark}" if mark else key


def unmark_key(key: str) -> str:
    """A parse key without such a mark."""
    return key.partition(MARK_SEPARATOR)[0]


def _prepare_parse(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    jobs = [Job(item.name, item.path, item.sha256) for item in items]
    results = {items[index].key: (parsed, seconds) for index, parsed, seconds in read_files(jobs, settings.parse)}

    def make_records(item: BatchItem) -> Records:
        parsed = results.pop(item.key)[0]
        if isinstance(parsed, UnreadableFile):
            if parsed.transient:
                raise parsed
            content = Content(Kind.TEXT, "", "", failure=str(parsed))
            finding = Finding(parsed.code, parsed.name, Severity.ERROR, str(parsed))
            return {"contents": [content], "blocks": (), "tables": (), "facts": (), "findings": [finding]}
        document = with_company(with_times(parsed))
        return {
            "contents": [build_content(document)],
            "blocks": document.blocks,
            "tables": document.tables,
            "facts": document.facts,
            "findings": document.findings,
        }

    return BatchWork(make_records, {key: seconds for key, (_, seconds) in results.items()})


def _read_documents(items: Sequence[BatchItem], lake: Lake) -> dict[str, Document]:
    """The documents of a batch by the key of the output to make, read as written on the day that a person gave."""
    files_by_key = {item.inputs["parse"].key: item.inputs["parse"].file for item in items}
    documents = read_documents(lake, files_by_key)

    def date_document(item: BatchItem) -> Document:
        document, day = documents[item.inputs["parse"].key], item.known_facts.corrections.document_date
        return with_date(document, day) if day else document

    return {item.key: date_document(item) for item in items}


def _read_inputs(
    items: Sequence[BatchItem], lake: Lake, stage: str, table: str, record: type[Any]
) -> dict[str, tuple[Any, ...]]:
    """The records of one needed stage by the key of the output to make."""
    records = lake.read(table, record, {item.inputs[stage].key: item.inputs[stage].file for item in items})
    return {item.key: records[item.inputs[stage].key] for item in items}


def _prepare_tables(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    documents = _read_documents(items, lake)

    def make_records(item: BatchItem) -> Records:
        document, facts = documents[item.key], item.known_facts
        if not document.tables:
            return {"cells": (), "totals": ()}
        totals = find_totals(document, facts.corrections)
        return {"cells": read_cells(document, totals, facts.fiscal_year_end, facts.corrections), "totals": totals}

    return BatchWork(make_records)


def _prepare_temporal(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    documents = _read_documents(items, lake)

    def make_records(item: BatchItem) -> Records:
        document, facts = documents[item.key], item.known_facts
        return {
            "mentions": find_mentions(
                document, facts.document_date, facts.fiscal_year_end, facts.corrections.fiscal_year_end
            ),
            "findings": find_date_disputes(document.dates, PurePosixPath(facts.source).name, facts.date_claim),
        }

    return BatchWork(make_records)


def _prepare_entities(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    selected = [item for item in items if item.known_facts.kind in settings.entities.kinds]
    documents = _read_documents(selected, lake)
    names: Mapping[str, Sequence[Entity]] = dict(zip(documents, find_entities(list(documents.values())), strict=True))
    return BatchWork(lambda item: {"entities": names.get(item.key, ())})


def _prepare_chunk(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    documents = _read_documents(items, lake)
    mentions = _read_inputs(items, lake, "temporal", "mentions", Mention)
    names = _read_inputs(items, lake, "entities", "entities", Entity)

    def make_records(item: BatchItem) -> Records:
        document, facts = documents[item.key], item.known_facts
        chunker = choose_chunker(facts.kind, facts.chunking, settings)
        parents = make_parents(document, document_id=facts.document_id, chunker=chunker)
        chunks = make_chunks(
            document,
            document_id=facts.document_id,
            title=facts.title,
            source=facts.source,
            date_claim=facts.date_claim,
            name_days=facts.name_days,
            mentions=mentions[item.key],
            entities=names[item.key],
            chunker=chunker,
            prefixed=settings.chunk.prefix,
            parents=parents,
        )
        return {"chunks": chunks, "parents": parents}

    return BatchWork(make_records)


def _prepare_score(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    documents = _read_documents(items, lake)
    chunks = _read_inputs(items, lake, "chunk", "chunks", Chunk)
    mentions = _read_inputs(items, lake, "temporal", "mentions", Mention)
    totals = _read_inputs(items, lake, "tables", "totals", Total)
    cells = _read_inputs([item for item in items if documents[item.key].facts], lake, "tables", "cells", Cell)
    window = open_embedder(settings.embed.model).window

    def make_records(item: BatchItem) -> Records:
        facts = item.known_facts
        subject = CheckedDocument(
            documents[item.key],
            chunks[item.key],
            mentions[item.key],
            facts.date_claim,
            choose_chunker(facts.kind, facts.chunking, settings).characters,
            window,
            known_totals=totals[item.key],
            known_cells=cells.get(item.key, ()),
        )
        scores, findings = score_document(subject)
        return {"scores": scores, "findings": findings}

    return BatchWork(make_records)


def _prepare_embed(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    embedder, first_window_only = (
        open_embedder(settings.embed.model, settings.embed.device),
        settings.embed.tables == "first",
    )
    chunks = _read_inputs(items, lake, "chunk", "chunks", Chunk)
    cells = _read_inputs(items, lake, "tables", "cells", Cell)
    texts: dict[str, str] = {}
    embeddings: dict[str, Sequence[Any]] = {}
    sources = {item.key: item.known_facts.source for item in items}
    sources_by_text: dict[str, str] = {}  # The document with each text.
    for key, document_chunks in chunks.items():
        rows = []
        readable_chunks = [chunk for chunk in document_chunks if embedder.can_read(chunk.text)]
        for chunk in readable_chunks:
            windows = embedder.cut_windows(chunk.prefix, chunk.headed_text)
            for number, window in enumerate(windows[:1] if chunk.has_table and first_window_only else windows):
                name = make_vector_id(embedder.model, window)
                texts[name], sources_by_text[name] = window, sources[key]
                rows.append(Embedding(chunk.chunk_id, number, name))
        for chunk_id, number, label, statement in iter_row_labels(readable_chunks, cells[key]) if cells[key] else ():
            if embedder.can_read(label):
                name = make_vector_id(embedder.model, label)
                texts[name], sources_by_text[name] = label, sources[key]
                rows.append(Embedding(chunk_id, number, name, label, statement))
        embeddings[key] = rows
    # The titles of documents, whose vectors the publisher looks for.
    files_by_key = {item.inputs["parse"].key: item.inputs["parse"].file for item in items}
    contents = lake.read("contents", Content, files_by_key, ["kind", "media_type", "attributes"])
    for item in items:
        attributes = contents[item.inputs["parse"].key][0].attributes
        titles = list_titles(item.known_facts.kind, item.known_facts.source, item.known_facts.title, attributes)
        texts.update({make_vector_id(embedder.model, text): text for text in titles if embedder.can_read(text)})
    missing_names = lake.find_lost_vectors(texts)
    new_texts = {name: text for name, text in texts.items() if name in missing_names}
    if new_texts:
        vectors = _embed_texts(
            embedder, list(new_texts.values()), [sources_by_text.get(name, "") for name in new_texts]
        )
        lake.write_vectors(digest("vectors", list(new_texts)), embedder.model, list(new_texts), vectors)
    return BatchWork(lambda item: {"embeddings": embeddings[item.key]})


def _embed_texts(embedder: Embedder, texts: Sequence[str], sources: Sequence[str]) -> np.ndarray:
    """The vectors of texts, a step at a time, reporting the documents with these texts."""
    vectors = []
    for first in range(0, len(texts), TEXTS_PER_STEP):
        record_progress(first / len(texts), sources[first])
        vectors.append(embedder.embed(texts[first : first + TEXTS_PER_STEP]))
    return np.concatenate(vectors)


def _get_nothing(settings: Settings, facts: DocumentFacts) -> object:
    return None


def _get_calendar(settings: Settings, facts: DocumentFacts) -> object:
    corrected = facts.corrections.figure_values
    return [facts.fiscal_year_end, corrected] if corrected else facts.fiscal_year_end


def _get_times(settings: Settings, facts: DocumentFacts) -> object:
    claim = facts.date_claim
    basis = (claim and claim.date, claim and claim.origin, PurePosixPath(facts.source).name, facts.fiscal_year_end)
    corrected = facts.corrections.time_values
    return (*basis, corrected) if corrected else basis


def _get_entity_choice(settings: Settings, facts: DocumentFacts) -> object:
    return facts.kind in settings.entities.kinds


def _get_chunk_facts(settings: Settings, facts: DocumentFacts) -> object:
    claim = facts.date_claim
    dates = (claim and claim.date, claim and claim.origin, facts.name_days)
    document_facts = (facts.document_id, facts.source, facts.title, facts.kind, facts.language, *dates)
    return [document_facts, get_identity(choose_chunker(facts.kind, facts.chunking, settings)), settings.chunk.prefix]


def _get_sizes(settings: Settings, facts: DocumentFacts) -> object:
    chunker = choose_chunker(facts.kind, facts.chunking, settings)
    return (chunker.characters, open_embedder(settings.embed.model).window)


def get_model_identity(settings: Settings) -> str:
    """The identity of the model that the settings name; loads no weights."""
    return open_embedder(settings.embed.model).model


def _get_model(settings: Settings, facts: DocumentFacts) -> object:
    return (get_model_identity(settings), settings.embed.tables)


PARSE_VERSION = 43
STAGES: tuple[Stage, ...] = (
    Stage("parse", PARSE_VERSION, (), _get_nothing, _prepare_parse),
    Stage("tables", 23, ("parse",), _get_calendar, _prepare_tables),
    Stage("temporal", 41, ("parse",), _get_times, _prepare_temporal),
    Stage("entities", 2, ("parse",), _get_entity_choice, _prepare_entities),
    Stage("chunk", 12, ("parse", "temporal", "entities"), _get_chunk_facts, _prepare_chunk),
    Stage("score", 10, ("parse", "tables", "temporal", "chunk"), _get_sizes, _prepare_score),
    Stage("embed", 4, ("parse", "tables", "chunk"), _get_model, _prepare_embed),
)
