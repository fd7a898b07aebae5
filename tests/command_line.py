"""The command line as a process of its own, forked from one that has loaded the program: a start costs no imports.

What a command needs before its first line (arguments, environment, folder, streams) is its own, as is its end; tests of
starting itself, of terminals and of signals start `python -m dashboards.cli.main` instead.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
import tempfile
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from subprocess import PIPE, CompletedProcess, Popen
from threading import Lock

ROOT = Path(__file__).parents[1]
MODEL = {"KALENDS_EMBED__MODEL": "hashing"}
_UNUSED = {"flows.service.prefect_server", "tasks.embedders.bert.torch_encoder"}
"""Modules that no command of the tests imports, and that load Prefect's server and torch: a quarter of all there is."""
_one_at_a_time = Lock()


def kalends(*words: object, cwd: Path = ROOT, **variables: str) -> CompletedProcess[str]:
    """Run a command to its end; `variables` are added to the environment, in which the model is that of tests."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **MODEL, **variables}
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("stdout", "stderr")]
        request = [[str(word) for word in words], str(cwd), environment, [str(stream) for stream in streams]]
        with _one_at_a_time:
            server = _server()
            assert server.stdin
            assert server.stdout
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            code = int(server.stdout.readline())
        stdout, stderr = (stream.read_text(encoding="utf-8") for stream in streams)
    return CompletedProcess(["kalends", *request[0]], code, stdout, stderr)


@cache
def _server() -> Popen[str]:
    """The process that has loaded the program; it ends with this one, which closes its standard input."""
    command, environment = [sys.executable, "-m", "tests.command_line"], {**os.environ, **MODEL}
    process = Popen(command, cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE, text=True)
    atexit.register(process.communicate)
    return process


def serve() -> None:
    """Load the program, then fork a command for each line of standard input and print its exit code."""
    _load()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _run(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _load() -> None:
    """Import what commands import, and make what is made at first use, as far as no thread is started."""
    for package in ("warehouse", "tasks", "flows", "dashboards.cli"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if module.name not in _UNUSED:
                import_module(module.name)
    for library in ("duckdb", "mdlint_obsidian", "pandas", "rapidfuzz", "tantivy"):
        import_module(library)
    from dashboards.cli.main import run
    from warehouse.records import CatalogEntry, Run
    from warehouse.store.parquet import LAKE_RECORDS, to_rows
    from warehouse.store.words import split_words

    for record in (*LAKE_RECORDS.values(), CatalogEntry, Run):
        to_rows(record, ())
    split_words("去年的收入")
    with redirect_stdout(StringIO()):
        run(["dates", "last Friday, 去年", "--anchor", "2025-01-01"])
        run(["chunks", str(ROOT / "samples/vault/Gaps.md")])
    gc.freeze()


def _run(words: list[str], folder: str, environment: dict[str, str], streams: list[str]) -> None:
    """Become the command."""
    from dashboards.cli.main import main

    null = os.open(os.devnull, os.O_RDONLY)
    for number, path in enumerate((null, *(os.open(stream, os.O_WRONLY | os.O_CREAT) for stream in streams))):
        os.dup2(path, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["kalends", *words]
    main()


if __name__ == "__main__":
    serve()
