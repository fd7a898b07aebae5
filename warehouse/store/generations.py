"""Generations: the published states of the warehouse, each replacing the previous one atomically.

A generation's folder holds its documents, its own findings, the runs so far, a manifest that describes its files and
the program that wrote them, its catalog and its indexes. Nothing in it changes once `current` points to it. Older
generations are read by number or by time of publication.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from warehouse.errors import BadInput, BadWarehouse, NoWarehouse, StageError
from warehouse.records import CatalogEntry, Finding, Root, Run
from warehouse.store.arrow_files import (
    CURE,
    compute_edition,
    get_schema,
    read_parquet,
    read_rows,
    to_records,
    to_rows,
    write_parquet,
)
from warehouse.store.layout import Layout, flush_path
from warehouse.store.migrations import migrate_document, migrate_manifest

SCHEMA_VERSION = 9
"""Raised whenever the schema of a record or the manifest changes; `warehouse.store.migrations` converts older ones."""


class OtherVersion(BadWarehouse):
    """A generation is intact but of a version that this program does not read."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a generation's files.

    `base` names the vector base; the counts are of vectors; `vector_files` are the lake's files of vectors at that
    time, `columns` the files of the parts that contain the passages' columns.
    `schema_version` and `edition` are those of the program that wrote it, even where the rest was migrated since.
    """

    number: int
    schema_version: int
    model: str
    dimension: int
    base: str
    base_count: int
    delta_count: int
    roots: tuple[Root, ...]
    vector_files: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    edition: str = field(default_factory=compute_edition)

    @property
    def is_older(self) -> bool:
        """Whether this program can read its records only after an upgrade."""
        return (self.schema_version, self.edition) != (SCHEMA_VERSION, compute_edition())

    def to_json(self) -> str:
        """As text."""
        return json.dumps(asdict(self), default=str, indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """From text, migrated if it is older. Raises `OtherVersion` for the manifest of a newer program."""
        fields: dict[str, Any] = json.loads(text)
        written_version = int(fields["schema_version"])
        if written_version > SCHEMA_VERSION:
            raise OtherVersion(
                f"the warehouse has schema version {written_version}, this program reads up to {SCHEMA_VERSION}",
                "install the kalends that wrote it, or ingest into a new folder with --warehouse",
            )
        if written_version < SCHEMA_VERSION:
            fields = migrate_manifest(fields, SCHEMA_VERSION)
        fields["roots"] = to_records(Root, fields["roots"])
        for name in ("vector_files", "columns"):
            fields[name] = tuple(fields.get(name, ()))
        return cls(**{"edition": "", **fields, "schema_version": written_version})


_written_entries: dict[Path, tuple[tuple[int, ...], tuple[CatalogEntry, ...]]] = {}
"""The documents of the generation that this process published last, by their file, with the state of that file: the
next run of a watch starts from them, and reading them again would take a fifth of its time."""


@dataclass(frozen=True)
class Generation:
    """A published generation, read from its folder."""

    folder: Path
    manifest: Manifest

    def read_entries(self) -> tuple[CatalogEntry, ...]:
        """All documents; they are read once for each object."""
        return self._entries

    @cached_property
    def _entries(self) -> tuple[CatalogEntry, ...]:
        file = self.folder / "documents.parquet"
        file_state, entries = _written_entries.get(file, ((), ()))
        if file_state and file.exists() and file_state == _get_file_state(file):
            return entries
        rows, version = read_parquet(file).to_pylist(), self.manifest.schema_version
        if version < SCHEMA_VERSION:
            rows = [migrate_document(row, version, SCHEMA_VERSION) for row in rows]
        return to_records(CatalogEntry, rows)

    def list_outputs(self) -> set[tuple[str, str]]:
        """The stage and the file of the outputs of the documents, read without the rest of the documents."""
        column = read_parquet(self.folder / "documents.parquet", ["outputs"])["outputs"]
        outputs = column.combine_chunks().flatten()
        # Arrow's own group_by and to_numpy would load pandas.
        stages, files = (outputs.field(name).dictionary_encode() for name in ("stage", "file"))
        stage, file = stages.dictionary.to_pylist(), files.dictionary.to_pylist()
        stage_codes, file_codes = np.from_dlpack(stages.indices), np.from_dlpack(files.indices)
        pairs = np.unique(stage_codes.astype(np.int64) * len(file) + file_codes)
        return {(stage[pair // len(file)], file[pair % len(file)]) for pair in pairs.tolist()}

    def read_findings(self) -> dict[str, tuple[Finding, ...]]:
        """The findings that belong to no stage output, by document."""
        rows_by_key: dict[str, list[dict[str, Any]]] = {}
        for row in read_parquet(self.folder / "findings.parquet").to_pylist():
            rows_by_key.setdefault(row.pop("document_id"), []).append(row)
        return {document: to_records(Finding, rows) for document, rows in rows_by_key.items()}

    def read_runs(self) -> tuple[Run, ...]:
        """The runs that published this generation and those before it."""
        return to_records(Run, read_rows(read_parquet(self.folder / "runs.parquet")))


def find_current(layout: Layout) -> Generation | None:
    """The published generation, or None before the first. Reads the link once, so it may be replaced meanwhile.

    Raises `OtherVersion` for one that this program can read only once it is upgraded.
    """
    folder = find_current_folder(layout)
    return read(folder) if folder else None


def find_current_folder(layout: Layout) -> Path | None:
    """The folder that `current` points to, existing or not; None without it. Raises `BadWarehouse` if it is no link."""
    try:
        return layout.folder / layout.current.readlink()
    except FileNotFoundError:
        return None
    except OSError as error:
        cure = f"move {layout.current} away, then run 'kalends ingest'"
        raise BadWarehouse(f"'current' is not the link it should be ({error.strerror})", cure) from error


def find_latest(layout: Layout) -> Generation | None:
    """The published generation or, if it is lost, the newest retained one that can be read; for processes that write.

    An older program may have written it: the caller upgrades it first. Raises `OtherVersion` for a newer program's.
    """
    link = find_current_folder(layout)
    for folder in ([link] if link else []) + list_folders(layout)[::-1]:
        try:
            generation = read_older(folder)
            generation.read_entries()
            generation.read_runs()
        except OtherVersion:
            raise
        except BadWarehouse:
            continue
        return generation
    return None


def read_current(layout: Layout) -> Generation:
    """The published generation. Raises `NoWarehouse` before the first."""
    generation = find_current(layout)
    if generation is None:
        raise NoWarehouse(f"nothing has been ingested into {layout.folder}", "run 'kalends ingest FOLDER' first")
    return generation


def read(folder: Path) -> Generation:
    """A generation from its folder. Raises `BadWarehouse` when it is damaged and `OtherVersion` when it is older."""
    generation = read_older(folder)
    if generation.manifest.is_older:
        version = generation.manifest.schema_version
        read_version = "another edition of it" if version == SCHEMA_VERSION else str(SCHEMA_VERSION)
        raise OtherVersion(
            f"generation {folder.name} has schema version {version}, this program reads {read_version}",
            "run 'kalends maintain' to upgrade what is published",
        )
    return generation


def read_older(folder: Path) -> Generation:
    """A generation from its folder, even of an older program; only its own tables are then certain to be readable.

    Raises `BadWarehouse` when it is damaged and `OtherVersion` when a newer program wrote it.
    """
    try:
        return Generation(folder, Manifest.from_json((folder / "manifest.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadWarehouse(f"generation {folder.name} cannot be read ({error})", CURE) from error


def list_folders(layout: Layout) -> list[Path]:
    """The folders of all generations kept, oldest first."""
    folders = (path for path in layout.generations.glob("[0-9]*") if path.name.isdecimal() and path.is_dir())
    return sorted(folders, key=lambda path: int(path.name))


def compute_next_number(layout: Layout) -> int:
    """The number of the generation to publish next: never that of an existing folder, published or not."""
    return int(list_folders(layout)[-1].name) + 1 if list_folders(layout) else 1


def create_partial_folder(layout: Layout, number: int) -> Path:
    """A new folder to build a generation in; removes those of killed runs."""
    folder = layout.get_generation_folder(number)
    for leftover in layout.generations.glob(".*.partial"):
        shutil.rmtree(leftover, ignore_errors=True)
    partial = layout.generations / f".{folder.name}.partial"
    partial.mkdir(parents=True)
    return partial


def write_tables(
    folder: Path, entries: Sequence[CatalogEntry], findings: dict[str, Sequence[Finding]], runs: Sequence[Run]
) -> None:
    """Write a generation's own records. Raises `StageError` for a document that Parquet cannot store."""
    try:
        table = _build_table(CatalogEntry, entries)
    except (ValueError, TypeError, ArithmeticError):
        for entry in entries:
            try:
                _build_table(CatalogEntry, [entry])
            except (ValueError, TypeError, ArithmeticError) as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
                raise StageError("publish", entry.document_id, reason) from error
        raise
    write_parquet(folder / "documents.parquet", table)
    rows = [{"document_id": key, **row} for key, records in findings.items() for row in to_rows(Finding, records)]
    schema = get_schema(Finding).insert(0, pa.field("document_id", pa.string()))
    write_parquet(folder / "findings.parquet", pa.Table.from_pylist(rows, schema=schema))
    write_parquet(folder / "runs.parquet", _build_table(Run, runs))


