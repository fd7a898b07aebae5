"""The files that are read: the samples of this checkout, some of each kind of the shared data, and texts made here.

All have the same moment of change in every recording, because the warehouse keeps it.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[2] / "samples"
CHANGED = 1_750_000_000
"""When every file was changed last: 2025-06-15."""

FILES: Mapping[str, Sequence[str]] = {
    "filings": (
        "pdf/AMCOR_2023Q2_10Q.pdf",
        "pdf/AMCOR_2023Q4_EARNINGS.pdf",
        "pdf/FOOTLOCKER_2022_8K_dated-2022-05-20.pdf",
        "pdf/PEPSICO_2023_8K_dated-2023-05-05.pdf",
    ),
    "tables": tuple(
        f"tables/icdar2013/eu-{number}.pdf" for number in ("001", "003", "004", "007", "010", "018", "025")
    ),
    "word": tuple(
        f"docx/{name}.docx"
        for name in (
            "docx_lists",
            "docx_rich_cells",
            "list_after_num_headers",
            "table_with_equations",
            "textbox",
            "unit_test_headers",
            "word_tables",
        )
    ),
    "web": (
        "html/example_01.html",
        "html/example_05.html",
        "html/formatting.html",
        "html/html_inline_group_in_table_cell.html",
        "html/table_03.html",
        "html/table_with_heading_01.html",
    ),
    "articles": tuple(
        f"jats/{name}.xml"
        for name in (
            "elife00240",
            "elife07586",
            "journal.pbio.0020188",
            "journal.pone.0119074",
            "plos.correction.3155a3e9-5fbe-435c-a07a-e9a4846ec0b6",
            "simple-jats-doctype-1.1d3",
        )
    ),
    "notes": tuple(f"vault/kepano/{name}" for name in ("Notes", "Daily", "Clippings", "Attachments", "Readme.md")),
}
"""Root -> files and folders of the shared data, named as there."""

OTHERS = 150
"""Of the passages beside those that judged questions ask for."""
SUBTITLES = """\
1
00:00:01,000 --> 00:00:05,500
Welcome to the second lesson on nitrate sensors, recorded on 3 March 2025.

2
00:00:06,000 --> 00:00:11,000
Every lamp ages: after sixteen months the drift is about two micromoles per litre.

3
00:00:12,000 --> 00:00:17,500
In the first quarter of 2025 we changed the lamps of all three moorings.
"""
LOG = """\
Minutes of the harbour board, 12 January 2024

The board met for two hours. It decided to dredge the inner basin between May and September 2024.
Costs rose from EUR 1.2 million in 2022 to EUR 1.9 million in 2023, an increase of 58%.
The next meeting is every second Tuesday of the month; the one of February was cancelled.
Three days later the port authority of Rotterdam answered, and last year's budget was approved.
"""


def lay_out(folder: Path, data: Path) -> list[Path]:
    """Put everything into the folder; the roots to ingest, in order."""
    shutil.copytree(SAMPLES, folder / "samples", symlinks=True)
    for root, names in FILES.items():
        (folder / root).mkdir()
        for name in names:
            source, target = data / name, folder / root / Path(name).name
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copyfile(source, target)
    _write_texts(folder / "texts", data)
    for place in sorted(folder.rglob("*"), reverse=True):
        os.utime(place, (CHANGED, CHANGED))
    return sorted(place for place in folder.iterdir() if place.is_dir())


def _write_texts(folder: Path, data: Path) -> None:
    """Kinds of which the shared data has no file of its own: subtitles, CSV, plain text in two languages, Markdown."""
    folder.mkdir()
    (folder / "lesson.srt").write_text(SUBTITLES, encoding="utf-8")
    (folder / "harbour.txt").write_text(LOG, encoding="utf-8")
    for each in _lines(data / "temporal" / "meantime-english.jsonl", 2):
        (folder / f"news-{each['id']}.txt").write_text(each["text"], encoding="utf-8")
    articles: dict[str, list[str]] = {}
    for each in _lines(data / "chinese" / "drcd" / "corpus.jsonl", 12):
        articles.setdefault(each["title"], []).append(each["text"])
    for number, (title, texts) in enumerate(islice(articles.items(), 3), 1):
        (folder / f"chinese-{number}.md").write_text(f"# {title}\n\n" + "\n\n".join(texts) + "\n", encoding="utf-8")
    contexts = json.loads((data / "tables_qa" / "tatqa_dev.json").read_text(encoding="utf-8"))
    with (folder / "sales.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(contexts[0]["table"]["table"])
    for number, context in enumerate(contexts[1:3], 1):
        rows = ["| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in context["table"]["table"]]
        rows.insert(1, "|" + " --- |" * len(context["table"]["table"][0]))
        texts = [each["text"] for each in context["paragraphs"]]
        text = "\n\n".join((f"# Report {number}", "\n".join(rows), *texts))
        (folder / f"report-{number}.md").write_text(text + "\n", encoding="utf-8")


def write_judged(folder: Path, data: Path, count: int = 12) -> Path:
    """Judged questions in BEIR's layout: the first of HotpotQA, their passages and the first others."""
    source = data / "multihop" / "hotpotqa"
    queries = _lines(source / "queries.jsonl", count)
    wanted = {each["_id"] for each in queries}
    head, *judged = (source / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    judged = [line for line in judged if line.split("\t")[0] in wanted]
    passages = {line.split("\t")[1] for line in judged}
    corpus = [
        each
        for place, each in enumerate(_lines(source / "corpus.jsonl", None))
        if each["_id"] in passages or place < OTHERS
    ]
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_text("\n".join((head, *judged)) + "\n", encoding="utf-8")
    for name, rows in (("queries.jsonl", queries), ("corpus.jsonl", corpus)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def _lines(file: Path, count: int | None) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in islice(stream, count)]
