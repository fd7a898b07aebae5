"""A folder of notes, the warehouse made of it, and runs over it with or without a fault."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from tests.flows.faults.forge import Forge, Outcome
from tests.flows.faults.state import State, state_of

NOTES = 6


@dataclass(frozen=True)
class Site:
    """`clean` is what a warehouse of the folder as it is now holds, made at one go."""

    docs: Path
    warehouse: Path
    forge: Forge
    environment: dict[str, str]
    clean: State | None = None

    def ingest(self, *options: str, **fault: float) -> Outcome:
        """Run `kalends ingest` over the folder."""
        return self.scan(str(self.docs), *options, **fault)

    def scan(self, *options: str, **fault: float) -> Outcome:
        """Run `kalends ingest` as a schedule does, over the folders that the warehouse remembers."""
        words = ["ingest", *options, "--warehouse", str(self.warehouse), "--json"]
        return self.forge.run(words, self.environment, self.warehouse, **fault)

    def at(self, forge: Forge) -> Site:
        """The same with runs of another forge."""
        return replace(self, forge=forge)

    def state(self) -> State:
        """What the warehouse holds now."""
        return state_of(self.warehouse)

    def copied(self, warehouse: Path) -> Site:
        """The same folder with a copy of the warehouse, to be harmed."""
        shutil.copytree(self.warehouse, warehouse, symlinks=True)
        return replace(self, warehouse=warehouse)

    def healed(self) -> Outcome:
        """Ingest, which must succeed and leave nothing lost, nothing doubled and nothing to do."""
        outcome = self.ingest()
        assert outcome.code == 0, outcome.err
        assert self.state() == self.clean
        return outcome


def write_notes(docs: Path) -> None:
    """The notes of the first run."""
    docs.mkdir(parents=True)
    for number in range(NOTES):
        write(docs, f"note-{number}.md", number)


def change_notes(docs: Path) -> None:
    """One note changed, one new, one gone, one under another name."""
    write(docs, "note-0.md", 70)
    write(docs, "new.md", 71)
    (docs / "note-1.md").unlink()
    (docs / "note-2.md").rename(docs / "renamed.md")


def write(docs: Path, name: str, number: int) -> None:
    """A note of two sections with a table and dates in it."""
    (docs / name).write_text(
        f"# Harbour {number}\n\nThe obelisk number {number} stands since 19{number:02} in the harbour.\n\n"
        f"## Costs\n\n| Year | Cost |\n| --- | --- |\n| 2020 | {number}10 |\n| 2021 | {number}20 |\n\n"
        f"Its repair in March 2021 cost {number}20 euro.\n",
        encoding="utf-8",
    )
