"""From DuckDB into columns: what is asked of every passage, time and name at every search.

Columns are fetched as numpy's: Arrow's way there loads pandas, which takes longer than all else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from warehouse.store.catalog import script
from warehouse.store.passages import Passages
from warehouse.store.spans import FAR_OFF, LONG_AGO, Mentions, Names

Columns = dict[str, np.ndarray]


def fetched(connection: Any, sql: str) -> Columns:
    """The columns of a query; one with nulls is masked."""
    found: Columns = connection.sql(sql).fetchnumpy()
    return found


def filled_column(column: np.ndarray, missing: int) -> np.ndarray:
    """A column with a number in the place of its nulls."""
    return np.asarray(np.ma.filled(column, missing))


def passages_of(connection: Any) -> Passages:
    """Makes the table `passages` in the connection, and its columns."""
    connection.execute(script("passages.sql"))
    found = fetched(
        connection, 'SELECT chunk_id, document_id, start, "end", quality, is_references FROM passages ORDER BY rowid'
    )
    documents = found["document_id"]
    first = np.ones(len(documents), dtype=np.bool_)
    first[1:] = documents[1:] != documents[:-1]
    return Passages(
        ids=found["chunk_id"],
        documents=tuple(documents[first].tolist()),
        document=np.cumsum(first) - 1,
        start=found["start"],
        end=found["end"],
        quality=found["quality"],
        is_references=np.asarray(found["is_references"], np.bool_),
    )


def mentions_of(connection: Any) -> Mentions:
    """The times; the table `passages` must be there."""
    found = fetched(connection, script("mentions.sql"))
    return Mentions(
        **_places(found),
        start_date=filled_column(found["start_date"], LONG_AGO),
        end_date=filled_column(found["end_date"], FAR_OFF),
        other_start=filled_column(found["other_start"], 0),
        other_end=filled_column(found["other_end"], 0),
    )


def names_of(connection: Any) -> Names:
    """The names; the table `passages` must be there."""
    found = fetched(connection, script("names.sql"))
    names, name = np.unique(found["name"], return_inverse=True)
    labels, label = np.unique(found["label"], return_inverse=True)
    return Names(**_places(found), name=name, label=label, names=names.tolist(), labels=labels.tolist())


def _places(found: Columns) -> Columns:
    return {column: found[column] for column in ("document", "start", "end")}
