"""Configuration and weights of an encoder of BERT's kind, from `config.json` and `model.safetensors` of its folder.

BERT (Devlin et al. 2019), RoBERTa (Liu et al. 2019), XLM-R (Conneau et al. 2020) and MPNet (Song et al. 2020) have the
same layers. They differ in names, in the row of the first token's position, and MPNet adds a bias to the attention
that depends on the distance of two tokens (Raffel et al. 2020, T5).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from warehouse.errors import BadInput

FIRST_POSITIONS = {"bert": 0, "roberta": 2, "xlm-roberta": 2, "mpnet": 2}
"""The supported families, with the first token's row in the table of positions."""
UNDERSTOOD = {"hidden_act": "gelu", "position_embedding_type": "absolute"}
PREFIXES = ("bert.", "roberta.", "mpnet.")
"""Prefixes of the names of weights if the encoder was saved as a part of a larger model."""
NAMES_OF_BERT = {
    ".attention.attn.q.": ".attention.self.query.",
    ".attention.attn.k.": ".attention.self.key.",
    ".attention.attn.v.": ".attention.self.value.",
    ".attention.attn.o.": ".attention.output.dense.",
    ".attention.LayerNorm.": ".attention.output.LayerNorm.",
}
"""Parts of the names of MPNet's weights, and BERT's names for the same."""
POSITIONS = "embeddings.position_embeddings.weight"
KINDS = "embeddings.token_type_embeddings.weight"
DISTANCE_BIAS = "encoder.relative_attention_bias.weight"
FAR = 128
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
        first_position = FIRST_POSITIONS[content["model_type"]]
        return cls(layers, heads, width, inner_width, float(content["layer_norm_eps"]), first_position)


def find_unknown_part(configuration: Mapping[str, Any]) -> str | None:
    """The entry of a `config.json` that no encoder of BERT's kind has, as `model_type t5`; None for one of them."""
    if configuration.get("model_type") not in FIRST_POSITIONS:
        return f"model_type {configuration.get('model_type')}"
    differing_keys = (key for key, value in UNDERSTOOD.items() if (configuration.get(key) or value) != value)
    return next((f"{key} {configuration[key]}" for key in differing_keys), None)


def read_weights(folder: Path) -> dict[str, np.ndarray]:
    """The weights by BERT's names; the table of positions begins at the first token's row."""
    from safetensors.numpy import load_file

    weights = {_find_bert_name(name): weight for name, weight in load_file(folder / "model.safetensors").items()}
    configuration = BertConfiguration.read(folder)
    weights[POSITIONS] = weights[POSITIONS][configuration.first_position :]
    weights.setdefault(KINDS, np.zeros((1, configuration.width), np.float32))
    return weights


def _find_bert_name(name: str) -> str:
    for prefix in PREFIXES:
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
    each_direction = len(table) // 2
    exact = each_direction // 2
    positions = np.arange(len(weights[POSITIONS]))
    ahead = positions[None, :] - positions[:, None]
    distance = np.abs(ahead)
    with np.errstate(divide="ignore"):
        logarithm = np.log(distance.astype(np.float32) / exact) / math.log(FAR / exact)
    shared = exact + np.minimum(logarithm * (each_direction - exact), each_direction).clip(0).astype(np.int64)
    bucket = np.where(distance < exact, distance, np.minimum(shared, each_direction - 1))
    return np.ascontiguousarray(table[bucket + (ahead > 0) * each_direction].transpose(2, 0, 1))
