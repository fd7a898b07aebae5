"""The graph of a BERT encoder in OpenVINO's operations, from its weights as Hugging Face names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tasks.embedders.bert.arithmetic import Model, Node
from tasks.embedders.bert.arithmetic import opset15 as op

HIDDEN = 1e9
"""How far below all others the scores of padding lie before the softmax."""
TABLES = ("word", "position", "token_type")
LEVELS = 127
"""An int8 goes from minus this to this."""


def bert(weights: Mapping[str, np.ndarray], config: Mapping[str, Any], group: int) -> Model:
    """The model of `weights`, without the prefix of the whole, and what `config.json` says of it.

    Goes from token ids, int32, and a mask of ones, float32, both of shape (texts, tokens), to the last hidden states,
    float32, shape (texts, tokens, hidden size). Weights of the dense layers become int8 with a scale for each `group`
    of a row; with 0 they stay as they are.
    """
    return _Bert(weights, config, group).model()


class _Bert:
    def __init__(self, weights: Mapping[str, np.ndarray], config: Mapping[str, Any], group: int) -> None:
        self.weights = weights
        self.group = group
        self.layers = int(config["num_hidden_layers"])
        self.eps = float(config["layer_norm_eps"])
        heads, width = int(config["num_attention_heads"]), int(config["hidden_size"])
        self.parted = _whole(0, 0, heads, width // heads)
        self.joined = _whole(0, 0, width)

    def model(self) -> Model:
        ids = op.parameter([-1, -1], np.int32, name="ids")
        mask = op.parameter([-1, -1], np.float32, name="mask")
        shown = op.multiply(op.subtract(mask, np.float32(1)), np.float32(HIDDEN))
        keys = op.unsqueeze(shown, _whole(1, 2))
        x = self.embedded(ids)
        for layer in range(self.layers):
            x = self.layer(x, keys, f"encoder.layer.{layer}.")
        return Model([x], [ids, mask], "bert")

    def embedded(self, ids: Node) -> Node:
        word, place, kind = (self.weights[f"embeddings.{name}_embeddings.weight"] for name in TABLES)
        tokens = op.gather(op.shape_of(ids), _whole(1), np.int64(0))
        places = op.slice(place, _whole(0), tokens, _whole(1), _whole(0))
        words = op.gather(word, ids, np.int64(0))
        return self.norm("embeddings.LayerNorm", op.add(op.add(words, places), kind[0]))

    def layer(self, x: Node, keys: Node, at: str) -> Node:
        query, key, value = (self.by_head(self.dense(f"{at}attention.self.{n}", x)) for n in ("query", "key", "value"))
        seen = op.transpose(op.scaled_dot_product_attention(query, key, value, keys), _whole(0, 2, 1, 3))
        held = self.dense(f"{at}attention.output.dense", op.reshape(seen, self.joined, special_zero=True))
        x = self.norm(f"{at}attention.output.LayerNorm", op.add(x, held))
        inner = op.gelu(self.dense(f"{at}intermediate.dense", x), "erf")
        return self.norm(f"{at}output.LayerNorm", op.add(x, self.dense(f"{at}output.dense", inner)))

    def by_head(self, x: Node) -> Node:
        return op.transpose(op.reshape(x, self.parted, special_zero=True), _whole(0, 2, 1, 3))

    def dense(self, at: str, x: Node) -> Node:
        weight = self.weights[f"{at}.weight"]
        held = _by_group(weight, self.group) if self.group else op.constant(weight)
        return op.add(op.matmul(x, held, transpose_a=False, transpose_b=True), self.weights[f"{at}.bias"])

    def norm(self, at: str, x: Node) -> Node:
        evened = op.mvn(x, _whole(-1), normalize_variance=True, eps=self.eps, eps_mode="inside_sqrt")
        return op.add(op.multiply(evened, self.weights[f"{at}.weight"]), self.weights[f"{at}.bias"])


def _by_group(weight: np.ndarray, group: int) -> Node:
    """A weight, shape (out, in), as int8 with a scale for each group of a row."""
    parted = weight.reshape(len(weight), -1, group)
    scale = np.maximum(np.abs(parted).max(axis=2, keepdims=True), np.finfo(np.float32).tiny) / LEVELS
    held = op.convert(op.constant(np.round(parted / scale).astype(np.int8)), np.float32)
    return op.reshape(op.multiply(held, scale), _whole(*weight.shape), special_zero=False)


def _whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)
