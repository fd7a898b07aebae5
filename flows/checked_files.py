"""Input of a check: files and folders, or documents of a published generation, as the ingest parsed and chunked them.

In a folder the files of every suffix that a parser knows are checked. The templates of a vault are not documents, but
links may lead to them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path

from flows.discovery import RootScope, UnreadablePath, discover_files, list_paths
from tasks.check.sheet import Sheet, SourceFinding, make_failed_sheet, make_refused_sheet
from tasks.check.sheet_cache import compute_code_version
from tasks.faults import TOO_LARGE_FILE, UNREADABLE_FILE, isolate_document
from tasks.parsers.notes import VAULT
from tasks.parsers.reader import PARSERS, list_versions
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.note_links import LinkTargets
from warehouse.errors import BadInput, StageError, UnreadableFile
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Chunk, Document, Finding, Mention, Root, Status
from warehouse.settings.loader import Settings
from warehouse.store.generations import read_current
from warehouse.store.lake import Lake, read_documents
from warehouse.store.layout import Layout


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file to check: its path as shown, its absolute path, and the key of its sheet in the cache.

    `problem` is the reason why it is not opened, empty if it is.
    """

    path: str
    absolute: Path
    sha256: str
    key: str
    problem: str = ""


def list_files(paths: Iterable[Path], settings: Settings, exclude: Collection[Path] = ()) -> tuple[CheckedFile, ...]:
    """The files of named folders and files, each once, by path, without the `exclude` ones (baselines).

    Raises `BadInput` for a path that does not exist.
    """
    files: dict[Path, CheckedFile] = {}
    excluded_files = {file_or_folder.resolve() for file_or_folder in exclude}
    for file_or_folder in paths:
        if not file_or_folder.exists():
            raise BadInput(f"there is no file or folder {file_or_folder}", "check the path")
        for file in _iter_files(file_or_folder, settings):
            if file.absolute not in excluded_files:
                files.setdefault(file.absolute, file)
    return tuple(sorted(files.values(), key=lambda file: file.path))


def _iter_files(file_or_folder: Path, settings: Settings) -> Iterator[CheckedFile]:
    folder = (file_or_folder if file_or_folder.is_dir() else file_or_folder.parent).resolve()
    root = Root(folder.name, folder)
    known_suffixes = frozenset(suffix for name in PARSERS for suffix in PARSERS[name].suffixes)
    if file_or_folder.is_dir():
        paths = [path for path in list_paths(RootScope(root)) if Path(path).suffix.lower() in known_suffixes]
        templates = select_templates([folder / path for path in paths])
        parts = tuple(path for path in paths if folder / path not in templates)
    else:
        parts = (file_or_folder.name,)
    if not parts:
        return
    prefix = file_or_folder if file_or_folder.is_dir() else file_or_folder.parent
    # The inputs that decide the findings of a file besides its bytes.
    limits = settings.parse.model_dump(exclude={"processes"})
    identity = [compute_code_version(), list_versions(), limits, settings.chunk.model_dump(), settings.embed.model]
    for file in discover_files(RootScope(root, parts), {}, settings.parse.max_file_megabytes << 20):
        path = (prefix / file.path).as_posix()
        if isinstance(file, UnreadablePath):
            yield CheckedFile(path, folder / file.path, "", digest("unopened", path), file.problem)
            continue
        source_settings = settings.find_source(folder / file.path).model_dump(exclude={"folder", "name"})
        key = digest(path, file.sha256, source_settings, identity)
        yield CheckedFile(path, folder / file.path, file.sha256, key)


def read_sheets(files: Sequence[CheckedFile], settings: Settings) -> Mapping[str, Sheet]:
    """The sheets of files by key, read within the limits of the settings, in worker processes if they are heavy."""
    if not files:
        return {}
    # Imported here, as cached files need no parsers: the grammars alone take half a second.
    from tasks.check.sheet_builder import build_sheet
    from tasks.parsers.reader import Job, read_files

    max_bytes = settings.parse.max_file_megabytes << 20
    sheets, readable_files = {}, [file for file in files if not file.problem]
    for file in files:
        if file.problem:
            is_large = file.absolute.is_file() and file.absolute.stat().st_size > max_bytes
            fault = TOO_LARGE_FILE if is_large else UNREADABLE_FILE
            sheets[file.key] = make_refused_sheet(fault.make_refusal(file.problem, ""))
    jobs = [Job(file.absolute.name, file.absolute, file.sha256) for file in readable_files]
    for index, result, _ in read_files(jobs, settings.parse):
        file = readable_files[index]
        if isinstance(result, UnreadableFile):
            sheets[file.key] = make_refused_sheet(result)
        else:
            source = settings.find_source(file.absolute)
            try:
                with isolate_document("check", file.path):
                    sheets[file.key] = build_sheet(result, file.path, _read_bytes(file), file.sha256, settings, source)
            except StageError as error:
                sheets[file.key] = make_failed_sheet(error)
    return sheets


