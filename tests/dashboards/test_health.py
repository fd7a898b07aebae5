"""The health check of a container against servers that answer, refuse, and are gone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from dashboards.health import check_health


class Guarded(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        is_known = self.headers.get("Authorization") == "Bearer a-token"
        self.send_response(200 if is_known else 401)
        self.end_headers()

    def log_message(self, *words: object) -> None:
        """Print nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Guarded)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/health"
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_is_healthy_with_the_token_and_says_why_not(address: str) -> None:
    assert check_health(address, "a-token") == ""
    assert "401" in check_health(address)
    assert "no address" in check_health("file:///etc/passwd")


def test_a_server_that_is_gone_gives_exit_code_1() -> None:
    command = [sys.executable, "-m", "dashboards.health"]
    done = subprocess.run(
        command, env={"HEALTH_URL": "http://127.0.0.1:1/"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "http://127.0.0.1:1/" in done.stderr
