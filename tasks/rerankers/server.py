"""A reranker on a server with the `/rerank` API of Cohere and Jina: `server:URL#MODEL`.

`&scores=logits` after the name says that its scores are logits and not numbers from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tasks.embedders.embedder import Device, Embedder
from tasks.embedders.model_server import ModelServer, parse_server
from warehouse.errors import BadInput


@dataclass(frozen=True, slots=True)
class ServerReranker:
    """A model behind `POST /rerank`; passages are cut into the windows of `embedder`."""

    server: ModelServer
    embedder: Embedder
    is_logits: bool = False
    share: float = 1.0

    def fits(self, question: str, passages: Sequence[str]) -> np.ndarray:
        """See the contract. Raises `ModelServerFailed` if the server cannot be used."""
        windows = [self.embedder.cut_windows("", passage) for passage in passages]
        flat = [window for texts in windows for window in texts]
        scores = iter(self._request_scores(question, flat).tolist() if flat else [])
        return np.array([max((next(scores) for _ in texts), default=0.0) for texts in windows])

    def _request_scores(self, question: str, texts: Sequence[str]) -> np.ndarray:
        # Servers refuse an empty text.
        documents = [text if text.strip() else "-" for text in texts]
        answer = self.server.post("/rerank", {"query": question, "documents": documents, "top_n": len(texts)})
        try:
            rows = {int(row["index"]): float(row["relevance_score"]) for row in answer["results"]}
        except (KeyError, TypeError, ValueError):
            raise self.server.make_malformed_error("no scores by index") from None
        if rows.keys() != set(range(len(texts))):
            raise self.server.make_malformed_error(f"{len(rows)} scores for {len(texts)} texts")
        scores = np.array([rows[number] for number in range(len(texts))], np.float64)
        if self.is_logits:
            return np.asarray(1 / (1 + np.exp(-np.clip(scores, -50, 50))))
        if not ((scores >= 0) & (scores <= 1)).all():
            raise self.server.make_malformed_error(
                "scores that do not lie between 0 and 1 (logits need &scores=logits)"
            )
        return scores


def member(place: str, embedder: Embedder, device: Device = "cpu") -> ServerReranker:
    """The model that `URL#MODEL` names; the server alone decides on its device."""
    server = parse_server(place, {"scores"})
    if (scores := server.options.get("scores", "shares")) not in {"shares", "logits"}:
        raise BadInput(f"'{scores}' is no kind of scores", "write &scores=logits, or leave it out")
    return ServerReranker(server, embedder, scores == "logits")
