"""A BERT encoder (Devlin et al. 2019), forward only, as a graph that OpenVINO computes.

Importing torch costs more than a second at every start, sentence-transformers five; OpenVINO is there in a third of
one, and fuses what torch does step by step. Its converter of models is left out: importing that reports to its maker,
and costs a tenth of a second. The library does without the converter where it is not installed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from warehouse.errors import BadInput

sys.modules["openvino.tools.ovc"] = None  # type: ignore[assignment]

from openvino import AsyncInferQueue, Core, Model, Node, Type, properties  # noqa: E402
from openvino import opset15 as op  # noqa: E402

UNDERSTOOD = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
GROUP = 64  # Neighbouring numbers of a row that share a scale as int8.
STEP = 16  # Texts are padded to so many tokens or a multiple: code is made for each new shape, and shapes are then few.
PROCESSOR = Path("/proc/cpuinfo")  # What Linux says of the processor; elsewhere nothing is known of it.

Keep = Callable[[int, np.ndarray], None]
"""Takes the number of a batch and its last hidden states, float32, shape (texts, tokens, hidden size), with padding;
called on other threads, in any order."""
HIDDEN = 1e9  # How far below all others the scores of padding lie before the softmax.
TABLES = ("word", "position", "token_type")
LEVELS = 127  # An int8 goes from minus this to this.


class Numbers(StrEnum):
    """The numbers that are multiplied; norms, attention and sums are float32, in bfloat16 those too."""

    FLOAT32 = "float32"
    BFLOAT16 = "bfloat16"
    INT8 = "int8"
    """Weights, and activations as they come, in groups with a scale of their own: none depends on another text."""


def fastest() -> Numbers:
    """bfloat16 where the processor has Intel's matrix unit (AMX), int8 where it has VNNI alone, else float32."""
    flags = frozenset(PROCESSOR.read_text(encoding="utf-8").split()) if PROCESSOR.is_file() else frozenset[str]()
    if "amx_bf16" in flags:
        return Numbers.BFLOAT16
    return Numbers.INT8 if flags & {"avx512_vnni", "avx_vnni"} else Numbers.FLOAT32


class Encoder:
    """A BERT model, ready to compute."""

    def __init__(self, folder: Path, numbers: Numbers | None = None) -> None:
        """Reads `config.json` and `model.safetensors`; raises `BadInput` where they are no BERT model."""
        from safetensors.numpy import load_file

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        for key, value in UNDERSTOOD.items():
            if config.get(key, value) != value:
                raise BadInput(f"the model in {folder} has {key} {config[key]}", "open it as sentence:FOLDER")
        numbers = numbers or fastest()
        group = GROUP if numbers is Numbers.INT8 else 0
        read = load_file(folder / "model.safetensors")
        weights = {name.removeprefix("bert."): weight for name, weight in read.items()}
        graph = BertGraph(weights, config, group).model()
        how = {
            properties.hint.performance_mode: properties.hint.PerformanceMode.THROUGHPUT,
            properties.hint.inference_precision: Type.bf16 if numbers is Numbers.BFLOAT16 else Type.f32,
            properties.hint.dynamic_quantization_group_size: group,
        }
        self._queue = AsyncInferQueue(Core().compile_model(graph, "CPU", how))
        self._using = Lock()

    def __call__(self, batches: Iterable[list[list[int]]], keep: Keep) -> None:
        """Compute the last hidden states of batches of token ids, of each batch the longest text first."""
        with self._using:
            self._queue.set_callback(lambda request, number: keep(number, request.get_output_tensor(0).data))
            try:
                for number, batch in enumerate(batches):
                    self._queue.start_async(_padded(batch), number)
            finally:
                self._queue.wait_all()


