"""Files that the published generation stands on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from flows.doctor.diagnosis import CheckContext, Diagnosis, error, ok
from warehouse.store.soundness import damage
from warehouse.store.verifying import rotten

MOST = 20
"""Damaged files that are named."""


def member(patient: CheckContext) -> Iterator[Diagnosis]:
    """What is missing or cut off; where it may be deep, also what holds something else than was written."""
    if patient.generation is None:
        return
    problem = damage(patient.layout, patient.generation)
    if problem:
        yield error(problem, "kalends ingest")
    elif not patient.deep:
        yield ok("no file is missing or cut off (--deep reads them all)")
    else:
        found = list(islice(rotten(patient.layout, patient.generation), MOST))
        yield from (error(f"{path} is damaged", f"rm '{path}', then kalends ingest") for path in found)
        if not found:
            yield ok("every file holds what was written")
