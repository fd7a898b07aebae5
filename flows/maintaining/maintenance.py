"""Maintenance from beginning to end, under the locks of all who write to the lake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

from flows.lock import writing
from flows.maintaining.compacting import Compaction, compact, compaction
from flows.maintaining.renewing import upgrade
from flows.maintaining.upkeep import MaintenanceReport
from warehouse.errors import BadInput, BadWarehouse
from warehouse.settings.loader import Settings
from warehouse.settings.models import MaintainSettings
from warehouse.store.generations import Generation, latest, require, retained
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.soundness import damage
from warehouse.store.upkeep.amounts import Amount, remove
from warehouse.store.upkeep.retention import Retention, drop, leftovers, surplus
from warehouse.store.upkeep.standing import Standing, stray_bases, stray_results, strays


@dataclass(frozen=True, slots=True)
class MaintenanceOptions:
    """What to keep, by now."""

    retention: Retention
    now: datetime
    dry_run: bool = False

    @property
    def before(self) -> float:
        """Files that nothing stands on and that are younger than this time may still be meant to be stood on."""
        return (self.now - self.retention.grace).timestamp()


def maintain_warehouse(settings: Settings, *, dry_run: bool = False) -> MaintenanceReport:
    """Upgrade, merge, drop, remove; with `dry_run` only say what would be done.

    Raises `Busy` while anybody writes to the lake, `NoWarehouse` where there is none, `BadWarehouse` for a damaged one,
    which is to be mended before anything is thrown away, and `BadInput` for an experiment.
    """
    layout, clock = Layout(settings.warehouse), monotonic()
    if layout.home.folder != layout.folder.resolve():
        raise BadInput(f"{layout.folder} is an experiment", f"run 'kalends maintain -w {layout.home.folder}'")
    wishes = MaintenanceOptions(_retention(settings.maintain), datetime.now(UTC), dry_run)
    if latest(layout) is None:
        require(layout)
    with _writing_alone(layout.home):
        done = _maintained(layout.home, wishes, alone=not settings.lake.url)
    return replace(done, dry_run=dry_run, seconds=monotonic() - clock)


def _retention(chosen: MaintainSettings) -> Retention:
    return Retention(chosen.keep, chosen.days, timedelta(minutes=chosen.grace))


@contextmanager
def _writing_alone(home: Layout) -> Iterator[None]:
    """Hold the warehouse, the bench of its experiments and each of these: they all write to one lake."""
    with ExitStack() as locks:
        for layout in (home, Layout(home.experiments), *home.sharers[1:]):
            locks.enter_context(writing(layout))
        yield


def _maintained(home: Layout, wishes: MaintenanceOptions, *, alone: bool) -> MaintenanceReport:
    """`alone` says that the lake is on this machine only: what others use as well is not merged."""
    upgraded = None if wishes.dry_run else _upgrade_all(home)
    generation = _sound(home)
    wanted = compaction(home, generation) if alone and not generation.manifest.older else Compaction()
    if not wishes.dry_run and not wanted.idle:
        generation = compact(home, generation, wanted)
    dropped = [(layout, folder) for layout in home.sharers for folder in _surplus(layout, wishes)]
    removed = _sweep(home, dropped, wishes)
    renewed = not wishes.dry_run and (upgraded is not None or not wanted.idle)
    return MaintenanceReport(
        generation=generation.manifest.number if renewed else None,
        upgraded=generation.manifest.schema_version if generation.manifest.older else upgraded,
        merged=wanted.files,
        folded=wanted.folded,
        dropped=tuple(int(folder.name) for layout, folder in dropped if layout == home),
        removed={what: amount for what, amount in removed.items() if amount.files},
    )


def _upgrade_all(home: Layout) -> int | None:
    found = [upgrade(layout) for layout in home.sharers]
    return found[0]


def _sound(layout: Layout) -> Generation:
    """The published generation. Raises `BadWarehouse` where something that it stands on is missing."""
    generation = latest(layout)
    if generation is None:
        return require(layout)
    problem = None if generation.manifest.older else damage(layout, generation)
    if problem:
        raise BadWarehouse(f"{problem}", "run 'kalends ingest' to mend it before anything is thrown away")
    return generation


def _surplus(layout: Layout, wishes: MaintenanceOptions) -> list[Path]:
    generation = latest(layout)
    return surplus(layout, generation, wishes.retention, wishes.now) if generation else []


def _sweep(home: Layout, dropped: Sequence[tuple[Layout, Path]], wishes: MaintenanceOptions) -> dict[str, Amount]:
    """Take away generations, then what only they stood on: first the names, then the files."""
    going = {folder for _, folder in dropped}
    old = [path for layout in home.sharers for path in leftovers(layout)]
    kept = [(layout, folder) for layout in home.sharers for folder in retained(layout) if folder not in going]
    standing = Standing.of(kept)
    lake = Lake(home.lake)
    taking = Amount.of if wishes.dry_run else remove
    generations = sorted(going) if wishes.dry_run else drop(sorted(going))
    loose = strays(lake, standing, wishes.before)
    vectors = loose.pop("vectors", [])
    bases = [path for layout in home.sharers for path in stray_bases(layout, standing, wishes.before)]
    removed = {
        "generations": taking([*generations, *old]),
        "lake files": taking([path for paths in loose.values() for path in paths]),
        "vector files": taking(vectors),
        "indexes": taking(bases),
    }
    return {**removed, "results": taking(stray_results(home, lake, wishes.before))}
