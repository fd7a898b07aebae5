"""The vectors of an exam's questions and of the sentences that it reads, kept from one sitting to the next."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from warehouse.identity import digest


def recall(work: Path, model: str) -> dict[str, np.ndarray]:
    """The vectors of a model kept in a folder, by their id; none where no whole file of them is."""
    try:
        with _file(work, model).open("rb") as stream, np.load(stream) as kept:
            return dict(zip(kept["ids"].tolist(), kept["vectors"], strict=True))
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        return {}


def remember(work: Path, model: str, known: Mapping[str, np.ndarray]) -> None:
    """Keep the vectors of a model in the place of those of it that are kept."""
    work.mkdir(parents=True, exist_ok=True)
    file = _file(work, model)
    fresh = file.with_name(f"{os.getpid()}-{file.name}")
    np.savez(fresh, ids=np.array(list(known)), vectors=np.array(list(known.values())))
    fresh.replace(file)


def _file(work: Path, model: str) -> Path:
    return work / f"questions-{digest(model)}.npz"
