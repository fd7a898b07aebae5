"""Another `embed.model`: the old vectors answer until the new ones are published, and are there to go back to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from flows.progress import RunObserver, observe_runs
from tasks.embedders.hashing import HashingEmbedder
from tests.flows.conftest import Bench, worked
from warehouse.records import StageCost
from warehouse.settings.models import EmbedSettings

ROOT = Path(__file__).parents[2]


def searched(bench: Bench, model: str) -> subprocess.CompletedProcess[str]:
    """A search by another process whose settings name the model."""
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "KALENDS_EMBED__MODEL": model}
    words = ["search", "bitter oranges", "-w", str(bench.settings.warehouse)]
    command = [sys.executable, "-m", "dashboards.cli.main", *words]
    return subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)


def test_searches_go_on_while_another_model_embeds(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.ingest()
    meanwhile: list[subprocess.CompletedProcess[str]] = []

    class SearchBeforePublishing(RunObserver):
        def on_stage_finished(self, cost: StageCost) -> None:
            if cost.stage == "embed":
                assert bench.warehouse.generation == 1
                meanwhile.append(searched(bench, "minilm"))

    with observe_runs(SearchBeforePublishing()):
        report = bench.ingest(embed=EmbedSettings(model="minilm"))
    assert worked(report) == {"embed": 3, "publish": 3}
    (during,) = meanwhile
    assert during.returncode == 0, during.stderr
    assert "Marmalade is made of bitter oranges." in during.stdout
    assert "the vectors are of hashing@384, which read the question" in during.stdout + during.stderr
    assert bench.warehouse.snapshot.generation.manifest.model.startswith("all-MiniLM-L6-v2@")
    after = searched(bench, "minilm")
    assert "Marmalade is made of bitter oranges." in after.stdout
    assert "the vectors are" not in after.stdout + after.stderr

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(HashingEmbedder, "embed", never)
    back = bench.ingest(embed=EmbedSettings(model="hashing"))
    assert worked(back) == {"publish": 3}
    assert bench.warehouse.snapshot.generation.manifest.model == "hashing@384"
