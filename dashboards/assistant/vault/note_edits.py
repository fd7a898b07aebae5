"""Changes of notes: checked, written whole or not at all, one at a time, never over another's change, then ingested.

Errors of mdlint-obsidian block a note that is about to be written; warnings and broken links are reported.
"""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, count
from time import monotonic, sleep

from dashboards.assistant.vault.note_paths import (
    NOTE,
    check_new_names,
    compose_new_name,
    convert_path_errors,
    find_name_on_disk,
    open_folder,
)
from dashboards.assistant.vault.notes import MAX_NOTE_BYTES, Vault, VaultNote, read_note_file
from flows.discovery import RootScope, list_paths
from flows.orchestration import run_ingest
from flows.progress import record_origin
from flows.roots import collect_known_paths, list_sources
from tasks.quality.note_links import make_note_digest
from tasks.quality.rules.vault_notes import is_too_long, run_mdlint
from warehouse.errors import BadInput, KalendsError, WarehouseBusy
from warehouse.records import Root
from warehouse.settings.loader import Settings
from warehouse.store.generations import find_latest
from warehouse.store.layout import Layout

_MAX_ERRORS = 5  # Errors that are reported for a note that is not written.


@dataclass(frozen=True, slots=True)
class LintWarning:
    """A fault on a line of a note, by the name of mdlint-obsidian's rule."""

    rule: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message} ({self.rule})"


def lint_note(text: str, vault: Vault, source: str, before: str = "") -> tuple[LintWarning, ...]:
    """The warnings of a note that is about to be written.

    Raises `BadInput` for its errors, those that the note had `before` left out: they do not get worse by an addition.
    """
    if is_too_long(text):
        raise BadInput(f"{source}, or one of its lines, would be too long to check", "write several notes")
    earlier = (
        Counter() if is_too_long(before) else Counter((error.rule, error.message) for error in _find_errors(before))
    )
    errors = []
    for error in _find_errors(text):
        earlier[error.rule, error.message] -= 1
        if earlier[error.rule, error.message] < 0:
            errors.append(error)
    if errors:
        more = f" and {len(errors) - _MAX_ERRORS} more" if len(errors) > _MAX_ERRORS else ""
        cure = "correct them and write again"
        raise BadInput(f"{source} was not written: {'; '.join(map(str, errors[:_MAX_ERRORS]))}{more}", cure)
    warnings = [
        LintWarning(warning.rule, warning.line, warning.message)
        for warning in run_mdlint(text)
        if warning.severity.value != "error"
    ]
    links = [link for link in make_note_digest(text).links if link.target]
    # Links by a name that no note or file has: mdlint-obsidian knows neither folders, attachments nor the new note.
    names = _list_link_names([*list_paths(RootScope(Root("", vault.root))), source]) if links else set()
    broken_links = (link for link in links if link.target.removeprefix("/").casefold() not in names)
    warnings += [LintWarning("broken-link", link.line, f"[[{link.target}]] leads to no note") for link in broken_links]
    return tuple(warnings)


def _find_errors(text: str) -> Iterator[LintWarning]:
    for warning in run_mdlint(text):
        if warning.severity.value == "error":
            yield LintWarning(warning.rule, warning.line, " ".join(warning.message.split()))


def _list_link_names(sources: Iterable[str]) -> set[str]:
    """All names by which links may refer to files: the ends of their paths, of notes with and without their suffix."""
    names = set[str]()
    for source in sources:
        path = source.casefold()
        parts = path.removesuffix(NOTE).split("/")
        path_ends = {"/".join(parts[start:]) for start in range(len(parts))}
        names |= path_ends
        if path.endswith(NOTE):
            names |= {f"{end}{NOTE}" for end in path_ends}
    return names


TRASH = ".trash"
_NEW = 0o666


