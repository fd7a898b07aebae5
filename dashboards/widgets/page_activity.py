"""Activity of the pages of a process: how many are being drawn, and waiting for a time without any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class PageActivity:
    """Counter of the pages that are being drawn. Safe to share between threads."""

    def __init__(self) -> None:
        """Begin without any."""
        self._count, self._change_condition = 0, Condition()
        self._has_drawn_page = False

    @contextmanager
    def count_page(self) -> Iterator[None]:
        """Count a page while it is drawn."""
        with self._change_condition:
            self._count += 1
        try:
            yield
        finally:
            with self._change_condition:
                self._count -= 1
                self._has_drawn_page = True
                self._change_condition.notify_all()

    def wait_for_none(self, seconds: float) -> bool:
        """Wait until no page is being drawn; False when `seconds` pass before."""
        with self._change_condition:
            return self._change_condition.wait_for(lambda: not self._count, seconds)

    def wait_for_first(self, seconds: float) -> bool:
        """Wait until a page has been drawn; False when `seconds` pass before."""
        with self._change_condition:
            return self._change_condition.wait_for(lambda: self._has_drawn_page, seconds)


page_activity = PageActivity()  # The activity of this process.
