"""All checks of the doctor, one after the other. Looks only: nothing is mended, nothing started."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flows.doctor.diagnosis import Check, CheckContext, Diagnosis, error
from warehouse.errors import BadWarehouse, KalendsError
from warehouse.registry import Family
from warehouse.settings.loader import Settings
from warehouse.store.generations import current
from warehouse.store.layout import Layout

CHECKS: Family[Check] = Family("flows.doctor.checks", "check")
"""Each a function of a patient."""


def examine(settings: Settings, *, deep: bool = False, models: bool = False) -> Iterator[Diagnosis]:
    """What every check says, in the order of their names. A check that fails with an error of ours says that."""
    layout = Layout(settings.warehouse)
    try:
        generation = current(layout)
    except BadWarehouse:
        generation = None
    patient = CheckContext(settings, layout, generation, deep, models)
    for name, check in CHECKS.items():
        try:
            found = list(check(patient))
        except KalendsError as failure:
            found = [error(failure.problem, failure.cure)]
        yield from (replace(each, check=name) for each in found)
