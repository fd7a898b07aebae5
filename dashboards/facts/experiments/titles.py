"""What experiments are called: as people named them, else by what varies among their configurations.

Names are kept below the warehouse, `experiment-titles/<experiment>.txt`, each the title itself.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dashboards.facts.experiments.rounds import TrialGroup
from tasks.evaluate.experiments.dimensions import short
from tasks.evaluate.experiments.outcome import settings_of
from tasks.quality.wording import counted
from warehouse.errors import BadWarehouse

LONGEST_TITLE = 80
"""Characters of a title."""
MOST_NAMED = 3
"""Settings that a made title names; of more it tells the number."""


@dataclass(frozen=True, slots=True)
class ExperimentTitles:
    """The titles that people gave to the experiments of a warehouse's folder."""

    warehouse: Path

    def title(self, chosen: TrialGroup) -> str:
        """The title of an experiment, made from what varies where nobody gave one."""
        try:
            given = self._path(chosen).read_text(encoding="utf-8", errors="replace")
        except OSError:
            given = ""
        return " ".join(given.split())[:LONGEST_TITLE] or make_title(chosen)

    def rename(self, chosen: TrialGroup, title: str) -> None:
        """Give an experiment a title; an empty one takes it back. Raises `BadWarehouse` where it cannot be kept."""
        path, words = self._path(chosen), " ".join(title.split())[:LONGEST_TITLE]
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            if not words:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(f"{words}\n", encoding="utf-8", errors="replace")
            fresh.replace(path)
        except OSError as error:
            problem = f"the title cannot be saved in {path.parent} ({error.strerror})"
            raise BadWarehouse(problem, "check its permissions and the disk") from None
        finally:
            with suppress(OSError):
                fresh.unlink()

    def _path(self, chosen: TrialGroup) -> Path:
        return self.warehouse / "experiment-titles" / f"{chosen.name}.txt"


def make_title(chosen: TrialGroup) -> str:
    """A title from what varies: "Size and mode, 6 configurations"."""
    configurations = counted(len(chosen.trials), "configuration")
    names = [short(name) for name in varying_settings(chosen)]
    if not names:
        return configurations.capitalize()
    if len(names) > MOST_NAMED:
        said = counted(len(names), "setting")
    else:
        said = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    said = said.replace("_", " ")
    return f"{said[:1].upper()}{said[1:]}, {configurations}"


def varying_settings(chosen: TrialGroup) -> list[str]:
    """The settings that are not the same in all configurations of an experiment, by their whole names."""
    rows = [settings_of(each) for each in chosen.trials]
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({repr(row.get(name)) for row in rows}) > 1]
