"""The progress of a stage: what is done, the document in hand, and an estimate of the time that is left.

Work is measured in bytes of the documents' files, and its rate is what this run has measured of the stage so far. Where
that is too little to tell by, nothing is estimated. What an earlier run had finished is neither work nor time.

How far the batch in work is, the stage tells in this process. A batch on a cluster's worker tells its own process, and
nobody reads it there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """The `share` of the batch's documents that is done, in [0, 1], the document in hand, and the pages read so far."""

    share: float = 0.0
    document: str = ""
    pages: int = 0


_latest = BatchProgress()


def begin_batch() -> None:
    """Nothing of the batch is done yet."""
    global _latest  # noqa: PLW0603
    _latest = BatchProgress()


def tell_progress(share: float, document: str, pages: int = 0) -> None:
    """Note how far the batch is; the share and the pages never fall within a batch."""
    global _latest  # noqa: PLW0603
    known = _latest
    _latest = replace(known, share=max(share, known.share), document=document, pages=max(pages, known.pages))


def get_batch_progress() -> BatchProgress:
    """The progress that was noted last."""
    return _latest


LEAST_SECONDS, LEAST_SHARE = 5.0, 0.03
"""The seconds and the share of the work that an estimate needs: less is mostly the loading of a model."""
LEAST_PAGES = 3  # Pages that a rate of pages needs.


@dataclass(frozen=True, slots=True)
class StageProgress:
    """`done` of `of` documents of a stage, the seconds `left`, where they can be told, and the `document` in hand.

    `pages_second` is how many pages a second are read, where the stage reads pages.
    """

    stage: str
    done: int
    of: int
    left: float | None = None
    document: str = ""
    pages_second: float | None = None

    @property
    def words(self) -> str:
        """What is known beside the counts, for people."""
        return describe_progress(self.left, self.pages_second, self.document)


def describe_progress(left: float | None, pages_second: float | None, document: str) -> str:
    """What is known of a stage's progress beside its counts: "about 4 min left, 9.3 pages/s, report.pdf"."""
    time = f"{describe_seconds(left)} left" if left is not None else ""
    pages = f"{pages_second:.1f} pages/s" if pages_second is not None else ""
    return ", ".join(filter(None, (time, pages, document.rpartition("/")[2])))


def describe_seconds(seconds: float) -> str:
    """About so long, no more exactly than it is known: "about 40 s", "about 4 min", "about 2 h 10 min"."""
    if seconds < 10:
        return "less than 10 s"
    if seconds < 55:
        return f"about {round(seconds, -1):.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    hours, rest = divmod(10 * round(minutes / 10), 60)
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


class StageMeter:
    """Measures one stage of a run, batch by batch."""

    def __init__(self, stage: str, documents: int, size: int, clock: Callable[[], float] = monotonic) -> None:
        """`documents` wait for the stage, whose files have `size` bytes."""
        self._stage, self._documents, self._size, self._clock = stage, documents, max(size, 1), clock
        self._done = 0
        self._worked, self._skipped, self._seconds, self._pages = 0, 0, 0.0, 0
        self._batch, self._batch_size, self._began = 0, 0, clock()

    def start_batch(self, documents: int, size: int) -> None:
        """A batch is in work."""
        self._batch, self._batch_size, self._began = documents, size, self._clock()

    def finish_batch(self, batch_progress: BatchProgress, *, fresh: bool) -> None:
        """It is done; one that is not `fresh` had been finished by an earlier run."""
        if fresh:
            self._worked += self._batch_size
            self._seconds += self._clock() - self._began
            self._pages += batch_progress.pages
        else:
            self._skipped += self._batch_size
        self._done += self._batch
        self._batch = self._batch_size = 0
        self._began = self._clock()

    def measure_progress(self, batch_progress: BatchProgress) -> StageProgress:
        """How far the stage is; `batch_progress` is how far the batch in work is."""
        seconds = self._seconds + (self._clock() - self._began if self._batch else 0.0)
        worked = self._worked + batch_progress.share * self._batch_size
        whole, pages = self._size - self._skipped, self._pages + (batch_progress.pages if self._batch else 0)
        known = seconds >= LEAST_SECONDS and worked >= LEAST_SHARE * whole
        return StageProgress(
            self._stage,
            self._done + int(batch_progress.share * self._batch),
            self._documents,
            max(0.0, seconds * (whole - worked) / worked) if known else None,
            batch_progress.document if self._batch else "",
            pages / seconds if pages >= LEAST_PAGES and seconds > 0 else None,
        )
