"""The processor cores that this process may use: those that it is bound to, within the quota of its container."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path, PurePosixPath

CONTROL_GROUPS = Path("/sys/fs/cgroup")
PROCESS_GROUP = Path("/proc/self/cgroup")


def count_usable_cores() -> int:
    """At least one; fewer than the machine has where an affinity, a control group or a container says so."""
    core_count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min((core_count, *_read_quotas())))


def _read_quotas() -> Iterator[int]:
    """The quotas in cores, rounded up, of the control group and of those that it is in (Linux, version 2)."""
    with suppress(OSError):
        lines = PROCESS_GROUP.read_text(encoding="utf-8").splitlines()
        group = PurePosixPath(next((line[3:] for line in lines if line.startswith("0::")), "/"))
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):
                allowed, period = (CONTROL_GROUPS / str(folder).lstrip("/") / "cpu.max").read_text().split()
                yield ceil(int(allowed) / int(period))  # "max" is none.
