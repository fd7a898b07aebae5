"""The Messages API for servers that support only OpenAI's chat completions, as most local ones do.

A transport of the SDK's HTTP client: requests are sent as `POST {base_url}/chat/completions`, answers are returned as
the events of the Messages API. Streams, uses of tools, failures and further attempts then work as with any other
server. Thoughts and marks of the cache are left out, and sources are cited by marks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

import httpx2

Fields = dict[str, Any]

_MESSAGES = "/v1/messages"  # What the SDK adds to the base URL.
_STOPS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}
_ERRORS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}


class ChatCompletionsTransport(httpx2.BaseTransport):
    """Sends the requests of the SDK to a server of chat completions."""

    def __init__(self, key: str) -> None:
        """`key` may be empty, as local servers need none."""
        self._key, self._inner = key, httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """See `httpx2.BaseTransport`."""
        body = json.loads(request.read())
        url = str(request.url).partition("?")[0].removesuffix(_MESSAGES) + "/chat/completions"
        headers = {"accept-encoding": "identity", **({"authorization": f"Bearer {self._key}"} if self._key else {})}
        completion_request = httpx2.Request("POST", url, headers=headers, json=build_completion_request(body))
        # The time limits of the client.
        completion_request.extensions = request.extensions
        answer = self._inner.handle_request(completion_request)
        if answer.status_code != httpx2.codes.OK:
            headers_kept = {name: answer.headers[name] for name in ("retry-after",) if name in answer.headers}
            return httpx2.Response(answer.status_code, headers=headers_kept, json=_read_failure(answer))
        if body.get("stream"):
            return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=_EventStream(answer))
        with closing(answer):
            return httpx2.Response(200, json=parse_completion(json.loads(answer.read())))

    def close(self) -> None:
        """See `httpx2.BaseTransport`."""
        self._inner.close()


class _EventStream(httpx2.SyncByteStream):
    """The events of the Messages API, as the server's answer comes in."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        for name, data in iter_message_events(self._answer.iter_lines()):
            yield f"event: {name}\ndata: {data}\n\n".encode()

    def close(self) -> None:
        self._answer.close()


def build_completion_request(body: Mapping[str, Any]) -> Fields:
    """A request of the Messages API as one for a chat completion."""
    system = [{"role": "system", "content": text}] if (text := _join_text(body.get("system", ()))) else []
    messages = [
        completion_message for message in body["messages"] for completion_message in _iter_completion_messages(message)
    ]
    completion: Fields = {"model": body["model"], "max_tokens": body["max_tokens"], "messages": system + messages}
    if body.get("tools"):
        names = {"name": "name", "description": "description", "input_schema": "parameters"}
        functions = [{names[key]: tool[key] for key in names if key in tool} for tool in body["tools"]]
        completion["tools"] = [{"type": "function", "function": function} for function in functions]
        choice = body.get("tool_choice", {"type": "auto"})
        by_name = {"type": "function", "function": {"name": choice.get("name")}}
        completion["tool_choice"] = {"tool": by_name, "any": "required"}.get(choice["type"], choice["type"])
    if body.get("stream"):
        completion |= {"stream": True, "stream_options": {"include_usage": True}}
    return completion


