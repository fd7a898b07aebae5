"""The stages in their order: parse, tables, temporal, entities, chunk, score, embed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from tasks.chunkers.making import make_chunks
from tasks.chunkers.parents import make_parents
from tasks.chunkers.sizes import chunker_for, identity
from tasks.contract import Done, Facts, Item, Outputs, Stage, Trouble
from tasks.dating import date_findings
from tasks.embedders.choosing import embedder
from tasks.entities.companies import with_company
from tasks.entities.names import entities_of
from tasks.parsers.reading import versions
from tasks.parsers.workers import Job, read_files
from tasks.quality.scoring import score
from tasks.quality.subject import Subject
from tasks.tables.cells import cells
from tasks.tables.totals import totals
from tasks.temporal.document import mentions
from tasks.temporal.own_times import with_own_times
from warehouse.errors import UnreadableFile
from warehouse.identity import digest, vector_id
from warehouse.records import (
    Chunk,
    Content,
    Document,
    Embedding,
    Entity,
    Finding,
    Kind,
    Mention,
    Severity,
    Total,
)
from warehouse.settings import Settings
from warehouse.store.documents import content_of, read_documents
from warehouse.store.lake import Lake
from warehouse.store.titles import titles_of


def parse_key(sha256: str, suffix: str, settings: Settings) -> str:
    """The name of the parse output of some bytes. It does not depend on where the file lies."""
    return digest("parse", PARSE_VERSION, versions(), settings.parse.model_dump(exclude={"processes"}), sha256, suffix)


def _parse(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    outputs: Outputs = {"contents": {}, "blocks": {}, "tables": {}, "findings": {}}
    trouble: dict[str, Trouble] = {}
    seconds: dict[str, float] = {}
    jobs = [Job(item.name, item.path, item.sha256) for item in items]
    for index, read, spent in read_files(jobs, settings.parse):
        key = items[index].key
        seconds[key] = spent
        if isinstance(read, UnreadableFile) and read.transient:
            trouble[key] = Trouble(read.code, read.name, str(read))
        elif isinstance(read, UnreadableFile):
            finding = Finding(read.code, read.name, Severity.ERROR, str(read))
            _put(outputs, key, Content(Kind.TEXT, "", "", failure=str(read)), findings=[finding])
        else:
            document = with_company(with_own_times(read))
            content = content_of(document)
            _put(outputs, key, content, document.blocks, document.tables, document.findings)
    return Done(outputs, trouble, seconds)


def _put(
    outputs: Outputs,
    key: str,
    content: Content,
    blocks: Sequence[Any] = (),
    tables: Sequence[Any] = (),
    findings: Sequence[Finding] = (),
) -> None:
    outputs["contents"][key] = [content]
    outputs["blocks"][key] = blocks
    outputs["tables"][key] = tables
    outputs["findings"][key] = findings


def _documents(items: Sequence[Item], lake: Lake) -> dict[str, Document]:
    """The documents of a batch by the key of the output to make."""
    places = {item.inputs["parse"].key: item.inputs["parse"].file for item in items}
    found = read_documents(lake, places)
    return {item.key: found[item.inputs["parse"].key] for item in items}


def _inputs(items: Sequence[Item], lake: Lake, stage: str, table: str, record: type[Any]) -> dict[str, tuple[Any, ...]]:
    """The records of one needed stage by the key of the output to make."""
    found = lake.read(table, record, {item.inputs[stage].key: item.inputs[stage].file for item in items})
    return {item.key: found[item.inputs[stage].key] for item in items}


def _tables(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    documents = _documents(items, lake)
    outputs: Outputs = {"cells": {}, "totals": {}}
    for item in items:
        document = documents[item.key]
        checked = totals(document)
        outputs["cells"][item.key] = cells(document, checked, item.known.fiscal_year_end)
        outputs["totals"][item.key] = checked
    return Done(outputs)


def _temporal(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    documents = _documents(items, lake)
    outputs: Outputs = {"mentions": {}, "findings": {}}
    for item in items:
        document, facts = documents[item.key], item.known
        outputs["mentions"][item.key] = mentions(document, facts.document_date, facts.fiscal_year_end)
        outputs["findings"][item.key] = date_findings(
            document.dates, PurePosixPath(facts.source).name, facts.date_claim
        )
    return Done(outputs)


def _entities(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    chosen = [item for item in items if item.known.kind in settings.entities.kinds]
    documents = _documents(chosen, lake)
    found: Mapping[str, Sequence[Entity]] = dict(zip(documents, entities_of(list(documents.values())), strict=True))
    return Done({"entities": {item.key: found.get(item.key, ()) for item in items}})


def _chunk(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    documents = _documents(items, lake)
    moments = _inputs(items, lake, "temporal", "mentions", Mention)
    names = _inputs(items, lake, "entities", "entities", Entity)
    outputs: Outputs = {"chunks": {}, "parents": {}}
    for item in items:
        document, facts = documents[item.key], item.known
        chunker = chunker_for(facts.kind, facts.chunking, settings)
        outputs["chunks"][item.key] = make_chunks(
            document,
            document_id=facts.document_id,
            title=facts.title,
            source=facts.source,
            document_date=facts.document_date,
            mentions=moments[item.key],
            entities=names[item.key],
            chunker=chunker,
            prefixed=settings.chunk.prefix,
        )
        outputs["parents"][item.key] = make_parents(document, document_id=facts.document_id, chunker=chunker)
    return Done(outputs)


def _score(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    documents = _documents(items, lake)
    chunks = _inputs(items, lake, "chunk", "chunks", Chunk)
    moments = _inputs(items, lake, "temporal", "mentions", Mention)
    checked = _inputs(items, lake, "tables", "totals", Total)
    window = embedder(settings.embed.model).window
    outputs: Outputs = {"scores": {}, "findings": {}}
    for item in items:
        facts = item.known
        subject = Subject(
            documents[item.key],
            chunks[item.key],
            moments[item.key],
            facts.date_claim,
            chunker_for(facts.kind, facts.chunking, settings).characters,
            window,
            checked=checked[item.key],
        )
        outputs["scores"][item.key], outputs["findings"][item.key] = score(subject)
    return Done(outputs)


def _embed(items: Sequence[Item], lake: Lake, settings: Settings) -> Done:
    chosen, first_only = embedder(settings.embed.model), settings.embed.tables == "first"
    chunks = _inputs(items, lake, "chunk", "chunks", Chunk)
    texts: dict[str, str] = {}
    embeddings: dict[str, Sequence[Any]] = {}
    for key, found in chunks.items():
        rows = []
        for chunk in found:
            cut = chosen.windows(chunk.prefix, chunk.text)
            for number, window in enumerate(cut[:1] if chunk.has_table and first_only else cut):
                name = vector_id(chosen.model, window)
                texts[name] = window
                rows.append(Embedding(chunk.chunk_id, number, name))
        embeddings[key] = rows
    texts.update({vector_id(chosen.model, text): text for text in _titles(items, lake)})
    known = lake.vector_ids()
    new = {name: text for name, text in texts.items() if name not in known}
    if new:
        vectors = chosen.embed(list(new.values()))
        lake.write_vectors(digest("vectors", list(new)), chosen.model, list(new), vectors)
    return Done({"embeddings": embeddings})


def _titles(items: Sequence[Item], lake: Lake) -> Iterator[str]:
    """The titles of documents whose vectors the publisher looks for."""
    places = {item.inputs["parse"].key: item.inputs["parse"].file for item in items}
    contents = lake.read("contents", Content, places, ["kind", "media_type", "attributes"])
    for item in items:
        attributes = contents[item.inputs["parse"].key][0].attributes
        yield from titles_of(item.known.kind, item.known.source, item.known.title, attributes)


def _nothing(settings: Settings, facts: Facts) -> object:
    return None


def _calendar(settings: Settings, facts: Facts) -> object:
    return facts.fiscal_year_end


def _times(settings: Settings, facts: Facts) -> object:
    name = PurePosixPath(facts.source).name
    claim = facts.date_claim
    return (claim and claim.date, claim and claim.origin, name, facts.fiscal_year_end)


def _names(settings: Settings, facts: Facts) -> object:
    return facts.kind in settings.entities.kinds


def _whole(settings: Settings, facts: Facts) -> object:
    known = (facts.document_id, facts.source, facts.title, facts.kind, facts.language, facts.document_date)
    return [known, identity(chunker_for(facts.kind, facts.chunking, settings)), settings.chunk.prefix]


def _size(settings: Settings, facts: Facts) -> object:
    chunker = chunker_for(facts.kind, facts.chunking, settings)
    return (chunker.characters, embedder(settings.embed.model).window)


def model_of(settings: Settings) -> str:
    """The identity of the model that the settings name; loads no weights."""
    return embedder(settings.embed.model).model


def _model(settings: Settings, facts: Facts) -> object:
    return (model_of(settings), settings.embed.tables)


PARSE_VERSION = 6
STAGES: tuple[Stage, ...] = (
    Stage("parse", PARSE_VERSION, (), _nothing, _parse),
    Stage("tables", 5, ("parse",), _calendar, _tables),
    Stage("temporal", 6, ("parse",), _times, _temporal),
    Stage("entities", 1, ("parse",), _names, _entities),
    Stage("chunk", 4, ("parse", "temporal", "entities"), _whole, _chunk),
    Stage("score", 5, ("parse", "tables", "temporal", "chunk"), _size, _score),
    Stage("embed", 2, ("parse", "chunk"), _model, _embed),
)
