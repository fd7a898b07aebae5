"""Programs of Kalends as processes of their own, forked from one that has loaded them: a start costs no imports.

Each leads a group, and its streams can be followed while it runs. Tests of starting itself use `subprocess`. What
`warehouse.child_process.ChildProcess` starts is forked too (`fork_children`): each function from a process that has
loaded what that function needs, and no more, since the memory of these processes is bounded.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import warnings
import weakref
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from runpy import run_module
from subprocess import Popen, TimeoutExpired
from threading import Lock, Thread
from types import SimpleNamespace
from typing import IO, Any

from warehouse import child_process

ROOT = Path(__file__).parents[1]
COMMAND_LINE = "dashboards.cli.main"
CHILD = "warehouse.child_process"
SHARED_SERVERS = ("tasks.parsers.parser_process:read_on_request", "warehouse.store.sql_worker:answer_on_request")
STREAMS = ("stdin", "stdout", "stderr")
LARGEST = 1 << 20  # Bytes of a request: arguments and environment.
_UNUSED = {"flows.service.prefect_server", "tasks.embedders.bert.torch_encoder"}
"""Modules that no command of the tests imports, and that load Prefect's server and torch: a quarter of all there is."""
_LATE = (
    *("duckdb", "mdlint_obsidian", "pandas", "pyarrow.dataset", "rapidfuzz", "tantivy"),
    *("anyio._backends._asyncio", "fastapi", "graphviz", "prefect.flow_engine", "prefect.task_engine"),
)
"""What commands and flows import in functions."""