@dataclass(frozen=True, slots=True)
class NoteEdit:
    """An edit of a note: its open and locked folder, its path, and the note as it is before, None for a new one."""

    vault: Vault
    parts: tuple[str, ...]
    folder: int
    before: VaultNote | None

    @property
    def source(self) -> str:
        """The path of the note in the vault."""
        return "/".join(self.parts)

    def write_text(self, text: str) -> VaultNote:
        """Write the note: a temporary file, synchronised, takes its place, with the mode that it had.

        Raises `BadInput` where the note was changed, made or removed by someone else since this began.
        """
        name, content = self.parts[-1], _encode(text, self.source)
        temporary_name = f".{name}.{os.getpid()}"
        with convert_path_errors(self.source):
            with suppress(FileNotFoundError):
                os.unlink(temporary_name, dir_fd=self.folder)
            try:
                _write_file(self.folder, temporary_name, content, self.before.mode if self.before else None)
                self._check_unchanged()
                if self.before:
                    os.replace(temporary_name, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
                else:
                    # A link, unlike a renaming, does not replace an existing file.
                    os.link(temporary_name, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
            except FileExistsError:
                raise _make_changed_error(self.source) from None
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary_name, dir_fd=self.folder)
            os.fsync(self.folder)
            return read_note_file(self.folder, name, self.source)

    def move_to_trash(self) -> str:
        """Move the note to the trash of the write vault, with its folders, under a free name.

        Returns its new path in the vault.
        """
        home = self.vault.write or ()
        inner = (*home, TRASH, *self.parts[len(home) : -1])
        name = self.parts[-1]
        temporary_name = f".{name}.{os.getpid()}"
        with open_folder(self.vault.root, inner, make=True) as place, convert_path_errors(self.source):
            trash = place.descriptor
            os.rename(name, temporary_name, src_dir_fd=self.folder, dst_dir_fd=trash)
            stem = name[: -len(NOTE)]
            for free in chain([name], (f"{stem} {number}{NOTE}" for number in count(2))):
                with suppress(FileExistsError):
                    os.link(temporary_name, free, src_dir_fd=trash, dst_dir_fd=trash)
                    break
            os.unlink(temporary_name, dir_fd=trash)
            os.fsync(trash)
            os.fsync(self.folder)
        return "/".join((*inner, free))

    def move(self, target: str) -> str:
        """Give the note another path in the write vault, and return it. Folders that are missing are made.

        Raises `BadInput` where something is there already, or the path cannot be used.
        """
        *folders, name = self.vault.parse_writable_path(target)
        check_new_names((*folders[len(self.vault.write or ()) :], name))
        with open_folder(self.vault.root, folders, make=True) as place, convert_path_errors(self.source):
            new_name = compose_new_name(place.descriptor, name)
            # A link, unlike a renaming, does not replace an existing file.
            os.link(self.parts[-1], new_name, src_dir_fd=self.folder, dst_dir_fd=place.descriptor)
            os.unlink(self.parts[-1], dir_fd=self.folder)
            os.fsync(place.descriptor)
            os.fsync(self.folder)
        return "/".join((*place.parts, new_name))

    def _check_unchanged(self) -> None:
        name = self.parts[-1]
        there = read_note_file(self.folder, name, self.source) if find_name_on_disk(self.folder, name) else None
        if (there.content if there else None) != (self.before.content if self.before else None):
            raise _make_changed_error(self.source)


@contextmanager
def edit_note(vault: Vault, source: str, *, make: bool = False) -> Iterator[NoteEdit]:
    """The edit of a note, its folder locked against other writers of this program.

    Raises `BadInput` for a path outside of the write vault, and for a new name (if `make`) that cannot be used.
    """
    *folders, name = vault.parse_writable_path(source)
    if make:
        check_new_names((*folders[len(vault.write or ()) :], name))
    with open_folder(vault.root, folders, make=make) as place, convert_path_errors(source):
        folder = place.descriptor
        fcntl.flock(folder, fcntl.LOCK_EX)
        name_found = find_name_on_disk(folder, name)
        before = read_note_file(folder, name_found, source) if name_found else None
        if before is None and make:
            name_found = compose_new_name(folder, name)
        yield NoteEdit(vault, (*place.parts, name_found or name), folder, before)


def _write_file(folder: int, name: str, content: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, _NEW, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as stream:
        if mode is not None:
            os.fchmod(descriptor, mode)
        stream.write(content)
        stream.flush()
        os.fsync(descriptor)


def _encode(text: str, source: str) -> bytes:
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        cure = "correct the content"
        raise BadInput(f"the content of {source} has an incomplete character (a lone surrogate)", cure) from None
    if len(content) > MAX_NOTE_BYTES:
        raise BadInput(f"the content of {source} is larger than {MAX_NOTE_BYTES >> 20} MB", "write several notes")
    return content


def _make_changed_error(source: str) -> BadInput:
    return BadInput(f"{source} was changed in the meantime", "read it again, then decide")


LOCK_WAIT_SECONDS = 20.0  # Seconds to wait for another ingest to end.


def ingest_note(settings: Settings, vault: Vault, source: str, before: str = "") -> str:
    """Ingest the note `source`, or forget it if it was removed; returns a line that says whether searches know it now.

    `before` is the earlier path of a moved note. The note stays written even if this fails, so a failure is also
    returned as a line; problems of other files are not reported.
    """
    started, layout, note = monotonic(), Layout(settings.warehouse), vault.root / source
    changed_paths = [vault.root / name for name in (before, source) if name]
    if not all(place.exists() for place in changed_paths):
        # A file that the warehouse never had needs no ingest.
        known_places = collect_known_paths(find_latest(layout))
        changed_paths = [place for place in changed_paths if place.exists() or str(place) in known_places]
    if not changed_paths:
        return "Searches did not know it."
    while True:
        try:
            with record_origin("a tool for notes"):
                report = run_ingest(settings, changed_paths, lambda line: None)
        except WarehouseBusy as error:
            if monotonic() - started < LOCK_WAIT_SECONDS:
                sleep(0.2)
                continue
            return f"Searches do not know it yet: {error}."
        except KalendsError as error:
            return f"Searches do not know it yet: {error}."
        if not note.exists():
            return f"Searches have forgotten it ({monotonic() - started:.1f} s)."
        generation = find_latest(layout)
        note_sources = list_sources(generation.manifest.roots, note) if generation else ()
        if reason := next(
            (report.unreadable[note_source] for note_source in note_sources if note_source in report.unreadable), ""
        ):
            return f"Searches do not know it as it is now: {reason}."
        return f"Searches know it ({monotonic() - started:.1f} s)."