def _build_table(record: Any, records: Sequence[Any]) -> pa.Table:
    return pa.Table.from_pylist(to_rows(record, records), schema=get_schema(record))


def publish(layout: Layout, partial: Path, manifest: Manifest, entries: Sequence[CatalogEntry]) -> Generation:
    """Make a finished folder, with these documents, the current generation. Readers see the old one or the new one."""
    (partial / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    for path in (*filter(Path.is_file, partial.rglob("*")), partial):
        flush_path(path)
    folder = layout.get_generation_folder(manifest.number)
    partial.rename(folder)
    flush_path(layout.generations)
    _replace_link(layout.current, Path("generations") / folder.name)
    if not layout.catalog.is_symlink():
        _replace_link(layout.catalog, Path("current") / layout.catalog.name)
    flush_path(layout.folder)
    _written_entries.clear()
    _written_entries[folder / "documents.parquet"] = _get_file_state(folder / "documents.parquet"), tuple(entries)
    return Generation(folder, manifest)


def _get_file_state(file: Path) -> tuple[int, ...]:
    """Values by which a file differs from one that replaced it or was written over it."""
    status = file.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _replace_link(link: Path, target: Path) -> None:
    new_link = link.with_name(f".{link.name}.{os.getpid()}")
    new_link.unlink(missing_ok=True)
    new_link.symlink_to(target)
    new_link.replace(link)


def find_generation(layout: Layout, moment: int | datetime) -> Generation:
    """The generation of this number, or the one that was published at this moment (with its time zone).

    Raises `BadInput` if there was none or maintenance has dropped it, and `NoWarehouse` before the first.
    """
    runs = read_current(layout).read_runs()
    if isinstance(moment, int):
        number = moment
    elif earlier_numbers := [run.generation for run in runs if run.visible_from <= moment]:
        number = earlier_numbers[-1]
    else:
        first_time = runs[0].visible_from.isoformat(timespec="seconds")
        raise BadInput(f"nothing was published by {moment.isoformat()}", f"the first generation is of {first_time}")
    folders_by_number = {int(folder.name): folder for folder in list_folders(layout)}
    published_numbers = {run.generation for run in runs} & folders_by_number.keys()
    if number not in published_numbers:
        cure = f"choose one of {', '.join(map(str, sorted(published_numbers)))}"
        raise BadInput(f"generation {number} is not kept", cure)
    return read(folders_by_number[number])
