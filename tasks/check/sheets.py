"""All that checking one file gives: what is kept in the cache, so that an unchanged file is not read again."""

from __future__ import annotations

from dataclasses import dataclass, field

from tasks.check.located import Located
from tasks.check.suppression import Suppression
from tasks.faults import FAILED_STAGE
from tasks.quality.corpus import Digest
from tasks.quality.places import Anchors
from warehouse.errors import StageError, UnreadableFile
from warehouse.records import Finding, Severity


@dataclass(frozen=True, slots=True)
class Best:
    """What a chunk scores where nothing is found in it, and its size in characters."""

    chunk_id: str
    best: float
    size: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The findings of a file for all rules, chosen or not, and what rules about many files need of it.

    A file that cannot be read has no `digest`.
    """

    found: tuple[Located, ...]
    chunks: tuple[Best, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    anchors: Anchors = field(default_factory=Anchors)
    digest: Digest | None = None


def failed(error: StageError) -> Sheet:
    """The sheet of a file on which the check, or a stage before it, failed."""
    return Sheet((Located(FAILED_STAGE.finding(str(error))),))


def refused(problem: UnreadableFile) -> Sheet:
    """The sheet of a file that cannot be read."""
    return Sheet((Located(Finding(problem.code, problem.name, Severity.ERROR, str(problem))),))
