"""Maintenance of a warehouse: upgrade, merging of small files, and removal of old generations and unused files.

It runs under the locks of all that write to the lake. `upgrade_warehouse` and `republish_generation` publish the
documents of the previous generation in another form; nothing is read or computed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

from flows.locks import write_lock
from warehouse.errors import BadInput, BadWarehouse
from warehouse.records import CatalogEntry, StageCost
from warehouse.settings.loader import Settings
from warehouse.store.compaction import (
    FileMerge,
    VectorMerge,
    plan_merges,
    plan_vector_merges,
    with_merged_files,
    write_merged,
    write_merged_vectors,
)
from warehouse.store.generations import Generation, compute_next_number, find_latest, list_folders, read_current
from warehouse.store.integrity import find_damage
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.migrations import upgrade_entries
from warehouse.store.publishing import publish
from warehouse.store.retention import (
    FileTotals,
    ReferencedFiles,
    Retention,
    drop,
    find_unused_bases,
    find_unused_files,
    find_unused_results,
    list_leftovers,
    list_surplus,
    list_title_vectors,
    list_vectors,
    remove,
)


@dataclass(frozen=True, slots=True)
class MaintenanceOptions:
    """Options of a maintenance: the retention, and the present time."""

    retention: Retention
    now: datetime
    dry_run: bool = False

    @property
    def before(self) -> float:
        """Unused files younger than this time stay: a run in progress may be about to use them."""
        return (self.now - self.retention.grace).timestamp()


def maintain_warehouse(settings: Settings, *, dry_run: bool = False) -> MaintenanceReport:
    """Upgrade, merge, drop and remove; with `dry_run` only report what would be done.

    Raises `WarehouseBusy` while another process writes to the lake, `NoWarehouse` where there is none, `BadWarehouse`
    for a damaged one, which must be repaired before anything is removed, and `BadInput` for an experiment.
    """
    layout, clock = Layout(settings.warehouse), monotonic()
    if layout.home.folder != layout.folder.resolve():
        raise BadInput(f"{layout.folder} is an experiment", f"run 'kalends maintain -w {layout.home.folder}'")
    limits, home = settings.maintain, layout.home
    retention = Retention(limits.keep, limits.days, timedelta(minutes=limits.grace))
    options = MaintenanceOptions(retention, datetime.now(UTC), dry_run)
    if find_latest(layout) is None:
        read_current(layout)
    with ExitStack() as locks:
        # The warehouse, its experiments and each of them all write to one lake.
        for sharing_layout in (home, Layout(home.experiments), *home.sharing_layouts[1:]):
            locks.enter_context(write_lock(sharing_layout))
        report = _maintain_layouts(home, options, is_local=not settings.lake.url)
    return replace(report, dry_run=dry_run, seconds=monotonic() - clock)


def _maintain_layouts(home: Layout, options: MaintenanceOptions, *, is_local: bool) -> MaintenanceReport:
    """`is_local` says that the lake is on this machine only: files that other machines use are not merged."""
    upgrades = [] if options.dry_run else [upgrade_warehouse(layout) for layout in home.sharing_layouts]
    earlier_schema = upgrades[0] if upgrades else None
    generation = _require_intact(home)
    compaction = plan_compaction(home, generation) if is_local and not generation.manifest.is_older else Compaction()
    if not options.dry_run and not compaction.idle:
        generation = compact_generation(home, generation, compaction)
    surplus = []
    for layout in home.sharing_layouts:
        if last := find_latest(layout):
            surplus += [(layout, folder) for folder in list_surplus(layout, last, options.retention, options.now)]
    amounts = _sweep_files(home, surplus, options)
    is_republished = not options.dry_run and (earlier_schema is not None or not compaction.idle)
    return MaintenanceReport(
        generation=generation.manifest.number if is_republished else None,
        upgraded=generation.manifest.schema_version if generation.manifest.is_older else earlier_schema,
        merged=compaction.files,
        folded=compaction.new_vectors,
        dropped=tuple(int(folder.name) for layout, folder in surplus if layout == home),
        removed={what: amount for what, amount in amounts.items() if amount.files},
    )


def _require_intact(layout: Layout) -> Generation:
    """The published generation. Raises `BadWarehouse` where a file that it uses is missing."""
    generation = find_latest(layout)
    if generation is None:
        return read_current(layout)
    problem = None if generation.manifest.is_older else find_damage(layout, generation)
    if problem:
        raise BadWarehouse(f"{problem}", "run 'kalends ingest' to repair it before anything is removed")
    return generation


def _sweep_files(
    home: Layout, surplus: Sequence[tuple[Layout, Path]], options: MaintenanceOptions
) -> dict[str, FileTotals]:
    """Remove generations, then the files that only they used."""
    dropped_folders = {folder for _, folder in surplus}
    leftovers = [path for layout in home.sharing_layouts for path in list_leftovers(layout)]
    kept_generations = [
        (layout, folder)
        for layout in home.sharing_layouts
        for folder in list_folders(layout)
        if folder not in dropped_folders
    ]
    references = ReferencedFiles.from_generations(kept_generations)
    lake = Lake(home.lake)
    remove_files = FileTotals.from_paths if options.dry_run else remove
    generations = sorted(dropped_folders) if options.dry_run else drop(sorted(dropped_folders))
    unused_files = find_unused_files(lake, references, options.before)
    vectors = unused_files.pop("vectors", [])
    bases = [path for layout in home.sharing_layouts for path in find_unused_bases(layout, references, options.before)]
    amounts = {
        "generations": remove_files([*generations, *leftovers]),
        "lake files": remove_files([path for paths in unused_files.values() for path in paths]),
        "vector files": remove_files(vectors),
        "indexes": remove_files(bases),
    }
    return {**amounts, "results": remove_files(find_unused_results(home, lake, options.before))}


MIN_CHANGED_SHARE = 0.02  # The share of new and unused vectors up to which the index stays as it is.


@dataclass(frozen=True, slots=True)
class Compaction:
    """A plan of merges, and the number of vectors for a new index, None where the present index stays."""

    stages: Sequence[FileMerge] = ()
    vectors: Sequence[VectorMerge] = ()
    new_vectors: int | None = None

    @property
    def files(self) -> Mapping[str, tuple[int, int]]:
        """The files of each stage before and after."""
        before: Counter[str] = Counter()
        after: Counter[str] = Counter()
        counts = [(stage.stage, len(stage.files)) for stage in self.stages]
        for stage, count in (*counts, *(("vectors", len(vector.files)) for vector in self.vectors)):
            before[stage] += count
            after[stage] += 1
        return {stage: (count, after[stage]) for stage, count in before.items()}

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.stages and not self.vectors and self.new_vectors is None


def plan_compaction(layout: Layout, generation: Generation) -> Compaction:
    """The merges that are worth their cost. Files that an experiment uses stay as they are."""
    lake, manifest = Lake(layout.lake), generation.manifest
    experiments = [
        (sharing_layout, folder)
        for sharing_layout in layout.sharing_layouts[1:]
        for folder in list_folders(sharing_layout)
    ]
    stages = plan_merges(lake, generation.read_entries(), ReferencedFiles.from_generations(experiments).files)
    used_count = len(list_vectors(lake, generation.list_outputs()))
    unused_count = max(0, manifest.base_count + manifest.delta_count - used_count)
    is_changed = manifest.delta_count + unused_count > MIN_CHANGED_SHARE * used_count
    return Compaction(stages, plan_vector_merges(lake), used_count if is_changed else None)


def compact_generation(layout: Layout, generation: Generation, compaction: Compaction) -> Generation:
    """Carry out the merges and publish; replaced files stay as long as an older generation refers to them."""
    start, clock = datetime.now(UTC), monotonic()
    lake = Lake(layout.lake)
    for merge in compaction.stages:
        write_merged(lake, merge)
    if compaction.vectors:
        # The vectors that any kept generation uses, those of experiments too.
        kept_generations = [
            (sharing_layout, folder)
            for sharing_layout in layout.sharing_layouts
            for folder in list_folders(sharing_layout)
        ]
        files = ReferencedFiles.from_generations(kept_generations).files
        outputs = (("embed", name) for table, name in files if table == "embeddings")
        used_names = list_vectors(lake, outputs) | list_title_vectors(folder for _, folder in kept_generations)
        for vector_merge in compaction.vectors:
            write_merged_vectors(lake, vector_merge, used_names)
    entries = with_merged_files(generation.read_entries(), compaction.stages)
    republish_generation(layout, generation, entries, "compact", start, clock, fold=compaction.new_vectors is not None)
    return read_current(layout)


def upgrade_warehouse(layout: Layout) -> int | None:
    """Publish the documents of an older schema in today's; returns their schema version, None if it is today's.

    The caller holds the lock. Outputs that cannot be converted are made again by the next ingest. Raises
    `OtherVersion` for a warehouse of a newer program.
    """
    generation = find_latest(layout)
    if generation is None or not generation.manifest.is_older:
        return None
    start_time, clock = datetime.now(UTC), monotonic()
    entries = upgrade_entries(Lake(layout.lake), generation.read_entries())
    republish_generation(layout, generation, entries, "upgrade", start_time, clock)
    return generation.manifest.schema_version


def republish_generation(
    layout: Layout,
    generation: Generation,
    entries: Sequence[CatalogEntry],
    work: str,
    start_time: datetime,
    clock: float,
    *,
    fold: bool = False,
) -> Generation:
    """Publish the documents of a generation as they are; `work` names what was done since `start_time`.

    `clock` is the reading of the monotonic clock at that time.
    """
    manifest, seconds = generation.manifest, monotonic() - clock
    run = replace(
        generation.read_runs()[-1],
        generation=compute_next_number(layout),
        flow_run="",
        started=start_time,
        seconds=seconds,
        model=manifest.model,
        new=0,
        changed=0,
        gone=0,
        stages=(StageCost(work, len(entries), seconds),),
        published=None,
    )
    findings = generation.read_findings()
    return publish(layout, generation, entries, findings, manifest.roots, run, manifest.dimension, fold=fold)


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """Result of a maintenance. `generation` is the one it published, None if none.

    `upgraded` is the earlier schema version, None if it was today's; `merged` the files of each stage before and after;
    `folded` the vectors of the new index, None if the old one stayed; `dropped` the numbers of generations; `removed`
    the files removed, by their kind.
    """

    generation: int | None
    upgraded: int | None = None
    merged: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    folded: int | None = None
    dropped: tuple[int, ...] = ()
    removed: Mapping[str, FileTotals] = field(default_factory=dict)
    dry_run: bool = False
    seconds: float = 0.0

    @property
    def removed_amount(self) -> FileTotals:
        """The total of all files removed."""
        return sum(self.removed.values(), FileTotals())
