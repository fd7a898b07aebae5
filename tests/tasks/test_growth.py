"""Work grows with the size of a document and no faster, on documents that are made to be slow."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from benchmarks.growth import stages
from benchmarks.growth_inputs import INPUTS
from tests.call_counts import count_calls
from warehouse.errors import UnreadableFile
from warehouse.settings.loader import Settings, load_settings

MOST_GROWTH = 6.0
"""Fourfold the bytes may cost so many times the calls: four where work is linear, sixteen where it is quadratic."""
SMALL, FEW = 2_000, 10_000
"""Bytes of the smaller document; calls that do not depend on the size."""
SMALL_LIST = 8_000
"""Bytes of the smaller list of records: it is cut and read as the larger one is, which one of `SMALL` is not."""
SMALL_PAGE = 4_000
"""Bytes of the smaller page of columns: with fewer it is one table, which the larger one is not."""
LISTS = (
    "csv: totals",
    "csv: rows",
    "csv: quotes in rows",
    "csv: an open quote a row",
    "md: short table rows",
    "pdf: grid",
    "html: columns",
)
SLOW_FORMATS = (
    "csv: columns of numbers",
    "csv: columns",
    "html: header rows",
    "html: nested lists",
    "md: table columns",
    "md: callouts",
    "jats: sections",
    "docx: columns",
    "eml: attributions",
    "eml: page of deep quotations",
    "mbox: answers",
    "epub: lines of contents",
    "pdf: single characters",
    "pdf: columns",
    "pdf: one line of figures",
)
SLOW_TEXTS = ("dots", "spaced dots", "spaces", "tabs", "capitals", "capital words", "dashes", "acronyms")
"""Repeated in 15,000 and 60,000 characters: searches that go back step by step make no calls, so here time counts."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Whatever loads on first use is loaded."""
    for suffix in (".md", ".csv", ".html"):
        run(suffix, b"a,b\n1,2\n3,4\n\n# March 2023\n\n<p>ABC</p>\n", lambda work: work())


def run(suffix: str, data: bytes, measure: Callable[[Callable[[], Any]], Any]) -> dict[str, Any]:
    """What a measure finds of each stage, as far as the document goes."""
    found: dict[str, Any] = {}
    try:
        for name, work in stages(suffix, data, SETTINGS, names=False):
            found[name] = measure(work)
    except UnreadableFile:
        pass
    return found


SETTINGS: Settings = load_settings({"embed": {"model": "hashing"}})


def seconds(work: Callable[[], Any]) -> float:
    """Of the processor."""
    started = process_time()
    work()
    return process_time() - started


def check(name: str) -> None:
    """No stage makes many more calls for four times the bytes than four times as many."""
    suffix, make = INPUTS[name]
    least = SMALL_LIST if name in LISTS else SMALL_PAGE if name == "pdf: columns" else SMALL
    small, large = (run(suffix, make(size), count_calls) for size in (least, 4 * least))
    if over(small, large):  # Perhaps by what the larger document was the first to load.
        large = run(suffix, make(4 * least), count_calls)
    assert not over(small, large)


def over(small: dict[str, int], large: dict[str, int]) -> dict[str, tuple[int, int]]:
    """The calls of stages that make too many for the larger document."""
    both = {stage: (count, large[stage]) for stage, count in small.items() if stage in large}
    return {stage: counts for stage, counts in both.items() if counts[1] > MOST_GROWTH * counts[0] + FEW}


@pytest.mark.parametrize("name", SLOW_FORMATS)
def test_calls_grow_with_the_size(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_calls_grow_with_the_size_of_any(name: str) -> None:
    check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_TEXTS)
def test_time_grows_with_the_size(name: str) -> None:
    suffix, make = INPUTS[f"txt: {name}"]
    small, large = (run(suffix, make(size), seconds) for size in (15_000, 60_000))
    assert not {stage: took for stage, took in large.items() if took > 2 * MOST_GROWTH * small[stage] + 1}


def test_a_page_of_many_sizes_has_a_usual_one() -> None:
    suffix, make = INPUTS["pdf: sizes"]
    assert "score" in run(suffix, make(40_000), lambda work: work())


def test_attributes_of_an_element_are_read_in_linear_time() -> None:
    for name in ("html: attributes", "html: quoted attributes"):
        suffix, make = INPUTS[name]
        assert run(suffix, make(1_000_000), seconds)["parse"] < 5
