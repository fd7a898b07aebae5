"""Rerankers by name (`maxsim`, `cross:NAME_OR_FOLDER`, `server:URL#MODEL`), and the hits of a search ordered by one."""

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
        """How much of a hit's score it decides, in [0, 1]; the rest is the search's."""

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """How well each passage answers, in [0, 1], shape (len(passages),); no passage is cut off.

        Of a passage longer than the model's window the best window counts. A passage's fit does not depend on the
        others.
        """


RERANKERS: Family[Callable[[str, Embedder, Device], Reranker]] = Family("tasks.rerankers", "reranker")
"""Functions that open a reranker, given what follows the colon of its name, the warehouse's embedder, and a device."""


def open_reranker(name: str, embedder: Embedder, device: Device = "cpu") -> Reranker:
    """The reranker of this name.

    Raises `BadInput` for a name that none has, a place that holds no model, or a device that is not there.
    """
    family, _, place = name.partition(":")
    return RERANKERS[family](place, embedder, check_device(device))


NONE = "none"  # What a search names that wants no reranker, whatever the settings say.


def open_chosen_reranker(name: str, embedder: Embedder, device: Device = "cpu") -> Reranker | None:
    """The reranker of this name; None where none is named. Raises what `reranker` raises."""
    return None if name in ("", NONE) else open_reranker(name, embedder, device)


def rerank(reranker: Reranker, question: Question, hits: Sequence[Hit], share: float | None = None) -> list[Hit]:
    """The same hits in falling order of their new score, of which the reranker's fit is one part more.

    The fit has the given share of the score, or that of the reranker.
    """
    fits = reranker.fits(question.text, [hit.headed_text for hit in hits]).tolist() if hits else []
    share = reranker.share if share is None else share
    scored = [_with_fit(hit, share, fit) for hit, fit in zip(hits, fits, strict=True)]
    return sorted(scored, key=lambda hit: -hit.score)


def _with_fit(hit: Hit, share: float, fit: float) -> Hit:
    kept = tuple(Part(part.name, (1 - share) * part.value) for part in hit.parts)
    score = (1 - share) * hit.score + share * fit
    citation = replace(hit.citation, relevance=score)
    return replace(hit, score=score, parts=(*kept, Part("rerank", share * fit)), citation=citation)
