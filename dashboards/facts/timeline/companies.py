"""The companies whose documents there are, each once, however its documents write its name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from warehouse.reader import Warehouse
from warehouse.search.called import company_key

_WRITTEN = """
    SELECT company AS name, list(document_id ORDER BY source) AS documents FROM documents
    WHERE company <> '' GROUP BY company ORDER BY company
"""


@dataclass(frozen=True, slots=True)
class Company:
    """A company by the shortest name that its documents give it, all those names, and its documents (ids)."""

    name: str
    written: tuple[str, ...]
    documents: tuple[str, ...]


def companies(warehouse: Warehouse) -> list[Company]:
    """By name: "AMCOR PLC" and "Amcor" are one."""
    written: defaultdict[str, list[str]] = defaultdict(list)
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for row in warehouse.snapshot.records(_WRITTEN):
        name = row["name"]
        key = company_key(name)
        written[key].append(name)
        documents[key] += row["documents"]
    found = (
        Company(min(names, key=lambda name: (len(name), name)), tuple(names), tuple(documents[key]))
        for key, names in written.items()
    )
    return sorted(found, key=lambda company: company.name.casefold())
