"""The command line as a process of its own, forked from one that has loaded the program: a start costs no imports.

What a command needs before its first line (arguments, environment, folder, streams) is its own, as is its end. What is
written to while it runs, or sent signals, is a `ForkedProcess`; tests of starting itself start
`python -m dashboards.cli.main` instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import CompletedProcess

from tests.forked_process import COMMAND_LINE, ROOT, ForkedProcess

MODEL = {"KALENDS_EMBED__MODEL": "hashing"}


def kalends(*words: object, cwd: Path = ROOT, **variables: str) -> CompletedProcess[str]:
    """Run a command to its end; `variables` are added to the environment, in which the model is that of tests."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **MODEL, **variables}
    given = [str(word) for word in words]
    with ForkedProcess(COMMAND_LINE, *given, pipes=("stdout", "stderr"), environment=environment, cwd=cwd) as process:
        stdout, stderr = process.communicate()
        return CompletedProcess(["kalends", *given], process.wait(), stdout, stderr)
