"""From hits of a warehouse to answers of an exam: documents by their names in it, pages and places."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from flows.corpora import named
from tasks.evaluate.answers import Answer, Place
from tasks.evaluate.contract import Dataset
from warehouse.reader import Warehouse
from warehouse.records import Hit

_CHUNKS = 'SELECT document_id, chunk_index, start, "end" FROM chunks'


class AnswerMapper:
    """What hits show, in the words of an exam."""

    def __init__(self, warehouse: Warehouse, exam: Dataset) -> None:
        """The warehouse holds the exam's corpus; a document that is not of it goes by its id."""
        known = named(warehouse, exam)
        ids = (entry.document_id for entry in warehouse.documents())
        self.names = {each: known.get(each, f"?{each}") for each in ids}
        self._warehouse = warehouse
        self._pages: dict[tuple[str, int, int], tuple[int, ...]] = {}

    def documents(self, hits: Iterable[Hit]) -> list[Answer]:
        """The documents of the hits, each with those of the passages that say the same."""
        ids = (each for hit in hits for each in (hit.document_id, *(copy.document_id for copy in hit.duplicates)))
        return [Answer(self.names[each]) for each in ids]

    def passages(self, hits: Iterable[Hit]) -> list[Answer]:
        """The passages of the hits, their pages and places."""
        return [self._passage(hit) for hit in hits]

    def _passage(self, hit: Hit) -> Answer:
        document = self.names[hit.document_id]
        copies = (self._chunks[copy.document_id, copy.chunk_index] for copy in hit.duplicates)
        return Answer(
            document,
            self._pages_of(hit),
            hit.text,
            (Place(document, hit.start, hit.end), *copies),
            Place(document, *hit.excerpt) if hit.excerpt else None,
        )

    @cached_property
    def _chunks(self) -> dict[tuple[str, int], Place]:
        """Where each chunk stands, by its document's id and its number there."""
        rows = self._warehouse.snapshot.rows(_CHUNKS)
        return {(document, index): Place(self.names[document], start, end) for document, index, start, end in rows}

    def _pages_of(self, hit: Hit) -> tuple[int, ...]:
        """The pages of a passage in order."""
        place = (hit.document_id, hit.start, hit.end)
        if place not in self._pages:
            self._pages[place] = tuple(sorted({line.page for line in self._warehouse.lines(*place)}))
        return self._pages[place]
