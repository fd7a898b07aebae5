"""Our encoder against the library that the model was made with, on the same weights."""

from __future__ import annotations

import json
import shutil
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tasks.embedders.bert.bert_embedder import FIRST_POSITION_ROWS, BertConfiguration, BertEmbedder, can_compute
from tasks.embedders.bert.encoder import CompiledModelCache, Encoder, Numbers, choose_numbers
from tasks.embedders.embedder import Embedder, open_embedder
from tasks.embedders.minilm import member
from tasks.embedders.sentence import SentenceTransformersEmbedder
from tests.tasks.embedders.conftest import CHINESE, ENGLISH, make_small_model
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
    installed = open_embedder("minilm")
    assert isinstance(installed, BertEmbedder)
    return installed.folder


def open_library(folder: Path) -> SentenceTransformersEmbedder:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = SentenceTransformersEmbedder(folder, ())
        opened.embed(["load"])
    return opened


@pytest.fixture(scope="module")
def library(folder: Path) -> Embedder:
    return open_library(folder)


def computed(folder: Path, numbers: Numbers) -> np.ndarray:
    model = member()
    model.__dict__["_encoder"] = Encoder(folder, numbers)
    return model.embed(TEXTS)


def test_float32_equals_the_library(folder: Path, library: Embedder) -> None:
    assert np.abs(computed(folder, Numbers.FLOAT32) - library.embed(TEXTS)).max() < 1e-5


@pytest.mark.parametrize("numbers", [Numbers.BFLOAT16, Numbers.INT8])
def test_shorter_numbers_stay_close_to_the_library(folder: Path, library: Embedder, numbers: Numbers) -> None:
    vectors = computed(folder, numbers)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = (vectors * library.embed(TEXTS)).sum(axis=1)
    assert cosines[[bool(text) for text in TEXTS]].min() >= 0.998
    assert cosines.min() >= 0.995, "of the empty text"


def test_a_text_alone_has_the_vector_that_it_has_among_others(folder: Path, library: Embedder) -> None:
    model = member()
    model.__dict__["_latency_encoder"] = Encoder(folder, Numbers.FLOAT32, favors_latency=True)
    alone = np.vstack([model.embed([text]) for text in TEXTS])
    assert "_encoder" not in model.__dict__, "the other form of the model is not loaded"
    assert np.abs(alone - library.embed(TEXTS)).max() < 1e-5


def test_threads_share_a_model_and_get_their_own_vectors() -> None:
    ours = open_embedder("minilm")
    alone = [ours.embed([text]) for text in TEXTS]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda text: ours.embed([text]), TEXTS))
    assert (np.array(together) * np.array(alone)).sum(axis=2).min() > 0.9995


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx512_vnni amx_bf16 amx_tile", Numbers.BFLOAT16),
        ("fpu avx512f avx512_vnni", Numbers.INT8),
        ("fpu avx2 avx_vnni", Numbers.INT8),
        ("fpu avx2", Numbers.FLOAT32),
        (None, Numbers.FLOAT32),
    ],
)
def test_the_processor_decides_on_the_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flags: str | None, expected: Numbers
) -> None:
    if flags is not None:
        (tmp_path / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\n")
    monkeypatch.setattr("tasks.embedders.bert.encoder.CPU_INFO", tmp_path / "cpuinfo")
    assert choose_numbers() is expected


def test_the_library_embedder_keeps_the_contract(folder: Path, library: Embedder) -> None:
    ours = open_embedder("minilm")
    long = "the revenue of the company " * 100
    assert (library.dimension, library.window) == (ours.dimension, ours.window)
    assert library.cut_windows("Top", long) == ours.cut_windows("Top", long)
    assert library.embed([]).shape == (0, 384)
    assert str(folder) not in library.model
    with pytest.raises(BadInput, match="exceeds the window"):
        library.embed([long])


def test_another_architecture_is_refused(folder: Path, tmp_path: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**config, "model_type": "t5"}))
    with pytest.raises(BadInput, match="model_type t5"):
        Encoder(tmp_path)


