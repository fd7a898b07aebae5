"""Conversations that outlive the process: a file of JSON lines each, below the warehouse.

`sessions/<id>.jsonl` holds a line an exchange, one whenever older exchanges were condensed, and one whenever a person
gave it a title. A line is appended
under a lock, by one write that is flushed to the disk; a last line that a crash has torn is passed over. Nothing is
held in memory: two processes on one session see each other's lines.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dashboards.assistant.exchanges import Condensed, Exchange, Line, Titled, from_json, to_json
from dashboards.assistant.records import Usage
from warehouse.errors import BadInput, BadWarehouse

LONGEST_TITLE = 200
"""Characters of what a conversation is called."""
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: its id, which nobody can guess, and its file, which is there from the first exchange on."""

    id: str
    path: Path

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was asked and answered, oldest first."""
        return tuple(each for each in self._lines() if isinstance(each, Exchange))

    @property
    def condensed(self) -> Condensed | None:
        """What stands for the oldest exchanges, the latest such text."""
        found = [each for each in self._lines() if isinstance(each, Condensed)]
        return max(found, key=lambda each: each.exchanges, default=None)

    @property
    def usage(self) -> Usage:
        """What the session has cost: its exchanges and the condensing of them."""
        return sum((each.usage for each in self._lines() if not isinstance(each, Titled)), Usage())

    @property
    def title(self) -> str:
        """What a person called it, else its first question on one line; empty where it has neither."""
        given, first = "", ""
        for each in self._lines():
            if isinstance(each, Titled):
                given = each.text
            elif isinstance(each, Exchange) and not first:
                first = each.question
        return " ".join((given or first).split())

    def rename(self, title: str) -> None:
        """Call it otherwise; its place among the others, which are in order of their exchanges, stays.

        Raises `OSError` where the name cannot be kept.
        """
        before = self.path.stat()
        self.append(Titled(" ".join(title.split())[:LONGEST_TITLE]))
        os.utime(self.path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def append(self, line: Line) -> None:
        """Keep a line; it is on the disk then. Raises `OSError` where it cannot be."""
        import fcntl

        _private_folder(self.path.parent)
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # A line that a crash has torn must not take the next one with it.
            torn = os.fstat(handle).st_size and os.pread(handle, 1, os.fstat(handle).st_size - 1) != b"\n"
            whole = ("\n" if torn else "") + json.dumps(to_json(line), ensure_ascii=False) + "\n"
            _write(handle, whole.encode(errors="replace"))
            os.fsync(handle)
        finally:
            os.close(handle)

    def _lines(self) -> Iterator[Line]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadWarehouse(f"{self.path} cannot be read ({error.strerror})", "check its permissions") from None
        for line in text.split("\n"):
            found = from_json(_parsed(line))
            if found:
                yield found


@dataclass(frozen=True, slots=True)
class Sessions:
    """The conversations of a warehouse's folder."""

    warehouse: Path

    @property
    def folder(self) -> Path:
        """Where their files lie; only their owner may read them."""
        return self.warehouse / "sessions"

    def new(self) -> Session:
        """One that nobody has had; its file comes with its first exchange."""
        return self._session(secrets.token_hex(16))

    def open(self, name: str) -> Session:
        """The conversation of an id. Raises `BadInput` where there is none."""
        found = self._session(name) if _ID.fullmatch(name) else None
        if found is None or not found.path.is_file():
            raise BadInput(f"there is no session '{name[:40]}'", "'kalends chat --sessions' lists them")
        return found

    def all(self) -> list[tuple[Session, datetime]]:
        """Every conversation and when it was last added to, the latest first."""
        files = [path for path in self.folder.glob("*.jsonl") if _ID.fullmatch(path.stem)]
        timed = [(self._session(path.stem), datetime.fromtimestamp(path.stat().st_mtime, UTC)) for path in files]
        return sorted(timed, key=lambda each: (each[1], each[0].id), reverse=True)

    def _session(self, name: str) -> Session:
        return Session(name, self.folder / f"{name}.jsonl")


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _write(handle: int, data: bytes) -> None:
    """All of it: a disk that fills up takes a part, and the line is then torn and passed over."""
    written = os.write(handle, data)
    if written < len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _private_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        return
    handle = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
