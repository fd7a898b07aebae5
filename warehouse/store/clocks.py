"""Which time a document is of, in columns: when it was published and which period it reports, in days since 1970."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from warehouse.store.catalog import script
from warehouse.store.columns import fetched, known

UNKNOWN = np.iinfo(np.int32).min
"""A day that nobody knows."""


@dataclass(frozen=True, eq=False)
class Clocks:
    """A row a document, in the order of `Passages.documents`.

    `published` is the document's date, `reported_start` and `reported_end` its reported period, half-open; `UNKNOWN`
    where it has none. `first_month` is the month, 1 to 12, in which its fiscal years begin, 0 if unknown; `early` says
    that they are named by the year that they begin in.
    """

    published: np.ndarray
    reported_start: np.ndarray
    reported_end: np.ndarray
    first_month: np.ndarray
    early: np.ndarray


def clocks_of(connection: Any) -> Clocks:
    """The columns; the table `passages` must be there."""
    found = fetched(connection, script("clocks.sql"))
    return Clocks(
        published=known(found["published"], UNKNOWN),
        reported_start=known(found["reported_start"], UNKNOWN),
        reported_end=known(found["reported_end"], UNKNOWN),
        first_month=known(found["first_month"], 0),
        early=known(found["early"], 0).astype(np.bool_),
    )
