"""The texts of a warehouse for an exam, whose documents have names of their own."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.evaluate.locating import Span
from warehouse.reader import Warehouse

_PAGES = """
    SELECT page, min(start), max("end") FROM blocks
    WHERE document_id = $id AND page IS NOT NULL GROUP BY page
"""


class DatasetTexts:
    """See `tasks.evaluate.grounding.Texts`."""

    def __init__(self, warehouse: Warehouse, names: Mapping[str, str]) -> None:
        """`names` are those of the documents in the exam, by their ids."""
        self._warehouse = warehouse
        self._ids = {name: document_id for document_id, name in names.items()}

    def text(self, document: str) -> str:
        """The canonical text, empty where the warehouse has no such document."""
        return self._warehouse.text(self._ids.get(document, ""))

    def pages(self, document: str) -> Mapping[int, Span]:
        """The span of each page that something stands on."""
        rows = self._warehouse.snapshot.rows(_PAGES, {"id": self._ids.get(document, "")})
        return {page: (start, end) for page, start, end in rows}
