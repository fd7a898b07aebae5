from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.multihop import compose, main
from tasks.evaluate.dataset import read_dataset
from warehouse.store.words import split_content_words

DOCUMENTS = {
    "film": ("Tank Girl (film)", "Tank Girl is a film directed by Rachel Talalay in 1995. It was shot in Arizona."),
    "life": ("Rachel Talalay", "Rachel Talalay (born July 16, 1958) is an American film director."),
    "town": ("Vancouver", "Vancouver is a coastal city. It lies on Burrard Inlet."),
    "copy": ("Talalay family", "Rachel Talalay is one of them."),
}


def test_a_question_asks_for_a_fact_of_the_bridge_without_its_name() -> None:
    found = compose(DOCUMENTS, set(), seed=1)
    assert {(pair.first, pair.second) for _, pair in found} == {("film", "life")}
    for text, _ in found:
        assert not set(split_content_words("Rachel Talalay")) & set(split_content_words(text))
        assert "Tank Girl" in text
        assert "born" in text or "birth" in text


def test_questions_stay_the_same_for_a_seed_and_leave_known_pairs_out() -> None:
    assert compose(DOCUMENTS, set(), seed=1) == compose(DOCUMENTS, set(), seed=1)
    assert compose(DOCUMENTS, {frozenset(("film", "life"))}, seed=1) == []


def test_both_halves_are_sets_of_judged_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "qrels").mkdir(parents=True)
    rows = [{"_id": name, "title": title, "text": text} for name, (title, text) in DOCUMENTS.items()]
    (tmp_path / "in" / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "in" / "queries.jsonl").write_text('{"_id": "q", "text": "Where is Vancouver?"}\n', encoding="utf-8")
    (tmp_path / "in" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ttown\t1\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["multihop.py", str(tmp_path / "in"), str(tmp_path / "out")])
    main()
    lines = [line for path in (tmp_path / "out").glob("*/queries.jsonl") for line in path.read_text().splitlines()]
    assert len(lines) == 2
    half = next(path.parent for path in (tmp_path / "out").glob("*/queries.jsonl") if path.read_text())
    assert {gold.document for gold in read_dataset(half).questions[0].gold} == {"film", "life"}
