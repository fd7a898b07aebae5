"""What maintenance did, or would do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from warehouse.store.upkeep.amounts import Amount


@dataclass(frozen=True, slots=True)
class MaintenanceReport:
    """The end of a maintenance. `generation` is what it published, None if nothing.

    `upgraded` is the schema version that the warehouse had, None if today's; `merged` the files of each stage before
    and after; `folded` the vectors of the new index, None where it stayed; `dropped` the numbers of generations;
    `removed` what went, by what it was.
    """

    generation: int | None
    upgraded: int | None = None
    merged: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    folded: int | None = None
    dropped: tuple[int, ...] = ()
    removed: Mapping[str, Amount] = field(default_factory=dict)
    dry_run: bool = False
    seconds: float = 0.0

    @property
    def won(self) -> Amount:
        """All that went."""
        return sum(self.removed.values(), Amount())
