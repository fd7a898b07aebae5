"""Sessions: conversations that outlive the process, one file of JSON lines each in the warehouse's folder.

`sessions/<id>.jsonl` has a line for each exchange, one for each time that older exchanges were condensed, and one for
each title that a person gave. A line is appended under a lock, by one write that is flushed to the disk; a last line
that a crash has torn is passed over. Nothing is cached in memory: two processes on one session see each other's lines.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dashboards.assistant.answer_types import Answer, AnswerKind, Usage
from warehouse.errors import BadInput, BadWarehouse
from warehouse.store.layout import flush_path

MAX_TITLE_LENGTH = 200  # Characters of a conversation's title.
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: its random id, and its file, which is created with the first exchange."""

    id: str
    path: Path

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Questions and answers, oldest first."""
        return tuple(line for line in self._iter_lines() if isinstance(line, Exchange))

    @property
    def condensed_exchanges(self) -> CondensedExchanges | None:
        """The condensed text of the oldest exchanges; of several the one of most exchanges."""
        condensed = [line for line in self._iter_lines() if isinstance(line, CondensedExchanges)]
        return max(condensed, key=lambda exchange: exchange.exchanges, default=None)

    @property
    def usage(self) -> Usage:
        """The cost of the session: its exchanges and the condensing of them."""
        return sum((line.usage for line in self._iter_lines() if not isinstance(line, SessionTitle)), Usage())

    @property
    def title(self) -> str:
        """The title that a person gave, else the first question on one line; empty where it has neither."""
        lines = list(self._iter_lines())
        title = next((line.text for line in reversed(lines) if isinstance(line, SessionTitle)), "")
        question = next((line.question for line in lines if isinstance(line, Exchange) and line.question), "")
        return " ".join((title or question).split())

    def rename(self, title: str) -> None:
        """Give it a title; its place among the sessions, which are ordered by their last exchange, stays.

        Raises `OSError` where the title cannot be stored.
        """
        before = self.path.stat()
        self.append(SessionTitle(" ".join(title.split())[:MAX_TITLE_LENGTH]))
        os.utime(self.path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def append(self, line: SessionLine) -> None:
        """Append a line and flush it to the disk. Raises `OSError` where it cannot be stored."""
        _make_private_folder(self.path.parent)
        handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # After a line that a crash left incomplete, start a new line, so that the next one can be read.
            has_torn_line = os.fstat(handle).st_size and os.pread(handle, 1, os.fstat(handle).st_size - 1) != b"\n"
            json_line = ("\n" if has_torn_line else "") + json.dumps(serialize_line(line), ensure_ascii=False) + "\n"
            data = json_line.encode(errors="replace")
            # On a full disk only a part is written; readers skip such an incomplete line.
            if os.write(handle, data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(handle)
        finally:
            os.close(handle)

    def _iter_lines(self) -> Iterator[SessionLine]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return
        except OSError as error:
            raise BadWarehouse(f"{self.path} cannot be read ({error.strerror})", "check its permissions") from None
        for line in text.split("\n"):
            try:
                entry = parse_line(json.loads(line))
            except ValueError:
                continue
            if entry:
                yield entry


@dataclass(frozen=True, slots=True)
class Sessions:
    """The conversations of a warehouse's folder."""

    warehouse: Path

    @property
    def folder(self) -> Path:
        """The folder of their files; only their owner may read them."""
        return self.warehouse / "sessions"

    def start_session(self) -> Session:
        """A new conversation; its file is made with its first exchange."""
        return self._get_session(secrets.token_hex(16))

    def open_session(self, name: str) -> Session:
        """The conversation of an id. Raises `BadInput` where there is none."""
        session = self._get_session(name) if _ID.fullmatch(name) else None
        if session is None or not session.path.is_file():
            raise BadInput(f"there is no session '{name[:40]}'", "'kalends chat --sessions' lists them")
        return session

    def list_sessions(self) -> list[tuple[Session, datetime]]:
        """Every conversation and when it was last added to, the latest first."""
        files = [path for path in self.folder.glob("*.jsonl") if _ID.fullmatch(path.stem)]
        timed = [(self._get_session(path.stem), datetime.fromtimestamp(path.stat().st_mtime, UTC)) for path in files]
        return sorted(timed, key=lambda pair: (pair[1], pair[0].id), reverse=True)

    def _get_session(self, name: str) -> Session:
        return Session(name, self.folder / f"{name}.jsonl")


def _make_private_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        return
    flush_path(folder.parent)


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source as a session stores it: its number, its citation line, its link, and its quotations."""

    number: int
    line: str
    url: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question with its answer, and the moment of the answer."""

    at: datetime
    question: str
    answer: str
    kind: AnswerKind
    sources: tuple[StoredSource, ...] = ()
    notes: tuple[str, ...] = ()
    proven: float | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class CondensedExchanges:
    """The condensed text of the first so many `exchanges`."""

    exchanges: int
    text: str
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class SessionTitle:
    """A title that a person gave; the latest counts, and an empty one restores the first question as title."""

    text: str


