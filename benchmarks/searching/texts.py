"""Real texts as files to ingest: those of the shared data that have many passages, some to a file.

Encyclopedia, abstracts of papers and arguments, so that what grows from them (`population.py`) varies as text does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

CORPORA = ("multihop/hotpotqa", "retrieval/pubmedqa", "retrieval/arguana")
"""Folders of the shared data with a corpus in BEIR's layout."""
TIMEQA = "timeqa/human_annotated_train.json"
TOGETHER = 20
"""Texts of a file."""
MOST = 3_000
"""Texts of a corpus."""
LEAST = 200
"""Characters of a text that makes a passage of its own."""


def write_texts(folder: Path, data: Path) -> None:
    """Write the texts of the shared data in `data` as Markdown, a folder a corpus."""
    for name in CORPORA:
        _write(folder / name.rpartition("/")[2], _corpus(data / name / "corpus.jsonl"))
    articles = json.loads((data / TIMEQA).read_text(encoding="utf-8"))
    _write(folder / "timeqa", (text for each in articles for text in each["paras"] if len(text) >= LEAST))


def _corpus(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            yield f"## {row['title']}\n\n{row['text']}" if row["title"] else str(row["text"])


def _write(folder: Path, texts: Iterator[str]) -> None:
    folder.mkdir(parents=True)
    texts = islice(texts, MOST)
    for number, some in enumerate(iter(lambda: list(islice(texts, TOGETHER)), [])):
        body = "\n\n".join(some)
        (folder / f"{folder.name}-{number:04d}.md").write_text(f"# {folder.name} {number}\n\n{body}\n", "utf-8")
