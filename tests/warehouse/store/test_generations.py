"""What a process remembers of the generation that it published is what the files say, while they are those files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.building import build_warehouse
from warehouse.errors import BadWarehouse
from warehouse.store import generations

SAMPLES = Path(__file__).parents[3] / "samples"


def test_what_was_published_is_remembered_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = build_warehouse(tmp_path / "W", SAMPLES).layout
    remembered = generations.read_current(layout).read_entries()
    monkeypatch.setattr(generations, "_written_entries", {})
    written = generations.read_current(layout).read_entries()
    assert remembered is not written
    assert remembered == written


def test_a_file_that_was_exchanged_is_read(tmp_path: Path) -> None:
    layout = build_warehouse(tmp_path / "W", SAMPLES / "courses").layout
    file = generations.read_current(layout).folder / "documents.parquet"
    whole = file.read_bytes()
    file.write_bytes(whole[:-9])
    with pytest.raises(BadWarehouse):
        generations.read_current(layout).read_entries()
