"""The processes of one call: files are dealt to them, and the pages of a long file to all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from time import monotonic
from typing import NamedTuple

from tasks.parsers import refusals
from tasks.parsers.book import Book
from tasks.parsers.messages import FileOpened, PageDone, ReadPages, Ready
from tasks.parsers.worker import Worker
from warehouse.errors import KalendsError, UnreadableFile
from warehouse.records import Document
from warehouse.settings.models import ParseSettings


class Result(NamedTuple):
    """What became of a file, `place` among those given, and the seconds by the clock that it was in work."""

    place: int
    found: Document | UnreadableFile
    seconds: float


_WORTH_OPENING = 4
_WORTH_STARTING = 12


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
