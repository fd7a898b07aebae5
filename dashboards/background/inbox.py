"""The inbox: a folder of the warehouse for uploaded files and typed notes.

Every file is checked first, is stored whole or not at all, gets a name that each file system accepts, and
replaces another only if that is asked for.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import chain, count
from pathlib import Path, PurePosixPath
from unicodedata import category, normalize

from dashboards.assistant.vault.note_paths import check_new
from tasks.parsers.contract import Raw
from tasks.parsers.reading import choose
from warehouse.errors import BadInput, UnreadableFile


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


def check_upload(name: str, content: bytes, most_megabytes: int) -> None:
    """Raise `UnreadableFile`, with the cure, for a file that is too large or of a kind that no parser reads."""
    if len(content) > most_megabytes << 20:
        problem = f"{len(content) >> 20:,} MB is over the limit of {most_megabytes:,} MB"
        raise UnreadableFile(problem, "put it into a folder and add that, or raise parse.max_file_megabytes")
    choose(Raw(name, content))


NAMELESS = "document"
_SIGNS = re.compile(r'[<>:"|?*]+')
_SPACES = re.compile(r"\s+")
_EDGES = " .~$#-"
_LONGEST = 150
"""Bytes of a name; a copy's number may be added."""


def safe_file_name(given: str) -> str:
    """The nearest name that can be kept: its last part, without signs that some system or a reader would take amiss."""
    last = re.split(r"[/\\]", normalize("NFC", given))[-1]
    seen = "".join(" " if character.isspace() else character for character in last)
    plain = "".join(character for character in seen if category(character)[0] != "C")
    tidy = _SPACES.sub(" ", _SIGNS.sub("-", plain)).strip(_EDGES)
    stem, suffix = _parts(tidy)
    name = _cut(stem, _LONGEST - len(suffix.encode())) + suffix
    return name if _fits(name) else f"{NAMELESS} {name}"


def _parts(name: str) -> tuple[str, str]:
    path = PurePosixPath(name or NAMELESS)
    suffix = path.suffix if len(path.suffix) <= 12 else ""
    return (path.name.removesuffix(suffix).strip(_EDGES) or NAMELESS), suffix


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode("utf-8", "ignore").rstrip(_EDGES)


def _fits(name: str) -> bool:
    try:
        check_new((name,))
    except BadInput:
        return False
    return True


_SLASHES = re.compile(r"[/\\]+")
_UNPRINTED = frozenset({"Cc", "Cs", "Cn"})


@dataclass(frozen=True, slots=True)
class TypedNote:
    """What was typed. `date` is the day that the text is of, if it has one."""

    title: str
    text: str
    date: date | None = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its file would be called; a title is no path."""
        return f"{_SLASHES.sub('-', self.title.strip())}.md"

    @property
    def note(self) -> str:
        """Front matter and text. Raises `BadInput` where there is no title or no text."""
        title = " ".join(self.title.split())
        if not title:
            raise BadInput("the text has no title", "give it one: it is cited by it")
        if not self.text.strip():
            raise BadInput("there is no text", "write or paste it")
        lines = [f"title: {_quoted(title)}"]
        lines += [f"date: {self.date.isoformat()}"] if self.date else []
        lines += [f"tags: [{', '.join(_quoted(tag) for tag in self.tags)}]"] if self.tags else []
        return "\n".join(("---", *lines, "---", "", self.text.strip(), ""))


def parse_tags(words: str) -> tuple[str, ...]:
    """The tags of a line, between commas or spaces, each once."""
    return _once(word.strip().lstrip("#").strip("/") for word in words.replace(",", " ").split())


def _once(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _quoted(text: str) -> str:
    """As a YAML scalar: what JSON calls a string is one (YAML 1.2, 1.3) where every character may be printed."""
    printable = "".join(character for character in text if category(character) not in _UNPRINTED)
    return json.dumps(printable, ensure_ascii=False)
