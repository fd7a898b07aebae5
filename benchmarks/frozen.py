"""Records everything that Kalends prints, from outside, and compares two recordings.

    python benchmarks/frozen.py record CHECKOUT OUT [--part NAME …] [--data FOLDER]
    python benchmarks/frozen.py compare OLD NEW [--part NAME …] [--word BEFORE=AFTER …]

A restructuring is proven by recordings of the code before and after it that do not differ, or differ by what is named.
CHECKOUT is a working tree; its code is run with the interpreter that runs this. Only what others can reach is used:
the command line, the HTTP API, the Model Context Protocol, the pages of the dashboard, and the files of the warehouse.

What is masked is in `recordings/masks.py`, which options have other names in newer trees in `recordings/workplace.py`.
What was renamed on purpose can be left out of a comparison: `--word '"has_table": null="tables": null'`
renames it in the old recording.
Recordings should be of the same machine and of the same day: what is asked of "last year" counts from today. `compare`
exits with 1 where there is any difference.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.recordings.commands import (
    record_answers,
    record_errors,
    record_help,
    record_hits,
    record_prints,
)
from benchmarks.recordings.comparison import ABOUT, differences, parts_of, report
from benchmarks.recordings.pages import record_pages
from benchmarks.recordings.services import record_api, record_mcp
from benchmarks.recordings.tables import record_tables
from benchmarks.recordings.workplace import Workplace, workplace

DATA = Path(__file__).parents[2] / "shared" / "data"
PARTS: Mapping[str, Callable[[Workplace], None]] = {
    "help": record_help,
    "tables": record_tables,
    "hits": record_hits,
    "answers": record_answers,
    "api": record_api,
    "mcp": record_mcp,
    "pages": record_pages,
    "errors": record_errors,
    "prints": record_prints,
}


def record(checkout: Path, target: Path, parts: Sequence[str], data: Path) -> None:
    """Record these parts of the code of a checkout; what the target holds of them is replaced."""
    target.mkdir(parents=True, exist_ok=True)
    seconds = {}
    with workplace(checkout, data, target.resolve()) as place:
        begun = perf_counter()
        ingested = place.ingest() if set(parts) != {"help"} else None
        seconds["ingest"] = round(perf_counter() - begun, 1)
        for part in parts:
            shutil.rmtree(target / part, ignore_errors=True)
            place.restore()
            begun = perf_counter()
            PARTS[part](place)
            seconds[part] = round(perf_counter() - begun, 1)
            print(f"{part}: {seconds[part]} s, {sum(1 for _ in (target / part).rglob('*.*'))} files", flush=True)
        if ingested and "prints" in parts:
            place.write("prints/00-ingest.txt", ingested.text)
    about = {"commit": _commit(checkout), "day": str(datetime.now(UTC).date()), "seconds": seconds}
    (target / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def compare(old: Path, new: Path, words: Mapping[str, str] | None = None, parts: Sequence[str] = ()) -> int:
    """Print how two recordings differ beside `words`, which were renamed on purpose; 1 where they do.

    `parts` are those that are compared, all if not given.
    """
    days = {_about(recording).get("day", "") for recording in (old, new)}
    if len(days) > 1:
        print("These are of two days: answers to relative times can differ for that alone.")
    chosen = set(parts or (*parts_of(old), *parts_of(new)))
    found = [each for each in differences(old, new, words) if each.part in chosen]
    print("\n".join(report(found, len(chosen))))
    return 1 if found else 0


def _about(recording: Path) -> dict[str, str]:
    file = recording / ABOUT
    about: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return about


def _commit(checkout: Path) -> str:
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="record the code of a checkout")
    recording.add_argument("checkout", type=Path)
    recording.add_argument("out", type=Path)
    recording.add_argument("--part", nargs="+", choices=PARTS, default=[*PARTS])
    recording.add_argument("--data", type=Path, default=DATA, help="the shared data [default: ../shared/data]")
    comparing = verbs.add_parser("compare", help="print the differences of two recordings")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--part", nargs="+", default=[], help="only these parts [default: all]")
    comparing.add_argument("--word", nargs="+", action="extend", default=[], help="BEFORE=AFTER, renamed on purpose")
    options = parser.parse_args()
    if options.verb == "compare":
        words = dict(word.split("=", 1) for word in options.word)
        raise SystemExit(compare(options.old, options.new, words, options.part))
    record(options.checkout, options.out, options.part, options.data)


if __name__ == "__main__":
    main()
