"""Does time stay linear? What each stage costs on files made to be slow, at one size and at four times that.

    python benchmarks/growth.py [NAME …] [--size BYTES] [--times 4] [--limit SECONDS] [--all] [--json]

Each input of `growth_inputs` whose name holds one of the NAMEs (all without) goes through every stage but the model, in
a process of its own that may use `--limit` seconds of the processor. Printed is the ratio of the two times for each
stage that costs over a tenth of a second: 4 where time is linear, 16 where it is quadratic; `over` marks what grows
faster than 6. What is under the bound is left out unless `--all` is given.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import date
from multiprocessing.connection import Connection
from pathlib import Path, PurePosixPath
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.growth_inputs import INPUTS
from tasks.check.sheet_builder import decode_source, judge_document
from tasks.chunkers.chunk_builder import make_chunks, make_parents
from tasks.chunkers.chunker import CHUNKERS, choose_chunker
from tasks.document_date import choose_date, choose_title, find_date_disputes
from tasks.embedders.embedder import open_embedder
from tasks.entities.companies import with_company
from tasks.entities.names import find_entities
from tasks.parsers.parser_contract import Raw
from tasks.parsers.reader import read
from tasks.quality.checked_document import CheckedDocument
from tasks.quality.scoring import score_document
from tasks.single_file import NO_CHUNKING
from tasks.tables.cells import read_cells
from tasks.tables.totals import find_totals
from tasks.temporal.document import find_mentions, with_times
from tasks.temporal.tagger import tag
from warehouse.errors import UnreadableFile
from warehouse.settings.loader import Settings, load_settings

TODAY = date(2026, 11, 23)
LEAST_SECONDS = 0.1
"""Below it a stage's time is noise."""
BOUND = 6.0
"""Of a fourfold size: linear costs 4, n log n less than 5, quadratic 16."""
QUESTION = 10_000
"""Characters of the longest question that the HTTP API takes."""
HEAVY = {".pdf": 4}
"""What a byte of these costs more than one of text: their sizes are divided by it."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A stage's seconds on an input of some bytes, and how many times as much a file `times` as large costs.

    `larger` is None where the larger file ran into the limit.
    """

    name: str
    stage: str
    size: int
    seconds: float
    larger: float | None
    bound: float

    @property
    def ratio(self) -> float | None:
        """How much more the larger file costs."""
        return None if self.larger is None else self.larger / max(self.seconds, LEAST_SECONDS / 10)

    @property
    def over(self) -> bool:
        """Whether it grows faster than the bound."""
        if self.larger is None:
            return True
        return self.larger > LEAST_SECONDS and self.larger / max(self.seconds, LEAST_SECONDS / self.bound) > self.bound


