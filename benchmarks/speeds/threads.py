"""Embedding on shared cores: batches that are each computed by one thread, and by all threads together.

Threads that share a batch wait for each other in a loop. Beside other work that costs most of their time, since one
that waits keeps the core which the other needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from statistics import median
from typing import Any

from openvino import properties

from benchmarks.embed import texts
from benchmarks.speeds.processor import reading
from tasks.embedders.bert.bert_embedder import BertEmbedder
from tasks.embedders.bert.encoder import Encoder
from tasks.embedders.minilm import member
from warehouse.processors import count_usable_cores

COUNT, ROUNDS = 200, 5
BUSY = "while True: pass"


class TogetherEncoder(Encoder):
    """All cores compute one batch, each thread bound to its core: how the library does it where nothing is said."""

    @property
    def _properties(self) -> dict[Any, Any]:
        return {**super()._properties, properties.num_streams: 1, properties.hint.enable_cpu_pinning: True}


def lines() -> Iterator[str]:
    """The figures as Markdown: texts for each processor second, and for each second beside other processes."""
    folder, passages, cores = member().folder, texts(COUNT), count_usable_cores()
    models = {
        f"{cores} batches, a thread each": _model(Encoder(folder)),
        f"1 batch, {cores} threads": _model(TogetherEncoder(folder)),
    }
    yield f"{COUNT} texts, {cores} cores, load {os.getloadavg()[0]:.1f} before; median of {ROUNDS} runs in turn:\n"
    yield "| | other processes | texts a processor s | texts a s | cores got |"
    yield "|---|---:|---:|---:|---:|"
    for others in (0, cores):
        found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in models}
        with ExitStack() as running:
            for _ in range(others):
                process = subprocess.Popen([sys.executable, "-c", BUSY])
                running.callback(process.wait)
                running.callback(process.kill)
            for _ in range(ROUNDS):
                for name, model in models.items():
                    before = reading()
                    model.embed(passages)
                    spent = reading() - before
                    found[name].append((COUNT / spent.processor, COUNT / spent.passed, spent.processor / spent.passed))
        for name, rounds in found.items():
            rate, passed, got = (median(column) for column in zip(*rounds, strict=True))
            yield f"| {name} | {others} | {rate:.1f} | {passed:.1f} | {got:.2f} |"


def _model(encoder: Encoder) -> BertEmbedder:
    model = member()
    model.__dict__["_encoder"] = encoder
    model.embed(texts(COUNT))
    return model
