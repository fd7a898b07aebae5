"""Who may reach the server over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.command_line import kalends
from tests.dashboards.mcp.clients import TOKEN, Surroundings, serving

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
KINDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Surroundings:
    return Surroundings(tmp_path_factory.mktemp("guarding"), {"KALENDS_TOKEN": TOKEN})


@pytest.fixture(scope="module")
def url(where: Surroundings) -> Iterator[str]:
    with serving(where, "--allow-host", "warehouse.example") as (address, _):
        yield address


def _post(url: str, **headers: str) -> tuple[int, str]:
    """The status of the answer, and what it challenges the asker to."""
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=30)) as connection:
        connection.request("POST", "/mcp", json.dumps(HELLO), {**KINDS, **headers})
        with connection.getresponse() as answer:
            return answer.status, answer.headers.get("WWW-Authenticate", "")


def test_the_right_token_is_let_in(url: str) -> None:
    assert _post(url, Authorization=f"Bearer {TOKEN}")[0] == 200


@pytest.mark.parametrize("given", ["", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer \xe9"])
def test_any_other_is_not(url: str, given: str) -> None:
    status, challenge = _post(url, **({"Authorization": given} if given else {}))
    assert status == 401
    assert challenge.startswith("Bearer ")


@pytest.mark.parametrize(
    ("headers", "status"), [({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403)]
)
def test_a_page_of_another_name_is_not_let_in_even_with_it(url: str, headers: dict[str, str], status: int) -> None:
    assert _post(url, Authorization=f"Bearer {TOKEN}", **headers)[0] == status


def test_a_name_that_was_allowed_is(url: str) -> None:
    assert _post(url, Authorization=f"Bearer {TOKEN}", Host="warehouse.example:80")[0] == 200


def test_a_token_is_made_and_told_once_where_none_is_set(where: Surroundings) -> None:
    bare = Surroundings(where.folder, {"KALENDS_TOKEN": ""})
    with serving(bare) as (address, said):
        (token,) = re.findall(r"Bearer token .*: (\S{43})$", "\n".join(said), re.MULTILINE)
        assert _post(address, Authorization=f"Bearer {token}")[0] == 200
        assert _post(address)[0] == 401


@pytest.mark.parametrize(
    ("options", "token", "said"),
    [
        (("--host", "0.0.0.0"), "", "0.0.0.0 can be reached from other machines: set KALENDS_TOKEN"),
        (("--host", "::"), "", "can be reached from other machines"),
        ((), "short", "KALENDS_TOKEN is too short or has unusual characters"),
        (("--host", "192.0.2.1"), TOKEN, "cannot listen on 192.0.2.1"),
    ],
)
def test_what_would_be_open_is_refused_in_a_line(
    tmp_path: Path, options: tuple[str, ...], token: str, said: str
) -> None:
    done = kalends("mcp", "--http", "--port", "0", *options, cwd=tmp_path, KALENDS_TOKEN=token)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
