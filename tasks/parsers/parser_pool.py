"""Processes that read heavy files: files are dealt to them, and the pages of a long file to all of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Pipe, wait
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from tasks.parsers import refusals
from tasks.parsers.messages import (
    OUT_OF_MEMORY,
    Begin,
    FileOpened,
    JoinPages,
    PageDone,
    ReadPages,
    Ready,
    Reply,
    Request,
)
from tasks.parsers.parser_contract import Raw
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings

_WORTH_OPENING = 4
_WORTH_STARTING = 12
_MOST_DEALT = 8
_MOST_KILLS = 5
_PACE = 0.25
_ROOT = Path(__file__).resolve().parents[2]
_BROKEN = (EOFError, BrokenPipeError, ConnectionResetError)


class Result(NamedTuple):
    """What became of a file, `place` among those given, and the seconds by the clock that it was in work."""

    place: int
    found: Document | UnreadableFile
    seconds: float


@dataclass(slots=True)
class _Hand:
    """A process, the file it has open, and what it was asked to do with it.

    `pages` are those it has still to read, the first of them in work since `since`; `asked` while an answer is awaited.
    """

    worker: Worker
    book: Book | None = None
    pages: range = range(0)
    opening: bool = False
    asked: bool = False
    since: float = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether it can be asked for something."""
        return self.worker.is_ready and not self.worker.is_spent and not self.asked


