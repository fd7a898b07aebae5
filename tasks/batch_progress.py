"""Progress of the batch that is in work in this process: written by the stage, read by a progress display.

A batch on a cluster's worker tells its own process, and nobody reads it there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


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
