"""The inbox: a folder of the warehouse for uploaded files and typed notes.

Every file is checked first, is stored whole or not at all, gets a name that each file system accepts, and
replaces another only on request.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import chain, count
from pathlib import Path, PurePosixPath
from unicodedata import category, normalize

from dashboards.assistant.vault.note_paths import check_new
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import choose
from warehouse.errors import BadInput, UnreadableFile


class UploadOutcome(StrEnum):
    """How an uploaded file was stored; the value is the sentence shown to the person who uploaded it."""

    NEW = "new"
    SAME = "there already, with the same content"
    RENAMED = "kept beside another file of that name"
    REPLACED = "takes the place of the older file"


@dataclass(frozen=True, slots=True)
class StoredUpload:
    """The path of a stored file, and how it was stored."""

    file: Path
    outcome: UploadOutcome

    @property
    def line(self) -> str:
        """One line for the person who uploaded it."""
        return f"{self.file.name}: {self.outcome.value}"


def store_upload(inbox: Path, name: str, content: bytes, *, replace: bool = False) -> StoredUpload:
    """Store a file under `name`, changed as little as a valid file name needs.

    Nothing is written if a file of that name has the same content. If it has another content, it is replaced when
    `replace` is set; otherwise the new file gets a number ("a 2.md"). Raises `BadInput` if the folder is not writable.
    """
    target = inbox / safe_file_name(name)
    with _name_errors(inbox):
        inbox.mkdir(parents=True, exist_ok=True)
        with _write_temporary(inbox, content) as temporary:
            if replace and target.is_file() and target.read_bytes() != content:
                temporary.replace(target)
                return StoredUpload(target, UploadOutcome.REPLACED)
            copies = (target.with_name(f"{target.stem} {number}{target.suffix}") for number in count(2))
            for path in chain([target], copies):
                try:
                    # Unlike a rename, a link fails if the target exists.
                    os.link(temporary, path)
                except FileExistsError:
                    if path.is_file() and path.read_bytes() == content:
                        return StoredUpload(path, UploadOutcome.SAME)
                    continue
                return StoredUpload(path, UploadOutcome.NEW if path == target else UploadOutcome.RENAMED)
    raise AssertionError("the numbers do not end")


def delete_upload(inbox: Path, path: str) -> Path:
    """Delete a file by its path in the inbox and return its full path. Raises `BadInput` outside the inbox."""
    file = inbox / path
    if not file.resolve().is_relative_to(inbox.resolve()):
        raise BadInput(f"{path} is not in the inbox", "delete it in its own folder")
    with _name_errors(file):
        file.unlink(missing_ok=True)
    return file


@contextmanager
def _write_temporary(inbox: Path, content: bytes) -> Iterator[Path]:
    """Write the content to a temporary dotfile, which ingests ignore; delete it afterwards if it has not been moved."""
    temporary = inbox / f".{os.getpid()}.{os.urandom(8).hex()}"
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path} cannot be written ({error.strerror})", "check its permissions and the disk") from None


def check_upload(name: str, content: bytes, most_megabytes: int) -> None:
    """Raise `UnreadableFile`, with the cure, for a file that is too large or of a kind that no parser reads."""
    if len(content) > most_megabytes << 20:
        problem = f"{len(content) >> 20:,} MB is over the limit of {most_megabytes:,} MB"
        raise UnreadableFile(problem, "put it into a folder and add that, or raise parse.max_file_megabytes")
    choose(Raw(name, content))


DEFAULT_NAME = "document"
_FORBIDDEN = re.compile(r'[<>:"|?*]+')
_STRIPPED = " .~$#-"
_LONGEST_NAME_BYTES = 150  # Bytes of a name; file systems allow 255, and a copy's number may be added.


def safe_file_name(name: str) -> str:
    """The last part of a path as a name that every file system and Obsidian accept."""
    last = re.split(r"[/\\]", normalize("NFC", name))[-1]
    printable = "".join(" " if each.isspace() else each for each in last if each.isspace() or category(each)[0] != "C")
    path = PurePosixPath(" ".join(_FORBIDDEN.sub("-", printable).split()).strip(_STRIPPED) or DEFAULT_NAME)
    suffix = path.suffix if len(path.suffix) <= 12 else ""
    stem = path.name.removesuffix(suffix).strip(_STRIPPED) or DEFAULT_NAME
    most = _LONGEST_NAME_BYTES - len(suffix.encode())
    short = stem.encode()[:most].decode("utf-8", "ignore").rstrip(_STRIPPED) + suffix
    try:
        check_new((short,))
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
