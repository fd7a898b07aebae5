"""Documents as a model names them: by source, id, file name, title, company or symbol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from dashboards.tooling.budget import said
from warehouse.errors import BadInput
from warehouse.reader import Warehouse
from warehouse.records import Holding
from warehouse.search.called import squeezed, tokens

NEAR = 70
"""The least likeness, of 100 by rapidfuzz, of a name that is offered in place of one that there is not."""
SHOWN = 6


def document_named(warehouse: Warehouse, name: str) -> Holding:
    """The one document of a name. Raises `BadInput` where there is none, with the nearest, or several, with each."""
    found = documents_named(warehouse, [name])
    if len(found) > 1:
        sources = [holding.file.source for holding in warehouse.snapshot.holdings(found).values()]
        raise BadInput(f"'{said(name)}' names {len(found)} documents", f"name one by its source: {_listed(sources)}")
    return warehouse.snapshot.holdings(found)[found[0]]


def documents_named(warehouse: Warehouse, names: Iterable[str]) -> tuple[str, ...]:
    """The ids of the documents of some names, a company naming all of its own. Raises `BadInput` as above."""
    return tuple(dict.fromkeys(each for name in names for each in _named(warehouse, name)))


def _named(warehouse: Warehouse, name: str) -> tuple[str, ...]:
    exact = warehouse.document_id(name.strip())
    if exact:
        return (exact,)
    catalogue, key = warehouse.catalogue, squeezed(tokens(name))
    stem = PurePosixPath(name.strip()).stem.casefold()
    by_file = tuple(each.document_id for each in catalogue.documents.values() if each.stem.casefold() == stem)
    entry = catalogue.entry(key)
    found = by_file or (entry.documents if entry else ())
    if not found and len(key) > 2:
        found = tuple(each.document_id for each in catalogue.documents.values() if key in squeezed(tokens(each.title)))
    if not found:
        raise BadInput(f"there is no document '{said(name)}'", _nearest(warehouse, name))
    return found


def _nearest(warehouse: Warehouse, name: str) -> str:
    from rapidfuzz import fuzz, process

    called = {row[0]: f"{row[1]} {row[2]} {row[0]}" for row in warehouse.snapshot.rows(_NAMES)}
    near = process.extract(
        name, called, scorer=fuzz.partial_ratio, processor=str.casefold, score_cutoff=NEAR, limit=SHOWN
    )
    sources = [source for _, _, source in near]
    return f"did you mean {_listed(sources)}?" if sources else "list_documents shows what there is"


_NAMES = "SELECT source, title, company FROM documents ORDER BY source"


def _listed(sources: list[str]) -> str:
    more = f", … ({len(sources) - SHOWN} more)" if len(sources) > SHOWN else ""
    return ", ".join(sources[:SHOWN]) + more
