"""What a check of the doctor says, and what it is given to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from warehouse.settings.loader import Settings
from warehouse.store.generations import Generation
from warehouse.store.layout import Layout


class Level(StrEnum):
    """How bad it is. An error keeps something from working; a warning will, or costs something."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line, and the cure, a command where one cures it; the check that says it is added by who asks."""

    level: Level
    line: str
    cure: str = ""
    check: str = ""


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What is looked at. `generation` is that published, None where there is none that this program can read.

    `deep` allows to read every file, `models` to load models.
    """

    settings: Settings
    layout: Layout
    generation: Generation | None
    deep: bool = False
    models: bool = False


Check = Callable[[CheckContext], Iterator[Diagnosis]]
"""Says nothing where it has nothing to look at. May raise errors of ours, which are what is found then."""


def ok(line: str) -> Diagnosis:
    """All is well."""
    return Diagnosis(Level.OK, line)


def warning(line: str, cure: str) -> Diagnosis:
    """It works, but not as it should, or not for ever."""
    return Diagnosis(Level.WARNING, line, cure)


def error(line: str, cure: str) -> Diagnosis:
    """It does not work."""
    return Diagnosis(Level.ERROR, line, cure)
