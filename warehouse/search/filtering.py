"""Filters as one SQL predicate over documents, and the passages it allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from warehouse.records import Filters
from warehouse.store.snapshot import Snapshot


def predicate(filters: Filters) -> tuple[str, dict[str, Any]]:
    """A condition on the table `documents` and its parameters."""
    lists = {"kind": filters.kinds, "root": filters.roots, "document_id": filters.documents}
    conditions = [f"{column} IN (SELECT unnest(${column}))" for column, values in lists.items() if values]
    parameters: dict[str, Any] = {column: [str(v) for v in values] for column, values in lists.items() if values}
    if filters.since:
        conditions.append("document_date >= $since")
        parameters["since"] = filters.since
    if filters.until:
        conditions.append("document_date < $until")
        parameters["until"] = filters.until
    return " AND ".join(conditions) or "true", parameters


def allowed_rows(snapshot: Snapshot, filters: Filters) -> np.ndarray | None:
    """The passages that satisfy the filters, as a boolean mask over all; None when nothing is asked for."""
    if not filters:
        return None
    condition, parameters = predicate(filters)
    sql = f"SELECT chunk_id FROM chunks JOIN documents USING (document_id) WHERE {condition}"  # noqa: S608
    mask = np.zeros(len(snapshot.passages), dtype=np.bool_)
    mask[snapshot.passages.rows(chunk for (chunk,) in snapshot.rows(sql, parameters))] = True
    return mask
