"""An embedder of a folder in the layout of sentence-transformers, computed by our own encoder.

It reads what `can_compute` accepts: an encoder of BERT's kind, the mean of its tokens or the first one, and a fast
tokenizer. Other models are left to the library, which takes five seconds to import and computes in float32. Texts of
similar length are computed together, in a `Batch`.

Configuration and weights are those of `config.json` and `model.safetensors`. BERT (Devlin et al. 2019), RoBERTa (Liu et
al. 2019), XLM-R (Conneau et al. 2020) and MPNet (Song et al. 2020) have the same layers. They differ in names, in the
row of the first token's position, and MPNet adds a bias to the attention that depends on the distance of two tokens
(Raffel et al. 2020, T5).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np

from tasks.embedders.embedder import Device, UncutSpan, WindowCutter, find_scripts, group_words, has_cuda, is_written_in
from warehouse.errors import BadInput
from warehouse.store.layout import compute_file_digest

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from tasks.embedders.bert.encoder import Encoder
    from tasks.embedders.bert.torch_encoder import TorchEncoder

FIRST_POSITION_ROWS = {"bert": 0, "roberta": 2, "xlm-roberta": 2, "mpnet": 2}
"""The supported families, with the first token's row in the table of positions."""
SUPPORTED_VALUES = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
WEIGHT_PREFIXES = ("bert.", "roberta.", "mpnet.")
"""Prefixes of the names of weights if the encoder was saved as a part of a larger model."""
NAMES_OF_BERT = {
    ".attention.attn.q.": ".attention.self.query.",
    ".attention.attn.k.": ".attention.self.key.",
    ".attention.attn.v.": ".attention.self.value.",
    ".attention.attn.o.": ".attention.output.dense.",
    ".attention.LayerNorm.": ".attention.output.LayerNorm.",
}
"""Parts of the names of MPNet's weights, and BERT's names for the same."""
POSITION_TABLE = "embeddings.position_embeddings.weight"
SEGMENT_TABLE = "embeddings.token_type_embeddings.weight"
DISTANCE_BIAS = "encoder.relative_attention_bias.weight"
MAX_BIAS_DISTANCE = 128
"""The distance in tokens from which on all distances have the same bias."""


@dataclass(frozen=True, slots=True)
class BertConfiguration:
    """The numbers of layers and heads, the widths of a state and of the inner layer, and the epsilon of the norms.

    `first_position` is the first token's row in the table of positions.
    """

    layers: int
    heads: int
    width: int
    inner_width: int
    eps: float
    first_position: int

    @classmethod
    def read(cls, folder: Path) -> Self:
        """From the folder; raises `BadInput` for another architecture."""
        content = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if (architecture := find_unknown_part(content)) is not None:
            raise BadInput(f"the model in {folder} has {architecture}", "open it as sentence:FOLDER")
        names = ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size")
        layers, heads, width, inner_width = (int(content[name]) for name in names)
        first_position = FIRST_POSITION_ROWS[content["model_type"]]
        return cls(layers, heads, width, inner_width, float(content["layer_norm_eps"]), first_position)


def find_unknown_part(configuration: Mapping[str, Any]) -> str | None:
    """The entry of a `config.json` that no encoder of BERT's kind has, as `model_type t5`; None for one of them."""
    if configuration.get("model_type") not in FIRST_POSITION_ROWS:
        return f"model_type {configuration.get('model_type')}"
    differing_keys = (key for key, value in SUPPORTED_VALUES.items() if (configuration.get(key) or value) != value)
    return next((f"{key} {configuration[key]}" for key in differing_keys), None)


def read_weights(folder: Path) -> dict[str, np.ndarray]:
    """The weights by BERT's names; the table of positions begins at the first token's row."""
    from safetensors.numpy import load_file

    weights = {_find_bert_name(name): weight for name, weight in load_file(folder / "model.safetensors").items()}
    configuration = BertConfiguration.read(folder)
    weights[POSITION_TABLE] = weights[POSITION_TABLE][configuration.first_position :]
    weights.setdefault(SEGMENT_TABLE, np.zeros((1, configuration.width), np.float32))
    return weights


