"""Older generations, by number or by moment."""

from __future__ import annotations

from datetime import datetime

from warehouse.errors import BadInput
from warehouse.records import Run
from warehouse.store.generations import Generation, read, require, retained
from warehouse.store.layout import Layout


def generation_at(layout: Layout, moment: int | datetime) -> Generation:
    """The generation of this number, or that which was published at this moment (with its time zone).

    Raises `BadInput` where there was none or maintenance has dropped it, and `NoWarehouse` before the first.
    """
    runs = require(layout).runs()
    number = moment if isinstance(moment, int) else _published_by(moment, runs)
    kept = {int(folder.name): folder for folder in retained(layout)}
    published = {run.generation for run in runs} & kept.keys()
    if number not in published:
        listed = ", ".join(str(each) for each in sorted(published))
        raise BadInput(f"generation {number} is not kept", f"choose one of {listed}")
    return read(kept[number])


def _published_by(moment: datetime, runs: tuple[Run, ...]) -> int:
    by_then = [run.generation for run in runs if run.visible_from <= moment]
    if not by_then:
        first = runs[0].visible_from.isoformat(timespec="seconds")
        raise BadInput(f"nothing was published by {moment.isoformat()}", f"the first generation is of {first}")
    return by_then[-1]
