"""The inbox: a folder of the warehouse for uploaded files and typed notes.

Every file is checked first, is stored whole or not at all, gets a name that each file system accepts, and
replaces another only on request.
"""

from __future__ import annotations

import filecmp
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from hashlib import sha256
from itertools import chain, count
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import BinaryIO
from unicodedata import category, normalize

from psutil import pid_exists

from dashboards.assistant.vault.note_paths import check_new_names
from dashboards.serializers.problems import UnwritableInbox, UploadTooLarge
from flows.roots import select_scopes
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose_parser
from warehouse.errors import BadInput, UnreadableFile
from warehouse.records import CatalogEntry, Status
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout


class StorageOutcome(StrEnum):
    """How an uploaded file was stored.

    As a `new` file; not at all, as the `same` is there; `renamed`, as another one has its name; or it `replaced`
    that one.
    """

    NEW = "new"
    SAME = "same"
    RENAMED = "renamed"
    REPLACED = "replaced"


MAX_MEGABYTES = 200
"""The largest upload: a browser and the choice of a parser need it in memory. Larger ones are added from a folder."""


@contextmanager
def stage_upload(inbox: Path, name: str, most_megabytes: int) -> Iterator[StagedUpload]:
    """A file named `name` that is written piece by piece; it is gone afterwards unless it was stored.

    Raises `UnwritableInbox`.
    """
    temporary = inbox / f".{os.getpid()}.{os.urandom(8).hex()}"
    with _convert_os_errors(inbox):
        inbox.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(inbox)
        try:
            with temporary.open("xb") as stream:
                yield StagedUpload(inbox, name, most_megabytes, temporary, stream)
        finally:
            temporary.unlink(missing_ok=True)


class StagedUpload:
    """A file of which some or all has been received: a temporary dotfile of the inbox, which ingests ignore."""

    def __init__(self, inbox: Path, name: str, most_megabytes: int, temporary: Path, stream: BinaryIO) -> None:
        self.name, self.size = name, 0
        self._inbox, self._most_megabytes = inbox, most_megabytes
        self._temporary, self._stream, self._hash = temporary, stream, sha256()

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> None:
        """Write the next piece. Raises `UploadTooLarge` once the limit is exceeded, and `UnwritableInbox`."""
        self.size += len(data)
        if self.size > self._most_megabytes << 20:
            is_settable = self._most_megabytes < MAX_MEGABYTES
            cure = (
                "raise parse.max_file_megabytes" if is_settable else "put it into a folder on the server, and add that"
            )
            raise UploadTooLarge(f"the file is larger than the limit of {self._most_megabytes:,} MB", cure)
        self._hash.update(data)
        with _convert_os_errors(self._inbox):
            self._stream.write(data)

    def check(self) -> None:
        """Raise `UnreadableFile`, with the cure, if it is of a kind that no parser reads."""
        self._flush()
        with _CHECKING:
            choose_parser(Raw(self.name, self._temporary.read_bytes()))

    def store(self, *, replace: bool = False) -> tuple[Path, StorageOutcome]:
        """Store it under its name, changed as little as a valid file name needs, and return its path.

        If a file of that name has the same content, nothing is stored. If it has another content, it is replaced when
        `replace` is set; otherwise the new file gets a number ("a 2.md"). Raises `UnwritableInbox`.
        """
        self._flush()
        target = self._inbox / make_safe_file_name(self.name)
        with _convert_os_errors(self._inbox):
            if replace and target.is_file() and not self._is_same(target):
                self._temporary.replace(target)
                return target, StorageOutcome.REPLACED
            copies = (target.with_name(f"{target.stem} {number}{target.suffix}") for number in count(2))
            for path in chain([target], copies):
                try:
                    # Unlike a rename, a link fails if the target exists.
                    os.link(self._temporary, path)
                except FileExistsError:
                    if path.is_file() and self._is_same(path):
                        return path, StorageOutcome.SAME
                    continue
                return path, StorageOutcome.NEW if path == target else StorageOutcome.RENAMED
        raise AssertionError("the numbers do not end")

    def _flush(self) -> None:
        with _convert_os_errors(self._inbox):
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def _is_same(self, file: Path) -> bool:
        return file.stat().st_size == self.size and filecmp.cmp(self._temporary, file, shallow=False)


_CHECKING = Lock()
"""Held while a parser is chosen, for which the whole file is in memory: one at a time."""


def _remove_abandoned(inbox: Path) -> None:
    """Delete the temporary files of processes that were killed."""
    for file in inbox.glob(".*.*"):
        temporary = _TEMPORARY.fullmatch(file.name)
        if temporary and not pid_exists(int(temporary[1])):
            file.unlink(missing_ok=True)


_TEMPORARY = re.compile(r"\.(\d{1,10})\.[0-9a-f]{16}")


def delete_upload(inbox: Path, path: str) -> Path:
    """Delete a file by its path in the inbox and return its full path. Raises `BadInput` outside the inbox."""
    file = inbox / path
    if not file.resolve().is_relative_to(inbox.resolve()):
        raise BadInput(f"{path} is not in the inbox", "delete it in its own folder")
    with _convert_os_errors(file):
        file.unlink(missing_ok=True)
    return file


@dataclass(frozen=True, slots=True)
class Upload:
    """A stored file; `is_known` says that the library has it with the same content."""

    file: Path
    outcome: StorageOutcome
    source: str
    size: int
    sha256: str
    is_known: bool


