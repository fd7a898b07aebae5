"""Models that were trained with other instructions for questions than for passages get them, each side its own."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.centring import CentredEmbedder
from tasks.embedders.embedder import Embedder, embed_question, open_embedder
from tasks.embedders.sentence import SentenceTransformersEmbedder
from tasks.evaluate.cached_embedder import CachedEmbedder
from warehouse.errors import BadInput

TEXTS = ["When did revenue rise?", "Revenue rose in 2024.", ""]
LONG = "the revenue of the company rose " * 30
PROMPTS: dict[str, dict[str, Any]] = {
    "both": {"prompts": {"query": "query: ", "document": "passage: "}},
    "questions": {"prompts": {"query": "Represent this sentence for searching: "}},
    "passages": {"prompts": {"passage": "passage: "}},
    "default": {"prompts": {"other": "other: "}, "default_prompt_name": "other"},
    "none": {},
}


def write_prompts(small_model: Path, folder: Path, prompts: str) -> None:
    """The small model in another folder, which names instructions."""
    for part in small_model.iterdir():
        if part.name != "config_sentence_transformers.json":
            (folder / part.name).symlink_to(part)
    (folder / "config_sentence_transformers.json").write_text(json.dumps(PROMPTS[prompts]))


def open_library(folder: Path) -> SentenceTransformersEmbedder:
    """The model computed by the library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        library = SentenceTransformersEmbedder(folder, tuple(folder.glob("*.json")))
        library.embed(["load"])
    return library


def open_ours(folder: Path) -> Embedder:
    """The model computed by our encoder, as it is without centring."""
    centred = open_embedder(f"sentence:{folder}")
    assert isinstance(centred, CentredEmbedder)
    assert isinstance(centred.inner, BertEmbedder)
    return centred.inner


@pytest.mark.usefixtures("float32_only")
@pytest.mark.parametrize("open_model", [open_library, open_ours])
@pytest.mark.parametrize("prompts", PROMPTS)
def test_each_side_has_the_instruction_that_the_folder_names(
    small_model: Path, tmp_path: Path, prompts: str, open_model: Callable[[Path], Embedder]
) -> None:
    write_prompts(small_model, tmp_path, prompts)
    chosen = open_model(tmp_path)
    library = (chosen if isinstance(chosen, SentenceTransformersEmbedder) else open_library(tmp_path))._library

    def raw(lead: str, texts: Sequence[str]) -> np.ndarray:
        return np.asarray(library.encode([lead + text for text in texts], prompt="", normalize_embeddings=True))

    named = PROMPTS[prompts].get("prompts", {})
    asked, told = named.get("query", ""), named.get("document", named.get("passage", ""))
    assert np.abs(chosen.embed(TEXTS) - raw(told, TEXTS)).max() < 1e-5
    assert np.abs(embed_question(chosen, TEXTS[0]) - raw(asked, TEXTS[:1])[0]).max() < 1e-5
    assert (chosen.for_questions is chosen) == (asked == told)
    assert (chosen.for_questions.model == chosen.model) == (asked == told)
    assert chosen.for_questions.dimension == chosen.dimension
    assert chosen.for_questions.is_loaded, "the model is shared"
    for side in (chosen, chosen.for_questions):
        windows = side.cut_windows("a prefix", LONG)
        assert len(windows) > 1
        assert side.embed(windows).shape == (len(windows), chosen.dimension)
        with pytest.raises(BadInput, match="exceeds the window"):
            side.embed([LONG])


def test_a_memory_keeps_the_sides_apart(small_model: Path, tmp_path: Path) -> None:
    write_prompts(small_model, tmp_path, "both")
    chosen = open_ours(tmp_path)
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
