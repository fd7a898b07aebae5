"""A heavy file on its way through the processes: which of its pages are dealt out, read and lost."""

from __future__ import annotations

from collections import deque
from typing import Any

from tasks.parsers.contract import Raw
from tasks.parsers.messages import Begin, JoinPages
from warehouse.errors import UnreadableFile

_MOST_DEALT = 8
_MOST_KILLS = 5
_PACE = 0.25


class Book:
    """A file. `count` is 0 until it is known to have pages; `since` is when its time began to run."""

    def __init__(self, index: int, parser: str, raw: Raw) -> None:
        """`index` is its place in the list of files, `parser` the name of the one that claims it."""
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
