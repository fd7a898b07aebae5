"""The log: one line an event, with the ids of its run, stage and document; nothing unless `[log]` asks for it.

    run started              run, flow, warehouse
    waiting for another writer  run, holder
    planned                  run, and how many documents of each action
    stage started            run, stage, documents
    stage advanced           run, stage, documents (debug)
    stage finished           run, stage, documents, seconds
    document failed          run, document, source, code, reason (warning)
    published                run, generation, documents, chunks
    run ended, run failed    run, seconds; error, problem (error)
    inbox not looked into    problem (warning)
    searched, asked in SQL   generation, hits or rows, seconds (debug): never the words
    request, tool called     method, path, status; tool; seconds (debug)
    internal error           reference, error, problem, place (error)

Lines are structlog's (https://www.structlog.org): JSON, logfmt or for people. A password, a token or a key that this
process holds is never written.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal, TextIO

from warehouse.printable_text import ESCAPES, hide_secrets

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from structlog.typing import FilteringBoundLogger, Processor

    from warehouse.settings.models import LogSettings

Level = Literal["debug", "info", "warning", "error"]
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}  # As the standard library numbers them.

_open_journals: dict[tuple[LogSettings, Path], tuple[FilteringBoundLogger, TextIO]] = {}
"""The open log of this process, at most one: its logger and its stream; empty if nothing is logged."""


def open_log(log: LogSettings, folder: Path) -> None:
    """Open the log that `log` asks for, of the warehouse in `folder`; a second time changes nothing.

    A file's folder is made, and the file is for its owner alone. Raises `OSError` if that fails.
    """
    if (log, folder) in _open_journals:
        return
    stream = sys.stderr
    if log.level != "off" and log.file:
        path = folder / "logs" / log.file
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        stream = os.fdopen(file, "a", encoding="utf-8", buffering=1)
    while _open_journals:
        _, (_, open_stream) = _open_journals.popitem()
        if open_stream is not sys.stderr:
            open_stream.close()
    if log.level != "off":
        _open_journals[log, folder] = _build_logger(log, stream), stream


def is_logging() -> bool:
    """Whether anything is written at all."""
    return bool(_open_journals)


def record(level: Level, event: str, **fields: Any) -> None:
    """Write an event with the ids of `bind_ids`. A line that cannot be written (a full disk) is ignored."""
    for logger, _ in _open_journals.values():
        with suppress(OSError):
            logger.log(LEVELS[level], event, **{name: value for name, value in fields.items() if value is not None})


def record_internal_error(error: BaseException) -> str:
    """Write an unexpected error. Returns the reference that a message gives so that the line can be found."""
    reference = token_hex(4)
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None
    record("error", "internal error", reference=reference, error=type(error).__name__, problem=str(error), place=place)
    return reference


@contextmanager
def bind_ids(**ids: str) -> Iterator[None]:
    """Write these ids with each event inside."""
    if not _open_journals:
        yield
        return
    from structlog.contextvars import bound_contextvars

    with bound_contextvars(**ids):
        yield


def _build_logger(log: LogSettings, stream: TextIO) -> FilteringBoundLogger:
    import structlog

    order = ["timestamp", "level", "event", "run", "stage", "document"]
    renderers: dict[str, Processor] = {
        "json": structlog.processors.JSONRenderer(ensure_ascii=False),
        "logfmt": structlog.processors.LogfmtRenderer(key_order=order, drop_missing=True),
        "human": structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False),
    }
    logger: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _clean_values,
            renderers[log.format],
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[log.level]),
        context_class=dict,
    )
    return logger


def _clean_values(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Round numbers to three decimals; put each text on one line, without secrets."""
    for name, value in event.items():
        if isinstance(value, float):
            event[name] = round(value, 3)
        elif not isinstance(value, bool | int):
            event[name] = " ".join(hide_secrets(str(value)).split()).translate(ESCAPES)
    return event