def _read_bytes(file: CheckedFile) -> bytes:
    """The bytes of the file; empty if it was removed since it was read."""
    try:
        return file.absolute.read_bytes()
    except FileNotFoundError:
        return b""


def select_templates(files: Collection[Path]) -> frozenset[Path]:
    """The files that are templates of their vault, and therefore not documents; paths are absolute."""
    folders = {parent: _find_template_folder(parent) for parent in {file.parent for file in files}}
    return frozenset(file for file in files if (folder := folders[file.parent]) and file.is_relative_to(folder))


def _find_template_folder(folder: Path) -> Path | None:
    """The folder of templates of the vault that a folder belongs to, as Obsidian's settings name it."""
    for vault in (folder, *folder.parents):
        settings = vault / VAULT / "templates.json"
        if settings.is_file():
            try:
                template_folder = json.loads(settings.read_text(encoding="utf-8")).get("folder")
            except (OSError, ValueError, AttributeError):
                return None
            return vault / template_folder if isinstance(template_folder, str) and template_folder.strip("/ ") else None
    return None


def build_links(files: Sequence[CheckedFile], paths: Collection[Path], sheets: Mapping[str, Sheet]) -> LinkTargets:
    """The links between notes: a vault is a folder with `.obsidian` above them, else the folder that was named."""
    vault_candidates = [path.resolve() if path.is_dir() else path.resolve().parent for path in paths]
    folders = [path.resolve() for path in paths if path.is_dir()]
    notes: dict[str, tuple[str, str]] = {}
    for file in files:
        sheet_digest = sheets[file.path].digest
        if sheet_digest is not None and sheet_digest.note is not None:
            note = file.absolute
            containing_folders = sorted(
                (path for path in vault_candidates if note.is_relative_to(path)), key=lambda path: len(path.parts)
            )
            vault_folders = (folder for folder in note.parents if (folder / VAULT).is_dir())
            vault = next(chain(vault_folders, containing_folders), note.parent)
            notes[file.path] = (str(vault), note.relative_to(vault).as_posix())
    vaults = {vault for vault, _ in notes.values()}
    paths_by_vault = {vault: tuple(list_paths(RootScope(Root("", Path(vault))))) for vault in vaults}
    complete = frozenset(vault for vault in vaults if any(Path(vault).is_relative_to(path) for path in folders))
    return LinkTargets(
        paths_by_vault, notes, complete, frozenset(vault for vault in vaults if (Path(vault) / VAULT).is_dir())
    )


_DOCUMENTS_PER_READ = 32


