"""The documents that an answer about companies may stand on: no other company's enter it."""

from __future__ import annotations

from dataclasses import replace

from tasks.ask.literal_terms import plain_words, subjects_left
from tasks.ask.subjects import subjects_in
from warehouse.reader import Warehouse
from warehouse.records import SearchRequest


def without_other_companies(warehouse: Warehouse, wanted: SearchRequest) -> SearchRequest:
    """A question that names companies, limited to their documents and to those of no company; others as they are.

    A comparison names all that it compares. Documents that the person demands stay as they are.
    """
    if wanted.filters.documents or not wanted.ranking.names:
        return wanted
    catalogue = warehouse.catalogue
    subjects = subjects_left(subjects_in(wanted.text, catalogue, lambda said: {}), plain_words(wanted))
    own = {document for subject in subjects for document in subject.documents}
    if not any(document in catalogue.owners for document in own):
        return wanted
    named = {catalogue.owners[document] for document in own if document in catalogue.owners}
    allowed = tuple(
        document
        for document in catalogue.documents
        if document in own or catalogue.owners.get(document, "") in {"", *named}
    )
    if len(allowed) == len(catalogue.documents):
        return wanted
    return replace(wanted, filters=replace(wanted.filters, documents=allowed))
