"""Documents that somebody means, by what they say of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from warehouse.errors import BadInput
from warehouse.records import CatalogEntry


def matching_documents(
    entries: Sequence[CatalogEntry], said: Sequence[str], companies: Sequence[str]
) -> tuple[str, ...]:
    """The ids of the documents named and of these companies; none where neither is said.

    A document is named by its source, its id, or words of its title and source. Raises `BadInput` for one that there
    is not, and where no document named is of the companies.
    """
    if not said and not companies:
        return ()
    named = {found for each in said for found in _named(entries, each)} if said else _ids(entries)
    wanted = {company.casefold() for company in companies}
    owned = {h.document_id for h in entries if h.attributes.company.casefold() in wanted} if wanted else named
    both = named & owned
    if not both:
        told = " or ".join(companies)
        raise BadInput(f"no document{' of those' if said else ''} is of {told}", "take one of the two filters away")
    return tuple(sorted(both))


def _ids(entries: Iterable[CatalogEntry]) -> set[str]:
    return {entry.document_id for entry in entries}


def _named(entries: Iterable[CatalogEntry], said: str) -> Iterator[str]:
    words = said.casefold().split()
    exact, near = list[str](), list[str]()
    for entry in entries:
        if said in {entry.document_id, entry.file.source}:
            exact.append(entry.document_id)
        elif words and all(word in f"{entry.title}\n{entry.file.source}".casefold() for word in words):
            near.append(entry.document_id)
    if not exact and not near:
        raise BadInput(f"there is no document '{said}'", "choose one of the list, or words of its title")
    yield from exact or near
