"""Coverage-guided fuzzing with atheris: `python -m tests.fuzz.guided TARGET --seconds 60`.

Ends with 0 where nothing was found. What breaks a promise is written to `tests/fuzz/found/TARGET/`, where
`test_found.py` replays it: mend the fault and keep the file.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import atheris

PACKAGES = ("tasks.parsers", "tasks.temporal", "warehouse.store.sql_queries", "docx", "pdfplumber", "pdfminer")


def main() -> None:
    """Read the arguments and hand over to libFuzzer, which never comes back."""
    # Only what is imported in here is watched, so nothing of ours may be loaded before.
    with atheris.instrument_imports(include=list(PACKAGES), enable_loader_override=False):
        from tests.fuzz.attacks import RELATIONS, STATEMENTS
        from tests.fuzz.sql_target import guarded
        from tests.fuzz.targets import FOUND, TARGETS, seeds
    targets = {**TARGETS, "sql": guarded}
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("target", choices=sorted(targets))
    parser.add_argument("--seconds", type=int, default=60, help="how long to look")
    parser.add_argument("--largest", type=int, default=60_000, help="bytes of the largest input")
    chosen = parser.parse_args()
    kept = FOUND / chosen.target
    kept.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        starts = [sql.encode() for sql in (*STATEMENTS, *RELATIONS)] if chosen.target == "sql" else seeds(chosen.target)
        for number, data in enumerate(starts):
            (Path(folder) / str(number)).write_bytes(data)
        limits = [
            f"-max_total_time={chosen.seconds}",
            f"-max_len={chosen.largest}",
            "-timeout=60",
            "-rss_limit_mb=3000",
        ]
        atheris.Setup([sys.argv[0], folder, f"-artifact_prefix={kept}/", *limits], targets[chosen.target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
