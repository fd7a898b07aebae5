"""Models behind HTTP: the names of embedders and rerankers on a server, and requests with retries."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from time import sleep
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from warehouse.errors import BadInput, ModelServerFailed
from warehouse.printable_text import has_password, hide_secrets

if TYPE_CHECKING:
    from httpx import Client, Response

MAX_TRIES = 4  # At most about 7 s of waiting, or 90 s if a busy server asks for it with `Retry-After`.
FIRST_WAIT, MAX_WAIT = 1.0, 30.0  # Seconds before the second try, doubled for each further one.
CONNECT_TIMEOUT, READ_TIMEOUT = 10.0, 120.0  # Seconds that a connection and an answer may take.
KEY_VARIABLE = "KALENDS_MODEL_KEY"
"""The variable with the key that the servers ask for, if they do."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model on a server: the base URL without a slash at its end, the model's name, and further options."""

    url: str
    model: str
    options: Mapping[str, str]

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON that the server answers to a request.

        The request is repeated if the server is busy (429), fails (5xx), is slow or cannot be reached. Raises
        `ModelServerFailed` with the last reason.
        """
        import httpx

        problem = ModelServerFailed("")
        for number in range(MAX_TRIES):
            wait = min(FIRST_WAIT * 2**number, MAX_WAIT)
            try:
                with self._open_client() as client:
                    answer = client.post(f"{self.url}{path}", json={"model": self.model, **body})
            except httpx.TimeoutException:
                problem = self._make_error("does not answer in time", "try again later, or choose a smaller model")
            except httpx.HTTPError as error:
                reason = " ".join(str(error).split()) or type(error).__name__
                problem = self._make_error(f"cannot be reached ({reason})", "start the server, or correct its URL")
            else:
                if answer.is_success:
                    return self._read_json(answer)
                problem = self._make_refusal_error(answer)
                if answer.status_code != HTTPStatus.TOO_MANY_REQUESTS and answer.status_code < 500:
                    raise problem
                wait = _read_wait(answer, wait)
            if number + 1 < MAX_TRIES:
                sleep(wait)
        raise problem

    def make_malformed_error(self, what: str) -> ModelServerFailed:
        """The error for an answer that does not follow the protocol."""
        return self._make_error(f"gives {what}", "check that its URL and model are those of the API that is asked")

    def _read_json(self, answer: Response) -> Any:
        try:
            return answer.json()
        except ValueError:
            raise self.make_malformed_error("an answer that is not JSON") from None

    def _make_refusal_error(self, answer: Response) -> ModelServerFailed:
        status = answer.status_code
        if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
            return self._make_error(
                f"refuses the key (status {status})", f"set {KEY_VARIABLE} to a key that it accepts"
            )
        excerpt = hide_secrets(" ".join(answer.text.split())[:160])
        what = f"answers with status {status}" + (f" ({excerpt})" if excerpt else "")
        if status == HTTPStatus.NOT_FOUND:
            return self._make_error(what, "correct the URL, which often ends in /v1, or the model's name")
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= 500:
            return self._make_error(what, "try again later")
        return self._make_error(what, "correct the model's name, or add &window=256 to it if texts are too long")

    def _make_error(self, what: str, cure: str) -> ModelServerFailed:
        return ModelServerFailed(f"the model server {self.url} {what}", cure)

    def _open_client(self) -> Client:
        from httpx import Client, Timeout

        key = os.environ.get(KEY_VARIABLE)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Processes are forked with their embedder: so no connection outlives a request.
        return Client(headers=headers, timeout=Timeout(READ_TIMEOUT, connect=CONNECT_TIMEOUT), follow_redirects=False)


def _read_wait(answer: Response, wait: float) -> float:
    try:
        return min(max(float(answer.headers.get("retry-after", wait)), 0.0), MAX_WAIT)
    except ValueError:  # a date, which few servers send
        return wait


def parse_server(place: str, names: Collection[str]) -> ModelServer:
    """The server that `URL#MODEL` names, with options after it: `http://127.0.0.1:8080/v1#bge-m3&window=8192`.

    `names` are the options allowed. Raises `BadInput` for any other form and for a URL with a password.
    """
    address, _, fragment = place.partition("#")
    model, _, options = fragment.partition("&")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.netloc or not model:
        raise BadInput(f"'{hide_secrets(place)}' names no model on a server", "write server:http://HOST/v1#MODEL")
    if has_password(address):
        raise BadInput("a password does not belong into the URL of a model", f"give the key as {KEY_VARIABLE}")
    values = dict(parse_qsl(options, keep_blank_values=True))
    if values.keys() - set(names):
        raise BadInput(f"'{min(values.keys() - set(names))}' is no option of a model", f"there is {', '.join(names)}")
    return ModelServer(address.rstrip("/"), model, values)
