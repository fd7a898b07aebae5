"""Agents that reach the real server process by the real client, over either transport."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.forked_process import COMMAND_LINE, ForkedProcess

TOKEN = "a-token-for-the-tests-only"
COMMAND = [sys.executable, "-m", COMMAND_LINE, "mcp"]
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Surroundings:
    """Where a server runs: a folder without settings of its own, and the variables."""

    folder: Path
    variables: dict[str, str]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT), **self.variables}


@asynccontextmanager
async def over_stdio(where: Surroundings, *options: str, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a server of its own."""
    command = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], *options], cwd=where.folder, env=where.environment
    )
    async with Client(command, mode=mode) as client:
        yield client


@asynccontextmanager
async def over_http(url: str, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of a running server."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as web,
        Client(streamable_http_client(url, http_client=web), mode=mode) as client,
    ):
        yield client


@contextmanager
def serving(where: Surroundings, *options: str) -> Iterator[tuple[str, list[str]]]:
    """The address of a server over HTTP, and the lines that it said."""
    words = ["mcp", "--http", "--port", "0", *options]
    process = ForkedProcess(
        COMMAND_LINE, *words, cwd=where.folder, environment=where.environment, pipes=("stdout", "stderr")
    )
    said: list[str] = []
    try:
        assert process.stderr
        while not any("http://" in line for line in said):
            line = process.stderr.readline()
            assert line, said
            said.append(line.rstrip())
        yield said[-1].split()[2], said
    finally:
        process.send_signal(signal.SIGTERM)
        with process:
            out, _ = process.communicate()
        assert (process.returncode, out) == (0, "")
