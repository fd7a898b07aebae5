"""Imports in the background: begun from a page, shown on every page that asks, the same whoever looks or leaves.

Those of the dashboard and those of other processes are shown while they run. What one came to stays until somebody
dismisses it or, having seen it, goes on to another page.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import streamlit as st

from dashboards.background.ingests import QUEUED_NOTE, IngestQueue
from dashboards.background.runs import IngestRun, OtherRun
from dashboards.html.import_progress import UNCHANGED, documents_html, progress_html, refused_html, result_html
from dashboards.html.notices import error_html, note_html
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, page_context
from flows.progress import DocumentState
from tasks.quality.phrases import counted
from warehouse.errors import KalendsError

EVERY = 1.0
"""Seconds between two looks at how far an import is."""
LATEST = 3
"""Imports that have ended that are shown at most."""
_MESSAGE, _OWN, _SHOWN, _DISMISSED = (f"imports-{name}" for name in ("message", "own", "shown", "dismissed"))


@dataclass(frozen=True, slots=True)
class ImportMessage:
    """What became of an action before anything was imported: lines, files that were refused and why, and an error."""

    lines: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    error: KalendsError | None = None


def start_import(
    here: PageContext, files: Sequence[Path] = (), drop: Sequence[str] = (), message: ImportMessage | None = None
) -> NoReturn:
    """Import files or folders, or all that is declared, as soon as no other import runs, and draw the page anew.

    `message` is shown with it. Where it cannot begin, the page says why.
    """
    _enqueue(here, files, drop, message or ImportMessage())
    st.rerun()


def show_message(message: ImportMessage) -> NoReturn:
    """Show a message at the head of the page, drawn anew, in place of the last one."""
    _put(message)
    st.rerun()


def resume_imports() -> None:
    """Begin to import what an earlier dashboard was handed and did not come to, whichever page is opened first."""
    with suppress(KalendsError):
        background_ingests(page_context())


def draw_imports(here: PageContext) -> None:
    """Draw the last message, what is imported now, and what came of imports, until they have been seen."""
    message = st.session_state.get(_MESSAGE)
    if message and _is_still_here(here, _MESSAGE):
        _draw_message(here, message)
    ingests = background_ingests(here)
    active, left = _active(here, ingests), ingests.pending_uploads
    every = EVERY if active else here.settings.dashboard.refresh
    st.fragment(_follow, run_every=every)(here, active, left)
    finished = [run for run in reversed(ingests.finished_runs) if _is_news(here, run) and _is_still_here(here, run.id)]
    for run in sorted(finished, key=lambda run: not _has_failed(run))[:LATEST]:
        _draw_ended(here, run)
    if left and not active:
        _draw_left(here, left)


def _enqueue(here: PageContext, files: Sequence[Path], drop: Sequence[str], message: ImportMessage) -> None:
    """Queue an import with a message; what came of earlier ones that this does again is told no more."""
    try:
        run = background_ingests(here).enqueue(here.settings, files, drop)
    except KalendsError as error:
        _put(replace(message, error=error))
        return
    _put(message)
    for earlier in background_ingests(here).finished_runs:
        if earlier.problem and set(earlier.files) <= set(run.files):
            _dismiss(here, earlier.id)
    own = st.session_state.setdefault(_OWN, set())
    own.update((run.id, *(each.source for each in run.documents)))


def _put(message: ImportMessage) -> None:
    st.session_state[_MESSAGE] = message if message != ImportMessage() else None
    st.session_state.get(_SHOWN, {}).pop(_MESSAGE, None)


def _follow(here: PageContext, active: tuple[str, ...], left: tuple[Path, ...]) -> None:
    """What is imported now. The whole page is drawn again once other imports are `active` or other files `left`."""
    ingests = background_ingests(here)
    if (_active(here, ingests), ingests.pending_uploads) != (active, left):
        st.rerun()
    other = ingests.other(here.settings)
    if other:
        with st.container(key=state.own_key("run-status-other")):
            _draw_other(other)
    if ingests.running and ingests.latest:
        with st.container(key=state.own_key("run-status-running")):
            _draw_running(ingests, ingests.latest)
    for run in ingests.queued:
        with st.container(key=state.own_key(f"run-status-{run.id}")):
            _draw_queued(ingests, run)


def _active(here: PageContext, ingests: IngestQueue) -> tuple[str, ...]:
    """The imports that run or wait, by their ids; that of another process by the process."""
    other = ingests.other(here.settings)
    running = [ingests.latest.id] if ingests.running and ingests.latest else []
    return (*running, *(run.id for run in ingests.queued), *([other.holder] if other else []))


def _draw_running(ingests: IngestQueue, run: IngestRun) -> None:
    st.html(progress_html(run, datetime.now(UTC)))
    _draw_documents(run)
    st.button(
        "Stop", key=state.own_key("imports-stop"), icon=":material/stop_circle:", on_click=ingests.stop, type="tertiary"
    )


def _draw_queued(ingests: IngestQueue, run: IngestRun) -> None:
    st.html(note_html(QUEUED_NOTE))
    _draw_documents(run)
    st.button(
        "Cancel",
        key=state.own_key(f"imports-cancel-{run.id}"),
        icon=":material/cancel:",
        on_click=ingests.cancel,
        args=(run.id,),
        type="tertiary",
    )


def _draw_other(other: OtherRun) -> None:
    who = f"{other.origin} ({other.holder})" if other.origin else f"Another import ({other.holder})"
    if other.run is None:
        st.html(
            note_html(f"{other.holder.capitalize()} is writing to this library. Imports wait until it has finished.")
        )
        return
    st.html(progress_html(other.run, datetime.now(UTC), who))
    _draw_documents(other.run)


def _draw_documents(run: IngestRun) -> None:
    own = st.session_state.get(_OWN, ())
    html = documents_html(run.documents, run.unlisted, own, is_over=run.finished is not None)
    if html:
        st.html(html)


def _draw_ended(here: PageContext, run: IngestRun) -> None:
    with st.container(key=state.own_key(f"run-status-{run.id}")):
        if run.problem:
            st.html(error_html(KalendsError(run.problem.detail, run.problem.cure)))
        if run.report:
            st.html(result_html(run.report))
            for warning in run.report.warnings:
                st.html(note_html(warning))
        _draw_documents(run)
        listed = {each.source for each in run.documents}
        unreadable = run.report.unreadable if run.report else {}
        others = [(source, why) for source, why in unreadable.items() if source not in listed]
        if others:
            with st.expander(f"{counted(len(others), 'other file')} of the library could not be read"):
                st.html(refused_html(others))
        _dismiss_button(here, run.id)


def _draw_message(here: PageContext, message: ImportMessage) -> None:
    with st.container(key=state.own_key("run-status-message")):
        if message.error:
            st.html(error_html(message.error))
        if message.refused:
            st.html(refused_html(message.refused))
        for line in message.lines:
            st.html(note_html(line))
        _dismiss_button(here, _MESSAGE)


def _draw_left(here: PageContext, files: Sequence[Path]) -> None:
    """Files that were handed over and are not in the library, as their import was stopped or failed."""
    left = [file for file in files if file.exists()]
    if not left:
        return
    names = ", ".join(file.name for file in left[:LATEST])
    more = f" and {len(left) - LATEST:,} more" if len(left) > LATEST else ""
    with st.container(key=state.own_key("run-status-left")):
        st.html(note_html(f"{counted(len(left), 'file')} sent earlier and not in the library yet: {names}{more}"))
        # Pressed as another import begins, which takes this away, it still counts.
        st.button(
            "Add to library",
            key=state.own_key("imports-left"),
            icon=":material/upload:",
            on_click=_enqueue,
            args=(here, left, (), ImportMessage()),
            type="tertiary",
        )


def _dismiss_button(here: PageContext, name: str) -> None:
    key = state.own_key(f"imports-dismiss-{name}")
    st.button("Dismiss", key=key, on_click=_dismiss, args=(here, name), type="tertiary")


def _dismiss(here: PageContext, name: str) -> None:
    """Show a message, or what came of an import, no more."""
    if name == _MESSAGE:
        st.session_state[_MESSAGE] = None
        return
    st.session_state.setdefault(_DISMISSED, set()).add(name)
    _seen_by_somebody(str(here.settings.warehouse)).add(name)


def _is_news(here: PageContext, run: IngestRun) -> bool:
    """Whether this reader should be told what an import came to: it is the reader's own, or nobody has seen it yet."""
    if run.id in st.session_state.get(_DISMISSED, ()):
        return False
    mine = run.id in st.session_state.get(_OWN, ()) or run.id in st.session_state.get(_SHOWN, {})
    return mine or run.id not in _seen_by_somebody(str(here.settings.warehouse))


def _has_failed(run: IngestRun) -> bool:
    """Whether it, or a document in it that is not as it was, has failed."""
    return run.problem is not None or any(
        each.state is DocumentState.FAILED and each.action != UNCHANGED for each in run.documents
    )


def _is_still_here(here: PageContext, name: str) -> bool:
    """Whether the reader is where a message or a result was first seen. Whoever has gone on is not shown it again."""
    now = f"{state.visits()} {st.query_params.get('document', '')}"
    stays = bool(st.session_state.setdefault(_SHOWN, {}).setdefault(name, now) == now)
    if not stays:
        _dismiss(here, name)
    return stays


def background_ingests(here: PageContext) -> IngestQueue:
    """The imports of this process into the warehouse."""
    return _begun(str(here.settings.warehouse), here)


@st.cache_resource(show_spinner=False)
def _begun(folder: str, _here: PageContext) -> IngestQueue:
    """Those of the process, for one warehouse. What was handed over to an earlier process is taken in first."""
    found = IngestQueue("the dashboard")
    found.ingest_inbox(_here.settings)
    return found


@st.cache_resource(show_spinner=False)
def _seen_by_somebody(folder: str) -> set[str]:
    """The imports whose results one reader has seen: new readers are not told of them."""
    return set()
