"""Which generations are kept: the newest, the last of each day for a while, and any that a reader may still hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from warehouse.store.generations import Generation, retained
from warehouse.store.layout import Layout

DROPPED = ".dropped"
"""What the folder of a generation ends in from when it is dropped until it is gone."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Keep the newest `keep` generations, and the last of each of the past `days` days.

    One stays, however old, until another has been published for longer than `grace`.
    """

    keep: int
    days: int
    grace: timedelta

    def surplus(self, published: Mapping[int, datetime], now: datetime) -> set[int]:
        """The numbers to drop of generations, given when each was published."""
        numbers = sorted(published)
        last_of_day = {published[number].date(): number for number in numbers}
        daily = {number for day, number in last_of_day.items() if day > (now - timedelta(days=self.days)).date()}
        followers = dict(pairwise(numbers))
        superseded = {number for number, after in followers.items() if published[after] < now - self.grace}
        return superseded - daily - set(numbers[-self.keep :])


def surplus(layout: Layout, current: Generation, retention: Retention, now: datetime) -> list[Path]:
    """The folders of the generations to drop, oldest first; one that was never published goes after the grace time."""
    folders = {int(folder.name): folder for folder in retained(layout)}
    published = {run.generation: run.visible_from for run in current.runs()}
    kept = {number: moment for number, moment in published.items() if number in folders}
    goes = retention.surplus(kept, now) | _abandoned(folders, published.keys(), now - retention.grace)
    return [folders[number] for number in sorted(goes - {current.manifest.number})]


def _abandoned(folders: Mapping[int, Path], published: Collection[int], before: datetime) -> set[int]:
    """Those of runs that were killed between the end of their work and its publication."""
    unpublished = folders.keys() - published
    return {number for number in unpublished if folders[number].stat().st_mtime < before.timestamp()}


def drop(folders: Collection[Path]) -> list[Path]:
    """Take generations out of the warehouse by renaming their folders, which is what they are then called."""
    return [folder.rename(folder.with_name(f".{folder.name}{DROPPED}")) for folder in folders]


def leftovers(layout: Layout) -> list[Path]:
    """Folders of generations that were begun and not finished, or dropped and not removed; for who holds the lock."""
    return sorted([*layout.generations.glob(".*.partial"), *layout.generations.glob(f".*{DROPPED}")])
