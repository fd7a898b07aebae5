"""Chunkers: their settings and guarantees, the rulers that measure sizes, and the choice of one for a document."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import ClassVar, Self

from tasks.embedders.embedder import open_embedder
from warehouse.errors import BadInput
from warehouse.records import Chunking, Document, Kind
from warehouse.registry import Family
from warehouse.settings.loader import Settings

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunker(ABC):
    """A frozen dataclass whose fields are its settings. `name` is its module's; a new `version` means new spans.

    `size` is the target of a chunk, in tokens of the embedder that `tokens_of` names, else in characters. Sizes that
    contradict raise `BadInput`.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 2
    lengths: ClassVar[tuple[str, ...]] = ("size",)

    size: int = 1000
    tokens_of: str = ""

    def __post_init__(self) -> None:
        if self.size < 1:
            raise BadInput(f"chunks of {self.size} {self.unit} cannot be made", "give a size above 0")

    @abstractmethod
    def spans(self, document: Document) -> tuple[Span, ...]:
        """Half-open character spans of `document.text`, one per chunk; the same document gives the same spans.

        They are in the order of their ends. Every character that is neither white space nor in a FURNITURE block is
        in at least one. None begins or ends with white space, has furniture or crosses from one lesson or dated entry
        to another. None cuts a table, except for long lists of records, which are cut between rows into passages of
        rows only, the first one with the headings above it (`tasks.chunkers.parts.long_tables`). Only other tables,
        single rows and the abstracts of papers may exceed `max_size`.
        """

    def parents(self, document: Document) -> tuple[Span, ...]:
        """Spans of larger passages, in order and without overlap, each of whole chunks; none by default."""
        return ()

    def with_sizes(self, size: int | None, overlap: int | None) -> Self:
        """The same chunker with the sizes given; raises `BadInput` for an overlap it does not have."""
        if overlap:
            raise BadInput(f"{self.name} chunks do not overlap", "leave the overlap out, or make it 0")
        return self if size is None else replace(self, size=size)

    def with_tokens_of(self, tokens_of: str) -> Self:
        """The same chunker with its lengths in tokens of an embedder, else in characters, four per token."""
        if bool(tokens_of) == bool(self.tokens_of):
            return replace(self, tokens_of=tokens_of)
        lengths = {name: getattr(self, name) for name in self.lengths}
        new_lengths = {name: length // 4 if tokens_of else length * 4 for name, length in lengths.items()}
        return replace(self, tokens_of=tokens_of, **new_lengths)

    def with_model(self, model: str) -> Self:
        """The same chunker with the embedder of this name, if it compares texts by their vectors."""
        return self

    @property
    def max_size(self) -> int:
        """The most that a chunk may measure."""
        return self.size

    @property
    def embedders(self) -> tuple[str, ...]:
        """The names of the embedders that the spans depend on."""
        return (self.tokens_of,) if self.tokens_of else ()

    @property
    def unit(self) -> str:
        """The unit of sizes, in the plural."""
        return "tokens" if self.tokens_of else "characters"

    @property
    def characters(self) -> int:
        """The target in characters; a token counts as four, as is usual for English."""
        return self.size * (4 if self.tokens_of else 1)

    def make_ruler(self, document: Document) -> Ruler:
        """A ruler for the document in the unit of the sizes; the tokens of a word are taken to be of equal width.

        Weights of the embedder are not read. Raises `BadInput` for a name that no embedder has.
        """
        if not self.tokens_of:
            return Ruler(range(len(document.text)), len(document.text))
        starts: list[int] = []
        for word in open_embedder(self.tokens_of).split_words(document.text):
            width = word.end - word.start
            starts += (word.start + width * number // word.tokens for number in range(word.tokens))
        return Ruler(starts, len(document.text))


@dataclass(frozen=True, slots=True)
class OverlappingChunker(Chunker):
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

    def with_sizes(self, size: int | None, overlap: int | None) -> Self:
        """The same chunker with the sizes given; an overlap that is not given is reduced for a smaller size."""
        new_size = self.size if size is None else size
        return replace(self, size=new_size, overlap=min(self.overlap, new_size // 4) if overlap is None else overlap)


CHUNKERS = Family[Chunker]("tasks.chunkers", "chunker")


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures stretches of a text of `end` characters by the starts of its units, characters or tokens."""

    starts: Sequence[int]
    end: int

    def measure(self, start: int, end: int) -> int:
        """The number of units that begin in `text[start:end]`."""
        return bisect_left(self.starts, end) - bisect_left(self.starts, start)

    def find_limit(self, start: int, size: int) -> int:
        """The last end with which a stretch from `start` is no longer than `size`, at least one character later."""
        index = bisect_left(self.starts, start) + size
        return max(start + 1, self.starts[index] if index < len(self.starts) else self.end)


DEFAULT_CHUNKERS = {
    Kind.REPORT: "structural",
    Kind.TEXT: "structural",
    Kind.PAPER: "section",
    Kind.COURSE: "lesson",
    Kind.NOTE: "dated",
    Kind.MESSAGE: "dated",
    Kind.BOOK: "section",
}
"""The default chunker of each kind of document."""


def choose_chunker(kind: Kind, chunking: Chunking, settings: Settings) -> Chunker:
    """The chunker for a document of a kind; `chunking` is that of its folder or of the command line.

    What it leaves open is taken from the settings of the kind, then from those for all documents, then from the
    chunker of the kind, or from the default sizes of another chunker if one was named. Raises `BadInput` for a name
    that no chunker has and for sizes that contradict or that the chunker does not have.
    """
    choices = (chunking, settings.chunk.kinds.get_choice(kind).chunking, settings.chunk.chunking)
    base = CHUNKERS[next((choice.chunker for choice in choices if choice.chunker), DEFAULT_CHUNKERS[kind])]
    unit = next((choice.unit for choice in choices if choice.unit), base.unit)
    size = next((choice.size for choice in choices if choice.size is not None), None)
    overlap = next((choice.overlap for choice in choices if choice.overlap is not None), None)
    model = settings.embed.model
    return base.with_tokens_of(model if unit == "tokens" else "").with_model(model).with_sizes(size, overlap)


@cache
def get_identity(chunker: Chunker) -> tuple[object, ...]:
    """All that the spans depend on, JSON-like: version, settings, and the digests of the models."""
    settings = {field.name: getattr(chunker, field.name) for field in fields(chunker)}
    return (chunker.name, chunker.version, settings, [open_embedder(name).model for name in chunker.embedders])