def _iter_completion_messages(message: Mapping[str, Any]) -> Iterator[Fields]:
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    text = _join_text(block for block in blocks if block["type"] == "text")
    if message["role"] == "assistant":
        uses = [block for block in blocks if block["type"] == "tool_use"]
        functions = [{"name": use["name"], "arguments": json.dumps(use["input"])} for use in uses]
        calls = [
            {"id": use["id"], "type": "function", "function": function}
            for use, function in zip(uses, functions, strict=True)
        ]
        yield {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
        return
    # Results follow the message that asked for them, before any other text.
    for block in blocks:
        if block["type"] == "tool_result":
            error_prefix = "Error: " if block.get("is_error") else ""
            result = error_prefix + _join_text(block.get("content", ()))
            yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": result}
    if text:
        yield {"role": "user", "content": text}


def _join_text(blocks: str | Iterable[Mapping[str, Any]]) -> str:
    return blocks if isinstance(blocks, str) else "\n\n".join(block["text"] for block in blocks if block.get("text"))


def parse_completion(completion: Mapping[str, Any]) -> Fields:
    """A whole chat completion as a message."""
    choice = completion["choices"][0]
    message = choice["message"]
    text = [{"type": "text", "text": message["content"]}] if message.get("content") else []
    calls = {index: dict(call) for index, call in enumerate(message.get("tool_calls") or ())}
    uses = [
        {**_make_tool_use(index, call), "input": _parse_json(_read_arguments(call))} for index, call in calls.items()
    ]
    stop = _map_stop_reason(choice.get("finish_reason"), uses)
    return {**_make_identity(completion), "content": text + uses, "stop_reason": stop, "usage": _read_usage(completion)}


Event = tuple[str, str]  # The name and the data, as JSON.


def iter_message_events(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a message from the lines of a streamed completion.

    Data that is not JSON is passed on unchanged, so that the SDK refuses it. A broken stream has no end of a message.
    """
    message = _StreamedMessage()
    for line in lines:
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if data == "[DONE]":
            break
        try:
            piece = json.loads(data) if data else {}
        except ValueError:
            yield "message_start", data
            return
        if piece.get("error"):
            error = piece["error"]
            text = error.get("message", "") if isinstance(error, dict) else str(error)
            yield _make_event(type="error", error={"type": "api_error", "message": text})
            return
        if piece:
            yield from message.read(piece)
    yield from message.end()


class _StreamedMessage:
    """A message that is being built. Uses of tools come at its end, as servers mix the pieces of several."""

    def __init__(self) -> None:
        self._message_started = self._text_open = False
        self._stop, self._usage = "", Fields()
        self._calls: dict[int, Fields] = {}

    def read(self, piece: Fields) -> Iterator[Event]:
        if not self._message_started:
            self._message_started = True
            yield _make_event(
                type="message_start", message={**_make_identity(piece), "content": [], "usage": _read_usage({})}
            )
        self._usage = piece.get("usage") or self._usage
        for choice in piece.get("choices") or ():
            delta = choice.get("delta") or {}
            if text := delta.get("content"):
                if not self._text_open:
                    self._text_open = True
                    yield _make_block_start(0, {"type": "text", "text": ""})
                yield _make_block_delta(0, {"type": "text_delta", "text": text})
            for call in delta.get("tool_calls") or ():
                _add_call(self._calls, call)
            self._stop = choice.get("finish_reason") or self._stop

    def end(self) -> Iterator[Event]:
        if self._text_open:
            yield _make_event(type="content_block_stop", index=0)
        if not self._stop:
            return
        for index, (call_index, call) in enumerate(sorted(self._calls.items()), int(self._text_open)):
            yield _make_block_start(index, _make_tool_use(call_index, call))
            yield _make_block_delta(index, {"type": "input_json_delta", "partial_json": _read_arguments(call)})
            yield _make_event(type="content_block_stop", index=index)
        delta = {"stop_reason": _map_stop_reason(self._stop, self._calls), "stop_sequence": None}
        yield _make_event(type="message_delta", delta=delta, usage=_read_usage({"usage": self._usage}))
        yield _make_event(type="message_stop")


def _make_event(**fields: Any) -> Event:
    return fields["type"], json.dumps(fields)


def _add_call(calls: dict[int, Fields], piece: Mapping[str, Any]) -> None:
    """Add a piece of a use of a tool to the earlier pieces; a server without indexes sends each use as a whole."""
    index = piece.get("index", len(calls))
    call, function = calls.setdefault(index, {"function": {"name": "", "arguments": ""}}), piece.get("function") or {}
    call["id"] = call.get("id") or piece.get("id")
    call["function"]["name"] += function.get("name") or ""
    call["function"]["arguments"] += _read_arguments(piece)


def _make_tool_use(index: int, call: Mapping[str, Any]) -> Fields:
    return {"type": "tool_use", "id": call.get("id") or f"call_{index}", "name": call["function"]["name"], "input": {}}


def _read_arguments(call: Mapping[str, Any]) -> str:
    arguments = (call.get("function") or {}).get("arguments") or ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _parse_json(arguments: str) -> Any:
    try:
        return json.loads(arguments or "{}")
    except ValueError:
        return {}


def _make_block_start(index: int, block: Fields) -> Event:
    return _make_event(type="content_block_start", index=index, content_block=block)


def _make_block_delta(index: int, delta: Fields) -> Event:
    return _make_event(type="content_block_delta", index=index, delta=delta)


def _make_identity(completion: Mapping[str, Any]) -> Fields:
    identity = {"id": completion.get("id") or "message", "model": completion.get("model") or ""}
    return {**identity, "type": "message", "role": "assistant", "stop_reason": None, "stop_sequence": None}


def _map_stop_reason(reason: str | None, uses: object) -> str:
    return "tool_use" if uses and reason != "length" else _STOPS.get(reason or "", "end_turn")


def _read_usage(completion: Mapping[str, Any]) -> Fields:
    counts = completion.get("usage") or {}
    cached = (counts.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    input_tokens = max((counts.get("prompt_tokens") or 0) - cached, 0)
    output_tokens = counts.get("completion_tokens") or 0
    return {"input_tokens": input_tokens, "output_tokens": output_tokens, "cache_read_input_tokens": cached}


def _read_failure(answer: httpx2.Response) -> Fields:
    """The error of a server's answer in the form of the Messages API."""
    with closing(answer):
        text = answer.read().decode("utf-8", "replace")
    try:
        body = json.loads(text)
        body = body.get("error", body)
        text = body if isinstance(body, str) else body.get("message") or text
    except (ValueError, AttributeError):
        pass
    kind = _ERRORS.get(answer.status_code, "api_error")
    return {"type": "error", "error": {"type": kind, "message": text}}
