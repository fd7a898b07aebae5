from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.embedder import EMBEDDERS, embed_question, open_embedder
from tests.examples import examples
from warehouse.errors import BadInput
from warehouse.identity import make_vector_id

NAMES = ("hashing", "minilm")
SENTENCES = (
    "Revenue rose 12% in the second quarter of 2024.",
    "季度收入增长百分之十二。",
    "",
    "The patients were followed for five years after the operation, and none of them relapsed in that time.",
    "word " * 200,
)


def test_every_member_of_the_family_is_tested_here() -> None:
    assert set(EMBEDDERS) == {*NAMES, "sentence", "server"}


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_unit_float32_rows_in_the_order_of_the_texts(name: str) -> None:
    chosen = open_embedder(name)
    vectors = chosen.embed(SENTENCES)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(SENTENCES), chosen.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (chosen.embed(SENTENCES[::-1])[::-1] * vectors).sum(axis=1).min() > 0.9995
    assert chosen.embed([]).shape == (0, chosen.dimension)


@pytest.mark.parametrize("name", NAMES)
@given(order=st.permutations(range(len(SENTENCES))), size=st.integers(1, len(SENTENCES)))
@examples(0.5)
def test_a_vector_does_not_depend_on_its_neighbours(name: str, order: list[int], size: int) -> None:
    chosen = open_embedder(name)
    batch = [SENTENCES[number] for number in order[:size]]
    alone = np.concatenate([chosen.embed([text]) for text in batch])
    assert (chosen.embed(batch) * alone).sum(axis=1).min() > 0.9995


@pytest.mark.parametrize("name", NAMES)
def test_a_text_beyond_the_window_is_refused_and_a_question_is_not(name: str) -> None:
    chosen = open_embedder(name)
    long = "the revenue of the company " * 100
    with pytest.raises(BadInput, match="exceeds the window"):
        chosen.embed(["short", long])
    vector = embed_question(chosen, long)
    assert vector.shape == (chosen.dimension,)
    assert vector.dtype == np.float32
    assert np.isclose(np.linalg.norm(vector), 1, atol=1e-5)
    assert vector @ chosen.embed(["the revenue of the company"])[0] > 0.6


@pytest.mark.parametrize("name", NAMES)
def test_latin_script_is_read(name: str) -> None:
    chosen = open_embedder(name)
    assert all(map(chosen.can_read, ["revenue in Q3", "résumé des résultats", "revenue 收入", "2023", ""]))
    assert not any(map(chosen.can_read, ["收入是多少", "第三季度 revenue 收入增长多少", "выручка"]))


def test_texts_of_like_meaning_are_near() -> None:
    cat, kitten, bond = open_embedder("minilm").embed(["A cat sleeps.", "A kitten is napping.", "Bond yields fell."])
    assert cat @ kitten > 0.6 > 0.3 > cat @ bond


def _move(model: BertEmbedder, folder: Path) -> BertEmbedder:
    return replace(model, folder=folder, files=tuple(folder / file.name for file in model.files))


def test_the_model_is_named_by_its_files_and_not_by_its_place(tmp_path: Path) -> None:
    installed = open_embedder("minilm")
    assert isinstance(installed, BertEmbedder)
    for file in installed.folder.iterdir():
        if file.is_file():
            (tmp_path / file.name).symlink_to(file)
    assert _move(installed, tmp_path).model == installed.model
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer.json").write_text("{}")
    assert _move(installed, tmp_path).model != installed.model


def test_vector_ids_differ_by_model_and_text() -> None:
    names = {make_vector_id(open_embedder(name).model, text) for name in NAMES for text in SENTENCES}
    assert len(names) == len(NAMES) * len(SENTENCES)


@pytest.mark.parametrize("name", ["nobody", "minilm:somewhere", "hashing:somewhere", "sentence:", "sentence:/nowhere"])
def test_a_wrong_name_is_refused_with_a_cure(name: str) -> None:
    with pytest.raises(BadInput) as refused:
        open_embedder(name)
    assert refused.value.cure


def test_windows_need_no_openvino_and_vectors_no_torch() -> None:
    code = """
import sys
from tasks.embedders.embedder import open_embedder
chosen = open_embedder("minilm")
chosen.model, chosen.dimension, chosen.cut_windows("", "word " * 400)
assert "openvino" not in sys.modules, "openvino"
chosen.embed(["a"])
heavy = {"torch", "transformers", "sentence_transformers", "huggingface_hub", "openvino_telemetry"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_the_model_speaks_to_nobody_and_leaves_its_compiled_form_alone(tmp_path: Path) -> None:
    code = """
import sys

def told(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.posix_spawn"}:
        raise SystemExit(event)

sys.addaudithook(told)
from tasks.embedders.embedder import open_embedder
open_embedder("minilm").embed(["a"])
"""
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "KALENDS_CACHE": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3], env=environment)
    # Beside it stand the digests of the weights and of the tokenizer.
    assert sorted(path.suffix for path in tmp_path.rglob("*") if path.is_file()) == [".blob", ".json", ".json"]