SENTENCES = [ENGLISH, "", CHINESE, "zeppelin " * 40, f"{ENGLISH} {CHINESE}"]


@pytest.mark.usefixtures("float32_only")
@pytest.mark.parametrize(("family", "pooling"), [("bert", "cls"), *((each, "mean") for each in FIRST_POSITION_ROWS)])
def test_every_family_is_computed_as_the_library_does(tmp_path: Path, family: str, pooling: str) -> None:
    folder = make_small_model(tmp_path, family, pooling)
    ours = open_embedder(f"sentence:{folder}").inner
    assert isinstance(ours, BertEmbedder)
    library = open_library(folder)
    assert (ours.dimension, ours.window) == (library.dimension, library.window)
    assert all(ours.can_read(text) == library.can_read(text) for text in SENTENCES)
    expected = library.embed(SENTENCES)
    assert np.abs(ours.embed(SENTENCES) - expected).max() < 1e-5
    import torch

    from tasks.embedders.bert.torch_encoder import TorchEncoder

    by_torch = TorchEncoder(folder, "cpu", torch.float32, ours._pooling)
    ours.__dict__["_encoder"] = by_torch
    assert np.abs(ours.embed(SENTENCES) - expected).max() < 1e-5
    long = "zeppelin " * 90
    assert library.cut_windows("Top", long) == ours.cut_windows("Top", long)


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("1_Pooling/config.json", {"pooling_mode": "max"}),
        ("1_Pooling/config.json", {"pooling_mode": ["mean", "cls"]}),
        ("1_Pooling/config.json", {"include_prompt": False}),
        ("config.json", {"hidden_act": "relu"}),
        ("config.json", {"model_type": "modernbert"}),
        ("sentence_bert_config.json", {"do_lower_case": True}),
        ("tokenizer_config.json", {"do_lower_case": False}),
    ],
)
def test_what_our_encoder_would_compute_otherwise_is_left_to_the_library(
    small_model: Path, tmp_path: Path, file: str, change: dict[str, object]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(small_model, folder)
    assert can_compute(folder)
    (folder / file).write_text(json.dumps({**json.loads((folder / file).read_text()), **change}))
    assert isinstance(open_embedder(f"sentence:{folder}").inner, SentenceTransformersEmbedder)


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "models").glob("*.blob"))


def test_a_compiled_model_is_kept_and_gives_the_same_vectors(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KALENDS_CACHE", str(tmp_path))
    (tmp_path / "models").mkdir()
    earlier = tmp_path / "models" / f"all-MiniLM-L6-v2-{choose_numbers()}.of-an-earlier-program.blob"
    earlier.touch()
    compiled = member().embed(TEXTS)
    (file,) = kept(tmp_path)
    written = file.stat().st_mtime_ns
    assert np.array_equal(member().embed(TEXTS), compiled)
    assert file.stat().st_mtime_ns == written


@pytest.mark.parametrize("keep", [0, 20, 1000, -1000])
def test_a_damaged_compiled_model_is_made_again(
    small_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: int
) -> None:
    monkeypatch.setenv("KALENDS_CACHE", str(tmp_path))
    model = CompiledModelCache("one@0", Numbers.FLOAT32, BertConfiguration.read(small_model))
    encoder = Encoder(small_model, Numbers.FLOAT32, "one@0")
    (file,) = kept(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:keep])
    assert model.read(encoder._properties) is None
    Encoder(small_model, Numbers.FLOAT32, "one@0")
    # The library writes a few hundred bytes more or less each time.
    assert model.read(encoder._properties) is not None


def test_nothing_is_kept_where_nothing_may_be(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a file"
    place.touch()
    for cache in ("off", str(place)):
        monkeypatch.setenv("KALENDS_CACHE", cache)
        member().embed(["a"])
    assert list(tmp_path.iterdir()) == [place]
