"""The lake on S3, spoken by a server of its own on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import boto3
import pytest
from moto import server

from warehouse.errors import LakeFailed
from warehouse.records import Block, BlockKind
from warehouse.settings.models import LakeSettings
from warehouse.store.lake import open_lake
from warehouse.store.remote_lake import Remote

ONCE = {"retries": {"max_attempts": 0}}
BLOCKS = {"k": [Block(0, BlockKind.PARAGRAPH, 0, 12)]}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    url = f"http://{host}:{port}"
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
    with closing(boto3.client("s3", endpoint_url=url, **keys)) as client:
        client.create_bucket(Bucket="team")
    yield url
    running.stop()


@pytest.fixture
def options(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    for name, value in {"ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    return {"endpoint_url": endpoint}


def test_what_one_machine_wrote_another_reads(options: dict[str, str], tmp_path: Path) -> None:
    place = LakeSettings(url="s3://team/lake", options=options)
    here, there = (open_lake(tmp_path / name, place) for name in ("here", "there"))
    for number in range(12):
        here.write("blocks", f"batch{number}", BLOCKS)
    there.fetch_files([("blocks", f"batch{number}") for number in range(12)])
    assert there.read("blocks", Block, {"k": "batch7"}) == {"k": tuple(BLOCKS["k"])}


def test_a_bucket_that_is_not_there_is_named(options: dict[str, str]) -> None:
    with pytest.raises(LakeFailed, match=r"the lake s3://nobodys/lake is not there .*: make its bucket"):
        Remote("s3://nobodys/lake", options).check_writable()


def test_a_server_that_is_gone_is_said_to_be(options: dict[str, str]) -> None:
    with pytest.raises(LakeFailed, match=r"cannot be reached .*run again: what is done is kept"):
        Remote("s3://team/lake", {"endpoint_url": "http://127.0.0.1:9", "config_kwargs": ONCE}).list_names("blocks")


def test_nobody_asks_without_credentials(
    options: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(LakeFailed, match="without credentials"):
        Remote("s3://team/lake", {**options, "skip_instance_cache": True}).check_writable()
