"""A document that ends the process it is worked on in costs itself, at the latest in the run after."""

from __future__ import annotations

from pathlib import Path

import pytest

from tasks import stage_process
from tasks.stage_contract import BatchItem, Stage
from tasks.stage_process import MARK_FOLDER, hold_mark, perform_in_child
from tests.tasks.killing_stages import IN_WORK, KILLER, MANY, PREPARING, SLEEPER
from warehouse.errors import KalendsError
from warehouse.settings.loader import Settings
from warehouse.settings.models import BatchSettings
from warehouse.store.lake import Lake


def items(*names: str) -> list[BatchItem]:
    return [BatchItem(f"{number:032x}", name, Path(name), "", 1, {}) for number, name in enumerate(names)]


@pytest.mark.parametrize("stage", [IN_WORK, pytest.param(PREPARING, marks=pytest.mark.slow)])
def test_a_document_that_kills_its_process_costs_itself(tmp_path: Path, stage: Stage) -> None:
    batch = items("a.md", "b.md", KILLER, "c.md")
    lake = Lake(tmp_path)
    name, done = perform_in_child(stage, batch, lake, Settings())
    (problem,) = done.problems.values()
    assert list(done.problems) == [batch[2].key]
    assert problem.stage == "entities"
    assert problem.reason.startswith("it ended the process (")
    assert lake.has(["entities"], name)


def test_a_document_that_hangs_in_native_code_costs_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage_process, "GRACE_SECONDS", 1)
    (sleeper,) = items(SLEEPER)
    _, done = perform_in_child(IN_WORK, [sleeper], Lake(tmp_path), Settings(batch=BatchSettings(seconds=1)))
    assert {key: problem.reason for key, problem in done.problems.items()} == {sleeper.key: "it took longer than 1 s"}


def test_a_batch_that_kills_its_process_while_no_document_does_is_no_documents_fault(tmp_path: Path) -> None:
    with pytest.raises(KalendsError, match=r"batch\.files"):
        perform_in_child(MANY, items("a.md", "b.md"), Lake(tmp_path), Settings())


def test_a_mark_without_a_living_process_makes_a_batch_suspect(tmp_path: Path) -> None:
    batch = items("a.md", "b.md")
    with hold_mark(tmp_path, IN_WORK, batch) as is_suspect:
        assert not is_suspect
        (mark,) = (tmp_path / MARK_FOLDER).iterdir()
        left = mark.read_text()
        with hold_mark(tmp_path, IN_WORK, items("a.md", "b.md", "c.md")) as is_other_suspect:
            assert not is_other_suspect, "its process lives"
    assert not list((tmp_path / MARK_FOLDER).iterdir())
    mark.write_text(left)
    with pytest.raises(KeyboardInterrupt), hold_mark(tmp_path, IN_WORK, items("a.md", "b.md")) as is_suspect:
        raise KeyboardInterrupt
    with hold_mark(tmp_path, IN_WORK, items("a.md", "b.md", "c.md")) as is_suspect:
        assert is_suspect, "an interrupted try has cleared nobody"
    assert not list((tmp_path / MARK_FOLDER).iterdir())
