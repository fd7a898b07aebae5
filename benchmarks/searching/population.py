"""A warehouse of any size, grown from the passages of a real one.

Each passage is two halves of real ones; its vector is the sum of theirs and of noise, normalised, so that vectors lie
as close and in such clusters as real ones do. Documents have titles, companies, names and times as ingested ones have.
Files are written as stages write them, and published as ingests are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np

from warehouse.identity import digest, make_vector_id
from warehouse.reader import Warehouse
from warehouse.records import (
    Attributes,
    CatalogEntry,
    Chunk,
    Embedding,
    Entity,
    Kind,
    Mention,
    Output,
    Root,
    Run,
    Score,
    SourceFile,
    Status,
    TimexType,
)
from warehouse.store import generations
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.publishing import publish

PASSAGES = 50
"""Passages of a document."""
BATCH = 100
"""Documents of a file of the lake."""
NOISE = 0.4
"""The length of the noise beside the unit vectors of the two halves."""
TIMES = 3
"""Times that a passage names."""
NAMES = 2
"""Names that a passage has at most."""
FIRST_DAY = date(2005, 1, 1)
DAYS = 7000
_COMPANY_NAMES = (
    "Aldermoor Brackwater Cindervale Dunmarch Eastholm Fernbeck Graywick Hollowmere Ironleigh Juniper Kestrel Larkfield"
    " Mossgate Northam Oakhurst Penhallow Quarrydale Ravensea Stonebridge Thornbury"
)
_COMPANY = _COMPANY_NAMES.split()
_BUSINESS_NAMES = (
    "Power Foods Paper Software Marine Steel Rail Textiles Optics Chemicals Timber Glass Mining Media Water Robotics"
    " Pharma Logistics Insurance Cement"
)
_BUSINESS = _BUSINESS_NAMES.split()


@dataclass(frozen=True, slots=True, eq=False)
class Seeds:
    """Real passages: their texts and unit vectors, float32, shape (passages, dimension)."""

    texts: tuple[str, ...]
    vectors: np.ndarray
    model: str


def seeds_of(warehouse: Warehouse) -> Seeds:
    """The passages of a real warehouse with the vector of their first window."""
    snapshot = warehouse.snapshot
    found = snapshot.query_records(
        'SELECT text, vector FROM chunks JOIN embeddings USING (chunk_id) WHERE "window" = 0'
    )
    vectors = np.array([row["vector"] for row in found], np.float32)
    return Seeds(tuple(row["text"] for row in found), vectors, snapshot.generation.manifest.model)


def grow(folder: Path, seeds: Seeds, passages: int) -> None:
    """Publish a warehouse of about so many passages in `folder`."""
    layout, random = Layout(folder), np.random.default_rng(7)
    folder.mkdir(parents=True)
    lake, entries = Lake(layout.lake), []
    for first in range(0, passages // PASSAGES, BATCH):
        numbers = range(first, min(first + BATCH, passages // PASSAGES))
        entries += list(_batch(lake, seeds, numbers, random))
    run = Run(1, "", datetime(2026, 1, 1, tzinfo=UTC), 1.0, "{}", seeds.model, len(entries), passages, 0, 0, 0)
    publish(layout, None, entries, {}, (Root("grown", folder),), run, seeds.vectors.shape[1])


def add(folder: Path, seeds: Seeds) -> None:
    """Publish one document more."""
    layout, previous = Layout(folder), generations.read_current(Layout(folder))
    before, number = previous.read_entries(), previous.manifest.number + 1
    random = np.random.default_rng(number)
    entries = [*before, *_batch(Lake(layout.lake), seeds, range(len(before), len(before) + 1), random)]
    run = replace(previous.read_runs()[-1], generation=number, documents=len(entries), published=None)
    publish(layout, previous, entries, previous.read_findings(), previous.manifest.roots, run, seeds.vectors.shape[1])


def _batch(lake: Lake, seeds: Seeds, numbers: range, random: np.random.Generator) -> Iterator[CatalogEntry]:
    name = f"b{numbers.start:06}"
    chunks: dict[str, list[Chunk]] = {}
    embeddings: dict[str, list[Embedding]] = {}
    vectors = []
    for number in numbers:
        halves = random.integers(len(seeds.texts), size=(PASSAGES, 2))
        key = f"d{number:06}"
        chunks[key] = _chunks(seeds, digest(key), halves)
        vectors.append(_vectors(seeds, halves, random))
        embeddings[key] = [Embedding(c.chunk_id, 0, make_vector_id(seeds.model, c.chunk_id)) for c in chunks[key]]
    ids = [each.vector_id for found in embeddings.values() for each in found]
    lake.write_vectors(name, seeds.model, ids, np.concatenate(vectors))
    lake.write("chunks", name, chunks)
    lake.write("embeddings", name, embeddings)
    lake.write("scores", name, {k: [Score(c.chunk_id, random.random()) for c in found] for k, found in chunks.items()})
    lake.write("mentions", name, {key: _mentions(found, random) for key, found in chunks.items()})
    lake.write("entities", name, {key: [each for c in found for each in _entities(c)] for key, found in chunks.items()})
    for table in ("parents", "findings"):
        lake.write(table, name, {})
    titles = {number: _title(chunks[f"d{number:06}"][0].text, number) for number in numbers}
    held = [make_vector_id(seeds.model, title) for title in titles.values()]
    of_titles = seeds.vectors[random.integers(len(seeds.texts), size=len(held))]
    lake.write_vectors(f"{name}-titles", seeds.model, held, of_titles)
    yield from (_holding(number, f"d{number:06}", name, titles[number]) for number in numbers)


_WORD = re.compile(r"[A-Za-z]{3,}")
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})?")


def _title(text: str, number: int) -> str:
    """Some words of a passage; every document has another."""
    return f"{' '.join(_WORD.findall(text)[:5]).capitalize()} {number}"


def _entities(chunk: Chunk) -> list[Entity]:
    found = list(_NAME.finditer(chunk.text))[:NAMES]
    return [
        Entity(chunk.start + each.start(), chunk.start + each.end(), each[0], "PERSON", each[0].lower())
        for each in found
    ]


def _chunks(seeds: Seeds, document_id: str, halves: np.ndarray) -> list[Chunk]:
    found, start = [], 0
    for index, (one, other) in enumerate(halves):
        first, second = seeds.texts[one], seeds.texts[other]
        text = first[: len(first) // 2] + second[len(second) // 2 :]
        chunk = Chunk(
            chunk_id=digest(document_id, index),
            document_id=document_id,
            chunk_index=index,
            start=start,
            end=start + len(text),
            text=text,
            prefix="",
            chunker="grown",
            section=(f"Part {index // 10}", f"Section {index}"),
            page=1 + index // 3,
            page_chunk_index=index % 3,
            size=len(text),
            word_count=text.count(" ") + 1,
            sentence_count=text.count(". ") + 1,
            has_table=index % 5 == 0,
            table_count=int(index % 5 == 0),
            has_complete_table=index % 5 == 0,
        )
        found.append(chunk)
        start += len(text) + 2
    return found


def _vectors(seeds: Seeds, halves: np.ndarray, random: np.random.Generator) -> np.ndarray:
    width = seeds.vectors.shape[1]
    noise = random.normal(scale=NOISE / width**0.5, size=(len(halves), width))
    summed = seeds.vectors[halves[:, 0]] + seeds.vectors[halves[:, 1]] + noise
    return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True), np.float32)


def _mentions(chunks: list[Chunk], random: np.random.Generator) -> list[Mention]:
    found = []
    for chunk in chunks:
        for time in range(TIMES):
            start = FIRST_DAY + timedelta(int(random.integers(DAYS)))
            end = start + timedelta(int(random.choice([1, 31, 91, 365])))
            at = chunk.start + 10 * time
            found.append(Mention(at, at + 4, "then", TimexType.DATE, str(start), start, end, None))
    return found


def _holding(number: int, key: str, name: str, title: str) -> CatalogEntry:
    kind = tuple(Kind)[number % len(Kind)]
    company = f"{_COMPANY[number % 20]} {_BUSINESS[number // 20 % 20]} Inc." if kind is Kind.REPORT else ""
    path = f"{number % 10}/{number}.txt"
    stages = ("chunk", "score", "temporal", "embed", "entities")
    return CatalogEntry(
        document_id=digest(key),
        file=SourceFile(f"grown/{path}", "grown", path, key, 1, 0),
        status=Status.PUBLISHED,
        kind=kind,
        title=title,
        language="en",
        document_date=FIRST_DAY + timedelta(number * 37 % DAYS),
        attributes=Attributes(topic=f"topic {number % 7}", tags=(f"tag{number % 1000}",), company=company),
        chunk_count=PASSAGES,
        outputs=tuple(Output(stage, key, name) for stage in stages),
    )
