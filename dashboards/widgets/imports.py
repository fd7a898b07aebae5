"""Imports: started from a page by files, folders and sources, and their progress and results on every page.

Imports of the dashboard and of other processes are shown while they run. A result stays until somebody dismisses it, or
has seen it and opens another page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NoReturn

import streamlit as st

from dashboards.background.inbox import MAX_MEGABYTES, InboxFiles, StorageOutcome, stage_upload
from dashboards.background.ingests import QUEUED_NOTE, IngestQueue
from dashboards.background.runs import IngestRun
from dashboards.html.import_progress import (
    UNCHANGED,
    render_documents,
    render_progress,
    render_refused_files,
    render_result,
)
from dashboards.html.safe_text import render_error, render_note
from dashboards.widgets import state
from dashboards.widgets.resources import PageContext, load_page_context
from flows.progress import DocumentState
from tasks.quality.phrases import format_count
from warehouse.errors import BadInput, KalendsError, NoWarehouse, UnreadableFile
from warehouse.settings.addresses import is_local
from warehouse.store.layout import Layout

REFRESH_SECONDS = 1.0  # Seconds between two updates of the progress.
MAX_RESULTS = 3  # Finished imports, and names of files, that are shown at most.
_MESSAGE, _OWN, _SHOWN, _DISMISSED = (f"imports-{name}" for name in ("message", "own", "shown", "dismissed"))


@dataclass(frozen=True, slots=True)
class ImportMessage:
    """The result of an action before any import: lines of text, refused files with the reasons, and an error."""

    lines: tuple[str, ...] = ()
    refused_files: tuple[tuple[str, str], ...] = ()
    error: KalendsError | None = None


def start_import(
    context: PageContext, files: Sequence[Path] = (), drop: Sequence[str] = (), message: ImportMessage | None = None
) -> NoReturn:
    """Queue an import of files or folders, or of all declared sources, and draw the page again with `message`.

    `drop` are sources to remove. An error of the queue is shown in place of the import.
    """
    _enqueue(context, files, drop, message or ImportMessage())
    st.rerun()


def show_message(message: ImportMessage) -> NoReturn:
    """Draw the page again with a message at its head, in place of the last one."""
    _put_message(message)
    st.rerun()


def resume_imports() -> None:
    """Continue the imports that an earlier process of the dashboard left undone."""
    with suppress(KalendsError):
        get_background_ingests(load_page_context())


def draw_imports(context: PageContext) -> None:
    """Draw the last message, the running and queued imports, and results that have not been seen."""
    message: ImportMessage | None = st.session_state.get(_MESSAGE)
    if message and _is_on_first_view(context, _MESSAGE):
        with st.container(key=state.make_page_key("run-status-message")):
            if message.error:
                st.html(render_error(message.error))
            if message.refused_files:
                st.html(render_refused_files(message.refused_files))
            for line in message.lines:
                st.html(render_note(line))
            _draw_dismiss_button(context, _MESSAGE)
    ingests = get_background_ingests(context)
    active, pending = _list_active_runs(context, ingests), ingests.pending_uploads
    every = REFRESH_SECONDS if active else context.settings.dashboard.refresh
    st.fragment(_draw_active_runs, run_every=every)(context, active, pending)
    finished_runs = [
        run for run in reversed(ingests.finished_runs) if _is_news(context, run) and _is_on_first_view(context, run.id)
    ]
    # First those that failed, or in which a new or changed document did.
    finished_runs.sort(
        key=lambda run: (
            not run.problem
            and all(
                document.state is not DocumentState.FAILED or document.action == UNCHANGED for document in run.documents
            )
        )
    )
    for run in finished_runs[:MAX_RESULTS]:
        _draw_finished_run(context, run)
    if not active and (left := [file for file in pending if file.exists()]):
        _draw_pending_files(context, left)


def _enqueue(context: PageContext, files: Sequence[Path], drop: Sequence[str], message: ImportMessage) -> None:
    """Queue an import with a message; failures of earlier imports of the same files are dismissed."""
    try:
        run = get_background_ingests(context).enqueue(context.settings, files, drop)
    except KalendsError as error:
        _put_message(replace(message, error=error))
        return
    _put_message(message)
    for earlier in get_background_ingests(context).finished_runs:
        if earlier.problem and set(earlier.files) <= set(run.files):
            _dismiss(context, earlier.id)
    own_imports = st.session_state.setdefault(_OWN, set())
    own_imports.update((run.id, *(document.source for document in run.documents)))


def _put_message(message: ImportMessage) -> None:
    st.session_state[_MESSAGE] = message if message != ImportMessage() else None
    st.session_state.get(_SHOWN, {}).pop(_MESSAGE, None)


def _draw_active_runs(context: PageContext, active: tuple[str, ...], left: tuple[Path, ...]) -> None:
    """Draw the current imports; draw the whole page again once other imports are `active` or other files `left`."""
    ingests = get_background_ingests(context)
    if (_list_active_runs(context, ingests), ingests.pending_uploads) != (active, left):
        st.rerun()
    if other := ingests.find_other_run(context.settings):
        with st.container(key=state.make_page_key("run-status-other")):
            if other.run is None:
                holder = other.holder.capitalize()
                st.html(render_note(f"{holder} is writing to this library. Imports wait until it has finished."))
            else:
                who = f"{other.origin} ({other.holder})" if other.origin else f"Another import ({other.holder})"
                st.html(render_progress(other.run, datetime.now(UTC), who))
                _draw_documents(other.run)
    button = partial(st.button, type="tertiary")
    if ingests.is_running and ingests.latest:
        with st.container(key=state.make_page_key("run-status-running")):
            st.html(render_progress(ingests.latest, datetime.now(UTC)))
            _draw_documents(ingests.latest)
            button(
                "Stop", key=state.make_page_key("imports-stop"), icon=":material/stop_circle:", on_click=ingests.stop
            )
    for run in ingests.queued_runs:
        with st.container(key=state.make_page_key(f"run-status-{run.id}")):
            st.html(render_note(QUEUED_NOTE))
            _draw_documents(run)
            key = state.make_page_key(f"imports-cancel-{run.id}")
            button("Cancel", key=key, icon=":material/cancel:", on_click=ingests.cancel, args=(run.id,))


def _list_active_runs(context: PageContext, ingests: IngestQueue) -> tuple[str, ...]:
    """The ids of the imports that run or wait; that of another process is the process's name."""
    other = ingests.find_other_run(context.settings)
    running = [ingests.latest.id] if ingests.is_running and ingests.latest else []
    return (*running, *(run.id for run in ingests.queued_runs), *([other.holder] if other else []))


