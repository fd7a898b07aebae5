"""Changes of notes: written whole or not at all, one at a time, never over another's change, then ingested."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, count
from time import monotonic, sleep

from dashboards.assistant.vault.note_paths import NOTE, check_new, name_on_disk, new_name, open_folder, path_errors
from dashboards.assistant.vault.notes import LARGEST, Vault, VaultNote, note_in
from flows.orchestration import run_ingest
from warehouse.errors import BadInput, Busy, KalendsError
from warehouse.settings.loader import Settings

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
        """Its path in the vault."""
        return "/".join(self.parts)

    def put(self, text: str) -> VaultNote:
        """Write the note: a temporary file, synchronised, takes its place, with the mode that it had.

        Raises `BadInput` where the note was changed, made or removed by someone else since this began.
        """
        name, content = self.parts[-1], _encoded(text, self.source)
        fresh = f".{name}.{os.getpid()}"
        with path_errors(self.source):
            with suppress(FileNotFoundError):
                os.unlink(fresh, dir_fd=self.folder)
            try:
                _write(self.folder, fresh, content, self.before.mode if self.before else None)
                self._check_unchanged()
                if self.before:
                    os.replace(fresh, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
                else:
                    # A link, unlike a renaming, refuses to take the place of what is there.
                    os.link(fresh, name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
            except FileExistsError:
                raise _changed(self.source) from None
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=self.folder)
            os.fsync(self.folder)
            return note_in(self.folder, name, self.source)

    def trash(self) -> str:
        """Move the note to the trash of the write vault, its folders kept, beside what is there already.

        Returns its new path in the vault.
        """
        home = self.vault.write or ()
        inner = (*home, TRASH, *self.parts[len(home) : -1])
        name = self.parts[-1]
        moved = f".{name}.{os.getpid()}"
        with open_folder(self.vault.root, inner, make=True) as place, path_errors(self.source):
            trash = place.descriptor
            os.rename(name, moved, src_dir_fd=self.folder, dst_dir_fd=trash)
            for free in _numbered(name):
                with suppress(FileExistsError):
                    os.link(moved, free, src_dir_fd=trash, dst_dir_fd=trash)
                    break
            os.unlink(moved, dir_fd=trash)
            os.fsync(trash)
            os.fsync(self.folder)
        return "/".join((*inner, free))

    def _check_unchanged(self) -> None:
        name = self.parts[-1]
        there = note_in(self.folder, name, self.source) if name_on_disk(self.folder, name) else None
        if (there.content if there else None) != (self.before.content if self.before else None):
            raise _changed(self.source)


@contextmanager
def edit_note(vault: Vault, source: str, *, make: bool = False) -> Iterator[NoteEdit]:
    """The edit of a note, its folder locked against other writers of this program.

    Raises `BadInput` for a path outside of the write vault, and for a new name (if `make`) that cannot be used.
    """
    *folders, name = vault.writable(source)
    if make:
        check_new((*folders[len(vault.write or ()) :], name))
    with open_folder(vault.root, folders, make=make) as place, path_errors(source):
        folder = place.descriptor
        fcntl.flock(folder, fcntl.LOCK_EX)
        found = name_on_disk(folder, name)
        before = note_in(folder, found, source) if found else None
        if before is None and make:
            found = new_name(folder, name)
        yield NoteEdit(vault, (*place.parts, found or name), folder, before)


def _write(folder: int, name: str, content: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, _NEW, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as stream:
        if mode is not None:
            os.fchmod(descriptor, mode)
        stream.write(content)
        stream.flush()
        os.fsync(descriptor)


def _encoded(text: str, source: str) -> bytes:
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput(
            f"the content of {source} has an incomplete character (a lone surrogate)", "correct the content"
        ) from None
    if len(content) > LARGEST:
        raise BadInput(f"the content of {source} is larger than {LARGEST >> 20} MB", "write several notes")
    return content


def _numbered(name: str) -> Iterator[str]:
    stem = name[: -len(NOTE)]
    return chain([name], (f"{stem} {number}{NOTE}" for number in count(2)))


def _changed(source: str) -> BadInput:
    return BadInput(f"{source} was changed in the meantime", "read it again, then decide")


PATIENCE = 20.0  # Seconds to wait for another ingest to end.


def ingest_note(settings: Settings, vault: Vault, source: str) -> str:
    """Ingest the note `source`, or forget it where it is gone; returns a line on whether searches know of it now.

    The note stays written whatever becomes of this, so a failure is a line too.
    """
    started = monotonic()
    while True:
        try:
            report = run_ingest(settings, [vault.root / source], lambda line: None)
        except Busy as error:
            if monotonic() - started < PATIENCE:
                sleep(0.2)
                continue
            return f"Searches do not know it yet: {error}."
        except KalendsError as error:
            return f"Searches do not know it yet: {error}."
        if report.unreadable:
            return f"Searches do not know it: {'; '.join(report.unreadable.values())}."
        verb = "know it" if (vault.root / source).exists() else "have forgotten it"
        return f"Searches {verb} ({monotonic() - started:.1f} s)."
