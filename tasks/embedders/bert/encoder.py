"""An encoder of BERT's kind, forward only, as a graph that OpenVINO computes.

Importing torch costs more than a second at every start, sentence-transformers five; OpenVINO takes a third of one, and
fuses what torch does step by step. Its converter of models is left out: importing that sends a report to its maker and
costs a tenth of a second. The library works without the converter if it is not installed.

A compiled model is kept in the user's cache folder and mapped from there: .1 s of processor time and 90 MB instead of
.3 s and 240 MB for each new process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from tasks.embedders.bert.bert_embedder import (
    Batch,
    BertConfiguration,
    Pooling,
    ResultHandler,
    compute_distance_bias,
    pool_states,
    read_weights,
)
from warehouse.identity import digest
from warehouse.processors import count_usable_cores
from warehouse.store.layout import find_cache_folder, open_atomically

sys.modules["openvino.tools.ovc"] = None  # type: ignore[assignment]

from openvino import AsyncInferQueue, CompiledModel, Core, Model, Node, Tensor, Type, properties  # noqa: E402
from openvino import opset15 as op  # noqa: E402

SCALE_GROUP_SIZE = 64  # Adjacent numbers of a row that share a scale as int8.
PADDING_STEP = 16
"""Texts are padded to a multiple of so many tokens: code is made for each new shape, so shapes must be few."""
SINGLE_PADDING_STEP = 4
"""The same for a text computed alone: a question of 17 tokens must not cost as much as one of 32."""
CPU_INFO = Path("/proc/cpuinfo")  # Linux' description of the processor; other systems have none.
PADDING_PENALTY = 1e9  # The penalty on the scores of padding before the softmax.
EMBEDDING_TABLES = ("word", "position", "token_type")
MAX_INT8 = 127  # The largest magnitude of an int8 weight.


class Numbers(StrEnum):
    """The type of the numbers that are multiplied; norms, attention and sums are float32, or bfloat16 with bfloat16."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    INT8 = "int8"
    """Weights, and activations at run time, in groups with their own scale, so that none depends on another text."""


def choose_numbers() -> Numbers:
    """bfloat16 if the processor has Intel's matrix unit (AMX), int8 if it has only VNNI, else float32."""
    flags = frozenset(CPU_INFO.read_text(encoding="utf-8").split()) if CPU_INFO.is_file() else frozenset[str]()
    if "amx_bf16" in flags:
        return Numbers.BFLOAT16
    return Numbers.INT8 if flags & {"avx512_vnni", "avx_vnni"} else Numbers.FLOAT32


