"""A lake elsewhere: what one machine made, another finds, and what goes wrong there is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from warehouse.errors import LakeFailed
from warehouse.records import Block, BlockKind, Embedding
from warehouse.settings.models import LakeSettings
from warehouse.store.arrow_files import is_complete
from warehouse.store.lake import REPLACED_NAMES_SUFFIX, Lake, open_lake
from warehouse.store.remote_lake import Remote

BLOCK = Block(0, BlockKind.PARAGRAPH, 0, 12)
OUTPUTS = {("parse", "k1"): "batch", ("chunk", "k2"): "other"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"file://{tmp_path}/remote"


def machine(tmp_path: Path, name: str, url: str) -> Lake:
    """The lake as another machine sees it: with a folder of its own."""
    return open_lake(tmp_path / name, LakeSettings(url=url))


@pytest.fixture
def here(tmp_path: Path, url: str) -> Lake:
    return machine(tmp_path, "here", url)


@pytest.fixture
def there(tmp_path: Path, url: str) -> Lake:
    return machine(tmp_path, "there", url)


def test_what_one_machine_wrote_another_reads(here: Lake, there: Lake) -> None:
    here.write("blocks", "batch", {"k": [BLOCK]})
    assert there.has(["blocks"], "batch")
    there.fetch_files([("blocks", "batch")])
    assert there.read("blocks", Block, {"k": "batch"}) == {"k": (BLOCK,)}


def test_an_output_without_its_vectors_is_not_complete(here: Lake, there: Lake) -> None:
    here.write("embeddings", "batch", {"k": [Embedding("c", 0, "v")]})
    assert not there.has(["embeddings"], "batch")
    here.write_vectors("vectors", "m", ["v"], np.ones((1, 4), np.float32))
    there.fetch_files([("embeddings", "batch")])
    assert there.has(["embeddings"], "batch")
    assert there.read_vectors(np.array([b"v"]), 4).tolist() == [[1.0] * 4]


def test_a_damaged_copy_is_brought_again(here: Lake, there: Lake) -> None:
    here.write("blocks", "batch", {"k": [BLOCK]})
    there.fetch_files([("blocks", "batch")])
    there.get_path("blocks", "batch").write_bytes(b"PAR1 cut")
    there.fetch_files([("blocks", "batch")])
    assert is_complete(there.get_path("blocks", "batch"))


def test_which_file_holds_an_output_is_told_once(here: Lake, there: Lake, tmp_path: Path) -> None:
    here.record_outputs(OUTPUTS)
    there.record_outputs(OUTPUTS)
    there.record_outputs({**OUTPUTS, ("embed", "k3"): "third"})
    assert here.read_recorded_outputs() == OUTPUTS
    here.fetch_files([])
    assert here.read_recorded_outputs() == {**OUTPUTS, ("embed", "k3"): "third"}
    assert len(list((tmp_path / "remote" / "ledgers").iterdir())) == 2


def test_what_was_written_before_there_was_a_remote_is_handed_over(tmp_path: Path, there: Lake, url: str) -> None:
    Lake(tmp_path / "old").write("blocks", "batch", {"k": [BLOCK]})
    machine(tmp_path, "old", url).share_files([("blocks", "batch")])
    assert there.has(["blocks"], "batch")


def test_vectors_that_were_merged_here_are_neither_brought_nor_sent_again(here: Lake, there: Lake) -> None:
    for name in ("a", "b"):
        here.write_vectors(name, "m", [name], np.ones((1, 4), np.float32))
    merged = Lake(here.folder)
    merged.write_vectors("merged", "m", ["a", "b"], np.ones((2, 4), np.float32))
    merged.get_path("vectors", "merged").with_suffix(REPLACED_NAMES_SUFFIX).write_text("a b")
    for name in ("a", "b"):
        here.get_path("vectors", name).unlink()
    here.share_files([])
    assert [path.stem for path in here.list_vector_files()] == ["merged"]
    assert [path.stem for path in there.list_vector_files()] == ["a", "b"]


def test_a_file_is_not_there_before_all_of_it_is(tmp_path: Path, url: str) -> None:
    (tmp_path / "file").write_bytes(b"whole")
    (tmp_path / "remote" / "blocks").mkdir(parents=True)
    (tmp_path / "remote" / "blocks" / ".batch.host.1.partial").write_bytes(b"ha")
    assert Remote(url, {}).list_names("blocks") == frozenset()
    Remote(url, {}).put("blocks", "batch", tmp_path / "file")
    assert Remote(url, {}).list_names("blocks") == {"batch"}


def test_a_damaged_file_there_is_named(tmp_path: Path, there: Lake) -> None:
    place = tmp_path / "remote" / "blocks" / "batch.parquet"
    place.parent.mkdir(parents=True)
    place.write_bytes(b"PAR1 cut")
    with pytest.raises(LakeFailed, match=r"blocks/batch.parquet is damaged: remove it there"):
        there.fetch_files([("blocks", "batch")])


@pytest.mark.parametrize(
    "given",
    [{"url": "s3://me:mine@bucket/lake"}, {"url": "s3://b", "options": {"secret": "mine"}}],
)
def test_credentials_do_not_get_into_the_settings_that_runs_keep(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LakeSettings(**given)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nowhere://bucket/lake", "the lake nowhere://bucket/lake is of an unknown kind"),
        ("file:///proc/lake", "the lake file:///proc/lake"),
    ],
)
def test_a_place_that_cannot_be_used_is_refused_in_one_line(url: str, said: str) -> None:
    with pytest.raises(LakeFailed, match=said) as refused:
        Remote(url, {}).check_writable()
    assert "\n" not in str(refused.value)
    assert refused.value.cure