def stages(
    suffix: str, data: bytes, settings: Settings, *, names: bool = True
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The work of each stage in order; each must be done before the next is asked for.

    `names` says whether the names are read, by a model whose loading takes a second.
    """
    done: dict[str, Any] = {}

    def keep(name: str, work: Callable[[], Any]) -> tuple[str, Callable[[], Any]]:
        def run() -> None:
            done[name] = work()

        return name, run

    yield keep("parse", lambda: read(Raw(f"x{suffix}", data)))
    yield keep("own", lambda: with_company(with_times(done["parse"])))
    document = done["own"]
    name = f"x{suffix}"
    yield keep("totals", lambda: find_totals(document))
    yield keep("cells", lambda: read_cells(document, done["totals"], ""))
    dated = choose_date(document.dates, name, document.kind, today=TODAY)
    day = dated.date if dated else None
    yield keep("temporal", lambda: find_mentions(document, day, ""))
    yield keep(
        "dates", lambda: [tag(document.text, anchor, language) for anchor, language in ((TODAY, "und"), (None, "en"))]
    )
    yield keep("dating", lambda: find_date_disputes(document.dates, PurePosixPath(name).name, dated))
    yield keep("entities", lambda: find_entities([document])[0] if names else ())
    default = choose_chunker(document.kind, NO_CHUNKING, settings)

    def cut(chunker: Any) -> Any:
        make_parents(document, document_id="d", chunker=chunker)
        return make_chunks(
            document,
            document_id="d",
            title=choose_title(document.title, name),
            source=name,
            date_claim=dated,
            mentions=done["temporal"],
            entities=done["entities"],
            chunker=chunker,
            prefixed=True,
        )

    yield keep("chunk", lambda: cut(default))
    for other in CHUNKERS:
        if other not in ("semantic", default.name):
            yield keep(f"chunk {other}", lambda other=other: cut(CHUNKERS[other]))
    model = open_embedder(settings.embed.model)
    subject = CheckedDocument(
        document, done["chunk"], done["temporal"], dated, default.characters, model.window, known_totals=done["totals"]
    )
    yield keep("score", lambda: score_document(subject))
    raw = decode_source(data, document.media_type)
    yield keep("check", lambda: judge_document(replace(subject, raw=raw), name, ""))
    yield keep("windows", lambda: [model.cut_windows(chunk.prefix, chunk.headed_text) for chunk in subject.chunks])


def _measure(pipe: Connection, suffix: str, data: bytes, limit: int, settings: Settings) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (int(process_time()) + limit, int(process_time()) + limit + 1))
    try:
        for name, work in stages(suffix, data, settings):
            pipe.send((name, None))
            started = process_time()
            work()
            pipe.send((name, process_time() - started))
    except UnreadableFile:
        pipe.send(("parse", process_time() - started))
    pipe.close()


def measured(suffix: str, data: bytes, limit: int, settings: Settings) -> dict[str, float | None]:
    """Seconds of each stage; None for the one in which the limit or an error ended it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_measure, args=(theirs, suffix, data, limit, settings))
    process.start()
    theirs.close()
    found: dict[str, float | None] = {}
    try:
        while True:
            name, seconds = ours.recv()
            found[name] = seconds
    except EOFError:
        pass
    process.join()
    return found


def growths(name: str, size: int, times: int, limit: int, settings: Settings) -> list[Growth]:
    """The growth of each stage on an input."""
    suffix, make = INPUTS[name]
    small = size // HEAVY.get(suffix, 1)
    first = measured(suffix, make(small), limit, settings)
    second = measured(suffix, make(small * times), limit, settings)
    bound = BOUND * times / 4
    return [
        Growth(name, stage, small, seconds if seconds is not None else float(limit), second.get(stage), bound)
        for stage, seconds in first.items()
        if stage in second or seconds is None
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--size", type=int, default=50_000)
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    settings = load_settings({})
    _warm(settings)
    rows = []
    for name in INPUTS:
        if given.names and not any(part in name for part in given.names):
            continue
        for row in growths(name, given.size, given.times, given.limit, settings):
            rows.append(row)
            if not given.json and (given.all or row.over):
                _print(row)
    if given.json:
        print(json.dumps([{**asdict(row), "ratio": row.ratio, "over": row.over} for row in rows], indent=1))
    sys.exit(any(row.over for row in rows))


def _warm(settings: Settings) -> None:
    """Whatever loads on first use is loaded before a clock runs."""
    text = b"In March 2023 Alice Miller of Acme Inc. said so.\n\n\xe4\xb8\x89\xe5\xb9\xb4\n"
    for suffix in (".md", ".txt"):
        for _, work in stages(suffix, text, settings):
            work()


def _print(row: Growth) -> None:
    ratio = "limit" if row.ratio is None else f"{row.ratio:.1f}"
    larger = "-" if row.larger is None else f"{row.larger:.2f}"
    mark = "over" if row.over else ""
    print(f"{row.name:32} {row.stage:20} {row.size:8} {row.seconds:8.2f} {larger:>8} {ratio:>6} {mark}", flush=True)


if __name__ == "__main__":
    main()
