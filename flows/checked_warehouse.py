"""Documents of a published generation as input of a check, as the ingest parsed and chunked them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from flows.checked_files import CheckedFile, select_templates
from flows.discovery import RootScope, list_paths
from tasks.check.sheet import Sheet, SourceFinding, make_failed_sheet
from tasks.check.sheet_cache import compute_code_version
from tasks.faults import UNREADABLE_FILE, one_document
from tasks.note_names import VAULT
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.note_links import LinkTargets
from warehouse.errors import StageError
from warehouse.identity import digest
from warehouse.records import CatalogEntry, Chunk, Document, Finding, Mention, Root, Status
from warehouse.settings.loader import Settings
from warehouse.store.generations import read_current
from warehouse.store.lake import Lake, read_documents
from warehouse.store.layout import Layout

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
        self._own = generation.read_findings()
        entries = {self._folders[each.file.root] / each.file.path: each for each in generation.read_entries()}
        set_aside = select_templates(entries)
        self._entries = {each.file.source: each for place, each in entries.items() if place not in set_aside}

    def list_files(self) -> tuple[CheckedFile, ...]:
        """One file for each document, by source. Its key is made from the stage outputs that it consists of."""
        limits = (self._settings.chunk.model_dump(), self._settings.embed.model, compute_code_version())
        found = []
        for source, entry in sorted(self._entries.items()):
            file, outputs = entry.file, [(output.stage, output.key) for output in entry.outputs]
            key = digest("held", source, file.sha256, entry.status, entry.reason, outputs, limits)
            found.append(CheckedFile(source, self._folders[file.root] / file.path, file.sha256, key))
        return tuple(found)

    def read_sheets(self, files: Sequence[CheckedFile]) -> Mapping[str, Sheet]:
        """The sheets of files by key; nothing is parsed again."""
        made, readable = {}, []
        for file in files:
            entry = self._entries[file.path]
            if entry.find_output("parse"):
                readable.append(file)
            else:
                made[file.key] = Sheet(self._read_problems(entry))
        # In batches, so that memory does not grow with the warehouse.
        for start in range(0, len(readable), _DOCUMENTS_PER_READ):
            made.update(self._judge_files(readable[start : start + _DOCUMENTS_PER_READ]))
        return made

    def _judge_files(self, files: Sequence[CheckedFile]) -> Iterator[tuple[str, Sheet]]:
        from tasks.check.sheet_builder import judge_document

        documents = read_documents(self._lake, self._map_outputs(files, "parse"))
        chunks = self._lake.read("chunks", Chunk, self._map_outputs(files, "chunk"))
        moments = self._lake.read("mentions", Mention, self._map_outputs(files, "temporal"))
        reported = self._lake.read("findings", Finding, self._map_outputs(files, "parse"))
        for file in files:
            entry = self._entries[file.path]
            keys = {output.stage: output.key for output in entry.outputs}
            document = replace(documents[keys["parse"]], kind=entry.kind, findings=reported[keys["parse"]])
            checked_document = self._build_document(
                file, entry, document, chunks[keys["chunk"]], moments[keys["temporal"]]
            )
            try:
                with one_document("check", file.path):
                    sheet = judge_document(checked_document, file.path, file.sha256)
            except StageError as error:
                sheet = make_failed_sheet(error)
            stale = self._read_problems(entry) if entry.status is Status.STALE else ()
            yield file.key, replace(sheet, found=(*stale, *sheet.found))

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
        found = (self._entries[file.path].find_output(stage) for file in files)
        return {output.key: output.file for output in found if output is not None}

    def _read_problems(self, entry: CatalogEntry) -> tuple[SourceFinding, ...]:
        """The findings that say why the present version of the file cannot be read."""
        failure = entry.failure
        known = self._lake.read("findings", Finding, {failure.key: failure.file}) if failure else {}
        found = (*(known[failure.key] if failure else ()), *self._own.get(entry.document_id, ()))
        return tuple(map(SourceFinding, found or (UNREADABLE_FILE.make_finding(entry.reason),)))

    def build_links(self, sheets: Mapping[str, Sheet]) -> LinkTargets:
        """The links between notes: each source folder is a vault, with its other files while the folder exists."""
        notes = {}
        for source, entry in self._entries.items():
            found = sheets[source].digest
            if found is not None and found.note is not None:
                notes[source] = (entry.file.root, entry.file.path)
        roots = {root for root, _ in notes.values()}
        marked = frozenset(root for root in roots if (self._folders[root] / VAULT).is_dir())
        listed = {root: {each.file.path for each in self._entries.values() if each.file.root == root} for root in roots}
        for root, paths in listed.items():
            if self._folders[root].is_dir():
                paths.update(list_paths(RootScope(Root(root, self._folders[root]))))
        return LinkTargets(
            {root: tuple(sorted(paths)) for root, paths in listed.items()}, notes, frozenset(roots), marked
        )
