"""The vectors of what documents are called, by which a question finds one whose title it says in other words.

They lie in the lake as all vectors do, named by model and exact text, so that none is made twice; a generation holds
those of its own documents beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import pyarrow as pa

from warehouse.identity import vector_id
from warehouse.records import Attributes, Holding, Kind
from warehouse.store import exact
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
    lake: Lake, previous: Path | None, partial: Path, holdings: Sequence[Holding], model: str, dimension: int
) -> None:
    """Write those of some documents that were made, into a generation's folder.

    Only those that the folder `previous`, of a generation of the same model, does not hold are read from the lake.
    """
    rows = [(holding.document_id, vector_id(model, text)) for holding in holdings for text in _texts(holding)]
    held = _held(previous, dimension)
    new = sorted({name for _, name in rows} - held.keys())
    made = lake.vector_ids() if new else {}
    missing = [name for name in new if name in made]
    held.update(zip(missing, lake.vectors(missing, dimension) if missing else (), strict=True))
    known = [(document, name) for document, name in rows if name in held]
    matrix = np.array([held[name] for _, name in known], np.float32).reshape(-1, dimension)
    flat = pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1), pa.float32()), dimension)
    columns = [pa.array([row[place] for row in known], pa.string()) for place in (0, 1)]
    schema = pa.schema([("document_id", pa.string()), *(vector_schema(dimension).field(n) for n in _OF_VECTOR)])
    write_parquet(partial / FILE, pa.table([*columns, flat], schema=schema))


_OF_VECTOR = ("vector_id", "vector")


def read(folder: Path, dimension: int) -> Titles:
    """Those of the generation in a folder; none where an older program made it. Raises `BadWarehouse`."""
    if not (folder / FILE).exists():
        return Titles(np.empty(0, np.object_), np.empty((0, dimension), np.float32))
    table = read_parquet(folder / FILE)
    return Titles(np.array(table["document_id"].to_pylist(), np.object_), _matrix(table, dimension))


def _texts(holding: Holding) -> Iterator[str]:
    yield from titles_of(holding.kind, holding.file.source, holding.title, holding.attributes)


def _held(folder: Path | None, dimension: int) -> dict[str, np.ndarray]:
    if folder is None or not is_whole(folder / FILE):
        return {}
    table = read_parquet(folder / FILE)
    return dict(zip(table["vector_id"].to_pylist(), _matrix(table, dimension), strict=True))


def _matrix(table: pa.Table, dimension: int) -> np.ndarray:
    found: np.ndarray = table["vector"].combine_chunks().flatten().to_numpy().reshape(-1, dimension)
    return found
