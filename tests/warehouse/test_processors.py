"""How many cores a process may use, on machines with and without quotas."""

from __future__ import annotations

from pathlib import Path

import pytest

from warehouse import processors
from warehouse.processors import count_usable_cores


def _machine(monkeypatch: pytest.MonkeyPatch, folder: Path, cores: int, group: str, quotas: dict[str, str]) -> None:
    monkeypatch.setattr(processors.os, "sched_getaffinity", lambda _: set(range(cores)))
    (folder / "own").write_text(f"9:name=systemd:/\n0::{group}\n")
    for place, quota in quotas.items():
        (folder / place).mkdir(parents=True, exist_ok=True)
        (folder / place / "cpu.max").write_text(quota)
    monkeypatch.setattr(processors, "PROCESS_GROUP", folder / "own")
    monkeypatch.setattr(processors, "CONTROL_GROUPS", folder)


@pytest.mark.parametrize(
    ("cores", "group", "quotas", "expected"),
    [
        (8, "/", {}, 8),
        (8, "/", {".": "max 100000\n"}, 8),
        (64, "/", {".": "250000 100000\n"}, 3),
        (64, "/", {".": "20000 100000\n"}, 1),
        (2, "/", {".": "800000 100000\n"}, 2),
        (64, "/user/job", {"user": "400000 100000\n", "user/job": "max 100000\n"}, 4),
        (64, "/user/job", {"user": "800000 100000\n", "user/job": "200000 100000\n"}, 2),
        (4, "/", {".": "not a quota\n"}, 4),
    ],
)
def test_the_least_of_affinity_and_quotas_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cores: int, group: str, quotas: dict[str, str], expected: int
) -> None:
    _machine(monkeypatch, tmp_path, cores, group, quotas)
    assert count_usable_cores() == expected


def test_a_machine_that_says_nothing_has_its_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _machine(monkeypatch, tmp_path, 3, "/", {})
    (tmp_path / "own").unlink()
    assert count_usable_cores() == 3
