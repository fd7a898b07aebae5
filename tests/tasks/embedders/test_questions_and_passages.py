"""Models that were trained with other instructions for questions than for passages get them, each side its own."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.embedders.centring import CentredEmbedder
from tasks.embedders.embedder import Embedder, embed_question, open_embedder
from tasks.embedders.sentence import SentenceTransformersEmbedder
from tasks.evaluate.cached_embedder import CachedEmbedder
from warehouse.errors import BadInput

TEXTS = ["When did revenue rise?", "Revenue rose in 2024.", ""]
LONG = "the revenue of the company rose " * 90
PROMPTS: dict[str, dict[str, Any]] = {
    "both": {"prompts": {"query": "query: ", "document": "passage: "}},
    "questions": {"prompts": {"query": "Represent this sentence for searching: "}},
    "passages": {"prompts": {"passage": "passage: "}},
    "default": {"prompts": {"other": "other: "}, "default_prompt_name": "other"},
    "none": {},
}


def opened(small_model: Path, folder: Path, prompts: str) -> SentenceTransformersEmbedder:
    """The small model, in a folder that names instructions, as it is without centring."""
    for part in small_model.iterdir():
        if part.name != "config_sentence_transformers.json":
            (folder / part.name).symlink_to(part)
    (folder / "config_sentence_transformers.json").write_text(json.dumps(PROMPTS[prompts]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        centred = open_embedder(f"sentence:{folder}")
        assert isinstance(centred, CentredEmbedder)
        chosen = centred.inner
        chosen.embed(["load"])
    assert isinstance(chosen, SentenceTransformersEmbedder)
    return chosen


def raw(chosen: SentenceTransformersEmbedder, lead: str, texts: Sequence[str]) -> np.ndarray:
    return np.asarray(chosen._library.encode([lead + text for text in texts], prompt="", normalize_embeddings=True))


@pytest.mark.parametrize("prompts", PROMPTS)
def test_each_side_has_the_instruction_that_the_folder_names(small_model: Path, tmp_path: Path, prompts: str) -> None:
    chosen = opened(small_model, tmp_path, prompts)
    named = PROMPTS[prompts].get("prompts", {})
    asked, told = named.get("query", ""), named.get("document", named.get("passage", ""))
    assert np.abs(chosen.embed(TEXTS) - raw(chosen, told, TEXTS)).max() < 1e-5
    assert np.abs(embed_question(chosen, TEXTS[0]) - raw(chosen, asked, TEXTS[:1])[0]).max() < 1e-5
    assert (chosen.for_questions is chosen) == (asked == told)
    assert (chosen.for_questions.model == chosen.model) == (asked == told)
    assert chosen.for_questions.dimension == chosen.dimension
    for side in (chosen, chosen.for_questions):
        windows = side.cut_windows("a prefix", LONG)
        assert len(windows) > 1
        assert side.embed(windows).shape == (len(windows), chosen.dimension)
        with pytest.raises(BadInput, match="exceeds the window"):
            side.embed([LONG])


def test_a_memory_keeps_the_sides_apart(small_model: Path, tmp_path: Path) -> None:
    chosen = opened(small_model, tmp_path, "both")
    known: dict[str, np.ndarray] = {}
    memory: Embedder = CachedEmbedder(chosen, known)
    for _ in range(2):
        assert np.allclose(memory.embed(TEXTS), chosen.embed(TEXTS), atol=1e-5)
        assert np.allclose(embed_question(memory, TEXTS[0]), embed_question(chosen, TEXTS[0]), atol=1e-5)
        assert len(known) == len(TEXTS) + 1


@pytest.mark.parametrize("name", ["hashing", "minilm"])
def test_models_without_instructions_are_one(name: str) -> None:
    chosen = open_embedder(name)
    assert chosen.for_questions is chosen
    memory = CachedEmbedder(chosen, {})
    assert memory.for_questions is memory
