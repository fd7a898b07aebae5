"""Configuration and weights of a BERT model, from `config.json` and `model.safetensors` of its folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from warehouse.errors import BadInput

UNDERSTOOD = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}


@dataclass(frozen=True, slots=True)
class BertConfiguration:
    """How many layers and heads there are, how wide a state is, and what norms add to a variance."""

    layers: int
    heads: int
    width: int
    eps: float

    @classmethod
    def read(cls, folder: Path) -> Self:
        """From the folder; raises `BadInput` for another architecture."""
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        for key, value in UNDERSTOOD.items():
            if found.get(key, value) != value:
                raise BadInput(f"the model in {folder} has {key} {found[key]}", "open it as sentence:FOLDER")
        names = ("num_hidden_layers", "num_attention_heads", "hidden_size")
        layers, heads, width = (int(found[name]) for name in names)
        return cls(layers, heads, width, float(found["layer_norm_eps"]))


def read_weights(folder: Path) -> dict[str, np.ndarray]:
    """The weights by their names without the prefix of the whole."""
    from safetensors.numpy import load_file

    return {name.removeprefix("bert."): weight for name, weight in load_file(folder / "model.safetensors").items()}
