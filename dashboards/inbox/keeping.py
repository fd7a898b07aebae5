"""Files of the inbox: each is kept whole or not at all, and never over another unless that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, count
from pathlib import Path

from dashboards.inbox.names import safe_file_name
from warehouse.errors import BadInput


class UploadOutcome(StrEnum):
    """What became of a file that was handed over."""

    NEW = "new"
    SAME = "there already, with the same content"
    BESIDE = "kept beside another file of that name"
    REPLACED = "takes the place of the older file"


@dataclass(frozen=True, slots=True)
class StoredUpload:
    """Where a file lies now, and what became of it."""

    file: Path
    outcome: UploadOutcome

    @property
    def line(self) -> str:
        """One line for who handed it over."""
        return f"{self.file.name}: {self.outcome.value}"


def store_upload(inbox: Path, name: str, content: bytes, *, replace: bool = False) -> StoredUpload:
    """Keep a file under the nearest name that can be kept.

    Where that name stands for the same content nothing is written. For another content the older file is replaced if
    asked, else both are kept, the new one with a number. Raises `BadInput` where the folder cannot be written.
    """
    wanted = inbox / safe_file_name(name)
    with _errors_named(inbox):
        inbox.mkdir(parents=True, exist_ok=True)
        with _written(inbox, content) as fresh:
            if replace and wanted.is_file() and wanted.read_bytes() != content:
                fresh.replace(wanted)
                return StoredUpload(wanted, UploadOutcome.REPLACED)
            for place in _numbered(wanted):
                try:
                    # A link, unlike a renaming, refuses to take the place of what is there.
                    os.link(fresh, place)
                except FileExistsError:
                    if place.is_file() and place.read_bytes() == content:
                        return StoredUpload(place, UploadOutcome.SAME)
                    continue
                return StoredUpload(place, UploadOutcome.NEW if place == wanted else UploadOutcome.BESIDE)
    raise AssertionError("the numbers do not end")


def delete_upload(inbox: Path, path: str) -> Path:
    """Delete a file of the inbox, `path` being its path in it; returns where it was. Raises `BadInput`."""
    file = inbox / path
    if not file.resolve().is_relative_to(inbox.resolve()):
        raise BadInput(f"{path} is not in the inbox", "remove it from its own folder")
    with _errors_named(file):
        file.unlink(missing_ok=True)
    return file


@contextmanager
def _written(inbox: Path, content: bytes) -> Iterator[Path]:
    """The content in a temporary file of a name that no ingest looks at; it goes unless it is moved."""
    fresh = inbox / f".{os.getpid()}.{os.urandom(8).hex()}"
    try:
        with fresh.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        yield fresh
    finally:
        fresh.unlink(missing_ok=True)


def _numbered(file: Path) -> Iterator[Path]:
    return chain([file], (file.with_name(f"{file.stem} {number}{file.suffix}") for number in count(2)))


@contextmanager
def _errors_named(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{place} cannot be written ({error.strerror})", "check its permissions and the disk") from None
