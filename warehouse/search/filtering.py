"""Filters as one SQL predicate over documents, and the chunks it allows."""

from __future__ import annotations

from typing import Any

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


def allowed_chunks(snapshot: Snapshot, filters: Filters) -> set[str] | None:
    """The ids of the chunks that satisfy the filters; None when nothing is asked for."""
    if not filters:
        return None
    condition, parameters = predicate(filters)
    sql = f"SELECT chunk_id FROM chunks JOIN documents USING (document_id) WHERE {condition}"  # noqa: S608
    return {chunk for (chunk,) in snapshot.rows(sql, parameters)}
