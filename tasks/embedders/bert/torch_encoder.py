"""The encoder in torch, for a CUDA device: half precision, large batches, the next one sent while one is computed.

Float16 keeps the vectors within a cosine of .99999 of float32, bfloat16, which has three bits less, within .9998: nine
texts, computed by a processor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from tasks.embedders.bert.bert_embedder import (
    Batch,
    BertConfiguration,
    Pooling,
    ResultHandler,
    compute_distance_bias,
    normalize_vectors,
    read_weights,
)

PADDING_STEP = 8  # Texts are padded to a multiple of so many tokens, which a tensor core multiplies at once.
MAX_PENDING_BATCHES = 2  # Batches that are sent before the result of the first is fetched.


class TorchEncoder:
    """A model of BERT's kind on a device of torch, ready to compute."""

    batch_tokens = 1 << 16
    """Tokens computed at once: 920 MB in float16. On an H200 a quarter lost 6 % of the speed; more gained nothing."""

    def __init__(
        self, folder: Path, device: str, number: torch.dtype = torch.float16, pooling: Pooling = "mean"
    ) -> None:
        """Reads `config.json` and `model.safetensors`; raises `BadInput` if they are of another architecture."""
        self._configuration = BertConfiguration.read(folder)
        self._device = torch.device(device)
        self._pool = _average_tokens if pooling == "mean" else _take_first_token
        weights = read_weights(folder)
        bias = compute_distance_bias(weights)
        self._bias = None if bias is None else torch.from_numpy(bias).to(self._device, number)
        self._weights = {name: torch.from_numpy(weight).to(self._device, number) for name, weight in weights.items()}
        self._compute_lock = Lock()

    def compute_vectors(self, batches: Iterable[Batch], handle_result: ResultHandler) -> None:
        """Compute the unit vectors of texts."""
        self._compute(batches, self._pool, lambda batch, vectors: handle_result(batch, normalize_vectors(vectors)))

    def compute_states(self, batches: Iterable[Batch], handle_result: ResultHandler) -> None:
        """Compute the last hidden states, shape (texts, tokens, hidden size), with padding."""
        self._compute(batches, lambda states, mask: states.float(), handle_result)

    def _compute(
        self,
        batches: Iterable[Batch],
        finish: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
        handle_result: ResultHandler,
    ) -> None:
        """Compute batches while the next ones are made: results are fetched `MAX_PENDING_BATCHES` batches later."""
        waiting: deque[tuple[Batch, torch.Tensor]] = deque()
        with self._compute_lock, torch.inference_mode():
            for batch in batches:
                states, mask = self._compute_last_states(batch)
                waiting.append((batch, finish(states, mask)))
                if len(waiting) > MAX_PENDING_BATCHES:
                    _deliver_oldest(waiting, handle_result)
            while waiting:
                _deliver_oldest(waiting, handle_result)

    def _compute_last_states(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """The last hidden states and a mask, true for tokens, shape (texts, tokens)."""
        token_ids = torch.from_numpy(batch.pad(PADDING_STEP)).long()
        lengths = torch.from_numpy(batch.lengths)
        if self._device.type == "cuda":
            # Only pinned memory is sent without waiting.
            token_ids, lengths = token_ids.pin_memory(), lengths.pin_memory()
        ids, device_lengths = (tensor.to(self._device, non_blocking=True) for tensor in (token_ids, lengths))
        mask = torch.arange(ids.shape[1], device=self._device) < device_lengths[:, None]
        positions = self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kind = self._weights["embeddings.token_type_embeddings.weight"][0]
        words = functional.embedding(ids, self._weights["embeddings.word_embeddings.weight"])
        x = self._apply_norm("embeddings.LayerNorm", words + positions + kind)
        attention_mask = mask[:, None, None]
        if self._bias is not None:
            bias = self._bias[:, : ids.shape[1], : ids.shape[1]]
            attention_mask = bias.masked_fill(~attention_mask, -torch.inf)
        for layer in range(self._configuration.layers):
            x = self._apply_layer(x, attention_mask, f"encoder.layer.{layer}.")
        return x, mask

    def _apply_layer(self, x: torch.Tensor, mask: torch.Tensor, weight_prefix: str) -> torch.Tensor:
        query, key, value = (
            self._apply_dense(f"{weight_prefix}attention.self.{name}", x)
            .unflatten(-1, (self._configuration.heads, -1))
            .transpose(1, 2)
            for name in ("query", "key", "value")
        )
        attention = (
            functional.scaled_dot_product_attention(query, key, value, attn_mask=mask).transpose(1, 2).flatten(2)
        )
        x = self._apply_norm(
            f"{weight_prefix}attention.output.LayerNorm",
            x + self._apply_dense(f"{weight_prefix}attention.output.dense", attention),
        )
        inner = functional.gelu(self._apply_dense(f"{weight_prefix}intermediate.dense", x))
        return self._apply_norm(
            f"{weight_prefix}output.LayerNorm", x + self._apply_dense(f"{weight_prefix}output.dense", inner)
        )

    def _apply_dense(self, weight_prefix: str, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self._weights[f"{weight_prefix}.weight"], self._weights[f"{weight_prefix}.bias"])

    def _apply_norm(self, weight_prefix: str, x: torch.Tensor) -> torch.Tensor:
        weight, bias = self._weights[f"{weight_prefix}.weight"], self._weights[f"{weight_prefix}.bias"]
        return functional.layer_norm(x, weight.shape, weight, bias, self._configuration.eps)


def _average_tokens(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean of each text's tokens, in float32, as half precision is too coarse for sums of many tokens."""
    weights = mask[:, :, None].float()
    return (states.float() * weights).sum(1) / weights.sum(1)


def _take_first_token(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The first token of each text, float32."""
    return states[:, 0].float()


def _deliver_oldest(waiting: deque[tuple[Batch, Any]], handle_result: ResultHandler) -> None:
    batch, result = waiting.popleft()
    handle_result(batch, np.asarray(result.cpu().numpy()))
