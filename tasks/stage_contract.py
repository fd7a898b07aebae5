"""The contract of stages: what one needs, what decides its output, and its work on a document of a batch.

A stage's output for a document is named by a digest of the outputs it needs, the facts and settings that matter to it,
and its version; so the key shows whether the work is done. `perform` is the only loop over documents, and the only
place where the failure of a document is isolated from the others. Nothing here depends on Prefect.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

import pyarrow as pa

from tasks.faults import DocumentProblem, make_failure, to_problem
from tasks.stage_meter import record_progress
from warehouse.identity import digest
from warehouse.records import NO_CORRECTIONS, Chunking, DateClaim, DocumentCorrections, Kind, Output
from warehouse.records.calendars import Interval
from warehouse.settings.loader import Settings
from warehouse.store.catalog import STAGE_TABLES
from warehouse.store.lake import Lake

Records = Mapping[str, Sequence[Any]]
CHECK_INTERVAL = 0.1  # Seconds between two checks whether a document is late.

SECONDS_PER_MEGABYTE = 60
"""The time that a stage may take for each whole megabyte of a document's file, in addition to `batch.seconds`.

On two cores the slowest stage takes about 6 s for a megabyte of text.
"""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """The facts about a document from its file, its root and its content.

    `date_claim` is None for an undated document. `fiscal_year_end` (MM-DD) and `chunking` are those of the root, empty
    if it has none. `corrections` are those by people; `date_claim` is corrected already. `name_days` are the half-open
    days in the name of a daily, weekly or monthly note.
    """

    document_id: str
    source: str
    title: str
    kind: Kind
    language: str
    date_claim: DateClaim | None = None
    fiscal_year_end: str = ""
    chunking: Chunking = field(default_factory=Chunking)
    corrections: DocumentCorrections = NO_CORRECTIONS
    name_days: Interval | None = None

    @property
    def document_date(self) -> date | None:
        """The date of the document."""
        return self.date_claim.date if self.date_claim else None


@dataclass(frozen=True, slots=True)
class BatchItem:
    """One document's part in a batch: the key of the output to make, and its inputs.

    `facts` is None only before parsing.
    """

    key: str
    name: str
    path: Path
    sha256: str
    size: int
    inputs: Mapping[str, Output]
    facts: DocumentFacts | None = None

    @property
    def known_facts(self) -> DocumentFacts:
        """The facts, for any stage after parsing."""
        if self.facts is None:
            raise ValueError(f"{self.name} has no facts yet")
        return self.facts


@dataclass(frozen=True, slots=True)
class BatchWork:
    """A stage's work on a prepared batch: `document` gives the records of one of its documents by table.

    `seconds` is the preparation time for a key, if it is known.
    """

    document: Callable[[BatchItem], Records]
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class BatchOutcome:
    """The outcome of a batch: outputs by table and key, why others have none, and the seconds of keys if known."""

    outputs: dict[str, dict[str, Sequence[Any]]]
    problems: dict[str, DocumentProblem] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def drop(self, key: str, problem: DocumentProblem) -> None:
        """Record why a document has no output."""
        for records in self.outputs.values():
            records.pop(key, None)
        self.problems[key] = problem


@dataclass(frozen=True, slots=True)
class Stage:
    """One pass over documents. `get_relevant_facts` gives the settings and facts that decide the output, JSON-like.

    `prepare` does the work that is best done for a whole batch (reading its inputs from the lake, a model's call).
    """

    name: str
    version: int
    needs: tuple[str, ...]
    get_relevant_facts: Callable[[Settings, DocumentFacts], object]
    prepare: Callable[[Sequence[BatchItem], Lake, Settings], BatchWork]

    @property
    def tables(self) -> tuple[str, ...]:
        """The lake tables it writes."""
        return STAGE_TABLES[self.name]

    def make_key(self, inputs: Mapping[str, str], settings: Settings, facts: DocumentFacts) -> str:
        """The name of the output made from these inputs (stage to key)."""
        input_keys = [inputs[stage] for stage in self.needs]
        return digest(self.name, self.version, input_keys, self.get_relevant_facts(settings, facts))


class TimeLimitExceeded(BaseException):
    """A document took longer than a stage may. No `Exception`, so that no code of a stage catches it."""


class Stopwatch:
    """Interrupts the thread that made it, within a `with`, if a document takes longer than it may.

    Python code is interrupted between two instructions, native code when it returns.
    """

    def __init__(self) -> None:
        """One thread watches all documents of a batch: one per document would cost more than the work on many notes."""
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._deadline: float | None = None
        self._is_late = False
        self._ended = threading.Event()

    def __enter__(self) -> Stopwatch:
        """Begin to watch."""
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        """End the watching thread."""
        self._ended.set()

    @contextmanager
    def limit(self, seconds: float) -> Iterator[None]:
        """Raise `TimeLimitExceeded` in the code inside once it takes longer."""
        with self._lock:
            self._deadline, self._is_late = monotonic() + seconds, False
        try:
            yield
        finally:
            with self._lock:
                self._deadline = None
            if self._is_late:
                # It may not have been raised yet, and must not be raised in later code.
                _raise_in(self._thread, None)

    def _watch(self) -> None:
        while not self._ended.wait(CHECK_INTERVAL):
            with self._lock:
                if self._deadline is not None and monotonic() > self._deadline:
                    self._deadline, self._is_late = None, True
                    _raise_in(self._thread, TimeLimitExceeded)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Let a thread raise an exception at its next instruction; None cancels one that it has not raised yet."""
    raised = ctypes.py_object(error) if error else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


def make_batch_name(stage: str, keys: Sequence[str]) -> str:
    """The name of a batch's files."""
    return digest(stage, list(keys))


def perform(
    stage: Stage,
    items: Sequence[BatchItem],
    lake: Lake,
    settings: Settings,
    on_begin: Callable[[BatchItem], None] = lambda item: None,
) -> tuple[str, BatchOutcome]:
    """Process a batch and write its files. The file is named by the keys that succeeded, so a failure is never cached.

    If the stage fails on a document, only that one is lost; if a batch fails as a whole, its documents are processed
    one by one. `on_begin` is called with each document before its part begins.
    """
    outputs = (output for item in items for output in item.inputs.values())
    lake.fetch_files((table, output.file) for output in outputs for table in STAGE_TABLES[output.stage])
    outcome = BatchOutcome({table: {} for table in stage.tables})
    with Stopwatch() as stopwatch:
        _process_batch(stage, items, lake, settings, on_begin, stopwatch, outcome)
    rows = _build_rows(stage, items, lake, outcome)
    name = make_batch_name(stage.name, [item.key for item in items if item.key not in outcome.problems])
    for table in stage.tables:
        lake.write_rows(table, name, rows[table])
    return name, outcome


def _process_batch(
    stage: Stage,
    items: Sequence[BatchItem],
    lake: Lake,
    settings: Settings,
    on_begin: Callable[[BatchItem], None],
    stopwatch: Stopwatch,
    outcome: BatchOutcome,
) -> None:
    if len(items) == 1:
        on_begin(items[0])
    try:
        batch = stage.prepare(items, lake, settings)
    except Exception as error:
        problem = to_problem(stage.name, error)
        if len(items) == 1:
            outcome.drop(items[0].key, problem)
            return
        for item in items:
            _process_batch(stage, [item], lake, settings, on_begin, stopwatch, outcome)
        return
    outcome.seconds.update(batch.seconds)
    for index, item in enumerate(items):
        on_begin(item)
        record_progress(index / len(items), item.facts.source if item.facts else item.name)
        seconds = compute_time_limit(item, settings)
        try:
            with stopwatch.limit(seconds):
                records = batch.document(item)
        except TimeLimitExceeded:
            outcome.drop(item.key, make_failure(stage.name, f"it took longer than {seconds:g} s"))
        except Exception as error:
            outcome.drop(item.key, to_problem(stage.name, error))
        else:
            for table in stage.tables:
                outcome.outputs[table][item.key] = records[table]


def compute_time_limit(item: BatchItem, settings: Settings) -> float:
    """The seconds that a stage may take for a document."""
    return settings.batch.seconds + SECONDS_PER_MEGABYTE * (item.size >> 20)


def _build_rows(stage: Stage, items: Sequence[BatchItem], lake: Lake, outcome: BatchOutcome) -> dict[str, pa.Table]:
    """The rows to write, by table. A document whose records cannot be written is dropped."""
    try:
        return {table: lake.build_rows(table, outcome.outputs[table]) for table in stage.tables}
    except Exception as error:
        to_problem(stage.name, error)
    for key in {item.key for item in items if item.key not in outcome.problems}:
        try:
            for table in stage.tables:
                lake.build_rows(table, {key: outcome.outputs[table][key]})
        except Exception as error:
            outcome.drop(key, to_problem(stage.name, error))
    return {table: lake.build_rows(table, outcome.outputs[table]) for table in stage.tables}