def _padded(batch: list[list[int]]) -> list[np.ndarray]:
    """Token ids, int32, and a mask of ones, float32, both of shape (texts, tokens of the longest up to a `STEP`)."""
    ids = np.zeros((len(batch), -(-len(batch[0]) // STEP) * STEP), np.int32)
    mask = np.zeros(ids.shape, np.float32)
    for row, text in enumerate(batch):
        ids[row, : len(text)] = text
        mask[row, : len(text)] = 1
    return [ids, mask]


class BertGraph:
    """The model of `weights`, without the prefix of the whole, and what `config.json` says of it.

    It goes from token ids, int32, and a mask of ones, float32, both of shape (texts, tokens), to the last hidden
    states, float32, shape (texts, tokens, hidden size). Weights of the dense layers become int8 with a scale for each
    `group` of a row; with 0 they stay as they are.
    """

    def __init__(self, weights: Mapping[str, np.ndarray], config: Mapping[str, Any], group: int) -> None:
        self.weights = weights
        self.group = group
        self.layers = int(config["num_hidden_layers"])
        self.eps = float(config["layer_norm_eps"])
        heads, width = int(config["num_attention_heads"]), int(config["hidden_size"])
        self.parted = _whole(0, 0, heads, width // heads)
        self.joined = _whole(0, 0, width)

    def model(self) -> Model:
        """The graph as OpenVINO takes it."""
        ids = op.parameter([-1, -1], np.int32, name="ids")
        mask = op.parameter([-1, -1], np.float32, name="mask")
        shown = op.multiply(op.subtract(mask, np.float32(1)), np.float32(HIDDEN))
        keys = op.unsqueeze(shown, _whole(1, 2))
        x = self._embedded(ids)
        for layer in range(self.layers):
            x = self._layer(x, keys, f"encoder.layer.{layer}.")
        return Model([x], [ids, mask], "bert")

    def _embedded(self, ids: Node) -> Node:
        word, place, kind = (self.weights[f"embeddings.{name}_embeddings.weight"] for name in TABLES)
        tokens = op.gather(op.shape_of(ids), _whole(1), np.int64(0))
        places = op.slice(place, _whole(0), tokens, _whole(1), _whole(0))
        words = op.gather(word, ids, np.int64(0))
        return self._norm("embeddings.LayerNorm", op.add(op.add(words, places), kind[0]))

    def _layer(self, x: Node, keys: Node, at: str) -> Node:
        query, key, value = (
            self._by_head(self._dense(f"{at}attention.self.{n}", x)) for n in ("query", "key", "value")
        )
        seen = op.transpose(op.scaled_dot_product_attention(query, key, value, keys), _whole(0, 2, 1, 3))
        held = self._dense(f"{at}attention.output.dense", op.reshape(seen, self.joined, special_zero=True))
        x = self._norm(f"{at}attention.output.LayerNorm", op.add(x, held))
        inner = op.gelu(self._dense(f"{at}intermediate.dense", x), "erf")
        return self._norm(f"{at}output.LayerNorm", op.add(x, self._dense(f"{at}output.dense", inner)))

    def _by_head(self, x: Node) -> Node:
        return op.transpose(op.reshape(x, self.parted, special_zero=True), _whole(0, 2, 1, 3))

    def _dense(self, at: str, x: Node) -> Node:
        weight = self.weights[f"{at}.weight"]
        held = op.constant(weight)
        if self.group:
            # A weight, shape (out, in), as int8 with a scale for each group of a row.
            parted = weight.reshape(len(weight), -1, self.group)
            scale = np.maximum(np.abs(parted).max(axis=2, keepdims=True), np.finfo(np.float32).tiny) / LEVELS
            rounded = op.convert(op.constant(np.round(parted / scale).astype(np.int8)), np.float32)
            held = op.reshape(op.multiply(rounded, scale), _whole(*weight.shape), special_zero=False)
        return op.add(op.matmul(x, held, transpose_a=False, transpose_b=True), self.weights[f"{at}.bias"])

    def _norm(self, at: str, x: Node) -> Node:
        evened = op.mvn(x, _whole(-1), normalize_variance=True, eps=self.eps, eps_mode="inside_sqrt")
        return op.add(op.multiply(evened, self.weights[f"{at}.weight"]), self.weights[f"{at}.bias"])


def _whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)
