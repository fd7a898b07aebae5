"""The progress of a stage: the work done, the current document, and an estimate of the remaining time.

Work is measured in bytes of the documents' files, at the rate that this run has measured for the stage so far. If that
is too little, nothing is estimated. Work that an earlier run had finished counts neither as work nor as time.

The stage reports the progress of the current batch within this process. On a cluster a worker reports in its own
process, where nobody reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """The `share` of the batch's documents that is done, in [0, 1], the current document, and the pages read so far."""

    share: float = 0.0
    document: str = ""
    pages: int = 0


_latest = BatchProgress()


def begin_batch() -> None:
    """Reset the progress at the start of a batch."""
    global _latest  # noqa: PLW0603
    _latest = BatchProgress()


def record_progress(share: float, document: str, pages: int = 0) -> None:
    """Record the progress of the batch; the share and the pages never decrease within a batch."""
    global _latest  # noqa: PLW0603
    previous = _latest
    _latest = replace(previous, share=max(share, previous.share), document=document, pages=max(pages, previous.pages))


def get_batch_progress() -> BatchProgress:
    """The progress that was recorded last."""
    return _latest


MIN_ESTIMATE_SECONDS, MIN_ESTIMATE_SHARE = 5.0, 0.03
"""The seconds and the share of the work that an estimate needs: less is mostly the loading of a model."""
MIN_RATE_PAGES = 3  # The least pages for a rate of pages.


@dataclass(frozen=True, slots=True)
class StageProgress:
    """`done` of `of` documents of a stage, the seconds `left`, if they can be estimated, and the current `document`.

    `pages_second` is the number of pages read per second, if the stage reads pages.
    """

    stage: str
    done: int
    of: int
    left: float | None = None
    document: str = ""
    pages_second: float | None = None

    @property
    def words(self) -> str:
        """The progress besides the counts, for people."""
        return describe_progress(self.left, self.pages_second, self.document)


def describe_progress(seconds_left: float | None, pages_second: float | None, document: str) -> str:
    """A stage's progress besides its counts, in words: "about 4 min left, 9.3 pages/s, report.pdf"."""
    remaining_time = f"{describe_seconds(seconds_left)} left" if seconds_left is not None else ""
    pages = f"{pages_second:.1f} pages/s" if pages_second is not None else ""
    return ", ".join(filter(None, (remaining_time, pages, document.rpartition("/")[2])))


def describe_seconds(seconds: float) -> str:
    """A duration, only as exact as it is known: "about 40 s", "about 4 min", "about 2 h 10 min"."""
    if seconds < 10:
        return "less than 10 s"
    if seconds < 55:
        return f"about {round(seconds, -1):.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    hours, remaining_minutes = divmod(10 * round(minutes / 10), 60)
    return f"about {hours} h {remaining_minutes} min" if remaining_minutes else f"about {hours} h"


class StageMeter:
    """Measures one stage of a run, batch by batch."""

    def __init__(self, stage: str, documents: int, size: int, clock: Callable[[], float] = monotonic) -> None:
        """`documents` is the number that wait for the stage; their files have `size` bytes."""
        self._stage, self._documents, self._size, self._clock = stage, documents, max(size, 1), clock
        self._done = 0
        self._worked, self._skipped, self._seconds, self._pages = 0, 0, 0.0, 0
        self._batch, self._batch_size, self._began = 0, 0, clock()

    def start_batch(self, documents: int, size: int) -> None:
        """Record the start of a batch."""
        self._batch, self._batch_size, self._began = documents, size, self._clock()

    def finish_batch(self, batch_progress: BatchProgress, *, is_computed: bool) -> None:
        """Record its end; one that is not `is_computed` had been finished by an earlier run."""
        if is_computed:
            self._worked += self._batch_size
            self._seconds += self._clock() - self._began
            self._pages += batch_progress.pages
        else:
            self._skipped += self._batch_size
        self._done += self._batch
        self._batch = self._batch_size = 0
        self._began = self._clock()

    def measure_progress(self, batch_progress: BatchProgress) -> StageProgress:
        """The progress of the stage; `batch_progress` is that of the current batch."""
        seconds = self._seconds + (self._clock() - self._began if self._batch else 0.0)
        worked = self._worked + batch_progress.share * self._batch_size
        total, pages = self._size - self._skipped, self._pages + (batch_progress.pages if self._batch else 0)
        is_measurable = seconds >= MIN_ESTIMATE_SECONDS and worked > 0 and worked >= MIN_ESTIMATE_SHARE * total
        return StageProgress(
            self._stage,
            self._done + int(batch_progress.share * self._batch),
            self._documents,
            max(0.0, seconds * (total - worked) / worked) if is_measurable else None,
            batch_progress.document if self._batch else "",
            pages / seconds if pages >= MIN_RATE_PAGES and seconds > 0 else None,
        )
