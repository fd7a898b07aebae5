"""The files of a check: those named, and in folders those of a suffix that some parser knows.

The templates of a vault are no documents; links may lead to them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.discovery import RootScope, UnreadablePath, discover, paths
from flows.vaults import templates_among
from tasks.check.cache import code_version
from tasks.check.sheets import Sheet, failed, refused
from tasks.faults import TOO_LARGE_FILE, UNREADABLE_FILE
from tasks.isolation import one_document
from tasks.parsers.reading import PARSERS, versions
from warehouse.errors import BadInput, StageError, UnreadableFile
from warehouse.identity import digest
from warehouse.records import Root
from warehouse.settings.loader import Settings


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file to check: how it is shown, where it lies, and the key of its sheet.

    `problem` says why it will not be opened. What is not `lasting` (no permission) is not remembered.
    """

    path: str
    absolute: Path
    sha256: str
    key: str
    problem: str = ""

    @property
    def folder(self) -> Path:
        """Where its settings are looked for."""
        return self.absolute.parent

    @property
    def lasting(self) -> bool:
        """Whether what is found holds as long as the bytes are the same."""
        return not self.problem


def files_at(places: Iterable[Path], settings: Settings, besides: Collection[Path] = ()) -> tuple[CheckedFile, ...]:
    """The files of folders and files named by a user, each once, by path; those `besides` (baselines) are no documents.

    Raises `BadInput` for what is not there.
    """
    found: dict[Path, CheckedFile] = {}
    left_out = {place.resolve() for place in besides}
    for place in places:
        if not place.exists():
            raise BadInput(f"there is no file or folder {place}", "check the path")
        for file in _at(place, settings):
            if file.absolute not in left_out:
                found.setdefault(file.absolute, file)
    return tuple(sorted(found.values(), key=lambda file: file.path))


def _at(place: Path, settings: Settings) -> Iterator[CheckedFile]:
    folder = (place if place.is_dir() else place.parent).resolve()
    root = Root(folder.name, folder)
    known = frozenset(suffix for name in PARSERS for suffix in PARSERS[name].suffixes)
    if place.is_dir():
        every = [path for path in paths(RootScope(root)) if Path(path).suffix.lower() in known]
        set_aside = templates_among([folder / path for path in every])
        parts = tuple(path for path in every if folder / path not in set_aside)
    else:
        parts = (place.name,)
    if not parts:
        return
    shown = place if place.is_dir() else place.parent
    identity = _identity(settings)
    for file in discover(RootScope(root, parts), {}, settings.parse.max_file_megabytes << 20):
        path = (shown / file.path).as_posix()
        if isinstance(file, UnreadablePath):
            yield CheckedFile(path, folder / file.path, "", digest("unopened", path), file.problem)
            continue
        declared = settings.source_of(folder / file.path).model_dump(exclude={"folder", "name"})
        key = digest(path, file.sha256, declared, identity)
        yield CheckedFile(path, folder / file.path, file.sha256, key)


def _identity(settings: Settings) -> list[object]:
    """What besides the file decides what is found in it."""
    limits = settings.parse.model_dump(exclude={"processes"})
    return [code_version(), versions(), limits, settings.chunk.model_dump(), settings.embed.model]


def read_sheets(files: Sequence[CheckedFile], settings: Settings) -> Mapping[str, Sheet]:
    """The sheets of files by key: each is read under the limits of the settings, in worker processes if it is heavy."""
    if not files:
        return {}
    # Known files must not wait for what reads unknown ones: the grammars alone take half a second.
    from tasks.check.judged import sheet_of
    from tasks.parsers.workers import Job, read_files

    most = settings.parse.max_file_megabytes << 20
    sheets = {file.key: refused(_unopened(file, most)) for file in files if file.problem}
    opened = [file for file in files if not file.problem]
    jobs = [Job(file.absolute.name, file.absolute, file.sha256) for file in opened]
    for index, read, _ in read_files(jobs, settings.parse):
        file = opened[index]
        if isinstance(read, UnreadableFile):
            sheets[file.key] = refused(read)
        else:
            source = settings.source_of(file.absolute)
            try:
                with one_document("check", file.path):
                    sheets[file.key] = sheet_of(read, file.path, _bytes(file), file.sha256, settings, source)
            except StageError as error:
                sheets[file.key] = failed(error)
    return sheets


def _unopened(file: CheckedFile, most: int) -> UnreadableFile:
    """Why a file was not opened; `most` is how many bytes one may have."""
    is_large = file.absolute.is_file() and file.absolute.stat().st_size > most
    return (TOO_LARGE_FILE if is_large else UNREADABLE_FILE).refusal(file.problem, "")


def _bytes(file: CheckedFile) -> bytes:
    """The bytes once more; none where the file has gone since it was read."""
    try:
        return file.absolute.read_bytes()
    except FileNotFoundError:
        return b""


def cache_folder(default: Path) -> Path | None:
    """Where sheets are kept: `KALENDS_CACHE`, the user's cache folder, or nowhere where the variable is "off"."""
    given = os.environ.get("KALENDS_CACHE", "")
    if given == "off":
        return None
    return Path(given) if given else default
