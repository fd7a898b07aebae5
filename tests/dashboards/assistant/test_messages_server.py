"""The loopback server itself: it refuses what the real service refuses, in its words."""

from __future__ import annotations

from typing import Any

import anthropic
import httpx2
import pytest

from tests.dashboards.assistant.messages_script import Reply, Says, Uses, says
from tests.dashboards.assistant.messages_server import MessagesServer

TOOL = {"name": "search", "description": "Finds.", "input_schema": {"type": "object", "properties": {}}}
USE = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "Nothing."}
TEXT = {"type": "text", "text": "Hm?"}
MARK = {"cache_control": {"type": "ephemeral"}}
FOUND = {"type": "search_result", "source": "s", "title": "t", "content": [TEXT], "citations": {"enabled": True}}
GOOD = {"model": "claude-x", "max_tokens": 10, "messages": [{"role": "user", "content": "Hm?"}]}


def with_messages(*contents: Any, **more: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": content} for place, content in enumerate(contents)]
    return {**GOOD, "tools": [TOOL], "messages": messages, **more}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({**GOOD, "temprature": 1}, "temprature: Extra inputs are not permitted"),
        ({"model": "claude-x", "messages": GOOD["messages"]}, "max_tokens: Field required"),
        ({**GOOD, "max_tokens": 0}, "max_tokens: "),
        ({**GOOD, "messages": []}, "at least one message"),
        ({**GOOD, "messages": [*GOOD["messages"], *GOOD["messages"]]}, "roles must alternate"),
        (with_messages(""), "non-empty content"),
        (with_messages([{**TEXT, "text": ""}]), "text content blocks must be non-empty"),
        (with_messages([{**TEXT, "text": " \n"}]), "non-whitespace"),
        (with_messages([TEXT], [TEXT]), "does not support assistant message prefill"),
        (with_messages([TEXT], [USE], [TEXT]), "were found without `tool_result` blocks immediately after: t1"),
        (with_messages([TEXT], [USE], [TEXT, RESULT]), "must come first"),
        (with_messages([RESULT]), "unexpected `tool_use_id`"),
        (with_messages([TEXT], [USE], [RESULT], tools=[]), "must define tools"),
        (with_messages([TEXT], [USE, USE], [RESULT]), "ids must be unique"),
        (with_messages([TEXT], [{**USE, "input": "x"}], [RESULT]), "Input should be a valid dictionary"),
        (with_messages([TEXT], [USE], [{**RESULT, "is_error": True, "content": [FOUND]}]), "must be type"),
        (with_messages([{**TEXT, **MARK}] * 5), "A maximum of 4 blocks with cache_control may be provided. Found 5."),
        (with_messages([FOUND, {**FOUND, "citations": {"enabled": False}}]), "all or none"),
        (with_messages([{**FOUND, "url": "u"}]), "url: Extra inputs are not permitted"),
        (with_messages([TEXT], tools=[TOOL, TOOL]), "Tool names must be unique"),
        (with_messages([TEXT], tools=[{**TOOL, "name": "a b"}]), "String should match pattern"),
        (with_messages([TEXT], tool_choice={"type": "tool", "name": "open"}), "not found in provided tools"),
        ({**GOOD, "tool_choice": {"type": "none"}}, "while providing tools"),
    ],
)
def test_what_the_service_refuses_is_refused(body: dict[str, Any], why: str) -> None:
    with MessagesServer([says("Yes.")]) as server:
        headers = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
        answered = httpx2.post(f"{server.url}/v1/messages", json=body, headers=headers)
    assert answered.status_code == 400
    assert why in answered.json()["error"]["message"]
    assert answered.json()["error"]["type"] == "invalid_request_error"
    assert len(server.refused) == 1


def test_a_wrong_key_is_refused() -> None:
    with (
        MessagesServer([says("Yes.")]) as server,
        anthropic.Anthropic(api_key="wrong", base_url=server.url, max_retries=0) as client,
        pytest.raises(anthropic.AuthenticationError),
    ):
        client.messages.create(**GOOD)


def test_a_stream_and_a_whole_message_say_the_same() -> None:
    reply = Reply((Says("Let me look. 看看。"), Uses("search", {"question": 'a "b" é'})))
    request = with_messages("Hm?")
    with (
        MessagesServer([reply, reply]) as server,
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
    ):
        whole = client.messages.create(**request)
        with client.messages.stream(**request) as stream:
            streamed = stream.get_final_message()
    assert whole.content[0].text == "Let me look. 看看。"
    assert whole.content[1].input == streamed.content[1].input == {"question": 'a "b" é'}
    assert whole.stop_reason == streamed.stop_reason == "tool_use"
    assert streamed.usage.output_tokens == whole.usage.output_tokens > 1
