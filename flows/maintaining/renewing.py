"""Generations that hold the documents of the one before, in another form: nothing is read or computed anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic

from warehouse.records import CatalogEntry, StageCost
from warehouse.store.generations import Generation, latest, next_number
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.migrations.conforming import upgraded
from warehouse.store.publishing import publish


def upgrade(layout: Layout) -> int | None:
    """Publish the documents of an older program in today's shapes; the schema version they had, None if today's.

    For the holder of the lock. Outputs that have no such shape are made again by the next ingest. Raises
    `OtherVersion` for a warehouse of a newer program.
    """
    generation = latest(layout)
    if generation is None or not generation.manifest.older:
        return None
    started, clock = datetime.now(UTC), monotonic()
    entries = upgraded(Lake(layout.lake), generation.entries())
    renew(layout, generation, entries, "upgrade", started, clock)
    return generation.manifest.schema_version


def renew(
    layout: Layout,
    generation: Generation,
    entries: Sequence[CatalogEntry],
    work: str,
    started: datetime,
    clock: float,
    *,
    fold: bool = False,
) -> Generation:
    """Publish the documents of a generation as they stand now; `work` names what was done since `started`.

    `clock` is the reading of the monotonic clock by then.
    """
    last = generation.runs()[-1]
    seconds = monotonic() - clock
    run = replace(
        last,
        generation=next_number(layout),
        flow_run="",
        started=started,
        seconds=seconds,
        model=generation.manifest.model,
        new=0,
        changed=0,
        gone=0,
        stages=(StageCost(work, len(entries), seconds),),
        published=None,
    )
    return publish(
        layout,
        generation,
        entries,
        generation.findings(),
        generation.manifest.roots,
        run,
        generation.manifest.dimension,
        fold=fold,
    )
