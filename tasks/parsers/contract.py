"""What a parser is: anything that turns a file's bytes into a `Document`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from warehouse.records import Document


@dataclass(frozen=True, slots=True)
class Raw:
    """A file's bytes. `name` is the file's name without its folder; only its suffix is ever looked at."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The suffix in lower case with its dot, or nothing."""
        return PurePosixPath(self.name).suffix.lower()


class Parser(Protocol):
    """A member of the family: the object `member` of a module of this package, named after the module.

    `version` rises whenever the same bytes would give another `Document`; it is part of every cache key. `heavy`
    parsers run in a process of their own, under a time and a memory limit.
    """

    version: int
    media_type: str
    suffixes: tuple[str, ...]
    heavy: bool

    def claims(self, raw: Raw) -> float:
        """How surely the content (not the name) is of this format, 0 to 1. Looks at a bounded part and never raises."""

    def parse(self, raw: Raw) -> Document:
        """The document. Raises `UnreadableFile` with the finding's code where the bytes cannot be read."""