def _draw_documents(run: IngestRun) -> None:
    own_imports = st.session_state.get(_OWN, ())
    if html := render_documents(run.documents, run.unlisted, own_imports, is_over=run.finished is not None):
        st.html(html)


def _draw_finished_run(context: PageContext, run: IngestRun) -> None:
    with st.container(key=state.make_page_key(f"run-status-{run.id}")):
        if run.problem:
            st.html(render_error(KalendsError(run.problem.detail, run.problem.cure)))
        if run.report:
            st.html(render_result(run.report))
            for warning in filter(None, (*run.report.warnings, run.report.without_vectors)):
                st.html(render_note(warning))
        _draw_documents(run)
        listed_sources = {document.source for document in run.documents}
        unreadable = run.report.unreadable if run.report else {}
        others = [(source, why) for source, why in unreadable.items() if source not in listed_sources]
        if others:
            with st.expander(f"{format_count(len(others), 'other file')} of the library could not be read"):
                st.html(render_refused_files(others))
        _draw_dismiss_button(context, run.id)


def _draw_pending_files(context: PageContext, pending_files: Sequence[Path]) -> None:
    """Draw the uploaded files that are not in the library because their import was stopped or failed."""
    names, others = ", ".join(file.name for file in pending_files[:MAX_RESULTS]), len(pending_files) - MAX_RESULTS
    more = f" and {others:,} more" if others > 0 else ""
    with st.container(key=state.make_page_key("run-status-left")):
        count_text = format_count(len(pending_files), "file")
        st.html(render_note(f"{count_text} sent earlier and not in the library yet: {names}{more}"))
        # A callback, because the button is gone when the page is drawn again while another import starts.
        st.button(
            "Add to library",
            key=state.make_page_key("imports-left"),
            icon=":material/upload:",
            on_click=_enqueue,
            args=(context, pending_files, (), ImportMessage()),
            type="tertiary",
        )


def _draw_dismiss_button(context: PageContext, name: str) -> None:
    key = state.make_page_key(f"imports-dismiss-{name}")
    st.button("Dismiss", key=key, on_click=_dismiss, args=(context, name), type="tertiary")


def _dismiss(context: PageContext, name: str) -> None:
    if name == _MESSAGE:
        st.session_state[_MESSAGE] = None
        return
    st.session_state.setdefault(_DISMISSED, set()).add(name)
    _get_seen_results(str(context.settings.warehouse)).add(name)


def _is_news(context: PageContext, run: IngestRun) -> bool:
    """Whether to show a result to this reader, who started the import, or because no reader has seen the result."""
    if run.id in st.session_state.get(_DISMISSED, ()):
        return False
    mine = run.id in st.session_state.get(_OWN, ()) or run.id in st.session_state.get(_SHOWN, {})
    return mine or run.id not in _get_seen_results(str(context.settings.warehouse))


def _is_on_first_view(context: PageContext, name: str) -> bool:
    """Whether the reader is still on the page where a message or result was first shown; else it is dismissed."""
    now = f"{state.count_visits()} {st.query_params.get('document', '')}"
    stays = bool(st.session_state.setdefault(_SHOWN, {}).setdefault(name, now) == now)
    if not stays:
        _dismiss(context, name)
    return stays


