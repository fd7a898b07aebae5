"""Another `embed.model`: the old vectors answer until the new ones are published, and are there to go back to."""

from __future__ import annotations

from subprocess import CompletedProcess

import pytest

from flows.progress import RunObserver, observe_runs
from tasks.embedders.hashing import HashingEmbedder
from tests.command_line import kalends
from tests.flows.conftest import Bench, worked
from warehouse.records import StageCost
from warehouse.settings.models import EmbedSettings


def searched(bench: Bench, model: str) -> CompletedProcess[str]:
    """A search by another process whose settings name the model."""
    return kalends("search", "bitter oranges", "-w", bench.settings.warehouse, KALENDS_EMBED__MODEL=model)


def test_searches_go_on_while_another_model_embeds(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.ingest()
    meanwhile: list[CompletedProcess[str]] = []

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
