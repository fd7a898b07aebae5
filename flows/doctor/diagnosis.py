"""Diagnosis of the doctor: the context of a check, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from warehouse.settings.loader import Settings
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout


class Level(StrEnum):
    """Severity of a diagnosis: an error keeps something from working, a warning will later, or costs something."""

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

    `deep` allows to read every file, `models` to load models.
    """

    settings: Settings
    layout: Layout
    generation: Generation | None
    deep: bool = False
    models: bool = False


Check = Callable[[CheckContext], Iterator[Diagnosis]]
"""A check gives no diagnosis where it has nothing to examine. A `KalendsError` that it raises is its diagnosis."""


def ok(line: str) -> Diagnosis:
    """A diagnosis that nothing is wrong."""
    return Diagnosis(Level.OK, line)


def warning(line: str, cure: str) -> Diagnosis:
    """A diagnosis of something that works, but not as it should, or not for long."""
    return Diagnosis(Level.WARNING, line, cure)


def error(line: str, cure: str) -> Diagnosis:
    """A diagnosis of something that does not work."""
    return Diagnosis(Level.ERROR, line, cure)