class ForkedProcess:
    """A process as `subprocess.Popen` has them, as far as it is needed here. What is not piped goes where ours goes."""

    def __init__(
        self,
        module: str,
        *arguments: str,
        pipes: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        terminal: int | None = None,
        child: tuple[str, int] | None = None,
    ) -> None:
        """Run a module with arguments; `pipes` are those of "stdin", "stdout" and "stderr" that the caller follows.

        All three are of the terminal of this descriptor, if there is one. A `child` has its function and the
        descriptor of its end of the pipe, whose number is its first argument; its streams lead nowhere.
        """
        self.args = [module, *arguments]
        self.returncode: int | None = None
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if child:
            streams = [os.open(os.devnull, os.O_RDWR) for _ in STREAMS] + [os.dup(child[1])]
        else:
            streams = [os.dup(terminal) if terminal else self._open(name, name in pipes) for name in STREAMS]
        descriptors = [theirs.fileno(), *streams]
        request = [module, arguments, str(cwd), dict(os.environ if environment is None else environment)]
        socket.send_fds(_server(child[0] if child else ""), [json.dumps(request).encode()], descriptors)
        theirs.close()
        for descriptor in streams:
            os.close(descriptor)
        self.pid = int(ours.recv(32))
        self._state, self._reading = ours.detach(), Lock()
        # At the end of all tests, children are still ended and waited for.
        weakref.finalize(self, os.close, self._state).atexit = False

    def _open(self, name: str, is_piped: bool) -> int:
        """The descriptor of a stream for the process; where it is piped, our end of it is an attribute."""
        if not is_piped:
            return os.open(os.devnull, os.O_RDONLY) if name == "stdin" else os.dup(2 if name == "stderr" else 1)
        reading, writing = os.pipe()
        if name == "stdin":
            self.stdin = os.fdopen(writing, "w", encoding="utf-8")
            return reading
        setattr(self, name, os.fdopen(reading, encoding="utf-8"))
        return writing

    def communicate(self, given: str = "") -> tuple[str, str]:
        """Give it its input, if that is piped, and read all that it says."""
        if self.stdin:
            with suppress(BrokenPipeError), self.stdin as stream:
                stream.write(given)
        told: list[str] = []
        reading = Thread(target=lambda: told.append(self.stderr.read() if self.stderr else ""))
        reading.start()
        said = self.stdout.read() if self.stdout else ""
        reading.join()
        self.wait()
        return said, told[0]

    def poll(self) -> int | None:
        """How it ended, negative the signal that ended it; None while it runs."""
        return self._receive(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, once it has. Raises `TimeoutExpired` after so many seconds."""
        code = self._receive(timeout)
        if code is None:
            raise TimeoutExpired(self.args, timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> ForkedProcess:
        return self

    def __exit__(self, *error: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream:
                stream.close()
        self.wait()

    def _receive(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._state], [], [], timeout)[0]:
            with self._reading:
                if self.returncode is None:
                    self.returncode = int(os.read(self._state, 32))
        return self.returncode


def start_group(module: str, *arguments: str, input_bytes: bytes) -> ForkedProcess:
    """What `warehouse.child_process.start_group` does."""
    process = ForkedProcess(module, *arguments, pipes=("stdin", "stdout"))
    assert process.stdin
    with suppress(BrokenPipeError), process.stdin as stream:
        stream.write(input_bytes.decode())
    return process


_CHILDREN: list[tuple[str, ForkedProcess]] = []
_SERVERS: dict[str, socket.socket] = {}
_STARTING = Lock()


def list_forked(function: str = "") -> list[int]:
    """The numbers of the children that were forked and still run, those of this function if one is named."""
    _CHILDREN[:] = [(name, process) for name, process in _CHILDREN if process.poll() is None]
    return [process.pid for name, process in _CHILDREN if not function or name == function]


def fork_children() -> None:
    """Have `ChildProcess` fork what it would start, unless it would start another Python than this."""
    started = [sys.executable, "-P", "-m", CHILD]

    def start(command: list[str], **options: Any) -> ForkedProcess | Popen[bytes]:
        if command[:4] != started:
            return Popen(command, **options)
        (pipe,), (_, function, *arguments) = options["pass_fds"], command[4:]
        place, variables = Path.cwd(), options["env"]
        process = ForkedProcess(CHILD, function, *arguments, environment=variables, cwd=place, child=(function, pipe))
        _CHILDREN.append((function, process))
        return process

    child_process.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": start})  # type: ignore[assignment]


def _server(function: str) -> socket.socket:
    """The socket of the process that has loaded what a child's function needs, or without a name the command line.

    It ends with this one, which closes the socket. Command lines use the servers of this process for their children.
    """
    with _STARTING:
        if function not in _SERVERS:
            shared = () if function else SHARED_SERVERS
            _SERVERS.update({name: _start_server(name, {}) for name in shared if name not in _SERVERS})
            _SERVERS[function] = _start_server(function, {name: _SERVERS[name].fileno() for name in shared})
        return _SERVERS[function]


def _start_server(function: str, shared: Mapping[str, int]) -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forked_process", function, json.dumps(shared)]
    process = Popen(command, cwd=ROOT, stdin=theirs, pass_fds=tuple(shared.values()))
    theirs.close()
    atexit.register(process.wait)
    # Processes that were forked and go on hold the socket too.
    atexit.register(process.terminate)
    atexit.register(ours.close)
    return ours


def serve(function: str, shared: str) -> None:
    """Load what the function needs, or without a name the command line, then fork a process for each request.

    `shared` are the descriptors of the servers by which what is forked starts its own children.
    """
    if function:
        _load_child(function)
    else:
        _load()
        _SERVERS.update({name: socket.socket(fileno=number) for name, number in json.loads(shared).items()})
        fork_children()
    gc.freeze()
    with socket.socket(fileno=os.dup(0)) as requests:
        while (received := socket.recv_fds(requests, LARGEST, 1 + len(STREAMS) + 1))[0]:
            message, descriptors, *_ = received
            if not (child := os.fork()):
                _follow(json.loads(message), descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            os.waitpid(child, 0)


def _load() -> None:
    """Import what commands import, and make what is made at first use, as far as no thread is started."""
    for package in ("warehouse", "tasks", "flows", "dashboards.cli"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if module.name not in _UNUSED:
                import_module(module.name)
    for library in _LATE:
        import_module(library)
    from dashboards.cli.main import run
    from warehouse.records import CatalogEntry, Run
    from warehouse.store.arrow_files import LAKE_RECORDS, to_rows
    from warehouse.store.words import split_words

    for record in (*LAKE_RECORDS.values(), CatalogEntry, Run):
        to_rows(record, ())
    split_words("去年的收入")
    with redirect_stdout(StringIO()):
        run(["dates", "last Friday, 去年", "--anchor", "2025-01-01"])
        run(["chunks", str(ROOT / "samples/vault/Gaps.md")])


def _load_child(function: str) -> None:
    """Import what the function imports, and make what it makes at its first requests."""
    module = import_module(function.partition(":")[0])
    if module.__name__ == "tasks.parsers.parser_process":
        for library in ("lxml.etree", "pdfplumber"):
            import_module(library)
        from tasks.parsers.parser_contract import Raw
        from tasks.parsers.reader import PARSERS, read

        len(PARSERS)
        for name in ("northlight-fy2025-q2.pdf", "board-memo-capital-plan.docx"):
            read(Raw(name, (ROOT / "samples/reports" / name).read_bytes()))
    elif module.__name__ == "warehouse.store.sql_worker":
        import_module("duckdb")


def _follow(request: list[Any], descriptors: list[int]) -> None:
    """Fork the process, and stay behind to tell of its end: nobody else may wait for it.

    The process tells its number once it leads its group: a signal to a group that is not there yet would be lost.
    """
    if os.fork():
        os._exit(0)
    state = socket.socket(fileno=descriptors[0])
    child = os.fork()
    if not child:
        os.setsid()
        state.send(str(os.getpid()).encode())
        state.close()
        _run(*request, descriptors[1:])
    for descriptor in (0, *descriptors[1:]):
        os.close(descriptor)
    if request[0] == CHILD:
        _end_with_owner(child, state)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with suppress(OSError):
        state.send(str(code).encode())
    os._exit(0)


def _end_with_owner(child: int, state: socket.socket) -> None:
    """Wait for the end of a child or of its owner, and kill the child then: it may be in the middle of its work."""
    looking = select.poll()
    looking.register(state, select.POLLHUP)
    looking.register(os.pidfd_open(child), select.POLLIN)
    looking.poll()
    os.kill(child, signal.SIGKILL)


def _run(module: str, arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    """Become the program."""
    for number, stream in enumerate(streams[: len(STREAMS)]):
        os.dup2(stream, number)
        os.close(stream)
    passed = map(str, streams[len(STREAMS) :])
    # Those that were there know of the files before: whether one can go back in them, whether one is a terminal.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # A shell that runs tests in the background has its children pass Ctrl-C over.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = [module, *passed, *arguments]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="runpy")
        run_module(module, run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    serve(*sys.argv[1:])
