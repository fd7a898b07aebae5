"""Temporal expressions found and read, by the rules of TempEval-3, beside dateparser in the same run.

    python benchmarks/temporal.py [FOLDER] [--set news|english|chinese] [--errors] [--json]

`news` is human-tagged news (TIMEX3 values count), `english` and `chinese` are the specification cases of
Recognizers-Text (the days it resolves to count, either of its two readings; for durations, sets and bare times the
value). Relaxed F1 counts overlaps, strict F1 equal extents, value F1 overlaps that mean the same. The last line is the
speed of Kalends on all news texts as one. Dateparser is no dependency of Kalends: `pip install dateparser`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.timexes import taggers
from benchmarks.timexes.gold import Text, news, specifications
from benchmarks.timexes.scoring import Counts, Error, score
from tasks.temporal.tagger import tag

FOLDER = Path(__file__).resolve().parents[2] / "shared/data/temporal"
LANGUAGES = {"news": "en", "english": "en", "chinese": "zh"}


def main() -> None:
    """Score, and print a table, the errors or JSON."""
    options = _options()
    errors: list[Error] = []
    rows: list[tuple[str, str, Counts]] = []
    for name in options.sets:
        texts, language = list(_texts(options.folder, name)), LANGUAGES[name]
        rows.append((name, "kalends", score(texts, taggers.kalends(language), errors)))
        if not options.errors:
            rows.append((name, "dateparser", score(texts, taggers.dateparser(language))))
    speed = _speed(options.folder)
    if options.json:
        scores = [{"set": name, "tagger": tagger, **counts.report()} for name, tagger, counts in rows]
        print(json.dumps({"scores": scores, "megabytes_a_second": speed}, indent=2))
        return
    for error in sorted(errors, key=lambda each: each.kind) if options.errors else ():
        print(f"{error.kind:8} {error.context}\n         found  {error.found}\n         tagged {error.tagged}")
    _print(rows, speed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--set", dest="sets", choices=LANGUAGES, action="append", help="may be given more than once")
    parser.add_argument("--errors", action="store_true", help="what Kalends missed, made up or misread; no peer")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.sets = options.sets or list(LANGUAGES)
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}: give that of the tagged texts")
    return options


def _texts(folder: Path, name: str) -> Iterator[Text]:
    if name == "news":
        return news(folder / "meantime-english.jsonl")
    return specifications(folder / f"recognizers-{name}")


def _speed(folder: Path) -> float:
    """Megabytes of news a second, the best of three."""
    text = "\n\n".join(each.text for each in _texts(folder, "news")) * 4
    best = min(_seconds(text) for _ in range(3))
    return len(text.encode()) / best / 1e6


def _seconds(text: str) -> float:
    started = perf_counter()
    tag(text, date(2008, 1, 1), "en")
    return perf_counter() - started


def _print(rows: list[tuple[str, str, Counts]], speed: float) -> None:
    print(f"{'set':8} {'tagger':10} {'P':>6} {'R':>6} {'relaxed':>8} {'strict':>7} {'value':>6} {'tagged':>7}")
    for name, tagger, counts in rows:
        report = counts.report()
        figures = f"{report['precision']:6.3f} {report['recall']:6.3f} {report['relaxed_f1']:8.3f}"
        print(f"{name:8} {tagger:10} {figures} {report['strict_f1']:7.3f} {report['value_f1']:6.3f} {counts.tagged:7}")
    print(f"speed    kalends    {speed:.2f} MB a second on one core")


if __name__ == "__main__":
    main()
