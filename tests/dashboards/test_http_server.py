"""How the servers listen."""

from __future__ import annotations

import asyncio
import socket

import pytest

from dashboards.http_server import format_url_host, open_listening_socket
from warehouse.errors import BadInput
from warehouse.settings.addresses import is_local


def test_small_answers_are_sent_at_once() -> None:
    """Nagle's algorithm waits with the second packet of an answer until the first is acknowledged."""

    async def without_delay() -> bool:
        heard: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            theirs: socket.socket = writer.get_extra_info("socket")
            heard.set_result(theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = open_listening_socket("127.0.0.1", 0)
        async with await asyncio.start_server(connected, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            found = bool(await heard)
            writer.close()
            await writer.wait_closed()
        return found

    assert asyncio.run(without_delay())


def test_an_address_of_nobody_is_refused() -> None:
    with pytest.raises(BadInput, match=r"cannot listen on 192\.0\.2\.1 port 0"):
        open_listening_socket("192.0.2.1", 0)
    with pytest.raises(BadInput, match=r"cannot listen on no\.such\.invalid"):
        open_listening_socket("no.such.invalid", 0)


@pytest.mark.parametrize(
    ("host", "local"), [("localhost", True), ("127.8.9.1", True), ("::1", True), ("0.0.0.0", False), ("name", False)]
)
def test_only_loopback_is_of_this_machine(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_an_address_of_many_colons_stands_in_brackets() -> None:
    assert (format_url_host("::1"), format_url_host("127.0.0.1")) == ("[::1]", "127.0.0.1")
