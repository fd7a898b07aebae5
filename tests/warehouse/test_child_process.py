"""Child processes: what they answer, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest

from warehouse import child_process
from warehouse.child_process import (
    OUT_OF_MEMORY_STATUS,
    ChildExited,
    ChildProcess,
    ChildTimeout,
    bound_memory,
    run_script,
    start_group,
    stop_group,
)

ROOT = Path(__file__).parents[2]


def serve(pipe: Connection, factor: str) -> None:
    """Multiply numbers; a word asks for something else."""
    while True:
        asked = pipe.recv()
        if asked == "sleep":
            time.sleep(600)
        elif asked == "hunger":
            bound_memory(psutil.Process().memory_info().vms + (64 << 20))
            bytearray(512 << 20)
        elif asked == "child":
            pipe.send(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid)
        elif asked == "variables":
            pipe.send(dict(os.environ))
        elif asked == "end":
            os.kill(os.getpid(), signal.SIGSEGV)
        else:
            pipe.send(asked * int(factor))


@pytest.fixture(autouse=True)
def _is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests fork these processes from a loaded one."""
    monkeypatch.setattr(child_process, "subprocess", subprocess)


@pytest.fixture
def child() -> Iterator[ChildProcess]:
    with closing(ChildProcess("tests.warehouse.test_child_process:serve", 3)) as process:
        yield process


def test_it_answers_one_message_after_the_other(child: ChildProcess) -> None:
    child.send(2)
    child.send(5)
    assert [child.receive(60), child.receive(60)] == [6, 15]
    assert child.is_alive


def test_one_that_is_late_still_runs_until_it_is_closed(child: ChildProcess) -> None:
    child.send("sleep")
    with pytest.raises(ChildTimeout):
        child.receive(0.1)
    assert child.is_alive
    child.close()
    assert not psutil.pid_exists(child.pid)


@pytest.mark.parametrize(("message", "status"), [("end", -signal.SIGSEGV), ("hunger", OUT_OF_MEMORY_STATUS)])
def test_one_that_dies_says_why(child: ChildProcess, message: str, status: int) -> None:
    child.send(message)
    with pytest.raises(ChildExited) as caught:
        child.receive(60)
    assert caught.value.status == status
    child.send(1)
    with pytest.raises(ChildExited):
        child.receive()


def test_its_own_children_end_with_it(child: ChildProcess) -> None:
    child.send("child")
    grandchild = psutil.Process(child.receive(60))
    child.close()
    gone, alive = psutil.wait_procs([grandchild], timeout=20)
    assert (len(gone), alive) == (1, [])


def test_an_environment_replaces_the_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "token")
    with closing(ChildProcess("tests.warehouse.test_child_process:serve", 1, environment={"PATH": "/bin"})) as process:
        process.send("variables")
        assert {*process.receive(60)} - {"LC_CTYPE"} == {"PATH", "PYTHONPATH"}


def test_it_ends_when_its_owner_is_killed() -> None:
    program = (
        "from warehouse.child_process import ChildProcess\n"
        "child = ChildProcess('tests.warehouse.test_child_process:serve', 1)\n"
        "child.send(1)\nchild.receive()\nchild.send('sleep')\nprint(child.pid, flush=True)\ninput()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, text=True, **pipes) as owner:
        assert owner.stdout
        orphan = psutil.Process(int(owner.stdout.readline()))
        owner.kill()
    gone, alive = psutil.wait_procs([orphan], timeout=20)
    assert (len(gone), alive) == (1, [])


def test_a_script_gives_what_it_prints_or_ends(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, time\nprint(sys.argv[1])\ntime.sleep(float(sys.argv[2]))\nsys.exit(int(sys.argv[3]))\n"
    )
    assert run_script(script, ["word", "0", "0"], 60) == b"word\n"
    with pytest.raises(ChildExited, match="exit status 3"):
        run_script(script, ["word", "0", "3"], 60)
    with pytest.raises(ChildTimeout):
        run_script(script, ["word", "600", "0"], 0.5)


def test_what_a_group_prints_can_be_followed() -> None:
    with start_group("json.tool", input_bytes=b'{"a": 1}') as process:
        assert process.stdout
        assert process.stdout.read().split() == [b"{", b'"a":', b"1", b"}"]
    stop_group(process, 1.0)
    assert process.returncode == 0


@pytest.mark.parametrize(("handler", "status"), [("SIG_DFL", -signal.SIGTERM), ("SIG_IGN", -signal.SIGKILL)])
def test_a_group_is_asked_to_end_before_it_is_killed(tmp_path: Path, handler: str, status: int) -> None:
    module = tmp_path / "endless.py"
    module.write_text(
        f"import signal, time\nsignal.signal(signal.SIGTERM, signal.{handler})\nprint(1, flush=True)\ntime.sleep(600)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        process = start_group("endless", input_bytes=b"")
    with process:
        assert process.stdout
        process.stdout.readline()
        stop_group(process, 0.5)
    assert process.returncode == status
