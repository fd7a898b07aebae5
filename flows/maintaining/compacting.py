"""Merging the small files of a warehouse, and folding its vectors, into one new generation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from flows.maintaining.renewing import renew
from warehouse.store.generations import Generation, require, retained
from warehouse.store.lake import Lake
from warehouse.store.layout import Layout
from warehouse.store.upkeep.merging import Merge, merges, moved, write_merged
from warehouse.store.upkeep.merging_vectors import VectorMerge, vector_merges, write_merged_vectors
from warehouse.store.upkeep.standing import Standing, vectors_of, vectors_of_titles

SHARE = 0.02
"""Of the vectors: with fewer than that new, or no longer in use, the index stays as it is."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """What is to be merged, and the number of vectors to make a new index of, None where the old one will do."""

    stages: Sequence[Merge] = ()
    vectors: Sequence[VectorMerge] = ()
    folded: int | None = None

    @property
    def files(self) -> Mapping[str, tuple[int, int]]:
        """The files of each stage before and after."""
        before: Counter[str] = Counter()
        after: Counter[str] = Counter()
        for stage, files in (*((m.stage, m.files) for m in self.stages), *(("vectors", m.files) for m in self.vectors)):
            before[stage] += len(files)
            after[stage] += 1
        return {stage: (count, after[stage]) for stage, count in before.items()}

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.stages and not self.vectors and self.folded is None


def compaction(layout: Layout, generation: Generation) -> Compaction:
    """What is worth doing. Files that an experiment stands on stay as they are."""
    lake = Lake(layout.lake)
    others = [(each, folder) for each in layout.sharers[1:] for folder in retained(each)]
    stages = merges(lake, generation.entries(), Standing.of(others).files)
    return Compaction(stages, vector_merges(lake), _to_fold(lake, generation))


def compact(layout: Layout, generation: Generation, wanted: Compaction) -> Generation:
    """Do it and publish; the files replaced stay as long as an older generation names them."""
    started, clock = datetime.now(UTC), monotonic()
    lake = Lake(layout.lake)
    for merge in wanted.stages:
        write_merged(lake, merge)
    if wanted.vectors:
        live = _vectors_in_use(layout, lake)
        for merged in wanted.vectors:
            write_merged_vectors(lake, merged, live)
    entries = moved(generation.entries(), wanted.stages)
    renew(layout, generation, entries, "compact", started, clock, fold=wanted.folded is not None)
    return require(layout)


def _vectors_in_use(layout: Layout, lake: Lake) -> set[str]:
    """By any generation that is kept, an experiment's too."""
    kept = [(each, folder) for each in layout.sharers for folder in retained(each)]
    outputs = (("embed", name) for table, name in Standing.of(kept).files if table == "embeddings")
    return vectors_of(lake, outputs) | vectors_of_titles(folder for _, folder in kept)


def _to_fold(lake: Lake, generation: Generation) -> int | None:
    manifest = generation.manifest
    live = len(vectors_of(lake, generation.outputs()))
    dead = max(0, manifest.base_count + manifest.delta_count - live)
    return live if manifest.delta_count + dead > SHARE * live else None