@st.cache_resource(show_spinner=False, hash_funcs={PageContext: lambda context: str(context.settings.warehouse)})
def get_background_ingests(context: PageContext) -> IngestQueue:
    """The queue of imports of this process; files that an earlier one left in the inbox are imported first."""
    queue = IngestQueue("the dashboard")
    queue.ingest_inbox(context.settings)
    return queue


@st.cache_resource(show_spinner=False)
def _get_seen_results(folder: str) -> set[str]:
    """The imports whose results a reader has seen: new readers are not shown them."""
    return set()


BOTH, REPLACE = "Keep both", "Replace the older one"
_REMOTE_BROWSER = (
    "A folder can be added only on the machine that runs Kalends: use 'kalends ingest FOLDER' there. "
    "Here you can import a folder again."
)


def draw_file_form(context: PageContext) -> None:
    """Draw the form that uploads files; those that are sent are imported."""
    limit = min(MAX_MEGABYTES, context.settings.parse.max_file_megabytes)
    number = state.get_value("library", "files-round")
    with st.form(state.make_page_key("dropping"), clear_on_submit=True, border=False):
        uploads = st.file_uploader(
            f"Files, up to {limit} MB each",
            accept_multiple_files=True,
            max_upload_size=limit,
            key=state.make_page_key(f"dropped-{number}"),
            help="PDF, Word, Excel, PowerPoint, OpenDocument, Rich Text, EPUB, mail, calendars, HTML, Markdown, Org, "
            "AsciiDoc, text, notebooks, CSV, JSON, XML. A copy is kept on this machine.",
        )
        policy = st.radio(
            "If there is already a file of that name with other content",
            (BOTH, REPLACE),
            horizontal=True,
            key=state.make_page_key("same-name"),
        )
        is_sent = st.form_submit_button("Add to library", type="primary", icon=":material/upload:")
    if not is_sent:
        return
    if not uploads:
        show_message(ImportMessage(("No file was chosen.",)))
    # A form of the same key would send these files again together with the next ones.
    state.set_value("library", "files-round", number + 1)
    add_files(context, [(file.name, file.getvalue()) for file in uploads], replace=policy == REPLACE)


def add_files(
    context: PageContext, files: list[tuple[str, bytes]], *, replace: bool, on_stored: Callable[[], None] = lambda: None
) -> None:
    """Store files, given by name and content, in the inbox, import those that are new, and show the outcome of each.

    `replace` overwrites a file of the same name. `on_stored` is called once every file is stored.
    """
    try:
        entries = context.read_catalogue().entries
    except NoWarehouse:
        entries = ()
    inbox = InboxFiles(context.settings, entries)
    new_files: dict[Path, None] = {}
    lines: list[str] = []
    refused_files: list[tuple[str, str]] = []
    for name, content in files:
        try:
            with stage_upload(inbox.folder, name, inbox.most_megabytes) as staged_file:
                staged_file.write(content)
                inbox.check(staged_file)
                upload = inbox.store(staged_file, replace=replace)
        except UnreadableFile as error:
            refused_files.append((name, f"refused: {error}"))
            continue
        except KalendsError as error:
            show_message(ImportMessage(tuple(lines), tuple(refused_files), error))
        if upload.is_known:
            lines.append(f"{upload.file.name}: in the library already, with the same content")
        else:
            new_files[upload.file] = None
            sentence = _OUTCOMES.get(upload.outcome)
            lines += [f"{upload.file.name}: {sentence}"] if sentence else []
    message = ImportMessage(tuple(lines), tuple(refused_files))
    if not refused_files:
        on_stored()
    if new_files:
        start_import(context, list(new_files), message=message)
    show_message(message)


_OUTCOMES: Mapping[StorageOutcome, str] = {
    StorageOutcome.RENAMED: "kept beside another file of that name",
    StorageOutcome.REPLACED: "takes the place of the older file",
}


def get_inbox_folder(context: PageContext) -> Path:
    """The folder of uploaded files."""
    return Layout(context.settings.warehouse).inbox.resolve()


def draw_folder_form(context: PageContext) -> None:
    """Draw the form that imports a folder of this machine; a note instead where the browser runs on another one."""
    if not is_local(str(st.get_option("server.address") or "")):
        st.html(render_note(_REMOTE_BROWSER))
        return
    with st.form(state.make_page_key("importing"), border=False):
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        key = state.make_page_key("folder")
        path = field.text_input("A folder on this machine", key=key, placeholder="/home/ada/reports")
        is_sent = button.form_submit_button("Add folder", icon=":material/folder_open:", width="stretch")
    if not is_sent:
        return
    try:
        folder = Path(path.strip()).expanduser()
    except RuntimeError:
        folder = Path()
    if not folder.is_absolute():
        show_message(ImportMessage(error=BadInput("this is not the full path of a folder", "start it with / or ~")))
    start_import(context, [folder])