class InboxFiles:
    """The inbox of a warehouse with what the published generation has of it: its source folder and its documents."""

    def __init__(self, settings: Settings, entries: Sequence[CatalogEntry]) -> None:
        """`entries` are the documents of the published generation. Raises `UnwritableInbox`."""
        layout = Layout(settings.warehouse)
        with _convert_os_errors(layout.inbox):
            layout.make_folder()
            layout.inbox.mkdir(exist_ok=True)
        self.folder = layout.inbox
        (scope,) = select_scopes(settings, find_latest(layout), [self.folder])
        self.root = scope.root.name
        self.most_megabytes = min(MAX_MEGABYTES, settings.parse.max_file_megabytes)
        self._others = frozenset(
            name for entry in entries if entry.file.root != self.root for name in (entry.document_id, entry.file.source)
        )
        self._entries = {entry.file.path: entry for entry in entries if entry.file.root == self.root}

    def check(self, upload: StagedUpload) -> None:
        """Raise `UnreadableFile` for a file that no parser reads, or that was added before and could not be read."""
        upload.check()
        for entry in self._entries.values():
            if entry.file.sha256 == upload.sha256 and entry.status is not Status.PUBLISHED:
                raise UnreadableFile(f"added before as {entry.file.path}, and could not be read: {entry.reason}")

    def store(self, upload: StagedUpload, *, replace: bool) -> Upload:
        """Store a file that was checked. Raises `UnwritableInbox`."""
        file, outcome = upload.store(replace=replace)
        entry = self._entries.get(file.name)
        is_known = entry is not None and entry.file.sha256 == upload.sha256
        return Upload(file, outcome, f"{self.root}/{file.name}", upload.size, upload.sha256, is_known)

    def find_path(self, document: str) -> str | None:
        """The path in the inbox of an uploaded file, by the id or source of its document; None for any other."""
        path = next((path for path, entry in self._entries.items() if entry.document_id == document), None)
        root, _, file_name = document.partition("/")
        is_new = bool(file_name) and file_name == make_safe_file_name(file_name) and (self.folder / file_name).is_file()
        return path or (file_name if root == self.root and (file_name in self._entries or is_new) else None)

    def is_elsewhere(self, document: str) -> bool:
        """Whether an id or source is that of a document in another source folder."""
        return document in self._others

    def holds(self, path: str) -> bool:
        """Whether the published generation has a document of the file at a path of the inbox."""
        return path in self._entries


@contextmanager
def _convert_os_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        cure = "check its permissions and the disk"
        raise UnwritableInbox(f"{path} cannot be written ({error.strerror})", cure) from None


DEFAULT_NAME = "document"
_FORBIDDEN = re.compile(r'[<>:"|?*]+')
_STRIPPED = " .~$#-"
_MAX_NAME_BYTES = 150  # Bytes of a name; file systems allow 255, and a copy's number may be added.


def make_safe_file_name(name: str) -> str:
    """The last part of a path as a name that every file system and Obsidian accept."""
    last = re.split(r"[/\\]", normalize("NFC", name))[-1]
    printable = "".join(
        " " if character.isspace() else character
        for character in last
        if character.isspace() or category(character)[0] != "C"
    )
    path = PurePosixPath(" ".join(_FORBIDDEN.sub("-", printable).split()).strip(_STRIPPED) or DEFAULT_NAME)
    suffix = path.suffix if len(path.suffix) <= 12 else ""
    stem = path.name.removesuffix(suffix).strip(_STRIPPED) or DEFAULT_NAME
    limit = _MAX_NAME_BYTES - len(suffix.encode())
    short = stem.encode()[:limit].decode("utf-8", "ignore").rstrip(_STRIPPED) + suffix
    try:
        check_new_names((short,))
    except BadInput:
        return f"{DEFAULT_NAME} {short}"
    return short


_SLASHES = re.compile(r"[/\\]+")
_UNPRINTED = frozenset({"Cc", "Cs", "Cn"})


@dataclass(frozen=True, slots=True)
class TypedNote:
    """A note typed on the library page. `date` is the date of its document, if it has one."""

    title: str
    text: str
    date: date | None = None
    tags: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of its file; slashes of the title become hyphens."""
        return f"{_SLASHES.sub('-', self.title.strip())}.md"

    @property
    def note(self) -> str:
        """Markdown with YAML front matter. Raises `BadInput` without a title or without a text."""
        title = " ".join(self.title.split())
        if not title:
            raise BadInput("the note has no title", "give it a title, which citations show")
        if not self.text.strip():
            raise BadInput("the note has no text", "write or paste its text")
        lines = [f"title: {_quote_yaml(title)}"]
        lines += [f"date: {self.date.isoformat()}"] if self.date else []
        lines += [f"tags: [{', '.join(_quote_yaml(tag) for tag in self.tags)}]"] if self.tags else []
        return "\n".join(("---", *lines, "---", "", self.text.strip(), ""))


def parse_tags(words: str) -> tuple[str, ...]:
    """The tags in a line, separated by commas or spaces, without `#` and without repetitions."""
    tags = (word.lstrip("#").strip("/") for word in words.replace(",", " ").split())
    return tuple(dict.fromkeys(filter(None, tags)))


def _quote_yaml(text: str) -> str:
    """A YAML scalar: a JSON string is one if all its characters are printable (YAML 1.2, section 1.3)."""
    printable = "".join(character for character in text if category(character) not in _UNPRINTED)
    return json.dumps(printable, ensure_ascii=False)
