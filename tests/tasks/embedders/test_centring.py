"""Models that put all texts into a narrow cone are centred, others are left as they are."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.embedders.centring import MIN_MEAN_COSINE, PROBES, CentredEmbedder, find_centre, remove_centre
from tasks.embedders.embedder import UncutSpan, embed_question
from tests.examples import examples

DIMENSION = 32


@dataclass(frozen=True, eq=False)
class Cone:
    """A model whose vectors are a common direction and something of each text's own, in so large a share."""

    share: float
    seed: int = 1
    model: str = "cone@1"
    asking: Cone | None = None
    asked: list[list[str]] = field(default_factory=list)
    is_loaded: bool = True
    dimension: int = DIMENSION
    window: int = 512

    def can_read(self, text: str) -> bool:
        return text.isascii()

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        return (f"{prefix}{text}",)

    def split_words(self, text: str) -> list[UncutSpan]:
        return [UncutSpan(0, len(text), 1)]

    @property
    def for_questions(self) -> Cone:
        return self.asking or self

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.append(list(texts))
        own = np.array([np.random.default_rng(zlib.crc32(each.encode())).normal(size=DIMENSION) for each in texts])
        own = own.reshape(-1, DIMENSION)
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        common = np.eye(DIMENSION)[self.seed]
        vectors = np.sqrt(self.share) * common + np.sqrt(1 - self.share) * own
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KALENDS_CACHE", str(tmp_path))
    return tmp_path


def mean_cosine(vectors: np.ndarray) -> float:
    similarities = vectors @ vectors.T
    return float(similarities[np.triu_indices(len(vectors), 1)].mean())


TEXTS = [f"text number {number}" for number in range(60)]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
def test_unrelated_texts_are_unrelated_afterwards(share: float) -> None:
    raw = Cone(share)
    vectors = CentredEmbedder(raw).embed(TEXTS)
    assert mean_cosine(raw.embed(TEXTS)) > 0.9 * share
    assert abs(mean_cosine(vectors)) < 0.05
    assert (vectors.dtype, vectors.shape) == (np.float32, (len(TEXTS), DIMENSION))
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_model_that_tells_unrelated_texts_apart_stays_as_it_is() -> None:
    raw = Cone(0.0)
    assert np.array_equal(CentredEmbedder(raw).embed(TEXTS), raw.embed(TEXTS))


def test_probes_have_nothing_in_common_for_the_default_model() -> None:
    from tasks.embedders.embedder import open_embedder

    assert len(set(PROBES)) == len(PROBES) == 64
    assert mean_cosine(open_embedder("minilm").embed(PROBES)) < MIN_MEAN_COSINE / 2


def test_probes_are_embedded_once_and_kept(cache: Path) -> None:
    first, second = Cone(0.8), Cone(0.8)
    vectors = CentredEmbedder(first).embed(TEXTS)
    assert first.asked == [TEXTS, list(PROBES)]
    assert np.array_equal(CentredEmbedder(second).embed(TEXTS), vectors)
    assert second.asked == [TEXTS]
    (file,) = cache.glob("probes/*.npy")
    file.write_bytes(b"damaged")
    third = Cone(0.8)
    assert np.array_equal(CentredEmbedder(third).embed(TEXTS), vectors)
    assert third.asked == [TEXTS, list(PROBES)]


def test_questions_have_a_common_part_of_their_own() -> None:
    raw = Cone(0.8, seed=1, asking=Cone(0.8, seed=2, model="cone@1?"))
    chosen = CentredEmbedder(raw)
    assert chosen.for_questions.model != chosen.model != raw.model
    asked = np.array([embed_question(chosen, text) for text in TEXTS])
    assert abs(mean_cosine(asked)) < 0.05
    same = np.sum(asked * chosen.embed(TEXTS), axis=1)
    assert same.min() > 0.8
    alone = CentredEmbedder(Cone(0.8))
    assert alone.for_questions is alone


def test_no_text_gives_no_vector_and_asks_for_no_probes() -> None:
    raw = Cone(0.8)
    assert CentredEmbedder(raw).embed([]).shape == (0, DIMENSION)
    assert raw.asked == [[]]


def test_what_is_not_read_decides_nothing() -> None:
    found = find_centre(np.vstack([Cone(0.8).embed(TEXTS), np.zeros((60, DIMENSION), np.float32)]))
    wanted = find_centre(Cone(0.8).embed(TEXTS))
    assert found is not None
    assert wanted is not None
    assert np.allclose(found, wanted)
    assert find_centre(np.zeros((3, DIMENSION), np.float32)) is None


@examples(2)
@given(st.floats(0.2, 0.98), st.integers(0, 2**16))
def test_the_order_of_similarities_is_kept_but_for_what_the_common_part_decides(share: float, seed: int) -> None:
    """The nearest of many texts by their own parts is the nearest by centred vectors."""
    raw = Cone(share)
    centre = find_centre(raw.embed(PROBES))
    assert centre is not None
    draw = np.random.default_rng(seed)
    own = draw.normal(size=(40, DIMENSION))
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    near = own[0] + 0.2 * draw.normal(size=DIMENSION) / np.sqrt(DIMENSION)
    pair = np.vstack([near / np.linalg.norm(near), own])
    vectors = np.sqrt(share) * np.eye(DIMENSION)[1] + np.sqrt(1 - share) * pair
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    centred = remove_centre(vectors.astype(np.float32), centre)
    assert int(np.argmax(centred[1:] @ centred[0])) == 0


def test_a_vector_that_is_the_centre_stays() -> None:
    centre = replace(Cone(0.5)).embed(["a"])[0]
    assert np.array_equal(remove_centre(centre[None], centre), centre[None])
