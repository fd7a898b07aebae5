"""What a chunker is: settings and one function from a document to the spans of its chunks."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

from warehouse.records import Document
from warehouse.registry import Family

Span = tuple[int, int]


@runtime_checkable
class Chunker(Protocol):
    """A frozen dataclass whose fields are its settings. `name` is its module's; a new `version` means new spans.

    `spans` gives half-open character spans of `document.text` in the order of their ends, such that every character
    that is neither white space nor in a FURNITURE block lies in at least one; no span begins or ends with white space,
    cuts a table, holds furniture or crosses from one lesson to another. `size` is the target in characters; only
    tables and the abstracts of papers may exceed it.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]
    version: ClassVar[int]

    @property
    def size(self) -> int:
        """The target size of a chunk in characters."""

    def spans(self, document: Document) -> tuple[Span, ...]:
        """The chunks of a document; the same document gives the same spans."""


CHUNKERS = Family[Chunker]("tasks.chunkers", "chunker")
