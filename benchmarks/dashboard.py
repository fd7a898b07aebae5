"""What a reader waits for in the dashboard: from page to page, and for the first answer of a model after a start.

    python benchmarks/dashboard.py WAREHOUSE [--json] [--rounds 1]

WAREHOUSE is any ingested one. Each page is opened once; then a headless Chromium goes from every page to every other
one by the links of the sidebar. A step is timed inside the browser, from the press until nothing changes any more. Then
the dashboard is started anew, and a question is asked in the chat as soon as that is drawn; a server on the loopback
plays the model. Limits, for a machine that does nothing else: a median of .5 s from page to page, and 5 s from when the
server is up to the model's answer. The exit code is 1 where one is not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from benchmarks.first_answer import asked_in_chat, model, served
from dashboards.widgets.navigation import PAGES
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.browser.browsing import browser, missing, until
from tests.dashboards.browser.serving import dashboard
from tests.dashboards.browser.walking import Walk, round_trip

PAGE_LIMIT, ANSWER_LIMIT = 0.5, 5.0
"""Seconds."""
QUESTION = "What was the total revenue in 2025?"


@dataclass(frozen=True, slots=True)
class Step:
    """From a page to another, in seconds."""

    before: str
    after: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Result:
    """All steps, and the seconds from when a server is up to its first answer by a model; what the walk found wrong."""

    steps: Sequence[Step]
    answer: float
    faults: Sequence[str]

    @property
    def median(self) -> float:
        """Of all steps."""
        return statistics.median(step.seconds for step in self.steps)

    @property
    def slowest(self) -> Sequence[Step]:
        """The five that took longest, the longest first."""
        return sorted(self.steps, key=lambda step: -step.seconds)[:5]

    @property
    def is_within_limits(self) -> bool:
        """Whether both limits are kept."""
        return self.median <= PAGE_LIMIT and self.answer <= ANSWER_LIMIT


def steps(warehouse: Path, rounds: int) -> tuple[list[Step], list[str]]:
    """Go `rounds` times from every page to every other one, after each was opened once."""
    names = [leaf.name for leaf in PAGES]
    folder = Path(tempfile.mkdtemp())
    try:
        with (
            dashboard(folder, {"KALENDS_WAREHOUSE": str(warehouse)}) as address,
            browser(folder / "profile") as driver,
        ):
            walk, found = Walk(driver, address), []
            walk.open(f"/{names[0]}")
            for name in (*names[1:], names[0]):
                walk.visit_page(name)
            for _ in range(rounds):
                before = names[0]
                for name in round_trip(names):
                    walk.visit_page(name)
                    found.append(Step(before, name, walk.seconds))
                    before = name
            return found, walk.faults
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def answer(warehouse: Path) -> float:
    """Seconds from when the server answers to the whole answer of the model."""
    folder = Path(tempfile.mkdtemp())
    try:
        with MessagesServer(partial(model, QUESTION)) as server, browser(folder / "profile") as driver:
            surroundings = {
                "ANTHROPIC_API_KEY": "a key",
                "KALENDS_CHAT__BASE_URL": server.url,
                "KALENDS_CHAT__CITATIONS": "service",
                "KALENDS_WAREHOUSE": str(warehouse),
            }
            with served(folder, surroundings) as (address, _):
                up = time.perf_counter()
                driver.get(f"{address}/chat")
                until(lambda: driver.find_elements("tag name", "h1"), "the page")
                asked_in_chat(driver, QUESTION)
                return time.perf_counter() - up
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--rounds", type=int, default=1, help="how often each way is gone")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    options = parser.parse_args()
    if missing():
        raise SystemExit(missing())
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        os.environ.pop(name, None)
    warehouse = options.warehouse.resolve()
    gone, faults = steps(warehouse, options.rounds)
    result = Result(gone, answer(warehouse), faults)
    if options.json:
        print(json.dumps({**asdict(result), "median": result.median, "is_within_limits": result.is_within_limits}))
    else:
        print(f"page to page: median {result.median:.2f} s of {len(result.steps)} steps (limit {PAGE_LIMIT} s)")
        print("slowest:", "; ".join(f"{s.before} to {s.after} {s.seconds:.2f} s" for s in result.slowest))
        print(f"first answer of a model: {result.answer:.1f} s after the server is up (limit {ANSWER_LIMIT} s)")
        for fault in result.faults:
            print("fault:", fault)
    raise SystemExit(0 if result.is_within_limits else 1)


if __name__ == "__main__":
    main()
