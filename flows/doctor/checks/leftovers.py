"""What lies in the warehouse and is of no use: old generations, files that nothing stands on, many small files."""

from __future__ import annotations

from collections.abc import Iterator
from time import time

from flows.doctor.diagnosis import CheckContext, Diagnosis, ok, warning
from warehouse.store.generations import retained
from warehouse.store.lake import Lake
from warehouse.store.upkeep.amounts import Amount
from warehouse.store.upkeep.retention import leftovers
from warehouse.store.upkeep.standing import Standing, strays

CURE = "kalends maintain"
MANY_GENERATIONS = 50
MANY_FILES = 500
"""In a table: a query opens them all."""


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """What maintenance would see to. Files of a run that works just now count as well."""
    layout, generation = patient.layout, patient.generation
    if generation is None:
        return
    found = [warning(line, CURE) for line in _lines(patient)]
    tables = {table for table, _ in Standing.of([(layout, generation.folder)]).files}
    yield from found or [ok(f"{len(retained(layout))} generations, nothing in {len(tables)} tables is of no use")]


def _lines(patient: CheckContext) -> Iterator[str]:
    home = patient.layout.home
    begun = leftovers(patient.layout)
    if begun:
        yield f"{len(begun)} generations were begun or dropped and not finished"
    kept = [(layout, folder) for layout in home.sharers for folder in retained(layout)]
    if len(kept) > MANY_GENERATIONS:
        yield f"{len(kept)} generations are kept"
        kept = []
    lake = Lake(home.lake)
    loose = [path for paths in strays(lake, Standing.of(kept), time()).values() for path in paths] if kept else []
    if loose:
        amount = Amount.of(loose)
        yield f"nothing stands on {amount.files} files of the lake, {amount.bytes >> 10} kB"
    most = max((sum(1 for _ in folder.glob("*.parquet")) for folder in lake.folder.glob("*")), default=0)
    if most > MANY_FILES:
        yield f"a table of the lake has {most} files, which every query opens"
