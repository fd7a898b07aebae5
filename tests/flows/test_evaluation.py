"""An exam taken from its files to its figures: the corpus is ingested once, and each ranking is judged."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from flows.datasets import get_dataset_folder
from flows.evaluation import EvaluationRun, evaluate_rankings
from tasks.evaluate.configurations import choose_rankings
from tasks.evaluate.dataset import read_dataset
from tasks.evaluate.outcomes import Evaluation
from tests.flows.conftest import Bench
from tests.tasks.evaluate.written_datasets import beir, pages, tatqa

CORPUS = {
    "1/2": "The zeppelin left Friedrichshafen in March 2021.",
    ".b": "Marmalade is made of bitter oranges.",
    "c": "Turbines of the third dam were replaced in Q2 2023.",
    "q3": "Which lighthouses need clean lenses?",
    "e": "Lighthouses need clean lenses.",
}
QUERIES = {"q1": "When did the zeppelin leave?", "q2": "bitter oranges", "q3": "Which lighthouses need clean lenses?"}
QRELS = [("q1", "1/2", 1), ("q2", ".b", 1), ("q3", "e", 1)]


def taken(bench: Bench, place: Path, *parts: str, warehouse: Path | None = None) -> tuple[Evaluation, list[str]]:
    """The figures, and what was said on the way."""
    exam, said = read_dataset(place), list[str]()
    work = get_dataset_folder(exam, bench.settings)
    settings = bench.settings.model_copy(update={"warehouse": warehouse or work / "warehouse"})
    sitting = EvaluationRun(choose_rankings(parts), (2,), date(2025, 1, 1), work)
    return evaluate_rankings(exam, sitting, settings, said.append), said


def test_every_ranking_is_judged_and_compared_with_the_default(bench: Bench, tmp_path: Path) -> None:
    found, _ = taken(bench, beir(tmp_path / "set", CORPUS, QUERIES, QRELS))
    assert (found.exam, found.documents, found.questions, found.generation) == ("set", 5, 3, 1)
    assert [trial.name for trial in found.trials] == list(choose_rankings([]))
    for trial in found.trials:
        assert trial.means["recall@2"] == 1.0
        # The corpus holds the text of the third question as a document of its own name.
        assert trial.values["q3"]["recall@1"] == 1.0
        assert len(trial.milliseconds) == 3
        assert bool(trial.against) == (trial.name != "hybrid")


def test_a_second_time_nothing_is_made_again_and_the_folder_is_as_it_was(bench: Bench, tmp_path: Path) -> None:
    place = beir(tmp_path / "set", CORPUS, QUERIES, QRELS)
    before = sorted(path.relative_to(place) for path in place.rglob("*"))
    first, said = taken(bench, place, "hybrid")
    assert any(line.startswith("vectors: 3 texts") for line in said)
    again, said = taken(bench, place, "hybrid")
    assert not [line for line in said if not line.startswith("hybrid: ")]
    assert again.generation == 1
    assert again.trials[0].values == first.trials[0].values
    assert sorted(path.relative_to(place) for path in place.rglob("*")) == before


def test_a_corpus_that_changed_is_ingested_as_far_as_it_changed(bench: Bench, tmp_path: Path) -> None:
    place = beir(tmp_path / "set", CORPUS, QUERIES, QRELS)
    taken(bench, place, "keyword")
    fewer = {name: text for name, text in CORPUS.items() if name != "c"} | {".b": "Nothing of that kind."}
    beir(tmp_path / "other" / "set", fewer, QUERIES, QRELS)
    found, _ = taken(bench, tmp_path / "other" / "set", "keyword")
    assert (found.documents, found.generation) == (4, 2)
    assert found.trials[0].values["q2"]["recall@5"] == 0.0
    assert found.trials[0].values["q1"]["recall@5"] == 1.0


def test_a_warehouse_that_holds_the_corpus_is_asked_as_it_is(bench: Bench, tmp_path: Path) -> None:
    corpus = {name: (bench.docs / path).read_text() for name, path in (("alpha", "alpha.md"), ("beta", "beta.txt"))}
    place = beir(tmp_path / "set", corpus, {"q": "bitter oranges"}, [("q", "beta", 1)])
    bench.ingest()
    found, said = taken(bench, place, "hybrid", warehouse=bench.settings.warehouse)
    assert found.trials[0].means["recall@1"] == 1.0
    assert found.generation == 1
    assert not any("plan" in line or "Prefect" in line for line in said)
    assert not (get_dataset_folder(read_dataset(place), bench.settings) / "files").exists()


def test_pages_are_judged_where_the_documents_lie(bench: Bench, tmp_path: Path) -> None:
    place = pages(tmp_path / "filings")
    found, _ = taken(bench, place, "hybrid", "keyword")
    for trial in found.trials:
        assert trial.means["page@1"] == trial.means["doc@5"] == 1.0
    assert {path.name for path in place.iterdir()} == {"ALPHA_2022.pdf", "BETA_2022.pdf", "questions.jsonl"}
    again, said = taken(bench, place, "hybrid")
    assert again.generation == 1
    assert len(said) == 1


def test_tables_are_found_by_their_questions(bench: Bench, tmp_path: Path) -> None:
    found, _ = taken(bench, tatqa(tmp_path / "tables"), "keyword")
    assert found.trials[0].means["MRR@10"] == 1.0


def test_lost_vectors_of_questions_are_made_again(bench: Bench, tmp_path: Path) -> None:
    place = beir(tmp_path / "set", CORPUS, QUERIES, QRELS)
    first, _ = taken(bench, place, "dense")
    (file,) = get_dataset_folder(read_dataset(place), bench.settings).glob("questions-*.npz")
    for kept in (b"", b"PK\x03\x04 no archive", None):
        file.unlink() if kept is None else file.write_bytes(kept)
        again, said = taken(bench, place, "dense")
        assert again.trials[0].values == first.trials[0].values, kept
        assert any(line.startswith("vectors: 3 texts") for line in said), kept


def test_documents_that_cannot_be_read_are_said_to_be_lost(bench: Bench, tmp_path: Path) -> None:
    place = pages(tmp_path / "filings")
    (place / "GAMMA_2022.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<<")
    found, _ = taken(bench, place, "keyword")
    (note,) = found.notes
    assert note.startswith("cannot be found: 1 documents that cannot be read, the first filings/GAMMA_2022.pdf (")
