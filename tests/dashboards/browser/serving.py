"""The dashboard as `kalends dashboard` serves it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[3]
PATIENCE = 60.0


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def dashboard(folder: Path, surroundings: Mapping[str, str], *options: str, port: int | None = None) -> Iterator[str]:
    """Its address while it runs, started in `folder` with these variables of the environment beside the usual ones."""
    chosen = port or free_port()
    command = [sys.executable, "-m", "dashboards.cli.main", "dashboard", "--port", str(chosen), *options]
    log = folder / "dashboard.log"
    with log.open("wb") as told:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder), **surroundings},
            stdout=told,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait(process, f"http://127.0.0.1:{chosen}/_stcore/health", log)
        yield f"http://127.0.0.1:{chosen}"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def _wait(process: subprocess.Popen[bytes], health: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(health, timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError(f"the dashboard did not start: {log.read_text()}")
