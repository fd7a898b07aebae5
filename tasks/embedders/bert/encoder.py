"""A BERT encoder (Devlin et al. 2019), forward only, as a graph that OpenVINO computes.

Importing torch costs more than a second at every start, sentence-transformers five; OpenVINO is there in a third of
one, and fuses what torch does step by step.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from threading import Lock

import numpy as np

from tasks.embedders.bert.arithmetic import AsyncInferQueue, Core, Type, properties
from tasks.embedders.bert.graph import bert
from warehouse.errors import BadInput

UNDERSTOOD = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
GROUP = 64
"""Neighbouring numbers of a row that share a scale as int8."""
STEP = 16
"""Texts are padded to so many tokens or a multiple: code is made for each new shape, and shapes are then few."""
PROCESSOR = Path("/proc/cpuinfo")
"""What Linux says of the processor; elsewhere nothing is known of it."""

Keep = Callable[[int, np.ndarray], None]
"""Takes the number of a batch and its last hidden states, float32, shape (texts, tokens, hidden size), with padding;
called on other threads, in any order."""


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
        graph = bert({name.removeprefix("bert."): weight for name, weight in read.items()}, config, group)
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
