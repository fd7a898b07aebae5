"""An embedder on a server that speaks OpenAI's API: `server:URL#MODEL`, as `server:http://127.0.0.1:8080/v1#bge-m3`.

`&window=8192` after the name is the number of tokens that the model reads at once; 512 by default. The server's
tokenizer is not known: a token is counted for each three bytes of UTF-8, more than tokenizers make.

Models that were trained with instructions need them: `&question=query:+&passage=passage:+` (a plus is a space) writes
them before the texts, `&input_type=query,passage` sends the field `input_type` with one value for questions and one for
passages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tasks.embedders.centring import CentredEmbedder
from tasks.embedders.embedder import Device, UncutSpan, WindowCutter
from tasks.embedders.model_server import ModelServer, parse_server
from warehouse.errors import BadInput
from warehouse.identity import digest

BATCH_SIZE = 64  # Texts of one request.
DEFAULT_WINDOW = 512  # Tokens, the least of most embedding models.
BYTES_PER_TOKEN = 3  # Bytes of a token: a Chinese character, half of an English word.
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class ServerEmbedder:
    """A model behind `POST /embeddings`."""

    server: ModelServer
    window: int = DEFAULT_WINDOW
    instruction: str = ""
    input_type: str = ""
    question_embedder: ServerEmbedder | None = None

    @property
    def model(self) -> str:
        """The model's name, the window and a digest of its instructions, without the server's address."""
        suffix = f"-{digest(self.instruction, self.input_type)[:8]}" if self.instruction or self.input_type else ""
        return f"{self.server.model}@server{self.window}{suffix}"

    @property
    def is_loaded(self) -> bool:
        """The server has the weights."""
        return True

    @cached_property
    def dimension(self) -> int:
        """The dimension of the server's first vector."""
        return int(self._request(["dimension"]).shape[1])

    def can_read(self, text: str) -> bool:
        """Taken for granted: its vocabulary is not known."""
        return True

    def cut_windows(self, prefix: str, text: str) -> tuple[str, ...]:
        """Sends no request."""
        return tuple(
            WindowCutter(self.window - self._count_tokens(self.instruction), self.split_words, self._count_tokens).cut(
                prefix, text
            )
        )

    def split_words(self, text: str) -> list[UncutSpan]:
        """Runs of letters and digits, and single marks, by their bytes."""
        return [UncutSpan(word.start(), word.end(), _estimate_tokens(word.group())) for word in _WORD.finditer(text)]

    @property
    def for_questions(self) -> ServerEmbedder:
        """The embedder with the instruction and input type that the name states for questions."""
        return self.question_embedder or self

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See the contract. Raises `ModelServerFailed` if the server cannot be used."""
        for text in texts:
            if (length := self._count_tokens(self.instruction + text)) > self.window:
                problem = f"a text of {length} tokens exceeds the window of {self.model}, {self.window} tokens"
                raise BadInput(problem, "embed its windows")
        parts = [self._request(texts[first : first + BATCH_SIZE]) for first in range(0, len(texts), BATCH_SIZE)]
        for part in parts:
            if part.shape[1] != self.dimension:
                raise self.server.make_malformed_error(
                    f"vectors of {part.shape[1]} numbers where it gave {self.dimension} before"
                )
        return np.concatenate([np.empty((0, self.dimension), np.float32), *parts])

    def _request(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors, float32, shape (len(texts), dimension)."""
        # Servers refuse an empty text.
        options = {"input_type": self.input_type} if self.input_type else {}
        inputs = [f"{self.instruction}{text if text.strip() else '-'}" for text in texts]
        body = {"input": inputs, "encoding_format": "float", **options}
        answer = self.server.post("/embeddings", body)
        try:
            rows = {int(row["index"]): row["embedding"] for row in answer["data"]}
            count = len(answer["data"])
            if count != len(texts) or rows.keys() != set(range(len(texts))):
                raise self.server.make_malformed_error(f"{count} vectors for {len(texts)} texts")
            vectors = np.array([rows[number] for number in range(len(texts))], np.float32)
        except (KeyError, TypeError, ValueError):
            raise self.server.make_malformed_error("no vectors as numbers of equal count") from None
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True) if vectors.ndim == 2 else np.zeros(1)
        if not vectors.size or not np.isfinite(lengths).all() or lengths.min() == 0:
            raise self.server.make_malformed_error("vectors without a direction")
        return np.asarray(vectors / lengths)

    def _count_tokens(self, text: str) -> int:
        return sum(_estimate_tokens(word) for word in _WORD.findall(text))


def _estimate_tokens(word: str) -> int:
    return -(-len(word.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def member(place: str = "", device: Device = "cpu") -> CentredEmbedder:
    """The model that `URL#MODEL` names; the server alone decides on its device."""
    server = parse_server(place, {"window", "question", "passage", "input_type"})
    window = server.options.get("window", str(DEFAULT_WINDOW))
    if not window.isdecimal() or int(window) < 32:
        raise BadInput(f"'{window}' is no window of a model", "write a number of tokens from 32 on: &window=512")
    input_types = server.options.get("input_type", ",").split(",")
    if len(input_types) != 2:
        raise BadInput(f"'{','.join(input_types)}' is no pair of input types", "write &input_type=query,passage")
    instructions = server.options.get("question", ""), server.options.get("passage", "")
    question_embedder, passage_embedder = (
        ServerEmbedder(server, int(window), *fields) for fields in zip(instructions, input_types, strict=True)
    )
    return CentredEmbedder(
        passage_embedder
        if question_embedder.model == passage_embedder.model
        else replace(passage_embedder, question_embedder=question_embedder)
    )
