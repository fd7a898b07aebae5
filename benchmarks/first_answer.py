"""What the dashboard's first answer takes after its start: a model's, the documents' own, and a search.

    python benchmarks/first_answer.py WAREHOUSE [--wait 0] [--question "What was revenue in 2022?"]

WAREHOUSE is any ingested one. For each of the three the dashboard is started anew, as `kalends dashboard` starts it, a
headless Chromium opens the page that asks, waits `--wait` seconds and asks. A server on the loopback plays the model:
it searches once and cites what it was given. Printed are wall seconds, and the processor seconds of the dashboard's
process, which other load on the machine hardly changes: until the port answers, until the page is drawn, and from the
question to the answer; then from a second question to its answer.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil
from selenium import webdriver
from selenium.webdriver.common.by import By

sys.path.append(str(Path(__file__).parents[1]))

from tests.dashboards.assistant.messages_script import Body, Cite, Reply, Says, Uses, says, search_results
from tests.dashboards.assistant.messages_server import MessagesServer
from tests.dashboards.browser.browsing import ask, at_rest, browser, element, missing, until
from tests.dashboards.browser.serving import dashboard, free_port

PATIENCE = 300.0
"""Seconds that an answer is waited for."""
_BOX = "[data-testid=stChatInputTextArea]"


@dataclass
class Clock:
    """The dashboard's process, and the wall and processor seconds since it was last read."""

    process: psutil.Process
    wall: float = 0.0
    used: float = 0.0

    def lap(self) -> tuple[float, float]:
        """Wall and processor seconds since the last lap; those of child processes count."""
        wall, used = time.perf_counter(), _used(self.process)
        taken = wall - self.wall, used - self.used
        self.wall, self.used = wall, used
        return taken


def _used(process: psutil.Process) -> float:
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times) + sum(process.cpu_times()[2:4])


@contextmanager
def served(folder: Path, surroundings: dict[str, str]) -> Iterator[tuple[str, Clock]]:
    """The address of a dashboard just started, and its clock."""
    port, begun = free_port(), time.perf_counter()
    with dashboard(folder, surroundings, port=port) as address:
        found = next(each for each in psutil.Process().children() if any(str(port) in part for part in each.cmdline()))
        yield address, Clock(found, begun)


def model(question: str, body: Body) -> Reply:
    """Search for the question, then cite what was given."""
    results = search_results(body)
    if results:
        blocks = [result["content"][0]["text"] for result in results]
        return Reply(tuple(Says(text, (Cite(place),)) for place, text in enumerate(blocks)))
    return says("No passage.") if len(body["messages"]) > 1 else Reply((Uses("search", {"question": question}),))


def asked_in_chat(driver: webdriver.Chrome, question: str) -> None:
    """Ask, and wait for the whole answer: only then its sources are listed below it."""
    count = len(driver.find_elements(By.CSS_SELECTOR, "[data-testid=stExpander]"))
    until(lambda: element(driver, _BOX), "the box", PATIENCE)
    ask(driver, _BOX, question)
    until(
        lambda: (
            element(driver, f"{_BOX}:not([disabled])")
            and len(driver.find_elements(By.CSS_SELECTOR, "[data-testid=stExpander]")) > count
        ),
        "the answer",
        PATIENCE,
    )


def asked_in_search(driver: webdriver.Chrome, question: str) -> None:
    """Ask, and wait for the hits."""
    ask(driver, "[data-testid=stTextInput] input", question)
    until(lambda: "score" in driver.page_source or "Cite" in driver.page_source, "hits", PATIENCE)
    at_rest(driver)


def measured(
    name: str,
    page: str,
    warehouse: Path,
    surroundings: dict[str, str],
    questions: tuple[str, str],
    asked: Callable[[webdriver.Chrome, str], None],
    wait: float,
) -> None:
    """Start, ask twice, print."""
    folder = Path(tempfile.mkdtemp())
    try:
        environment = {"KALENDS_WAREHOUSE": str(warehouse), **surroundings}
        with served(folder, environment) as (address, clock), browser(folder / "profile") as driver:
            laps = [("up", clock.lap())]
            driver.get(f"{address}/{page}")
            until(lambda: driver.find_elements(By.TAG_NAME, "h1"), "the page", PATIENCE)
            laps.append(("first page", clock.lap()))
            at_rest(driver)
            time.sleep(wait)
            laps.append(("waited", clock.lap()))
            for which, question in zip(("first answer", "second answer"), questions, strict=True):
                asked(driver, question)
                laps.append((which, clock.lap()))
        print(f"{name:10}", "; ".join(f"{what} {wall:.1f} s ({used:.1f} processor s)" for what, (wall, used) in laps))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warehouse", type=Path)
    parser.add_argument("--wait", type=float, default=0.0, help="seconds between the page and the question")
    parser.add_argument("--question", default="What was revenue in 2022?")
    parser.add_argument("--only", choices=("model", "extracts", "search"))
    options = parser.parse_args()
    if missing():
        raise SystemExit(missing())
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        os.environ.pop(name, None)
    warehouse, twice = options.warehouse.resolve(), (options.question, f"{options.question} And why?")
    with MessagesServer(partial(model, options.question)) as server:
        key = {
            "ANTHROPIC_API_KEY": "a key",
            "KALENDS_CHAT__BASE_URL": server.url,
            "KALENDS_CHAT__CITATIONS": "service",
        }
        for name, page, surroundings, asked in (
            ("model", "chat", key, asked_in_chat),
            ("extracts", "chat", {}, asked_in_chat),
            ("search", "search", {}, asked_in_search),
        ):
            if options.only in (None, name):
                measured(name, page, warehouse, surroundings, twice, asked, options.wait)


if __name__ == "__main__":
    main()
