"""Any cross-encoder that sentence-transformers opens (Nogueira & Cho 2019): `cross:NAME_OR_FOLDER`.

A folder is opened without a network; a name is downloaded from the Hugging Face hub, as its user requests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tasks.embedders.embedder import Device, Embedder, has_cuda
from tasks.embedders.sentence import CPU_BATCH, CUDA_BATCH
from warehouse.errors import BadInput

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


@dataclass(frozen=True, slots=True)
class Cross:
    """A model that reads question and passage as one text; passages are cut into the windows of `embedder`."""

    place: str
    embedder: Embedder
    device: Device = "cpu"
    share: float = 1.0

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """See the contract. The logistic function turns the model's number into a fit."""
        import torch

        windows = [self.embedder.cut_windows("", passage) for passage in passages]
        pairs = [(question, window) for texts in windows for window in texts]
        is_on_device = has_cuda(self.device)
        predictions = _load_model(self.place, on_device=is_on_device).predict(
            pairs,
            batch_size=CUDA_BATCH if is_on_device else CPU_BATCH,
            activation_fn=torch.nn.Sigmoid(),
            show_progress_bar=False,
        )
        fits = iter(np.asarray(predictions, np.float64).tolist())
        return np.array([max((next(fits) for _ in texts), default=0.0) for texts in windows])


@cache
def _load_model(place: str, *, on_device: bool) -> CrossEncoder:
    """The model, in half precision on a CUDA device; the same object each time, so that a process loads it once."""
    from sentence_transformers import CrossEncoder

    folder = Path(place).expanduser()
    try:
        model: CrossEncoder = CrossEncoder(
            str(folder) if folder.is_dir() else place,
            device="cuda" if on_device else "cpu",
            local_files_only=folder.is_dir(),
            trust_remote_code=False,
            # Weights in any other form may run code.
            model_kwargs={"use_safetensors": True},
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"'{place}' is not a cross-encoder ({error})", "name a folder or a model of the hub") from error
    if model.num_labels != 1:
        problem = f"'{place}' gives {model.num_labels} numbers for a passage, which do not say how well it answers"
        raise BadInput(problem, "choose a cross-encoder made for ranking")
    return model.half() if on_device else model


def member(place: str, embedder: Embedder, device: Device = "cpu") -> Cross:
    """The cross-encoder named or in the folder `place`."""
    if not place:
        raise BadInput("cross needs a model", "write cross:NAME_OR_FOLDER")
    return Cross(place, embedder, device)
