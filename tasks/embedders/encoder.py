"""A BERT encoder with mean pooling (Devlin et al. 2019; Reimers & Gurevych 2019), forward only, in plain torch.

Importing transformers or sentence-transformers costs more than five seconds at every start; these lines cost torch's
own import and give the same vectors.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warehouse.errors import BadInput

if TYPE_CHECKING:
    import torch

UNDERSTOOD = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}


def number_type() -> torch.dtype:
    """bfloat16 where this CPU multiplies it faster than float32, else float32.

    Intel's matrix unit (AMX) and AMD's AVX512-BF16 do. Intel's AVX512-BF16 without the matrix unit measured half the
    speed of float32, so the bare flag does not decide.
    """
    import torch

    cpu = torch.cpu.get_capabilities()
    amd = "AMD" in str(cpu.get("cpu_name", ""))
    return torch.bfloat16 if cpu.get("amx_bf16") or (amd and cpu.get("avx512_bf16")) else torch.float32


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """The weights of a BERT model and what its configuration says about them."""

    weights: dict[str, torch.Tensor]
    layers: int
    heads: int
    eps: float
    number: torch.dtype

    @classmethod
    def open(cls, folder: Path, number: torch.dtype | None = None) -> Encoder:
        """Reads `config.json` and `model.safetensors`; raises `BadInput` where they are no BERT model."""
        from safetensors.torch import load_file

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        for key, value in UNDERSTOOD.items():
            if config.get(key, value) != value:
                raise BadInput(f"the model in {folder} has {key} {config[key]}", "open it as sentence:FOLDER")
        number = number or number_type()
        read = load_file(folder / "model.safetensors")
        weights = {name.removeprefix("bert."): tensor for name, tensor in read.items()}
        layers, heads = config["num_hidden_layers"], config["num_attention_heads"]
        return cls(_fused(weights, layers, number), layers, heads, config["layer_norm_eps"], number)

    def __call__(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Unit vectors, float32, shape (texts, dimension), of token ids and a boolean mask, shape (texts, tokens).

        Pooling and normalising are done in float32 whatever the number type.
        """
        import torch.nn.functional as nn

        shown = mask[:, :, None].float()
        return nn.normalize((self._states(ids, mask) * shown).sum(1) / shown.sum(1), dim=1)

    def tokens(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Unit vectors of the tokens, float32, shape (texts, tokens, dimension); see `__call__`."""
        import torch.nn.functional as nn

        return nn.normalize(self._states(ids, mask), dim=2)

    def _states(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self._embedded(ids)
        keys = None if bool(mask.all()) else mask[:, None, None, :]
        for layer in range(self.layers):
            x = self._layer(x, keys, f"encoder.layer.{layer}.")
        return x.float()

    def _embedded(self, ids: torch.Tensor) -> torch.Tensor:
        at = self.weights
        x = at["embeddings.word_embeddings.weight"][ids] + at["embeddings.position_embeddings.weight"][: ids.shape[1]]
        return self._norm("embeddings.LayerNorm", x + at["embeddings.token_type_embeddings.weight"][0])

    def _layer(self, x: torch.Tensor, keys: torch.Tensor | None, at: str) -> torch.Tensor:
        import torch.nn.functional as nn

        texts, tokens, width = x.shape
        heads = self._dense(f"{at}attention.self", x).view(texts, tokens, 3, self.heads, width // self.heads)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        seen = nn.scaled_dot_product_attention(query, key, value, attn_mask=keys).transpose(1, 2).reshape(x.shape)
        x = self._norm(f"{at}attention.output.LayerNorm", x + self._dense(f"{at}attention.output.dense", seen))
        inner = nn.gelu(self._dense(f"{at}intermediate.dense", x))
        return self._norm(f"{at}output.LayerNorm", x + self._dense(f"{at}output.dense", inner))

    def _dense(self, at: str, x: torch.Tensor) -> torch.Tensor:
        import torch.nn.functional as nn

        return nn.linear(x, self.weights[f"{at}.weight"], self.weights[f"{at}.bias"])

    def _norm(self, at: str, x: torch.Tensor) -> torch.Tensor:
        import torch.nn.functional as nn

        weight, bias = self.weights[f"{at}.weight"], self.weights[f"{at}.bias"]
        return nn.layer_norm(x, (x.shape[-1],), weight, bias, self.eps)


def _fused(weights: dict[str, torch.Tensor], layers: int, number: torch.dtype) -> dict[str, torch.Tensor]:
    """The weights in the number type, with query, key and value of each layer as one map."""
    import torch

    cast = {name: tensor.to(number) for name, tensor in weights.items() if tensor.is_floating_point()}
    for layer in range(layers):
        at = f"encoder.layer.{layer}.attention.self"
        for part in ("weight", "bias"):
            cast[f"{at}.{part}"] = torch.cat([cast.pop(f"{at}.{name}.{part}") for name in ("query", "key", "value")])
    return cast