class Encoder:
    """A BERT model, ready to compute on the processor."""

    batch_tokens = 1024
    """Tokens computed at once by a core; larger batches do not fit its cache."""

    def __init__(
        self,
        folder: Path,
        numbers: Numbers | None = None,
        identity: str = "",
        pooling: Pooling = "mean",
        *,
        favors_latency: bool = False,
    ) -> None:
        """Reads `config.json` and `model.safetensors`; raises `BadInput` if they are of another architecture.

        `identity` is a name and a digest of the weights, the key of the compiled model in the cache; without it nothing
        is cached. All cores share a batch if it `favors_latency`, as for a question that somebody waits for.
        """
        configuration = BertConfiguration.read(folder)
        self._numbers = numbers or choose_numbers()
        if self._numbers is Numbers.INT8 and (
            configuration.width % SCALE_GROUP_SIZE or configuration.inner_width % SCALE_GROUP_SIZE
        ):
            self._numbers = Numbers.FLOAT32
        self._group = SCALE_GROUP_SIZE if self._numbers is Numbers.INT8 else 0
        self._pooling = pooling
        self._favors_latency = favors_latency
        cache = CompiledModelCache(identity, self._numbers, configuration) if identity else None
        compiled_model = cache.read(self._properties) if cache else None
        if compiled_model is None:
            graph = BertGraph(read_weights(folder), configuration, self._group).build_model()
            compiled_model = Core().compile_model(graph, "CPU", self._properties)
            if cache:
                cache.write(compiled_model)
        self._queue = AsyncInferQueue(compiled_model)
        # The mapped file must stay open as long as the model that uses it.
        self._model_cache = cache
        self._compute_lock = Lock()

    def compute_vectors(self, batches: Iterable[Batch], handle_result: ResultHandler) -> None:
        """Compute the unit vectors of texts."""
        self.compute_states(
            batches, lambda batch, states: handle_result(batch, pool_states(states, batch.lengths, self._pooling))
        )

    def compute_states(self, batches: Iterable[Batch], handle_result: ResultHandler) -> None:
        """Compute the last hidden states, shape (texts, tokens, hidden size), with padding."""
        with self._compute_lock:
            self._queue.set_callback(lambda request, batch: handle_result(batch, request.get_output_tensor(0).data))
            try:
                for batch in batches:
                    self._queue.start_async(
                        _make_inputs(batch, SINGLE_PADDING_STEP if self._favors_latency else PADDING_STEP), batch
                    )
            finally:
                self._queue.wait_all()

    @property
    def _properties(self) -> dict[Any, Any]:
        """One batch at a time per core, each on a single thread that no other waits for.

        Threads that share a batch wait for each other in a loop: if other processes use the cores as well, that is most
        of their time. For the same reason none is bound to a core. A text alone uses all cores: it takes 8 ms instead
        of 14 on two of them, and as long as on one if both are busy.
        """
        cores = count_usable_cores()
        return {
            properties.num_streams: 1 if self._favors_latency else cores,
            properties.inference_num_threads: cores,
            properties.hint.enable_cpu_pinning: False,
            properties.hint.inference_precision: Type.bf16 if self._numbers is Numbers.BFLOAT16 else Type.f32,
            properties.hint.dynamic_quantization_group_size: self._group,
        }


class CompiledModelCache:
    """The compiled form of a model in the user's cache folder, if there is such a folder.

    Its name depends on all that decides it. The library itself checks whether its version and the processor are those
    that the model was compiled for: if not, it is compiled and written again.
    """

    def __init__(self, identity: str, numbers: Numbers, configuration: BertConfiguration) -> None:
        """`identity` is that of the weights."""
        this_file = Path(__file__)
        code = [file.read_text(encoding="utf-8") for file in (this_file, this_file.with_name("bert_embedder.py"))]
        folder = find_cache_folder()
        self._family = f"{identity.partition('@')[0]}-{numbers}"
        name = f"{self._family}.{digest(identity, astuple(configuration), code)}.blob"
        self._file = folder / "models" / name if folder else None
        self._mapped_file: np.ndarray | None = None

    def read(self, options: Mapping[Any, Any]) -> CompiledModel | None:
        """The model with its weights mapped; None if it is not cached or was compiled for another system."""
        # The error for a damaged header may have a message that is no text.
        with suppress(OSError, ValueError, RuntimeError):
            if self._file and self._file.exists():
                self._mapped_file = np.memmap(self._file, np.uint8, "c")  # The library requires a writable array.
                return Core().import_model(Tensor(self._mapped_file, shared_memory=True), "CPU", dict(options))
        return None

    def write(self, model: CompiledModel) -> None:
        """Cache it instead of earlier forms of the same model; do nothing if the folder is not writable."""
        if self._file is None:
            return
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with open_atomically(self._file) as stream:
                stream.write(model.export_model().getbuffer())
            for other in self._file.parent.glob(f"{self._family}.*.blob"):
                if other != self._file:
                    other.unlink()


def _make_inputs(batch: Batch, step: int) -> list[np.ndarray]:
    """Token ids, int32, and a mask of ones, float32, both of shape (texts, tokens of the longest up to a `step`)."""
    ids = batch.pad(step)
    return [ids, (np.arange(ids.shape[1]) < batch.lengths[:, None]).astype(np.float32)]


