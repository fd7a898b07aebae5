"""Rerankers by name (`maxsim`, `cross:NAME_OR_FOLDER`, `server:URL#MODEL`), and reordering of the hits of a search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from tasks.embedders.embedder import Device, Embedder, check_device
from warehouse.records import Hit, Part, Question
from warehouse.registry import Family


class Reranker(Protocol):
    """Reads question and passage together. Opening one is cheap: weights are read by the first call of `fits`."""

    @property
    def share(self) -> float:
        """The share of a hit's score that it decides, in [0, 1]; the rest is the search's."""

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """How well each passage answers, in [0, 1], shape (len(passages),); no passage is cut off.

        For a passage longer than the model's window the best window counts. A passage's fit does not depend on the
        others.
        """


RERANKERS: Family[Callable[[str, Embedder, Device], Reranker]] = Family("tasks.rerankers", "reranker")
"""Functions that open a reranker, given its name after the colon, the warehouse's embedder, and a device."""


def open_reranker(name: str, embedder: Embedder, device: Device = "cpu") -> Reranker:
    """The reranker of this name.

    Raises `BadInput` for a name that none has, a place without a model, or a device that does not exist.
    """
    family, _, place = name.partition(":")
    return RERANKERS[family](place, embedder, check_device(device))


NONE = "none"  # The name with which a search asks for no reranker, whatever the settings say.


def open_chosen_reranker(name: str, embedder: Embedder, device: Device = "cpu") -> Reranker | None:
    """The reranker of this name; None if none is named. Raises the errors of `open_reranker`."""
    return None if name in ("", NONE) else open_reranker(name, embedder, device)


def rerank(reranker: Reranker, question: Question, hits: Sequence[Hit], share: float | None = None) -> list[Hit]:
    """The same hits in descending order of their new score, of which the reranker's fit is a further part.

    The fit has the given share of the score, or that of the reranker.
    """
    fits = reranker.fits(question.text, [hit.headed_text for hit in hits]).tolist() if hits else []
    share = reranker.share if share is None else share
    scored_hits = [_with_fit(hit, share, fit) for hit, fit in zip(hits, fits, strict=True)]
    return sorted(scored_hits, key=lambda hit: -hit.score)


def _with_fit(hit: Hit, share: float, fit: float) -> Hit:
    parts = tuple(Part(part.name, (1 - share) * part.value) for part in hit.parts)
    score = (1 - share) * hit.score + share * fit
    citation = replace(hit.citation, relevance=score)
    return replace(hit, score=score, parts=(*parts, Part("rerank", share * fit)), citation=citation)
