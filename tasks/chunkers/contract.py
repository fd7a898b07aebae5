"""What a chunker is: settings, and a function from a document to the spans of its chunks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tasks.chunkers.rulers import Ruler, ruler_of
from warehouse.errors import BadInput
from warehouse.records import Document
from warehouse.registry import Family

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunker(ABC):
    """A frozen dataclass whose fields are its settings. `name` is its module's; a new `version` means new spans.

    `size` is the target of a chunk, in tokens of the embedder that `tokens_of` names, else in characters. Sizes that
    contradict raise `BadInput`.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    lengths: ClassVar[tuple[str, ...]] = ("size",)

    size: int = 1000
    tokens_of: str = ""

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadInput(f"chunks of {self.size} {self.unit} cannot be made", "give a size above 0")

    @abstractmethod
    def spans(self, document: Document) -> tuple[Span, ...]:
        """Half-open character spans of `document.text`, one a chunk; the same document gives the same spans.

        They are in the order of their ends. Every character that is neither white space nor in a FURNITURE block lies
        in at least one. None begins or ends with white space, cuts a table, holds furniture or crosses from one lesson
        to another. Only tables and the abstracts of papers may exceed `bound`.
        """

    def parents(self, document: Document) -> tuple[Span, ...]:
        """Spans of larger passages, apart and in order, each of which holds whole chunks; none by default."""
        return ()

    def sized(self, size: int | None, overlap: int | None) -> Self:
        """The same chunker with the sizes given; raises `BadInput` for an overlap it does not have."""
        if overlap:
            raise BadInput(f"{self.name} chunks do not overlap", "leave the overlap out, or make it 0")
        return self if size is None else replace(self, size=size)

    def counting(self, tokens_of: str) -> Self:
        """The same chunker with its lengths in tokens of an embedder, else in characters, four of them a token."""
        if bool(tokens_of) == bool(self.tokens_of):
            return replace(self, tokens_of=tokens_of)
        lengths = {name: getattr(self, name) for name in self.lengths}
        scaled = {name: length // 4 if tokens_of else length * 4 for name, length in lengths.items()}
        return replace(self, tokens_of=tokens_of, **scaled)

    @property
    def bound(self) -> int:
        """The most that a chunk may measure."""
        return self.size

    @property
    def embedders(self) -> tuple[str, ...]:
        """The names of the embedders that the spans depend on."""
        return (self.tokens_of,) if self.tokens_of else ()

    @property
    def unit(self) -> str:
        """What sizes count, in the plural."""
        return "tokens" if self.tokens_of else "characters"

    @property
    def characters(self) -> int:
        """The target in characters; a token is taken for four, as is usual for English."""
        return self.size * (4 if self.tokens_of else 1)

    def ruler(self, document: Document) -> Ruler:
        """Measures the document as the sizes count."""
        return ruler_of(document.text, self.tokens_of)


@dataclass(frozen=True, slots=True)
class Overlapping(Chunker):
    """A chunker whose chunks may share up to `overlap` with the one before."""

    lengths: ClassVar[tuple[str, ...]] = ("size", "overlap")

    overlap: int = 0

    def __post_init__(self) -> None:
        Chunker.__post_init__(self)
        if not 0 <= self.overlap < self.size:
            raise BadInput(
                f"chunks of {self.size} {self.unit} cannot overlap by {self.overlap}",
                "give a size above the overlap, and no overlap below 0",
            )

    def sized(self, size: int | None, overlap: int | None) -> Self:
        """The same chunker with the sizes given; an overlap that is not given gives way to a smaller size."""
        chosen = self.size if size is None else size
        return replace(self, size=chosen, overlap=min(self.overlap, chosen // 4) if overlap is None else overlap)


CHUNKERS = Family[Chunker]("tasks.chunkers", "chunker")
