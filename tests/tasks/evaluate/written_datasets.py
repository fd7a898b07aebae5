"""Small exams as files, in each layout."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.tasks.parsers.raw_pdf import pdf_of, text

Pair = tuple[str, str, int]


def lines(file: Path, items: Iterable[object]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(item)}\n" for item in items), encoding="utf-8")


def beir(folder: Path, corpus: Mapping[str, str], queries: Mapping[str, str], qrels: Iterable[Pair]) -> Path:
    lines(folder / "corpus.jsonl", ({"_id": name, "title": "", "text": words} for name, words in corpus.items()))
    lines(folder / "queries.jsonl", ({"_id": name, "text": words} for name, words in queries.items()))
    rows = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, pair)) for pair in qrels)]
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def tatqa(folder: Path) -> Path:
    """Two contexts, a question about each."""
    contexts = [
        {
            "table": {"uid": uid, "table": [["", "2019"], [row, figure]]},
            "paragraphs": [{"uid": f"p-{uid}", "order": 1, "text": said}],
            "questions": [{"uid": f"q-{uid}", "question": f"What was {row} in 2019?"}],
        }
        for uid, row, figure, said in (
            ("t1", "marmalade revenue", "12.5", "Oranges were dear."),
            ("t2", "zeppelin depreciation", "7", "Hangars grew."),
        )
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tatqa_dataset_dev.json").write_text(json.dumps(contexts), encoding="utf-8")
    return folder


def pages(folder: Path) -> Path:
    """Two PDFs of two pages and a question whose answer stands on the second page of one of them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ALPHA_2022.pdf").write_bytes(
        pdf_of([text("Zeppelins left the hangar in March."), text("Turbines of the third dam were replaced.")])
    )
    (folder / "BETA_2022.pdf").write_bytes(
        pdf_of([text("Marmalade is made of bitter oranges."), text("Lighthouses need clean lenses.")])
    )
    evidence = [{"page": 2, "text": "Turbines of the third dam"}]
    lines(
        folder / "questions.jsonl",
        [
            {
                "id": "q1",
                "document": "ALPHA_2022",
                "question": "Were the turbines of the third dam replaced?",
                "answer": "Yes",
                "evidence": evidence,
            }
        ],
    )
    return folder