class CheckedWarehouse:
    """The documents of the published generation as files to check, named by their sources."""

    def __init__(self, settings: Settings) -> None:
        """Read the catalog. Raises `NoWarehouse` where nothing is published."""
        layout = Layout(settings.warehouse)
        generation = read_current(layout)
        self._lake = Lake(layout.lake)
        self._settings = settings
        self._folders = {root.name: root.folder for root in generation.manifest.roots}
        self._chunking = {root.name: root.chunking for root in generation.manifest.roots}
        self._generation_findings = generation.read_findings()
        entries = {self._folders[entry.file.root] / entry.file.path: entry for entry in generation.read_entries()}
        templates = select_templates(entries)
        self._entries = {entry.file.source: entry for path, entry in entries.items() if path not in templates}

    def list_files(self) -> tuple[CheckedFile, ...]:
        """One file for each document, by source. Its key is made from the stage outputs that it consists of."""
        limits = (self._settings.chunk.model_dump(), self._settings.embed.model, compute_code_version())
        files = []
        for source, entry in sorted(self._entries.items()):
            file, outputs = entry.file, [(output.stage, output.key) for output in entry.outputs]
            key = digest("held", source, file.sha256, entry.status, entry.reason, outputs, limits)
            files.append(CheckedFile(source, self._folders[file.root] / file.path, file.sha256, key))
        return tuple(files)

    def read_sheets(self, files: Sequence[CheckedFile]) -> Mapping[str, Sheet]:
        """The sheets of files by key; nothing is parsed again."""
        sheets, readable = {}, []
        for file in files:
            entry = self._entries[file.path]
            if entry.find_output("parse"):
                readable.append(file)
            else:
                sheets[file.key] = Sheet(self._read_problems(entry))
        # In batches, so that memory does not grow with the warehouse.
        for start in range(0, len(readable), _DOCUMENTS_PER_READ):
            sheets.update(self._judge_files(readable[start : start + _DOCUMENTS_PER_READ]))
        return sheets

    def _judge_files(self, files: Sequence[CheckedFile]) -> Iterator[tuple[str, Sheet]]:
        from tasks.check.sheet_builder import judge_document

        documents = read_documents(self._lake, self._map_outputs(files, "parse"))
        chunks = self._lake.read("chunks", Chunk, self._map_outputs(files, "chunk"))
        mentions_by_key = self._lake.read("mentions", Mention, self._map_outputs(files, "temporal"))
        findings_by_key = self._lake.read("findings", Finding, self._map_outputs(files, "parse"))
        for file in files:
            entry = self._entries[file.path]
            keys = {output.stage: output.key for output in entry.outputs}
            document = replace(documents[keys["parse"]], kind=entry.kind, findings=findings_by_key[keys["parse"]])
            checked_document = self._build_document(
                file, entry, document, chunks[keys["chunk"]], mentions_by_key[keys["temporal"]]
            )
            try:
                with isolate_document("check", file.path):
                    sheet = judge_document(checked_document, file.path, file.sha256)
            except StageError as error:
                sheet = make_failed_sheet(error)
            problems = self._read_problems(entry) if entry.status is Status.STALE else ()
            yield file.key, replace(sheet, findings=(*problems, *sheet.findings))

    def _build_document(
        self,
        file: CheckedFile,
        entry: CatalogEntry,
        document: Document,
        chunks: tuple[Chunk, ...],
        mentions: tuple[Mention, ...],
    ) -> CheckedDocument:
        from tasks.check.sheet_builder import decode_source
        from tasks.chunkers.chunker import choose_chunker
        from tasks.embedders.embedder import open_embedder

        try:
            data = file.absolute.read_bytes()
        except OSError:
            data = b""
        # Only the text that was ingested counts.
        is_same = sha256(data).hexdigest() == file.sha256
        return CheckedDocument(
            document=document,
            chunks=chunks,
            mentions=mentions,
            date=entry.date_claim,
            target=choose_chunker(entry.kind, self._chunking[entry.file.root], self._settings).characters,
            window=open_embedder(self._settings.embed.model).window,
            raw=decode_source(data, document.media_type) if is_same else "",
        )

    def _map_outputs(self, files: Sequence[CheckedFile], stage: str) -> dict[str, str]:
        outputs = (self._entries[file.path].find_output(stage) for file in files)
        return {output.key: output.file for output in outputs if output is not None}

    def _read_problems(self, entry: CatalogEntry) -> tuple[SourceFinding, ...]:
        """The findings that say why the present version of the file cannot be read."""
        findings = self._generation_findings.get(entry.document_id, ())
        if failure := entry.failure:
            findings = (*self._lake.read("findings", Finding, {failure.key: failure.file})[failure.key], *findings)
        return tuple(map(SourceFinding, findings or (UNREADABLE_FILE.make_finding(entry.reason),)))

    def build_links(self, sheets: Mapping[str, Sheet]) -> LinkTargets:
        """The links between notes: each source folder is a vault, with its other files while the folder exists."""
        notes = {}
        for source, entry in self._entries.items():
            sheet_digest = sheets[source].digest
            if sheet_digest is not None and sheet_digest.note is not None:
                notes[source] = (entry.file.root, entry.file.path)
        roots = {root for root, _ in notes.values()}
        vaults = frozenset(root for root in roots if (self._folders[root] / VAULT).is_dir())
        paths_by_root = {
            root: {other_entry.file.path for other_entry in self._entries.values() if other_entry.file.root == root}
            for root in roots
        }
        for root, paths in paths_by_root.items():
            if self._folders[root].is_dir():
                paths.update(list_paths(RootScope(Root(root, self._folders[root]))))
        return LinkTargets(
            {root: tuple(sorted(paths)) for root, paths in paths_by_root.items()}, notes, frozenset(roots), vaults
        )
