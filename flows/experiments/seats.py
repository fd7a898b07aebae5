"""Where an experiment takes place: a warehouse of its own for each way to ingest, over the lake of the first.

Parsing, tables, times and names, and every vector of a text that was embedded before, are taken from that lake. Each
has its own indexes, made anew: what is measured does not depend on what was tried before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.planning import make_plan
from tasks.evaluate.experiments.experiment import Experiment
from warehouse.identity import digest
from warehouse.records import Root
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkChoice, SourceSettings
from warehouse.store.generations import Generation, latest, require
from warehouse.store.layout import SHARED_LAKE, Layout


@dataclass(frozen=True, slots=True)
class TrialWorkspace:
    """An experiment, the settings of its warehouse, and the files that are ingested into that."""

    experiment: Experiment
    settings: Settings
    paths: tuple[Path, ...]

    @property
    def layout(self) -> Layout:
        """Of its warehouse, which others of the same fingerprint share."""
        return Layout(self.settings.warehouse)

    def ready(self) -> Generation | None:
        """The generation that is asked; None where something is to be ingested first."""
        generation = latest(self.layout)
        if generation is None or not make_plan(self.settings, generation, self.paths).idle:
            return None
        return generation


def seats_of(experiments: Sequence[Experiment], settings: Settings) -> tuple[TrialWorkspace, ...]:
    """The seats beside the warehouse that the settings name, which holds the documents already."""
    home = Layout(settings.warehouse)
    roots = require(home).manifest.roots
    sources = tuple(_source(root) for root in roots)
    paths = tuple(root.folder / name for root in roots for name in root.only or ("",))
    found = []
    for each in experiments:
        layout = Layout(home.experiments / each.fingerprint)
        _share(layout)
        found.append(TrialWorkspace(each, each.settings(settings, layout.folder, sources), paths))
    return tuple(found)


def state_of(generation: Generation) -> str:
    """The name of what a generation holds: the same wherever and whenever it was ingested."""
    held = sorted((each.file.source, [output.key for output in each.outputs]) for each in generation.entries())
    return digest("state", generation.manifest.model, held)


def _share(layout: Layout) -> None:
    """Make the folder with its link to the lake, which need not be there yet."""
    layout.folder.mkdir(parents=True, exist_ok=True)
    if not layout.lake.is_symlink():
        layout.lake.symlink_to(SHARED_LAKE)


def _source(root: Root) -> SourceSettings:
    """A root as the settings would declare it, so that its documents keep their names."""
    how = root.chunking
    chunk = ChunkChoice.model_validate(
        {"chunker": how.chunker, "size": how.size, "overlap": how.overlap, "unit": how.unit}
    )
    known = {"kind": root.kind, "topic": root.topic, "fiscal_year_end": root.fiscal_year_end}
    return SourceSettings.model_validate({"folder": root.folder, "name": root.name, "chunk": chunk, **known})
