"""Any sentence-transformers model that is on this machine: `sentence:FOLDER`. Nothing is downloaded.

Models that our own encoder computes like the library are left to it, since importing the library takes seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tasks.embedders.bert.bert_embedder import BertEmbedder, can_compute, choose_prompt, digest_files, normalize_vectors
from tasks.embedders.centring import CentredEmbedder
from tasks.embedders.embedder import Device, UncutSpan, WindowCutter, find_scripts, group_words, has_cuda, is_written_in
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

WEIGHTS = ".safetensors"
CPU_BATCH, CUDA_BATCH = 32, 512  # Texts computed at once, sorted by length; the library's own number, and a larger one.
PICKLED = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".h5"}
"""Weights in these forms may run their author's code when they are read (pickle, Keras' lambda layers)."""


@dataclass(frozen=True, eq=False)
class SentenceTransformersEmbedder:
    """A model folder, run by the sentence-transformers library, with the instructions that the folder names.

    These are its `prompts`: "query" for questions, "document" or "passage" for passages. `files` decide its identity.
    """

    folder: Path
    files: tuple[Path, ...]
    device: Device = "cpu"
    is_for_questions: bool = False

    @cached_property
    def model(self) -> str:
        """The folder's name and a digest of its weights, tokenizer and configuration, without its path."""
        return f"{self.folder.name}@{digest_files(self.files)}{'?' if self.is_for_questions else ''}"

    @property
    def is_loaded(self) -> bool:
        """See the contract."""
        return "_library" in self.__dict__

    @cached_property
    def dimension(self) -> int:
        """The number that the model states."""
        return int(self._library.get_embedding_dimension() or 0)

    @cached_property
    def window(self) -> int:
        """The number of tokens that the model states, else 512."""
        return int(self._library.max_seq_length or 512)

    def can_read(self, text: str) -> bool:
        """Decided by the vocabulary of its tokenizer."""
        return is_written_in(text, self._scripts)

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Loads the library, because a model may have any tokenizer."""
        special = self._library.tokenizer.num_special_tokens_to_add(pair=False)
        max_tokens = self.window - special - self._count_tokens(self._prompt)
        return tuple(WindowCutter(max_tokens, self.split_words, self._count_tokens).cut(prefix, text))

    @cached_property
    def for_questions(self) -> SentenceTransformersEmbedder:
        """The same model with its prompt "query", if it has one of its own or a part for questions (a Router)."""
        from sentence_transformers.base.modules import Router

        question_embedder = replace(self, is_for_questions=True)
        question_embedder.__dict__["_library"] = self._library
        if question_embedder._prompt == self._prompt and not any(isinstance(part, Router) for part in self._library):
            return self
        return question_embedder

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract."""
        for text in texts:
            length = len(self._library.tokenizer(self._prompt + text, verbose=False)["input_ids"])
            if length > self.window:
                problem = f"a text of {length} tokens exceeds the window of {self.model}, {self.window} tokens"
                raise BadInput(problem, "embed its windows")
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        encode = self._library.encode_query if self.is_for_questions else self._library.encode_document
        vectors = encode(
            list(texts),
            prompt=self._prompt,
            batch_size=CUDA_BATCH if self._library.device.type == "cuda" else CPU_BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        # In half precision their lengths differ a little from one.
        return normalize_vectors(np.asarray(vectors, dtype=np.float32))

    def split_words(self, text: str) -> list[UncutSpan]:
        """See the contract."""
        encoded_text = self._library.tokenizer(text, add_special_tokens=False, verbose=False)
        encoding = encoded_text.encodings[0]
        return group_words(encoding.word_ids, encoding.offsets)

    def _count_tokens(self, text: str) -> int:
        return len(self._library.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    @property
    def _prompt(self) -> str:
        return choose_prompt(self._library.prompts, is_question=self.is_for_questions)

    @cached_property
    def _scripts(self) -> frozenset[str]:
        tokenizer = self._library.tokenizer
        # Decoded, as the pieces of some vocabularies are bytes (byte-level BPE).
        return find_scripts(tokenizer.batch_decode([[number] for number in range(len(tokenizer))]))

    @cached_property
    def _library(self) -> SentenceTransformer:
        from sentence_transformers import SentenceTransformer

        is_on_device = has_cuda(self.device)
        library = SentenceTransformer(
            str(self.folder),
            device="cuda" if is_on_device else "cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
        return library.half() if is_on_device else library


def member(place: str = "", device: Device = "cpu") -> CentredEmbedder:
    """The model in the folder `place`, computed on the `device`.

    Raises `BadInput` if a part of it has weights only in a form that may run code.
    """
    folder = Path(place).expanduser()
    if not place or not (folder / "modules.json").is_file():
        raise BadInput(f"'{place}' is not the folder of a sentence-transformers model", "write sentence:FOLDER")
    for part in sorted(folder.rglob("*")):
        if part.suffix.lower() in PICKLED and not any(part.parent.glob(f"*{WEIGHTS}")):
            raise BadInput(f"'{part}' may run code when it is read", "convert the model to safetensors")
    folder = folder.resolve()
    files = tuple(part for part in sorted(folder.rglob("*")) if part.suffix in {WEIGHTS, ".json"} and part.is_file())
    if can_compute(folder):
        return CentredEmbedder(BertEmbedder(folder, folder.name, files, device=device))
    return CentredEmbedder(SentenceTransformersEmbedder(folder, files, device))
