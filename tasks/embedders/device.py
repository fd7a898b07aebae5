"""The device that a model computes on: `cpu`, `cuda`, or `auto`, which is CUDA where torch can use it.

Whether there is a CUDA device is first asked of the system, because importing torch to ask it takes more than a second.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from warehouse.errors import BadInput

Device = Literal["auto", "cpu", "cuda"]
DRIVERS = (Path("/proc/driver/nvidia/version"), Path("/dev/dxg"))
"""What Linux has where NVIDIA's driver runs, and what Windows' subsystem for Linux has."""
FOR_PROCESSORS = "+cpu"  # How versions of torch end that were built without CUDA.


def check_device(device: Device) -> Device:
    """The same. Raises `BadInput` where CUDA is demanded and surely not there; torch is not imported for that."""
    if device == "cuda" and (obstacle := _find_obstacle()):
        raise _make_error(obstacle)
    return device


def has_cuda(device: Device) -> bool:
    """Whether to compute on a CUDA device. Raises `BadInput` where one is demanded and is not there."""
    if device == "cpu":
        return False
    problem = _find_obstacle() or _find_missing()
    if problem and device == "cuda":
        raise _make_error(problem)
    return not problem


def _make_error(problem: str) -> BadInput:
    return BadInput(f"the device 'cuda' cannot be used: {problem}", "set the device to 'auto' or 'cpu'")


def _find_obstacle() -> str:
    """Why torch cannot find a CUDA device, as far as it is known without torch; else nothing."""
    if not _has_driver():
        return "no driver of NVIDIA runs on this machine"
    try:
        built = version("torch")
    except PackageNotFoundError:
        return "torch is not installed"
    return f"torch {built} was built for processors alone" if built.endswith(FOR_PROCESSORS) else ""


@cache
def _find_missing() -> str:
    """What torch lacks to use a CUDA device; nothing where it has one."""
    import torch

    return "" if torch.cuda.is_available() else f"torch {torch.__version__} finds no device"


def _has_driver() -> bool:
    if sys.platform == "win32":
        return (Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "nvcuda.dll").exists()
    return any(driver.exists() for driver in DRIVERS)
