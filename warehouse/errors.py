"""Errors of Kalends. The message of each is one line: what is wrong, and what to do about it.

KalendsError                 exit 2
├── BadInput                 a path, option or value that cannot be used
│   ├── BadSettings          kalends.toml or a KALENDS_ variable
│   └── UnknownDocument      a name that no document has
├── UnreadableFile           one file that no parser can read; becomes a finding
├── StageError               exit 1: a stage failed on one document, an error of the program
├── NoWarehouse              nothing has been ingested yet
├── BadWarehouse             a warehouse of another version, or damaged
├── Busy                     another process writes to the warehouse
├── LakeFailed               the lake on another filesystem cannot be reached
├── ServerFailed             the local Prefect server did not start
├── ClusterFailed            the Dask cluster cannot do the work
├── BadQuery                 SQL that is not a read-only query
│   ├── QueryMistake         SQL with an unknown name or a syntax error
│   └── QueryTimeout         SQL that exceeds its time limit
├── ModelServerFailed        the server of an embedder or reranker cannot be used
└── NoAnswer                 the language model cannot be reached, or gives no answer
"""

from __future__ import annotations


class KalendsError(Exception):
    """An error: in `problem` what went wrong, in `cure` what to do about it."""

    exit_code = 2

    def __init__(self, problem: str, cure: str = "") -> None:
        """`problem` and `cure` are single lines."""
        super().__init__(problem, cure)
        self.problem = problem
        self.cure = cure

    def __str__(self) -> str:
        """The line that a user sees."""
        return f"{self.problem}: {self.cure}" if self.cure else self.problem


class BadInput(KalendsError):
    """A path, option or value that cannot be used."""


class BadSettings(BadInput):
    """A setting that cannot be used; names the setting and its origin."""


class UnknownDocument(BadInput):
    """A name that no document has; the cure offers the nearest."""


class UnreadableFile(KalendsError):
    """One file that cannot be read. `code` is the finding's code, `name` its fault name.

    `transient` says that the reason may pass (permissions, a file changing under the reader): it is tried again.
    """

    def __init__(
        self,
        problem: str,
        cure: str = "",
        code: str = "DOC001",
        name: str = "unreadable-file",
        *,
        transient: bool = False,
    ) -> None:
        """`problem` and `cure` are single lines."""
        super().__init__(problem, cure)
        self.code = code
        self.name = name
        self.transient = transient


class StageError(KalendsError):
    """A stage failed on one document for a reason that the program did not foresee."""

    exit_code = 1

    def __init__(self, stage: str, document: str, reason: str) -> None:
        """`reason` is a single line."""
        problem = f"Internal error in stage {stage}, document {document}: {reason}"
        super().__init__(problem, "please report it (KALENDS_DEBUG=1 shows where)")
        self.stage = stage
        self.document = document
        self.reason = reason

    def __reduce__(self) -> tuple[type[StageError], tuple[str, str, str]]:
        """Pickled by its arguments, so that it can be sent between processes."""
        return StageError, (self.stage, self.document, self.reason)


class NoWarehouse(KalendsError):
    """There is no published generation."""


class BadWarehouse(KalendsError):
    """The warehouse is damaged or of a version this program does not read."""


class WarehouseBusy(KalendsError):
    """Another process writes to the warehouse."""


class ServerFailed(KalendsError):
    """The local Prefect server is not usable."""


class LakeFailed(KalendsError):
    """The lake on another filesystem cannot be reached, read or written."""


class ClusterFailed(KalendsError):
    """The Dask cluster is not reachable, or its workers cannot do the work."""


class BadQuery(KalendsError):
    """SQL that cannot be run read-only."""


class QueryMistake(BadQuery):
    """SQL with an unknown name or a syntax error."""


class QueryTimeout(BadQuery):
    """SQL that exceeds its time limit."""


class ModelServerFailed(KalendsError):
    """The server of an embedder or a reranker cannot be reached, refuses, or sends an unusable answer."""


class NoAnswer(KalendsError):
    """The language model cannot be reached, or gives no answer. `tokens` were used without a result."""

    def __init__(self, problem: str, cure: str = "", tokens: int = 0) -> None:
        """`problem` and `cure` are single lines."""
        super().__init__(problem, cure)
        self.tokens = tokens