def _find_bert_name(name: str) -> str:
    for prefix in WEIGHT_PREFIXES:
        name = name.removeprefix(prefix)
    for part, bert_part in NAMES_OF_BERT.items():
        name = name.replace(part, bert_part)
    return name


def compute_distance_bias(weights: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The bias of the attention of a token to another, shape (heads, tokens, tokens); None if there is none.

    `tokens` is the number of positions. Near distances have a bias each, further ones share one with others of about
    the same logarithm, and each direction has its own.
    """
    if DISTANCE_BIAS not in weights:
        return None
    table = weights[DISTANCE_BIAS]  # Shape (buckets, heads).
    direction_buckets = len(table) // 2
    exact = direction_buckets // 2
    positions = np.arange(len(weights[POSITION_TABLE]))
    ahead = positions[None, :] - positions[:, None]
    distance = np.abs(ahead)
    with np.errstate(divide="ignore"):
        logarithm = np.log(distance.astype(np.float32) / exact) / math.log(MAX_BIAS_DISTANCE / exact)
    shared = exact + np.minimum(logarithm * (direction_buckets - exact), direction_buckets).clip(0).astype(np.int64)
    bucket = np.where(distance < exact, distance, np.minimum(shared, direction_buckets - 1))
    return np.ascontiguousarray(table[bucket + (ahead > 0) * direction_buckets].transpose(2, 0, 1))


TEXTS_PER_SORT = 2048  # Texts tokenised and sorted by length together; bounds the memory of `embed`.
MIN_CUDA_TEXTS = 256
"""The least texts for which a CUDA device is loaded, in a second or two: the processor is faster for fewer."""
POOLINGS: dict[str, Pooling] = {"mean": "mean", "cls": "cls"}
POOLING_PREFIX = "pooling_mode_"
"""The prefix of the keys of older folders: `pooling_mode_mean_tokens` is true or false."""


class Batch(NamedTuple):
    """Texts computed at once, the longest first: their indexes, their numbers of tokens, and their token ids."""

    rows: np.ndarray
    lengths: np.ndarray
    ids: list[list[int]]

    def pad(self, step: int) -> np.ndarray:
        """Token ids with zeros after each text, int32, shape (texts, tokens of the longest up to a `step`)."""
        ids = np.zeros((len(self.ids), -(-len(self.ids[0]) // step) * step), np.int32)
        for row, text in enumerate(self.ids):
            ids[row, : len(text)] = text
        return ids


Pooling = Literal["mean", "cls"]
"""How a text's vector is computed from those of its tokens: their mean, or that of the first, special one."""

ResultHandler = Callable[[Batch, np.ndarray], None]
"""Receives a batch and its result, float32; called on other threads, in any order."""


def iter_batches_by_length(ids: Sequence[list[int]], tokens: int, first: int = 0) -> Iterator[Batch]:
    """Texts of similar length together, the longest first, so that little is padding; at most `tokens` at once.

    The indexes of the texts are counted from `first`.
    """
    lengths = np.array([len(text) for text in ids])
    order = np.argsort(-lengths, kind="stable")
    while len(order):
        size = max(1, tokens // int(lengths[order[0]]))
        yield Batch(first + order[:size], lengths[order[:size]], [ids[row] for row in order[:size]])
        order = order[size:]


def pool_states(states: np.ndarray, lengths: np.ndarray, pooling: Pooling) -> np.ndarray:
    """The unit vectors of texts from those of their tokens (Reimers & Gurevych 2019), shape (texts, dimension)."""
    if pooling == "cls":
        return normalize_vectors(states[:, 0])
    is_token = np.arange(states.shape[1]) < lengths[:, None]
    return normalize_vectors((is_token[:, None, :].astype(np.float32) @ states)[:, 0])


def normalize_vectors(vectors: np.ndarray) -> np.ndarray:
    """The vectors scaled to length one in the last axis."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class BertEmbedder:
    """A model folder with the instructions that it names: its `prompts` "query", and "document" or "passage".

    Its identity is its `name` and its `files`. `scripts` are those that it reads, found in its vocabulary if they are
    not given. The embedder of questions shares the model of that of `passages`.
    """

    folder: Path
    name: str
    files: tuple[Path, ...]
    scripts: frozenset[str] | None = None
    device: Device = "cpu"
    passages: BertEmbedder | None = None

    @cached_property
    def model(self) -> str:
        """The name and a digest of the files."""
        return f"{self.name}@{digest_files(self.files)}{'?' if self.passages else ''}"

    @property
    def is_loaded(self) -> bool:
        """See the contract."""
        return bool(self._owner.__dict__.keys() & {"_encoder", "_latency_encoder", "_cuda_encoder"})

    @cached_property
    def dimension(self) -> int:
        """The hidden size."""
        return int(self._configuration["hidden_size"])

    @cached_property
    def window(self) -> int:
        """The number of tokens that the folder states, at most the number of the model's positions."""
        first = FIRST_POSITION_ROWS[self._configuration["model_type"]]
        positions = int(self._configuration["max_position_embeddings"]) - first
        return min(int(read_json(self.folder / "sentence_bert_config.json").get("max_seq_length") or 512), positions)

    def can_read(self, text: str) -> bool:
        """Decided by the scripts."""
        return is_written_in(text, self._scripts)

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Needs the tokenizer only."""
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        max_tokens = self.window - special - self._count_tokens(self._prompt)
        return tuple(WindowCutter(max_tokens, self.split_words, self._count_tokens).cut(prefix, text))

    @cached_property
    def for_questions(self) -> BertEmbedder:
        """The same model with its prompt "query", if it has one of its own."""
        question_embedder = replace(self, passages=self._owner)
        return self if question_embedder._prompt == self._prompt else question_embedder

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract. Reads the weights at the first call."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)

        def handle_result(batch: Batch, batch_vectors: np.ndarray) -> None:
            vectors[batch.rows] = batch_vectors

        encoder = self._choose_encoder(len(texts))
        encoder.compute_vectors(self._iter_batches(texts, encoder.batch_tokens), handle_result)
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Unit vectors of each text's tokens without the special ones, float32, shape (tokens, dimension).

        Raises `BadInput` for a text that does not fit the window.
        """
        token_vectors = [np.empty((0, self.dimension), dtype=np.float32)] * len(texts)

        def handle_result(batch: Batch, states: np.ndarray) -> None:
            for row, length, vectors in zip(batch.rows, batch.lengths, normalize_vectors(states), strict=True):
                token_vectors[row] = vectors[1 : length - 1]

        encoder = self._choose_encoder(len(texts))
        encoder.compute_states(self._iter_batches(texts, encoder.batch_tokens), handle_result)
        return token_vectors

    def split_words(self, text: str) -> list[UncutSpan]:
        """See the contract."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return group_words(encoding.word_ids, encoding.offsets)

    def _iter_batches(self, texts: Sequence[str], tokens: int) -> Iterator[Batch]:
        """The batches, made on demand: texts are tokenised while those before them are computed."""
        for first in range(0, len(texts), TEXTS_PER_SORT):
            texts_to_sort = [self._prompt + text for text in texts[first : first + TEXTS_PER_SORT]]
            ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts_to_sort)]
            longest = max(map(len, ids))
            if longest > self.window:
                problem = f"a text of {longest} tokens exceeds the window of {self.name}, {self.window} tokens"
                raise BadInput(problem, "embed its windows")
            yield from iter_batches_by_length(ids, tokens, first)

    def _choose_encoder(self, count: int) -> Encoder | TorchEncoder:
        """The encoder on the device for many texts, and for few as well once the model is loaded there."""
        owner = self._owner
        if "_cuda_encoder" in owner.__dict__ or (count >= MIN_CUDA_TEXTS and has_cuda(self.device)):
            return owner._cuda_encoder
        return owner._encoder if count > 1 else owner._latency_encoder

    def _count_tokens(self, text: str) -> int:
        return len(self._tokenizer.encode_batch_fast([text], add_special_tokens=False)[0].ids)

    @property
    def _owner(self) -> BertEmbedder:
        """The embedder whose model is used."""
        return self.passages or self

    @cached_property
    def _configuration(self) -> dict[str, Any]:
        return read_json(self.folder / "config.json")

    @cached_property
    def _prompt(self) -> str:
        prompts = read_json(self.folder / "config_sentence_transformers.json").get("prompts") or {}
        return choose_prompt(prompts, is_question=self.passages is not None)

    @cached_property
    def _scripts(self) -> frozenset[str]:
        if self.scripts is not None:
            return self.scripts
        tokenizer = self._tokenizer
        # Decoded, as the pieces of some vocabularies are bytes (byte-level BPE).
        return find_scripts(tokenizer.decode_batch([[number] for number in range(tokenizer.get_vocab_size())]))

    @property
    def _tokenizer(self) -> Tokenizer:
        return self._owner._loaded_tokenizer

    @cached_property
    def _loaded_tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _encoder(self) -> Encoder:
        from tasks.embedders.bert.encoder import Encoder

        return Encoder(self.folder, identity=self.model, pooling=self._pooling)

    @cached_property
    def _latency_encoder(self) -> Encoder:
        from tasks.embedders.bert.encoder import Encoder

        return Encoder(self.folder, identity=self.model, pooling=self._pooling, favors_latency=True)

    @cached_property
    def _cuda_encoder(self) -> TorchEncoder:
        from tasks.embedders.bert.torch_encoder import TorchEncoder

        return TorchEncoder(self.folder, "cuda", pooling=self._pooling)

    @cached_property
    def _pooling(self) -> Pooling:
        pooling = find_pooling(self.folder)
        if pooling is None:
            raise BadInput(f"the model in {self.folder} pools its tokens in another way", "open it as sentence:FOLDER")
        return pooling


def choose_prompt(prompts: Mapping[str, str], *, is_question: bool) -> str:
    """The instruction that a model needs before questions, or before passages; empty if it names none."""
    names = ("query",) if is_question else ("document", "passage", "corpus")
    return next((prompts[name] for name in names if prompts.get(name)), "")


def digest_files(files: Iterable[Path]) -> str:
    """16 hexadecimal digits that identify the contents of files, whatever their names."""
    hasher = hashlib.blake2b(digest_size=8)
    for file in files:
        hasher.update(bytes.fromhex(compute_file_digest(file)))
    return hasher.hexdigest()


def read_json(file: Path) -> dict[str, Any]:
    """The object in a file; an empty one if there is no file."""
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return content


def can_compute(folder: Path) -> bool:
    """Whether a model folder is one that `BertEmbedder` computes as the library does."""
    file_names = ("config.json", "model.safetensors", "tokenizer.json")
    if not all((folder / name).is_file() for name in file_names) or find_unknown_part(
        read_json(folder / "config.json")
    ):
        return False
    # The library lowers the letters if the folder says so, whatever the tokenizer's own file says.
    normalizer = read_json(folder / "tokenizer.json").get("normalizer") or {}
    lowers_letters = read_json(folder / "tokenizer_config.json").get("do_lower_case", normalizer.get("lowercase"))
    is_lowered_before = read_json(folder / "sentence_bert_config.json").get("do_lower_case", False)
    if is_lowered_before or ("lowercase" in normalizer and normalizer["lowercase"] != lowers_letters):
        return False
    return find_pooling(folder) is not None


def find_pooling(folder: Path) -> Pooling | None:
    """How a model pools its tokens; None if in another way, or if it has further modules."""
    modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    kinds = [module["type"].rpartition(".")[2] for module in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]) or modules[0]["path"]:
        return None
    pooling = read_json(folder / modules[1]["path"] / "config.json")
    if not pooling.get("include_prompt", True):
        return None
    flags = [
        key.removeprefix(POOLING_PREFIX).removesuffix("_token").removesuffix("_tokens")
        for key in pooling
        if pooling[key] is True and key.startswith(POOLING_PREFIX)
    ]
    mode = pooling.get("pooling_mode") or "+".join(flags) or "mean"
    return POOLINGS.get(mode) if isinstance(mode, str) else None