SessionLine = Exchange | CondensedExchanges | SessionTitle  # A line of a session's file.
_LINE_TYPES = {Exchange: "exchange", CondensedExchanges: "condensed", SessionTitle: "titled"}
"""The names of the lines in the file."""


def make_exchange(question: str, answer: Answer, at: datetime) -> Exchange:
    """The exchange that a session stores of an answer."""
    sources = tuple(
        StoredSource(source.number, source.citation.formatted, source.citation.url, tuple(filter(None, source.quotes)))
        for source in answer.sources
    )
    return Exchange(at, question, answer.text, answer.kind, sources, answer.notes, answer.proven, answer.usage)


def serialize_line(line: SessionLine) -> dict[str, Any]:
    """The JSON object of a line."""
    fields = {"type": _LINE_TYPES[type(line)], **asdict(line)}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in fields.items()}


def parse_line(data: Any) -> SessionLine | None:
    """The line of a JSON object; None for anything else: a torn line, or one of a later version."""
    try:
        values = {name: value for name, value in data.items() if name != "type"}
        if data["type"] == "titled":
            return SessionTitle(str(values["text"]))
        values["usage"] = Usage(**values["usage"])
        if data["type"] == "condensed":
            return CondensedExchanges(**values)
        if data["type"] != "exchange":
            return None
        values["at"] = datetime.fromisoformat(values["at"])
        values["kind"] = AnswerKind(values["kind"])
        values["notes"] = tuple(values["notes"])
        values["sources"] = tuple(
            StoredSource(**{**fields, "quotes": tuple(fields["quotes"])}) for fields in values["sources"]
        )
        return Exchange(**values)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session in a list: its id, the moment of its last exchange, the number of exchanges, and its title."""

    session: str
    last: datetime
    exchanges: int
    title: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.session}  {self.last:%Y-%m-%d %H:%M}  {self.exchanges:4}  {self.title[:70]}"


def iter_session_summaries(sessions: Sessions) -> Iterator[SessionSummary]:
    """Every session that has an exchange, the latest first."""
    for session, last in sessions.list_sessions():
        exchanges = session.exchanges
        if exchanges:
            yield SessionSummary(session.id, last, len(exchanges), session.title)


WRITTEN_BY = {
    AnswerKind.MODEL: "Written by the model",
    AnswerKind.EXTRACTS: "Extracts from the documents, word for word",
    AnswerKind.RECORDS: "From the records of the documents",
}


def format_conversation(exchanges: Iterable[Exchange]) -> str:
    """Each question as a heading, then its answer, its sources with their quotations, and its notes, as Markdown."""
    return "# Conversation\n\n" + "\n\n".join(map(format_exchange, exchanges)) + "\n"


def format_exchange(exchange: Exchange) -> str:
    """A question as a heading, then its answer, its sources with their quotations, and its notes, as Markdown."""
    return "\n\n".join(_iter_markdown_blocks(exchange))


def format_plain_text(exchange: Exchange) -> str:
    """An answer as plain text to paste elsewhere: its words with their marks, then each source with its link."""
    lines = [line for source in exchange.sources for line in (f"[{source.number}] {source.line}", source.url) if line]
    return "\n\n".join(filter(None, (exchange.answer, "\n".join(lines), *exchange.notes)))


def _iter_markdown_blocks(exchange: Exchange) -> Iterator[str]:
    yield f"## {' '.join(exchange.question.split())}"
    yield f"*{WRITTEN_BY[exchange.kind]}, {exchange.at:%Y-%m-%d %H:%M} UTC*"
    yield "\n\n".join(map(_add_table_rule, exchange.answer.split("\n\n")))
    if exchange.sources:
        yield "Sources:"
        lines = []
        for source in exchange.sources:
            line = source.line.replace("[", "\\[").replace("]", "\\]")
            lines.append(f"{source.number}. " + (f"[{line}](<{source.url}>)" if source.url else line))
            lines += [f"   > {' '.join(quote.split())}" for quote in source.quotes]
        yield "\n".join(lines)
    for note in exchange.notes:
        yield f"> Note: {note}"
    if exchange.proven is not None:
        yield f"> {exchange.proven:.0%} of its numbers and quotations are in its sources."


def _add_table_rule(block: str) -> str:
    """A table's head and row with the rule that Markdown needs between them, and the source's mark below."""
    head, *rows = block.split("\n")
    if not rows or not all(line.startswith("|") for line in (head, *rows)) or set(rows[0]) <= set("|-: "):
        return block
    last, bar, mark = rows[-1].rpartition("|")
    rule = "|" + " --- |" * (head.count("|") - 1)
    return "\n".join([head, rule, *rows[:-1], last + bar, *(["", mark.strip()] if mark.strip() else [])])
