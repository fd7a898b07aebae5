"""Texts a second of the default model: our encoder in each type of number beside sentence-transformers' own.

    python benchmarks/embed.py [--texts 200] [--rounds 3] [--device cuda]

With a device of torch (`cuda`, or `cpu` to try the same code without one) its encoder is measured too, beside the
library on that device in half precision, and without a device's work: making the batches alone. Every line computes
the same texts in this one process, in turn; the best round counts. The table also shows the least cosine to the
library's vectors, and the seconds from a new process to the first vector.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))

from tasks.embedders.bert.encoder import Encoder, Numbers, choose_numbers
from tasks.embedders.bert.torch_encoder import PADDING_STEP, TorchEncoder
from tasks.embedders.embedder import check_device
from tasks.embedders.minilm import member
from tasks.embedders.sentence import CPU_BATCH, CUDA_BATCH

SENTENCE = (
    "Net sales of the {} segment rose {} percent in the quarter ended June {}, 2025, on higher volumes and prices, "
    "while operating expenses fell against the same period of the year before. "
)
COLD = {
    "Kalends": "from tasks.embedders.embedder import open_embedder; open_embedder('minilm').embed(['a'])",
    "library": "from sentence_transformers import SentenceTransformer as S; S({folder!r}).encode(['a'])",
}


def texts(count: int) -> list[str]:
    """Passages of one to six sentences, the longest a little shorter than the window."""
    return ["".join(SENTENCE.format(n * 7, n % 40, line + 1) for line in range(n % 6 + 1)) for n in range(count)]


def ours(folder: Path, numbers: Numbers) -> Callable[[Sequence[str]], np.ndarray]:
    """Our embedder in a type of number."""
    model = member()
    model.__dict__["_encoder"] = Encoder(folder, numbers)
    return model.embed


def library(folder: Path, number: torch.dtype, device: str = "cpu") -> Callable[[Sequence[str]], np.ndarray]:
    """sentence-transformers' own encode in a number type, renormalised."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device=device, local_files_only=True).to(number)
    at_once = CPU_BATCH if device == "cpu" else CUDA_BATCH

    def encode(passages: Sequence[str]) -> np.ndarray:
        vectors = model.encode(list(passages), batch_size=at_once, convert_to_tensor=True).float()
        return torch.nn.functional.normalize(vectors, dim=1).cpu().numpy()

    return encode


def on_device(folder: Path, device: str, number: torch.dtype) -> Callable[[Sequence[str]], np.ndarray]:
    """Our embedder on a device of torch."""
    model = member()
    model.__dict__["_encoder"] = TorchEncoder(folder, device, number)
    return model.embed


def batches_alone(folder: Path) -> Callable[[Sequence[str]], np.ndarray]:
    """Texts made into tokens and batches, which nothing computes."""
    model = member()

    def make(passages: Sequence[str]) -> np.ndarray:
        for batch in model._iter_batches(passages, TorchEncoder.batch_tokens):
            batch.pad(PADDING_STEP)
        return np.zeros((len(passages), model.dimension), np.float32)

    return make


def cold(code: str) -> float:
    """Seconds from starting Python to the first vector."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=Path(__file__).parents[1])
    return perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", choices=("cpu", "cuda"), help="measure torch on this device too")
    chosen = parser.parse_args()
    folder, passages = member().folder, texts(chosen.texts)
    ways = {
        f"library {number}".replace("torch.", ""): library(folder, number) for number in (torch.float32, torch.bfloat16)
    }
    ways |= {f"Kalends {numbers}": ours(folder, numbers) for numbers in Numbers}
    if chosen.device:
        check_device(chosen.device)
        number = torch.float16
        if chosen.device != "cpu":
            ways |= {f"library {chosen.device} float16": library(folder, number, chosen.device)}
        ways[f"Kalends {chosen.device} float16"] = on_device(folder, chosen.device, number)
        ways["batches alone"] = batches_alone(folder)
    best = dict.fromkeys(ways, float("inf"))
    vectors: dict[str, np.ndarray] = {}
    for _ in range(chosen.rounds):
        for name, embed in ways.items():
            start = perf_counter()
            vectors[name] = embed(passages)
            best[name] = min(best[name], perf_counter() - start)
    print(f"{len(passages)} texts, {torch.get_num_threads()} threads, Kalends chooses {choose_numbers()} here\n")
    print(f"{'':<20}{'texts/s':>9}{'ratio':>8}{'least cosine':>14}")
    for name, seconds in best.items():
        cosine = (vectors[name] * vectors["library float32"]).sum(axis=1).min() if vectors[name].any() else np.nan
        ratio = best["library float32"] / seconds
        print(f"{name:<20}{len(passages) / seconds:>9.1f}{ratio:>8.2f}{cosine:>14.5f}")
    for name, code in COLD.items():
        print(f"first vector, {name}: {cold(code.format(folder=str(folder))):.1f} s")


if __name__ == "__main__":
    main()
