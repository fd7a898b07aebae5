"""Stages that end their process, for tests: they are found by name in a child."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence

from tasks.stage_contract import BatchItem, BatchWork, DocumentFacts, Records, Stage
from warehouse.settings.loader import Settings
from warehouse.store.lake import Lake

KILLER, SLEEPER = "killer.md", "sleeper.md"


def nothing(settings: Settings, facts: DocumentFacts) -> object:
    return None


def _work(item: BatchItem) -> Records:
    if item.name == KILLER:
        os.kill(os.getpid(), signal.SIGKILL)
    if item.name == SLEEPER:
        time.sleep(600)
    return {"entities": ()}


def kill_in_work(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    return BatchWork(_work)


def kill_while_preparing(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    if any(item.name == KILLER for item in items):
        os.kill(os.getpid(), signal.SIGSEGV)
    return BatchWork(lambda item: {"entities": ()})


def kill_many(items: Sequence[BatchItem], lake: Lake, settings: Settings) -> BatchWork:
    if len(items) > 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return BatchWork(lambda item: {"entities": ()})


IN_WORK = Stage("entities", 1, (), nothing, kill_in_work)
PREPARING = Stage("entities", 1, (), nothing, kill_while_preparing)
MANY = Stage("entities", 1, (), nothing, kill_many)
