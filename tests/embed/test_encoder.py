"""Our encoder against the library that the model was made with, on the same weights."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.embedders.choosing import embedder
from tasks.embedders.contract import Embedder
from tasks.embedders.encoder import Encoder
from tasks.embedders.minilm import MiniLM
from warehouse.errors import BadInput

TEXTS = [
    "Net sales were $94.0 billion in Q3 2025, up 10 percent year over year.",
    "",
    "ALL CAPITALS, naïve accents — and [SEP] a special token.",
    "我们的收入在第二季度增长了。",
    "Randomised patients received either the drug or a placebo for twelve weeks. " * 12,
    *(" ".join(f"word{number}" for number in range(size)) for size in (1, 7, 30, 80)),
]


@pytest.fixture(scope="module")
def folder() -> Path:
    installed = embedder("minilm")
    assert isinstance(installed, MiniLM)
    return installed.folder


@pytest.fixture(scope="module")
def library(folder: Path) -> Embedder:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = embedder(f"sentence:{folder}")
        opened.embed(["load"])
    return opened


def computed(folder: Path, number: Any) -> np.ndarray:
    model = MiniLM(folder)
    model.__dict__["_encoder"] = Encoder.open(folder, number)
    return model.embed(TEXTS)


def test_float32_equals_the_library(folder: Path, library: Embedder) -> None:
    import torch

    assert np.abs(computed(folder, torch.float32) - library.embed(TEXTS)).max() < 1e-5


def test_bfloat16_stays_close_to_the_library(folder: Path, library: Embedder) -> None:
    import torch

    vectors = computed(folder, torch.bfloat16)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors * library.embed(TEXTS)).sum(axis=1).min() >= 0.998


def test_the_library_embedder_keeps_the_contract(folder: Path, library: Embedder) -> None:
    ours = embedder("minilm")
    long = "the revenue of the company " * 100
    assert (library.dimension, library.window) == (ours.dimension, ours.window)
    assert library.windows("Top", long) == ours.windows("Top", long)
    assert library.embed([]).shape == (0, 384)
    assert str(folder) not in library.model
    with pytest.raises(BadInput, match="exceeds the window"):
        library.embed([long])


def test_another_architecture_is_refused(folder: Path, tmp_path: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "mpnet"}))
    with pytest.raises(BadInput, match="mpnet"):
        Encoder.open(tmp_path)