class BertGraph:
    """The graph of a model from its `weights`, named without the prefix of a larger model, and its configuration.

    It goes from token ids, int32, and a mask of ones, float32, both of shape (texts, tokens), to the last hidden
    states, float32, shape (texts, tokens, hidden size). Weights of the dense layers become int8 with a scale for each
    `group` of a row; with 0 they stay as they are.
    """

    def __init__(self, weights: Mapping[str, np.ndarray], configuration: BertConfiguration, group: int) -> None:
        self.weights = weights
        self.group = group
        self.layers, self.eps = configuration.layers, configuration.eps
        heads, width = configuration.heads, configuration.width
        self.heads_shape = _make_int_array(0, 0, heads, width // heads)
        self.merged_shape = _make_int_array(0, 0, width)

    def build_model(self) -> Model:
        """The graph as a model of OpenVINO."""
        ids = op.parameter([-1, -1], np.int32, name="ids")
        mask = op.parameter([-1, -1], np.float32, name="mask")
        tokens = op.gather(op.shape_of(ids), _make_int_array(1), np.int64(0))
        penalty = op.multiply(op.subtract(mask, np.float32(1)), np.float32(PADDING_PENALTY))
        keys = op.unsqueeze(penalty, _make_int_array(1, 2))
        bias = compute_distance_bias(self.weights)
        if bias is not None:
            square = op.concat([tokens, tokens], 0)
            keys = op.add(
                keys, op.slice(bias, _make_int_array(0, 0), square, _make_int_array(1, 1), _make_int_array(1, 2))
            )
        x = self._add_embeddings(ids, tokens)
        for layer in range(self.layers):
            x = self._add_layer(x, keys, f"encoder.layer.{layer}.")
        return Model([x], [ids, mask], "bert")

    def _add_embeddings(self, ids: Node, tokens: Node) -> Node:
        word, position, kind = (self.weights[f"embeddings.{name}_embeddings.weight"] for name in EMBEDDING_TABLES)
        # A constant, since `gather` would make a list of its twelve million numbers.
        table = op.constant(word)
        positions = op.slice(position, _make_int_array(0), tokens, _make_int_array(1), _make_int_array(0))
        words = op.gather(table, ids, np.int64(0))
        return self._add_norm("embeddings.LayerNorm", op.add(op.add(words, positions), kind[0]))

    def _add_layer(self, x: Node, keys: Node, weight_prefix: str) -> Node:
        query, key, value = (
            self._split_heads(self._add_dense(f"{weight_prefix}attention.self.{n}", x))
            for n in ("query", "key", "value")
        )
        attention = op.transpose(op.scaled_dot_product_attention(query, key, value, keys), _make_int_array(0, 2, 1, 3))
        projection = self._add_dense(
            f"{weight_prefix}attention.output.dense", op.reshape(attention, self.merged_shape, special_zero=True)
        )
        x = self._add_norm(f"{weight_prefix}attention.output.LayerNorm", op.add(x, projection))
        inner = op.gelu(self._add_dense(f"{weight_prefix}intermediate.dense", x), "erf")
        return self._add_norm(
            f"{weight_prefix}output.LayerNorm", op.add(x, self._add_dense(f"{weight_prefix}output.dense", inner))
        )

    def _split_heads(self, x: Node) -> Node:
        return op.transpose(op.reshape(x, self.heads_shape, special_zero=True), _make_int_array(0, 2, 1, 3))

    def _add_dense(self, weight_prefix: str, x: Node) -> Node:
        weight = self.weights[f"{weight_prefix}.weight"]
        matrix = op.constant(weight)
        if self.group:
            # A weight, shape (out, in), as int8 with a scale for each group of a row.
            groups = weight.reshape(len(weight), -1, self.group)
            scale = np.maximum(np.abs(groups).max(axis=2, keepdims=True), np.finfo(np.float32).tiny) / MAX_INT8
            rounded_weights = op.convert(op.constant(np.round(groups / scale).astype(np.int8)), np.float32)
            matrix = op.reshape(op.multiply(rounded_weights, scale), _make_int_array(*weight.shape), special_zero=False)
        return op.add(op.matmul(x, matrix, transpose_a=False, transpose_b=True), self.weights[f"{weight_prefix}.bias"])

    def _add_norm(self, weight_prefix: str, x: Node) -> Node:
        normalised = op.mvn(x, _make_int_array(-1), normalize_variance=True, eps=self.eps, eps_mode="inside_sqrt")
        return op.add(
            op.multiply(normalised, self.weights[f"{weight_prefix}.weight"]), self.weights[f"{weight_prefix}.bias"]
        )


def _make_int_array(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)
