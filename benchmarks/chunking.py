"""What five hits show of what answers a question: each chunker, whole passages and excerpts, beside a plain splitter.

    python benchmarks/chunking.py [FOLDER] [--json] [--chunker NAME …]

FOLDER holds `corpora/` and `questions.jsonl` as `chunking_evaluation` lays them out. Each question is asked of its own
corpus. Everything goes through one warehouse, ingested anew for each chunker: only chunks and new vectors are made.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.passages import kalends, plain
from benchmarks.passages.questions import Span, read
from benchmarks.passages.remembering import remembering
from benchmarks.passages.scoring import Scores, scores
from flows.service.processes import stop_server
from tasks.chunkers.chunker import CHUNKERS
from warehouse.settings.loader import Settings
from warehouse.settings.models import ChunkSettings
from warehouse.store.layout import Layout

FOLDER = Path(__file__).resolve().parents[2] / "shared/data/chunking"
COUNT = 5
PLAIN = (400, 800, 1200)
DEFAULT = "default"


def main() -> None:
    """Print the table, or JSON."""
    # Without this a terminated run would leave the warehouse's server behind.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--chunker", action="append", choices=[DEFAULT, *CHUNKERS])
    chosen = parser.parse_args()
    rows = measured(chosen.folder, chosen.chunker or [DEFAULT, *CHUNKERS])
    if chosen.json:
        held = [{"name": name, "chunks": chunks, **asdict(found)} for name, chunks, found in rows]
        print(json.dumps(held, indent=2))
        return
    print("| | chunks | recall | precision | IoU | characters shown |\n|---|---:|---:|---:|---:|---:|")
    for name, chunks, found in rows:
        figures = f"{found.recall:.3f} | {found.precision:.3f} | {found.iou:.3f} | {found.shown:.0f}"
        print(f"| {name} | {chunks} | {figures} |", flush=True)


def measured(source: Path, chunkers: Sequence[str]) -> Iterator[tuple[str, int, Scores]]:
    """Name, number of chunks and scores of each line of the table, as they are found."""
    files, asked = read(source)
    answers = [each.answers for each in asked]
    texts = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    for size in PLAIN:
        count = sum(len(plain.spans(text, size)) for text in texts.values())
        found: list[list[Span]] = plain.shown(texts, asked, remembering("minilm"), size, COUNT)
        yield f"plain recursive, {size}", count, scores(answers, found)
    with served() as folder:
        for name in chunkers:
            chunk = ChunkSettings(chunker="" if name == DEFAULT else name)
            shown = kalends.shown(Settings(warehouse=folder, chunk=chunk), files, asked, COUNT)
            yield f"{name}, whole", shown.chunks, scores(answers, shown.passages)
            yield f"{name}, excerpts", shown.chunks, scores(answers, shown.excerpts)


@contextmanager
def served() -> Iterator[Path]:
    """A new warehouse's folder, whose server is stopped at the end."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "kalends"
        try:
            yield folder
        finally:
            stop_server(Layout(folder))


if __name__ == "__main__":
    main()
