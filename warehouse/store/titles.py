"""The vectors of what documents are called, by which a question finds one whose title it says in other words.

They lie in the lake as all vectors do, named by model and exact text, so that none is made twice; a generation holds
those of its own documents beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import pyarrow as pa

from warehouse.identity import vector_id
from warehouse.records import Attributes, Holding, Kind
from warehouse.store import exact
from warehouse.store.generations import Generation
from warehouse.store.lake import Lake, vector_schema
from warehouse.store.parquet import is_whole, read_parquet, write_parquet

FILE = "titles.parquet"
LONGEST = 200
"""Characters of a title that are embedded: they fit every model's window."""
_TOLD = frozenset({Kind.PAPER, Kind.COURSE, Kind.NOTE, Kind.REPORT})
"""Kinds of documents that people speak of by what they are about: the paper on, the course about, my note on."""


@dataclass(frozen=True, slots=True, eq=False)
class Titles:
    """`vectors[i]`, of unit length, is that of a title of `documents[i]`, an id; a document may have several."""

    documents: np.ndarray
    vectors: np.ndarray

    def near(self, vector: np.ndarray) -> dict[str, float]:
        """The cosine of each document's nearest title with a unit vector."""
        best: dict[str, float] = {}
        cosines = exact.products(self.vectors, vector).tolist()
        for document, cosine in zip(self.documents.tolist(), cosines, strict=True):
            best[document] = max(cosine, best.get(document, -1.0))
        return best


def titles_of(kind: Kind, source: str, title: str, attributes: Attributes) -> tuple[str, ...]:
    """The texts whose vectors stand for a document: its title, its aliases, the titles of a course's lessons.

    A note is called as its file is, too.
    """
    if kind not in _TOLD:
        return ()
    stem = PurePosixPath(source).stem if kind is Kind.NOTE else ""
    whole = (title, stem, *attributes.aliases, *(lesson.title for lesson in attributes.lessons))
    return tuple(dict.fromkeys(text[:LONGEST] for text in map(str.strip, whole) if text))


def publish(
    lake: Lake, previous: Generation | None, partial: Path, holdings: Sequence[Holding], model: str, dimension: int
) -> None:
    """Write those of some documents that were made, into a generation's folder.

    Those of documents that are as they were in `previous`, a generation of the same model, are taken from there.
    """
    held = _held(previous, dimension)
    before = {holding.document_id: holding for holding in previous.holdings()} if previous and held else {}
    changed = [holding for holding in holdings if before.get(holding.document_id) != holding]
    staying = {holding.document_id for holding in holdings}.difference(holding.document_id for holding in changed)
    made = _made(lake, changed, model, dimension)
    write_parquet(partial / FILE, (held.of(staying) + made if held else made).table(dimension))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Each a document, the name of the vector of one of its titles, and that vector."""

    documents: list[str]
    names: list[str]
    vectors: np.ndarray

    def __add__(self, other: _Rows) -> _Rows:
        vectors = np.concatenate([self.vectors, other.vectors])
        return _Rows(self.documents + other.documents, self.names + other.names, vectors)

    def of(self, documents: Set[str]) -> _Rows:
        places = [place for place, document in enumerate(self.documents) if document in documents]
        rows = [self.documents[place] for place in places], [self.names[place] for place in places]
        return _Rows(*rows, self.vectors[places])

    def table(self, dimension: int) -> pa.Table:
        flat = pa.FixedSizeListArray.from_arrays(pa.array(self.vectors.reshape(-1), pa.float32()), dimension)
        columns = [pa.array(self.documents, pa.string()), pa.array(self.names, pa.string()), flat]
        fields = (vector_schema(dimension).field(name) for name in ("vector_id", "vector"))
        return pa.table(columns, schema=pa.schema([("document_id", pa.string()), *fields]))


def _made(lake: Lake, holdings: Sequence[Holding], model: str, dimension: int) -> _Rows:
    rows = [(holding.document_id, vector_id(model, text)) for holding in holdings for text in _texts(holding)]
    there = lake.vector_ids() if rows else {}
    known = [(document, name) for document, name in rows if name in there]
    names = sorted({name for _, name in known})
    place = {name: row for row, name in enumerate(names)}
    matrix = lake.vectors(names, dimension) if names else np.empty((0, dimension), np.float32)
    vectors = matrix[[place[name] for _, name in known]]
    return _Rows([document for document, _ in known], [name for _, name in known], vectors)


def _held(generation: Generation | None, dimension: int) -> _Rows | None:
    if generation is None or not is_whole(generation.folder / FILE):
        return None
    table = read_parquet(generation.folder / FILE)
    return _Rows(table["document_id"].to_pylist(), table["vector_id"].to_pylist(), _matrix(table, dimension))


def read(folder: Path, dimension: int) -> Titles:
    """Those of the generation in a folder; none where an older program made it. Raises `BadWarehouse`."""
    if not (folder / FILE).exists():
        return Titles(np.empty(0, np.object_), np.empty((0, dimension), np.float32))
    table = read_parquet(folder / FILE)
    return Titles(np.array(table["document_id"].to_pylist(), np.object_), _matrix(table, dimension))


def _texts(holding: Holding) -> Iterator[str]:
    yield from titles_of(holding.kind, holding.file.source, holding.title, holding.attributes)


def _matrix(table: pa.Table, dimension: int) -> np.ndarray:
    found: np.ndarray = table["vector"].combine_chunks().flatten().to_numpy().reshape(-1, dimension)
    return found
