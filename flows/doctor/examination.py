"""Examination of an installation and its warehouse: every check in turn, read-only; nothing is repaired or started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from flows.doctor import installation_checks, warehouse_checks
from flows.doctor.diagnosis import Check, CheckContext, Diagnosis, error
from warehouse.errors import BadWarehouse, KalendsError
from warehouse.settings.loader import Settings
from warehouse.store.generations import current
from warehouse.store.layout import Layout

CHECKS: Mapping[str, Check] = {
    "counts": warehouse_checks.check_counts,
    "damage": warehouse_checks.check_damage,
    "disk": warehouse_checks.check_disk,
    "installation": installation_checks.check_packages,
    "leftovers": warehouse_checks.check_leftovers,
    "locks": warehouse_checks.check_locks,
    "models": installation_checks.check_models,
    "services": installation_checks.check_services,
    "settings": installation_checks.check_settings,
    "sources": warehouse_checks.check_sources,
    "version": warehouse_checks.check_version,
}
"""The checks by the name that their diagnoses carry, in the order of the report."""


def examine(settings: Settings, *, deep: bool = False, models: bool = False) -> Iterator[Diagnosis]:
    """The diagnoses of every check, in the order of their names. A `KalendsError` of a check becomes its diagnosis.

    `deep` allows to read every file of the warehouse, `models` to load models.
    """
    layout = Layout(settings.warehouse)
    try:
        generation = current(layout)
    except BadWarehouse:
        generation = None
    context = CheckContext(settings, layout, generation, deep, models)
    for name, check in CHECKS.items():
        try:
            diagnoses = list(check(context))
        except KalendsError as failure:
            diagnoses = [error(failure.problem, failure.cure)]
        yield from (replace(each, check=name) for each in diagnoses)
