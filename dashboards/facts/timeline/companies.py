"""The companies whose documents there are, each once, however its documents write its name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from warehouse.reader import Warehouse
from warehouse.search.called import company_key

_WRITTEN = """
    SELECT company AS name, list(document_id ORDER BY source) AS documents,
        list_sort(list_distinct(flatten(list(coalesce(attributes.symbols, []))))) AS symbols
    FROM documents WHERE company <> '' GROUP BY company ORDER BY company
"""
_LEAST_CAPITALS = 5
"""Letters from which on a name in capitals alone is how a form writes it; of fewer it may be the name: IBM."""


@dataclass(frozen=True, slots=True)
class Company:
    """A company by the plainest name that its documents give it, all those names, and its documents (ids)."""

    name: str
    written: tuple[str, ...]
    documents: tuple[str, ...]


def companies(warehouse: Warehouse) -> list[Company]:
    """By name: "INTEL CORP", "Intel Corporation" and "Intel" are one; so are names with the same stock symbol."""
    rows = warehouse.snapshot.records(_WRITTEN)
    groups = _joined([company_key(row["name"]), *(f"({each})" for each in row["symbols"])] for row in rows)
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for group, row in zip(groups, rows, strict=True):
        written[group][row["name"]] = len(row["documents"])
        documents[group] += row["documents"]
    found = (
        Company(plainest(names), tuple(sorted(names)), tuple(documents[group])) for group, names in written.items()
    )
    return sorted(found, key=lambda company: company.name.casefold())


def plainest(names: Iterable[str]) -> str:
    """Of some names of a company the shortest, capitals alone last: "Intel" of "INTEL CORP" and "Intel Corporation"."""
    return min(names, key=lambda name: (_is_shouted(name), len(name), name))


def _is_shouted(name: str) -> bool:
    return name.isupper() and sum(map(str.isalpha, name)) >= _LEAST_CAPITALS


def _joined(marks: Iterable[list[str]]) -> list[str]:
    """Of lists of marks that share one, directly or through others, the same mark for each."""
    leads: dict[str, str] = {}

    def lead(mark: str) -> str:
        while leads.setdefault(mark, mark) != mark:
            leads[mark] = leads[leads[mark]]
            mark = leads[mark]
        return mark

    firsts = []
    for first, *others in marks:
        firsts.append(first)
        for other in others:
            leads[lead(other)] = lead(first)
    return [lead(each) for each in firsts]
