"""The device that models compute on: what is chosen and refused, and half precision against float32.

Torch is imported by the tests that need it: two processes collect these, and it takes a second and a half.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tasks.embedders import embedder
from tasks.embedders.bert.bert_embedder import MIN_CUDA_TEXTS, BertEmbedder
from tasks.embedders.bert.encoder import Encoder, Numbers
from tasks.embedders.embedder import check_device, has_cuda, open_embedder
from tasks.embedders.minilm import member
from tasks.rerankers.reranker import open_reranker
from tests.tasks.embedders.test_encoder import TEXTS
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from tasks.embedders.bert.torch_encoder import TorchEncoder


FEW = [text for text in TEXTS if len(text) < 200]
"""A processor takes seconds for the long ones in half precision."""


@pytest.fixture(scope="module")
def folder() -> Path:
    installed = open_embedder("minilm")
    assert isinstance(installed, BertEmbedder)
    return installed.folder


def _computing(folder: Path, encoder: Encoder | TorchEncoder) -> BertEmbedder:
    """The model with an encoder of its own."""
    model = member()
    model.__dict__["_encoder"] = encoder
    return model


@pytest.fixture(scope="module")
def exact(folder: Path) -> BertEmbedder:
    """The model in float32 on the processor."""
    return _computing(folder, Encoder(folder, Numbers.FLOAT32))


@pytest.mark.parametrize(("number", "least"), [("float32", 0.999999), ("float16", 0.999)])
def test_vectors_of_torch_are_those_of_the_processor(
    folder: Path, exact: BertEmbedder, number: str, least: float
) -> None:
    import torch

    from tasks.embedders.bert.torch_encoder import TorchEncoder

    ours = _computing(folder, TorchEncoder(folder, "cpu", getattr(torch, number))).embed(FEW)
    assert ours.dtype == np.float32
    assert np.allclose(np.linalg.norm(ours, axis=1), 1, atol=1e-5)
    assert (ours * exact.embed(FEW)).sum(axis=1).min() >= least


def test_tokens_of_torch_have_the_vectors_of_the_processor(folder: Path, exact: BertEmbedder) -> None:
    from tasks.embedders.bert.torch_encoder import TorchEncoder

    model = _computing(folder, TorchEncoder(folder, "cpu"))
    for ours, theirs in zip(model.embed_tokens(FEW), exact.embed_tokens(FEW), strict=True):
        assert ours.shape == theirs.shape
        assert (ours * theirs).sum(axis=1).min(initial=1) >= 0.999


@pytest.mark.skipif(not has_cuda("auto"), reason="torch finds no CUDA device on this machine")
def test_a_cuda_device_gives_the_same_vectors(exact: BertEmbedder) -> None:
    texts = [f"{text} {number}" for number in range(MIN_CUDA_TEXTS) for text in TEXTS]
    ours = open_embedder("minilm", "cuda")
    assert (ours.embed(texts) * exact.embed(texts)).sum(axis=1).min() >= 0.999
    assert "_cuda_encoder" in ours.__dict__


def _machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, driver: bool, built: str) -> None:
    monkeypatch.setattr(embedder.sys, "platform", "linux")
    monkeypatch.setattr(embedder, "CUDA_DRIVER_FILES", (tmp_path / "driver",))
    if driver:
        (tmp_path / "driver").touch()
    monkeypatch.setattr(embedder, "version", lambda _: built)


@pytest.mark.parametrize(
    ("driver", "built", "why"),
    [(False, "2.13.0", "no driver of NVIDIA"), (True, "2.13.0+cpu", r"torch 2\.13\.0\+cpu was built for processors")],
)
def test_cuda_that_is_not_there_is_refused_when_it_is_demanded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, driver: bool, built: str, why: str
) -> None:
    _machine(monkeypatch, tmp_path, driver=driver, built=built)
    assert check_device("auto") == "auto"
    assert not has_cuda("auto")
    assert not has_cuda("cpu")
    for demanding in (
        lambda: check_device("cuda"),
        lambda: has_cuda("cuda"),
        lambda: open_embedder("minilm", "cuda"),
        lambda: open_reranker("maxsim", open_embedder("minilm"), "cuda"),
    ):
        with pytest.raises(BadInput, match=why) as refused:
            demanding()
        assert refused.value.cure == "set the device to 'auto' or 'cpu'"


def test_a_device_is_used_where_torch_finds_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _machine(monkeypatch, tmp_path, driver=True, built="2.13.0")
    embedder._find_torch_obstacle.cache_clear()
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert has_cuda("auto")
    assert has_cuda("cuda")
    assert not has_cuda("cpu")
    embedder._find_torch_obstacle.cache_clear()


def test_few_texts_are_left_to_the_processor_until_the_device_is_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.embedders.bert.bert_embedder.has_cuda", lambda wanted: wanted != "cpu")
    monkeypatch.setattr(BertEmbedder, "_cuda_encoder", property(lambda _: "the device's"))
    model = member(device="auto")
    model.__dict__["_encoder"] = "the processor's"
    assert model._choose_encoder(MIN_CUDA_TEXTS - 1) == "the processor's"
    assert model._choose_encoder(MIN_CUDA_TEXTS) == "the device's"
    assert member(device="cpu").__dict__.keys() == {field.name for field in fields(BertEmbedder)}


def test_a_machine_without_a_device_imports_no_torch_to_know_it() -> None:
    code = (
        "import sys; from tasks.embedders.embedder import open_embedder; from tasks.embedders.embedder import has_cuda;"
        "open_embedder('minilm', 'auto'); raise SystemExit(not has_cuda('auto') and 'torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])