class ParserPool:
    """Takes files and yields what becomes of them."""

    def __init__(self, most: int, limits: ParseSettings) -> None:
        """`most` is the largest number of processes; none is started before it is needed."""
        self._most = most
        self._limits = limits
        self._hands: list[_Hand] = []
        self._waiting: deque[Book] = deque()
        self._open: list[Book] = []

    @property
    def is_busy(self) -> bool:
        """Whether a file is not done."""
        return bool(self._waiting or self._open)

    @property
    def is_full(self) -> bool:
        """Whether more files would only wait."""
        return len(self._waiting) >= max(1, self._most - len(self._open))

    def give(self, book: Book) -> None:
        """Takes a file."""
        self._waiting.append(book)
        self._deal()

    def collect(self, timeout: float) -> Iterator[Result]:
        """What is done by now, after waiting at most `timeout` seconds for anything to happen."""
        pipes = {hand.worker.pipe: hand for hand in self._hands if hand.asked or not hand.worker.is_ready}
        heard = wait(list(pipes), timeout) if pipes else []
        for pipe, hand in pipes.items():
            if pipe in heard:
                yield from self._hear(hand)
        yield from self._hurry(monotonic())
        self._dismiss()
        self._deal()

    def close(self) -> None:
        """Ends all processes, whatever they do."""
        for hand in self._hands:
            hand.worker.close()

    def _hear(self, hand: _Hand) -> Iterator[Result]:
        said = hand.worker.hear()
        hand.since = monotonic()
        book = hand.book
        if isinstance(said, Ready):
            return
        if book is None or not hand.asked:
            raise KalendsError("a process for reading files spoke without being asked", "report this")
        if isinstance(said, UnreadableFile):
            yield from self._bereave(hand, said)
        elif isinstance(said, FileOpened):
            book.opened(said.count, said.front)
            hand.opening, hand.asked = False, bool(hand.pages)
        elif isinstance(said, PageDone):
            book.turn(said.number, said.page)
            hand.pages = hand.pages[1:]
            hand.asked = bool(hand.pages)
            if said.spent:
                self._retire(hand)
        else:
            yield from self._end(book, said.result)
            hand.worker.is_spent = hand.worker.is_spent or said.spent

    def _bereave(self, hand: _Hand, problem: UnreadableFile) -> Iterator[Result]:
        """The process died or was too slow: at a page, which is lost, or else at the file as a whole."""
        book = hand.book
        if book is None:
            return
        hand.worker.is_spent = True
        if hand.opening or not hand.pages:
            yield from self._end(book, problem)
            return
        book.lose(hand.pages[0], problem)
        hand.pages = hand.pages[1:]
        self._retire(hand)
        if book.is_hopeless:
            yield from self._end(book, problem)

    def _retire(self, hand: _Hand) -> None:
        """Lets a process go and others do the rest of its pages."""
        hand.worker.is_spent = True
        if hand.book is not None:
            hand.book.take_back(hand.pages)
        hand.pages, hand.asked, hand.book = range(0), False, None

    def _end(self, book: Book, result: Document | UnreadableFile) -> Iterator[Result]:
        """Puts a file away; processes that are still at it are of no more use."""
        self._open.remove(book)
        for hand in self._hands:
            if hand.book is book:
                hand.worker.is_spent = hand.worker.is_spent or bool(hand.pages) or hand.opening
                hand.book, hand.pages, hand.asked, hand.opening = None, range(0), False, False
        now = monotonic()
        yield Result(book.index, result, now - (book.since or now))

    def _hurry(self, now: float) -> Iterator[Result]:
        """Ends what takes too long."""
        seconds, page_seconds = self._limits.seconds, self._limits.page_seconds
        for book in [book for book in self._open if book.is_late(now, seconds, page_seconds)]:
            for hand in self._hands:
                hand.worker.is_spent = hand.worker.is_spent or hand.book is book
            yield from self._end(book, refusals.too_slow(now - (book.since or now)))
        for hand in self._hands:
            at_page = bool(hand.pages) and not hand.opening
            if at_page and now - hand.since > page_seconds and not hand.worker.pipe.poll():
                yield from self._bereave(hand, refusals.page_too_slow(page_seconds))

    def _dismiss(self) -> None:
        for hand in [hand for hand in self._hands if hand.worker.is_spent]:
            hand.worker.close()
            self._hands.remove(hand)

    def _deal(self) -> None:
        """Gives idle processes something to do, and starts more where that is worth it."""
        for hand in self._hands:
            if hand.is_idle:
                self._occupy(hand)
        while len(self._hands) < min(self._most, self._wanted):
            self._hands.append(_Hand(Worker(self._limits.megabytes)))

    @property
    def _wanted(self) -> int:
        """How many processes have something to do."""
        helpers = sum(book.undealt // _WORTH_STARTING for book in self._open)
        return len(self._waiting) + len(self._open) + helpers

    def _occupy(self, hand: _Hand) -> None:
        """First what ends a file, then the pages of the file it has open, then a new file, then another's pages."""
        whole = next((book for book in self._open if book.is_read and not book.done), None)
        if whole is not None:
            whole.done = True
            self._ask(hand, whole)
            hand.worker.ask(whole.join())
        elif hand.book is not None and hand.book.undealt:
            self._read(hand, hand.book)
        elif self._waiting:
            book = self._waiting.popleft()
            self._open.append(book)
            self._open_with(hand, book)
        elif orphan := self._needy(hand):
            self._open_with(hand, orphan)
            self._read(hand, orphan)

    def _needy(self, hand: _Hand) -> Book | None:
        """The file with the most pages that nobody reads yet, if it is worth opening it once more."""
        book = max(self._open, key=lambda book: book.undealt, default=None)
        if book is None or not book.undealt:
            return None
        alone = not any(other.book is book for other in self._hands)
        return book if alone or book.undealt >= _WORTH_OPENING else None

    def _open_with(self, hand: _Hand, book: Book) -> None:
        self._ask(hand, book)
        hand.opening = True
        hand.worker.ask(book.begin())

    def _read(self, hand: _Hand, book: Book) -> None:
        self._ask(hand, book)
        hand.pages = book.deal(self._most)
        hand.worker.ask(ReadPages(hand.pages[0], hand.pages[-1]))

    def _ask(self, hand: _Hand, book: Book) -> None:
        hand.book, hand.asked, hand.since = book, True, monotonic()
        book.since = book.since if book.since is not None else hand.since


class Book:
    """A file. `count` is 0 until it is known to have pages; `since` is when its time began to run."""

    def __init__(self, index: int, parser: str, raw: Raw) -> None:
        """`index` is its place in the list of files, `parser` the name of the one that reads it."""
        self.index = index
        self.parser = parser
        self.raw = raw
        self.since: float | None = None
        self.count = 0
        self.done = False
        self._front: Any = None
        self._undealt: deque[range] = deque()
        self._pages: dict[int, bytes | UnreadableFile] = {}
        self._kills = 0

    @property
    def undealt(self) -> int:
        """How many pages nobody reads yet."""
        return sum(map(len, self._undealt))

    @property
    def is_read(self) -> bool:
        """Whether only the document is to be made of its pages."""
        return bool(self.count) and len(self._pages) == self.count

    @property
    def is_hopeless(self) -> bool:
        """Whether it has killed process after process and given nothing."""
        given = any(isinstance(page, bytes) for page in self._pages.values())
        return self._kills >= _MOST_KILLS and not given

    def begin(self) -> Begin:
        """The request to open it."""
        return Begin(self.parser, self.raw)

    def join(self) -> JoinPages:
        """The request to make its document. Its own copy of the bytes is let go."""
        self.raw = Raw(self.raw.name, b"")
        pages = tuple(self._pages.pop(number) for number in range(1, self.count + 1))
        return JoinPages(self.parser, self._front, pages)

    def opened(self, count: int, front: Any) -> None:
        """Takes note of its pages. A process that joins in later opens it once more, and says the same."""
        if not self.count:
            self.count, self._front = count, front
            self._undealt.append(range(1, count + 1))

    def deal(self, hands: int) -> range:
        """Some pages for one of `hands` processes: few enough that all of them end together, empty if none are left."""
        if not self._undealt:
            return range(0)
        first = self._undealt.popleft()
        size = max(1, min(_MOST_DEALT, (self.undealt + len(first)) // (2 * hands)))
        if first[size:]:
            self._undealt.appendleft(first[size:])
        return first[:size]

    def take_back(self, pages: range) -> None:
        """Pages that were dealt and not read."""
        if pages:
            self._undealt.appendleft(pages)

    def turn(self, number: int, page: bytes | UnreadableFile) -> None:
        """Takes note of a page, or of why it is lost."""
        self._pages[number] = page

    def lose(self, number: int, problem: UnreadableFile) -> None:
        """Takes note of a page that cost its process."""
        self._kills += 1
        self._pages[number] = problem

    def is_late(self, now: float, seconds: float, page_seconds: float) -> bool:
        """Whether it took longer than `seconds` and, for each of its pages, a quarter of what one may take."""
        return self.since is not None and now - self.since > seconds + _PACE * page_seconds * self.count


class Worker:
    """Does what it is asked, one file at a time. It takes nothing before it is ready and nothing once it is spent."""

    def __init__(self, megabytes: int) -> None:
        """Starts the process; `megabytes` is what a file may add to its memory."""
        self.is_ready = False
        self.is_spent = False
        self.pipe, theirs = Pipe()
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        command = [sys.executable, "-m", "tasks.parsers.child", str(theirs.fileno()), str(megabytes)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        theirs.close()

    def ask(self, *requests: Request) -> None:
        """Sends what is to be done, in order."""
        with suppress(*_BROKEN):  # the process is dead, which `hear` will find
            for request in requests:
                self.pipe.send(request)

    def hear(self) -> Reply | UnreadableFile:
        """What the process says, after waiting for it; what killed it where it is dead.

        Raises `KalendsError` if it dies before it was ready, since that is no file's fault.
        """
        try:
            said: Reply = self.pipe.recv()
        except _BROKEN:
            return self._death()
        self.is_ready = self.is_ready or isinstance(said, Ready)
        return said

    def _death(self) -> UnreadableFile:
        self.is_spent = True
        status = self._process.wait()
        if not self.is_ready:
            raise KalendsError(f"the reading process did not start (exit status {status})", "run kalends doctor")
        return refusals.out_of_memory() if status == OUT_OF_MEMORY else refusals.killed(status)

    def close(self) -> None:
        """Ends the process."""
        self.pipe.close()
        self._process.kill()
        self._process.wait()
